"""Puzzles and challenges in the browser."""
