"""The longest chain in the browser."""
