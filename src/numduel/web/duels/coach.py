"""What the coach says on the page of a duel."""

from __future__ import annotations

from contextlib import suppress

from numduel.core.errors import NumduelError
from numduel.core.game import other
from numduel.core.words import MAX_PAIRS
from numduel.play.judgement import MAX_JUDGED_MOVES, compared_moves
from numduel.players import HUMAN
from numduel.web.duels.page_model import Coaching, GamePage
from numduel.web.duels.record import DuelRecord
from numduel.web.duels.service import MOVE_SECONDS
from numduel.web.identity import Client
from numduel.web.thinking import Thinking, tasks


async def coaching(
    thinking: Thinking, client: Client, page: GamePage, step: int | None
) -> Coaching:
    """Return what the coach says on this page; nothing if it is off and no hint is asked for.

    `step` is the step of the hint that the visitor asks for, if any.
    """
    result = Coaching()
    ended = page.outcome is not None and page.can_coach
    if (page.coach or ended) and page.looking is None and page.seats:
        result = await _comment_or_last_word(thinking, client, page)
        result = result._replace(slipped=await has_slipped(thinking, client, page.duel))
    if page.can_hint and step is not None:
        result = await _with_hint(thinking, client, page, result, step)
    if page.coach and page.can_move and page.preferences.colours:
        turn = page.duel.table.turn()
        with suppress(NumduelError):  # nobody knows
            verdicts = await thinking.ask(client, tasks.move_verdicts, turn.game, turn.position)
            result = result._replace(verdicts=verdicts)
    return result


async def _with_hint(
    thinking: Thinking, client: Client, page: GamePage, coaching: Coaching, step: int
) -> Coaching:
    """Return the coaching with that step of the hint added, or the last step if it has fewer."""
    turn, swap_open = page.duel.table.turn(), page.duel.table.swap_open
    try:
        advice = await thinking.ask(client, tasks.advise, turn, swap_open, MOVE_SECONDS)
    except NumduelError as error:
        why = str(error).removesuffix(".")
        return coaching._replace(hint=f"The coach cannot help here: {why}.")
    hint, steps = advice.hint, len(advice.steps)
    step = min(max(1, step), steps)
    coaching = coaching._replace(hint=advice.steps[step - 1], step=step, steps=steps)
    if hint is None or step < steps - 1:
        return coaching
    if step < steps:
        return coaching._replace(hinted=hint.candidates)
    pairs = hint.explanation.pairs[:MAX_PAIRS] if page.scene.cells else ()
    return coaching._replace(
        hinted=(hint.move,), label=hint.label, explanation=hint.explanation, dominoes=pairs
    )


async def _comment_or_last_word(thinking: Thinking, client: Client, page: GamePage) -> Coaching:
    """Return the comment on the last move, or after a game against the computer the last word."""
    duel, seats = page.duel, page.seats
    table = duel.table
    if table.outcome is None or len(seats) > 1 or not 0 < len(table.moves) <= MAX_JUDGED_MOVES:
        return Coaching(comment=await comment_on(thinking, client, duel))
    past = table.past()
    try:
        word = await thinking.ask(
            client, tasks.last_word, table.game, past, table.outcome, min(seats)
        )
    except NumduelError:
        return Coaching()
    if word.best is None:
        return Coaching(comment=word.line)
    reason = f"{word.best.label} was better. {word.best.why}"
    return Coaching(word.line, word.turned, word.best.move, reason)


async def has_slipped(thinking: Thinking, client: Client, duel: DuelRecord) -> bool:
    """Return whether the last move was a mistake of the computer."""
    table, players = duel.table, duel.match.setup.players
    if not table.moves or players[table.movers[-1] - 1] == HUMAN:
        return False
    before = table.position_at(len(table.moves) - 1)
    try:
        verdicts = await thinking.ask(client, tasks.move_verdicts, table.game, before)
    except NumduelError:  # nobody knows
        return False
    return verdicts[table.moves[-1]].score < max(one.score for one in verdicts.values())


async def comment_on(thinking: Thinking, client: Client, duel: DuelRecord) -> str:
    """Return the coach's comment on the last decision of a person in this round; may be empty."""
    table, players = duel.table, duel.match.setup.players
    turns = [turn for turn, seat in enumerate(table.movers) if players[seat - 1] == HUMAN]
    last = turns[-1] if turns else 0
    try:
        opening = table.first_turn_moves
        if table.swapped is not None and last < opening:  # the swap came after that move
            second = table.first if table.swapped else other(table.first)
            if players[second - 1] != HUMAN:
                return ""
            after = table.position_at(opening)
            swap = tasks.comment_swap, table.game, after, table.swapped
            return await thinking.ask(client, *swap)
        if not turns or table.swap_undecided:  # no comment on a move that can still be taken over
            return ""
        since = max(0, last - MAX_JUDGED_MOVES)
        past = table.past(since)
        people = [past[turn - since] for turn in turns if turn >= since]
        return await thinking.ask(
            client, tasks.comment, table.game, compared_moves(table.game, people)
        )
    except NumduelError as error:
        why = str(error).removesuffix(".")
        return f"I cannot judge this: {why}." if len(turns) < 2 else ""  # only once
