"""Lesson plans, sheets and grids to print."""
