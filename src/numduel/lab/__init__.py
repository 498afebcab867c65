"""Experiments: how fair a game is."""
