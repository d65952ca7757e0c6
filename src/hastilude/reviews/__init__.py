"""Reviews of finished matches: what a seat could know, what it chose, and what that cost."""
