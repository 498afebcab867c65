"""Experiments: how fair a game is, sweeps over families of games, and pictures."""
