"""What a game is. Standard library only, and no input or output."""
