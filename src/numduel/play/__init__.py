"""The table: a game in progress, a match of several rounds, saved games."""
