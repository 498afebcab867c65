"""What the tests of the command line share: a prompt, a quick game, and what is saved of one."""

from numduel.play.saved import Shelf

MOVE = ", your move: "
"""How the board asks for a move, after the name of the player."""

QUICK = ("double-or-add", "--target", 2)
"""A game in which the first move wins."""


def saved_match(home, ident=1):
    return Shelf(home / "games").read(ident)


def saved_moves(home, ident=1):
    """The moves of the current round of a saved match."""
    return saved_match(home, ident).table.moves
