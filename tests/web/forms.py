"""What the forms of a page offer and send."""

import re


def legal_moves(text):
    """The moves for which a page has buttons."""
    return [int(move) for move in re.findall(r'name="move" value="(\d+)"', text)]


def hidden_fields(text):
    """The hidden fields of the forms of a page."""
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', text))
