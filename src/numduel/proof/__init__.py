"""Certificates: making them, and checking them by the rules alone."""
