"""The drawn table: what a person sees and presses, screen by screen."""
