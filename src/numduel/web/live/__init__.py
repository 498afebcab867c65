"""What goes on while the server runs: duels, rooms, news and streams."""
