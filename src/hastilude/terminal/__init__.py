"""The table in the terminal: drawn by Textual (`screens/`), or told in plain sentences (`plain`).

Both talk to a `Table` and know nothing of where the match is played.
"""
