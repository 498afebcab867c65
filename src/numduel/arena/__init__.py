"""The arena: who plays best, measured against the truth; and data sets of positions."""
