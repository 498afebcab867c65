"""Duels in the browser: two seats, and the matches played between them."""
