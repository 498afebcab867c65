"""Retrograde analysis of games with one number, affine operations, a goal and a ceiling.

The numbers are 1 to `top`. A move to a multiple of the goal wins, a move above `top` loses, and a
move below 1 is not allowed. Verdicts do not depend on which seat is to move, so each number is a
position. Its verdict is a label: d for a win in d moves, -d for a loss in d moves, 0 if endless,
and STUCK for a loss without a legal move.

The code is plain Python over flat arrays, so that it can be checked by eye; `compiled` makes a fast
version of the same source.
"""

from __future__ import annotations

from typing import Any

STUCK = -(2**31)
"""The label of a number without legal moves. It is a loss in 0 moves, but 0 means endless."""


def settle_upward(factors: Any, terms: Any, goal: int, top: int, found: Any) -> None:
    """Fill `found[1..top]` in one pass downward. Every operation must make the number larger.

    The operations are n -> factors[i] * n + terms[i].
    """
    for number in range(top, 0, -1):
        best = 0
        for i in range(len(factors)):
            result = factors[i] * number + terms[i]
            if result > top:
                gain = -1
            elif result % goal == 0:
                gain = 1
            else:
                after = found[result]
                gain = 1 - after if after < 0 else -1 - after
            if best == 0:
                best = gain
            elif gain > 0:
                if best < 0 or gain < best:
                    best = gain
            elif best < 0 and gain < best:
                best = gain
        found[number] = best


def settle(
    factors: Any, terms: Any, goal: int, top: int, found: Any, unsettled: Any, queue: Any
) -> None:
    """Fill `found[1..top]` for any operations, in order of the distance from the end.

    The buffers `unsettled` (of bytes) and `queue` must also have places for 1 to `top`.
    """
    filled = settle_ends(factors, terms, goal, top, found, unsettled, queue)
    done = 0
    while done < filled:
        child = queue[done]
        done += 1
        if child % goal == 0:
            continue  # only a start can be there: a move to it ends the game
        verdict = found[child]
        before = 1 if verdict == STUCK else abs(verdict) + 1
        for i in range(len(factors)):
            rest = child - terms[i]
            if rest < 1 or rest % factors[i] != 0:
                continue
            number = rest // factors[i]
            if number > top:
                continue
            unsettled[number] -= 1
            if found[number] != 0 or (verdict > 0 and unsettled[number] > 0):
                continue
            found[number] = before if verdict < 0 else -before
            queue[filled] = number
            filled += 1


def settle_ends(
    factors: Any, terms: Any, goal: int, top: int, found: Any, unsettled: Any, queue: Any
) -> int:
    """Settle and queue the numbers that are stuck or one move from the end, in this order.

    Fill `unsettled` with the number of moves from each number that do not end the game. Return
    the length of the queue.
    """
    filled = 0
    for number in range(1, top + 1):
        moves = 0
        inside = 0
        wins = False
        for i in range(len(factors)):
            result = factors[i] * number + terms[i]
            if result < 1:
                continue
            moves += 1
            if result <= top:
                if result % goal == 0:
                    wins = True
                else:
                    inside += 1
        unsettled[number] = inside
        found[number] = 0
        if moves == 0:
            found[number] = STUCK
            queue[filled] = number
            filled += 1
        elif wins:
            found[number] = 1
        elif inside == 0:
            found[number] = -1
    for number in range(1, top + 1):
        if found[number] == 1 or found[number] == -1:
            queue[filled] = number
            filled += 1
    return filled


def settle_residues(factors: Any, terms: Any, divisor: int, found: Any) -> None:
    """Fill `found[0..divisor-1]` with the labels of the residues of a number without a ceiling.

    A move to residue 0 wins. Round d settles the residues that are d moves from the end.
    """
    for residue in range(divisor):
        found[residue] = 0
    distance = 0
    changed = True
    while changed:
        changed = False
        distance += 1
        for residue in range(divisor):
            if found[residue] != 0:
                continue
            wins = False
            loses = True
            for i in range(len(factors)):
                result = (factors[i] * residue + terms[i]) % divisor
                if result == 0 or -distance < found[result] < 0:
                    wins = True
                if result == 0 or not 0 < found[result] < distance:
                    loses = False
            if wins:
                found[residue] = distance
                changed = True
            elif loses:
                found[residue] = -distance
                changed = True
