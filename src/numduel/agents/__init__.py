"""Adapters to the frameworks in which programs play, one per module, with exact verdicts.

Each adapter takes a game's key and settings, numbers the actions as in `game.actions`, encodes
positions by `game.encode` or describes them in words, and can add the exact verdicts.
"""
