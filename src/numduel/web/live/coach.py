"""What the coach says while a duel is played."""

from __future__ import annotations

from numduel.core.errors import NumduelError
from numduel.core.game import other
from numduel.players import HUMAN
from numduel.web.data.hosted import Hosted
from numduel.web.thinking import questions
from numduel.web.thinking.thinker import Thinker


async def comment_on(quick: Thinker, duel: Hosted) -> str:
    """What the coach says of the last thing that a person did in this round; empty: nothing."""
    table, players = duel.table, duel.match.setup.players
    moved = [turn for turn, seat in enumerate(table.movers) if players[seat - 1] == HUMAN]
    last = moved[-1] if moved else 0  # the turn of a person's last move
    before = table.position_at(last)
    try:
        if table.swapped is not None and last == 0:  # on a move that can be taken over, no word
            second = table.first if table.swapped else other(table.first)
            if players[second - 1] != HUMAN:
                return ""
            after = table.game.after(before, table.moves[0])
            return await quick.ask(questions.comment_swap, table.game, after, table.swapped)
        if not moved or table.swap_open:
            return ""
        return await quick.ask(questions.comment, table.game, before, table.moves[last])
    except NumduelError as error:
        return f"this is beyond me: {error}."
