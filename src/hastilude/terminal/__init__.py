"""The table in the terminal: drawn by Textual (`screens/`), or in plain sentences (`plain`).

Both use the interface `Table` and do not know where the match is played.
"""
