"""Finished games in the browser: where they turned."""
