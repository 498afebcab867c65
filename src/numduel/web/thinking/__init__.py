"""Thinking that may take long, in processes of its own."""
