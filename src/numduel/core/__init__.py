"""What a game is. This package uses only the standard library and does no input or output."""
