"""The games where programs already play: one adapter a file, with the truth inside.

Each adapter is made from a game's key and settings, numbers its actions as `game.actions` does,
shows positions as `game.encode` does, and can add the exact verdicts.
"""
