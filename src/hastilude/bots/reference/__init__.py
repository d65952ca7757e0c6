"""The first good policy of each game, kept as it was: the fixed point of every measurement."""
