"""Games with the coach: each of its claims is true, and it says nothing twice."""

import re
from collections import Counter
from functools import lru_cache
from random import Random

import pytest

import numduel
from numduel.core.game import other
from numduel.core.verdict import Verdict
from numduel.core.words import Last
from numduel.play.coach import hint
from numduel.play.judgement import closing_remark, comment_on_move, compared_moves, remark
from numduel.solver import theory_of

evaluate = lru_cache(maxsize=2_000)(numduel.evaluate)


def walk(rng):
    size = rng.randint(8, 30)
    start = rng.randint(1, size)
    return numduel.new("multiplicity", size=size, start=start, opening=rng.choice(("any", "even")))


def line(rng):
    goal = rng.choice(("pair", "chain"))
    return numduel.new("divisor-line", size=rng.randint(16, 24), goal=goal)


def tally(rng):
    start = rng.randint(1, 12)
    target = start + rng.randint(5, 60)
    return rng.choice(
        (
            lambda: numduel.new("double-or-add", start=start, target=target),
            lambda: numduel.new("operation-duel", start=start, target=target, operations=menu(rng)),
            lambda: numduel.new("divisor-duel", start=start, divisor=rng.randint(2, 30)),
            lambda: numduel.new("divisor-duel", start=start, divisor=10, ceiling=40),
        )
    )()


def menu(rng):
    return rng.choice(("+1,x2", "+1,x3", "+2,+3,x2", "+1,-2,x2", "+1,+2,+3,+4,x2", "+3,x2"))


FAMILIES = {"multiplicity": walk, "divisor line": line, "tally": tally}
LONGEST = 60  # moves of a game that need not end


@pytest.mark.parametrize("family", FAMILIES)
def test_all_that_the_coach_says_in_a_game_is_true_and_said_once(family, many):
    for seed in range(many(8, 300)):
        rng = Random(f"{family} {seed}")
        game = FAMILIES[family](rng)
        skill = rng.random()
        said, past, position = Counter(), [], game.start()
        while game.outcome(position) is None and len(past) < LONGEST:
            advice = hint(game, position)
            check_hint(game, position, advice)
            move = advice.move if rng.random() < skill else rng.choice(game.moves(position))
            found = remark(game, position, move)
            check_remark(game, position, move, found)
            past.append(Last(position, move))
            line = comment_on_move(game, past)
            assert line == comment_on_move(game, compared_moves(game, past))
            said.update(sentences(line))
            position = game.play(position, move)
        assert max(said.values(), default=1) == 1, (game, said.most_common(3))
        if past and game.outcome(position) is not None:
            check_last_words(game, past, position)


def sentences(text):
    return re.findall(r"[^.!?]+[.!?]", text)


def check_hint(game, position, found):
    verdicts = evaluate(game, position)
    best = max(one.score for one in verdicts.values())
    good = [move for move, one in verdicts.items() if one.score == best]
    assert found.move in good
    check_explanation(game, position, found.move, found.explanation)
    check_landings(game, position, found)
    for step in (*found.steps, found.why):
        check_sentence(step)
    if len(verdicts) == 1:
        assert found.steps == (f"{found.label} is your only move.",)
        return
    if len({game.play(position, move) for move in verdicts}) == 1:
        assert found.steps == ("It is all the same: choose any move.",)
        return
    count, idea, two, last = found.steps
    assert found.label in last
    assert [int(n) for n in re.findall(r"\d+", count)] in (
        [len(good), len(verdicts)],
        [len(verdicts)],
        [] if len(verdicts) == 2 else None,
    )
    if count.startswith(("All", "None", "Both", "Neither")):
        assert len(good) == len(verdicts)
    assert found.label not in idea and found.move in found.candidates
    assert all(game.words.move_label(position, move) in two for move in found.candidates)
    if two.startswith(("It is", "One of")):
        assert sum(move in good for move in found.candidates) == 1
        assert two.startswith("It is") == (len(good) == 1)
    if "trap" in last:
        check_trap(game, position, found.decision, last)
    told = found.decision.verdict.distance
    if "equally good" in last:
        assert {one.distance for one in verdicts.values()} == {told}
    elif "holds out longest" in last:
        assert min(one.distance for one in verdicts.values()) < told
    if "always get to" in idea:
        told = {int(one) for one in re.findall(r"\d+", idea.partition("always get to")[2])}
        after = game.play(position, found.move)
        for reply in game.moves(after):
            follows = game.play(after, reply)
            going_on = game.outcome(follows) is None
            ends = (
                {game.play(follows, one).number for one in game.moves(follows)}
                if going_on
                else told
            )
            assert ends & told
    if "Leave an" in idea:
        assert ("odd" in idea) == bool(game.play(position, found.move).number % 2)


LANDINGS = r"(Good|Bad) (numbers to land on|remainders to leave): ([\d, ]+)"


def check_landings(game, position, found):
    """Numbers that are listed, or marked on the number line or dial, are good or bad as it says."""
    scene = game.words.explained(game.words.scene(position), found.move, found.explanation)
    drawn = scene.track or scene.dial
    told = [("Good", number) for number in drawn.good] if drawn else []
    told += [("Bad", number) for number in scene.dial.bad] if scene.dial else []
    for note in found.notes:
        for word, _, numbers in re.findall(LANDINGS, note):
            told += [(word, int(number)) for number in re.findall(r"\d+", numbers)]
    for word, number in told:
        for many in (0, 1, 2) if scene.dial and game.ceiling is None else (0,):
            landed = position._replace(
                number=number + many * game.goal, mover=other(position.mover)
            )
            value = (
                "loss" if landed.number % game.goal == 0 else theory_of(game).solve(landed).value
            )
            assert value == {"Good": "loss", "Bad": "win"}[word], (game, position, word, number)
    bad = re.search(r"Do not leave the remainder ([\d, or]+):", found.idea)
    left = (
        {game.play(position, move).number % game.goal for move in game.moves(position)}
        if bad
        else ()
    )
    assert not bad or left & {int(one) for one in re.findall(r"\d+", bad[1])}


def check_trap(game, position, decision, last):
    mistakes, replies = map(int, re.findall(r"[:] (\d+) of (\d+) answers to it", last)[0])
    traps = {
        move: trap_after(game, position, move)
        for move, one in evaluate(game, position).items()
        if one.score == decision.verdict.score and game.outcome(game.play(position, move)) is None
    }
    assert traps[decision.move] == (mistakes, replies)
    shares = [wrong / max(1, count) for wrong, count in traps.values()]
    assert min(shares) < max(shares) == mistakes / replies


def trap_after(game, position, move):
    """Return the number of mistakes, and of all answers, without those that lose at once."""
    values = evaluate(game, game.play(position, move)).values()
    top = max(one.score for one in values)
    values = [one for one in values if one != Verdict("loss", 1)]
    return sum(one.score < top for one in values), len(values)


def check_remark(game, before, move, found):
    verdicts = evaluate(game, before)
    best = max(one.score for one in verdicts.values())
    real = [one for one in verdicts.values() if one != Verdict("loss", 1)]
    choice = len({one.score for one in real}) > 1
    over = game.outcome(game.play(before, move)) is not None
    alike = len({game.play(before, one) for one in verdicts}) == 1
    if over or alike or len(real) == 1 or (not choice and best > 0):
        assert not found.sentences
        return
    assert bool(found.sentences) == (choice or found.trap is not None)
    for sentence in found.sentences:
        check_sentence(sentence)
        assert game.words.move_label(before, move).split("→ ")[-1] in sentence
    assert (found.best is not None) == (verdicts[move].score < best)
    if found.explanation is not None:
        check_explanation(game, before, move, found.explanation)
    if found.best is not None:
        assert verdicts[found.best.move].score == best
        assert found.best.label in found.sentences[1]


def check_explanation(game, position, move, found):
    verdict, after = evaluate(game, position)[move], game.play(position, move)
    assert found.verdict.value == verdict.value
    assert found.verdict.distance in (None, verdict.distance)
    because = game.words.because(position, move, found)
    check_sentence(because)
    replies = {} if found.kind == "end" else evaluate(game, after)
    own = re.search(r"in (\d+) of your moves", because)
    if own:
        assert verdict.value == "win" and int(own[1]) == (verdict.distance + 1) // 2
    if "leaves nothing" in because:
        assert not game.moves(after)
    only = re.search(r"leaves only (\d+)", because)
    if only:
        assert game.moves(after) == (int(only[1]),)
    CHECKS[found.kind](game, position, after, move, found, replies)


def ends(game, position, after, move, found, replies):
    assert game.outcome(after) is not None


def answered(game, position, after, move, found, replies):
    [answer] = found.moves
    assert replies[answer].value == "win"
    if found.verdict.distance == 2:
        assert game.outcome(game.play(after, answer)).winner == after.mover


def paired(game, position, after, move, found, replies):
    if game.key != "multiplicity":
        going_on = {reply for reply in replies if game.outcome(game.play(after, reply)) is None}
        assert {reply for reply, _ in found.pairs} == going_on
        for reply, answer in found.pairs:
            assert evaluate(game, game.play(after, reply))[answer].value == "win"
        return
    partner = {**dict(found.pairs), **{b: a for a, b in found.pairs}}
    assert len(partner) == 2 * len(found.pairs)  # no number in two dominoes
    for reply in replies:
        assert evaluate(game, game.play(after, reply))[partner[reply]].value == "win"
    waiting, seen = [after], set()
    while waiting:  # whatever they do, the other half of a domino can be chosen
        here = waiting.pop()
        for reply in game.moves(here):
            if reply not in partner:  # of very many dominoes, only those of the replies are told
                return
            follows = game.play(game.play(here, reply), partner[reply])
            if (follows.number, follows.chosen) not in seen and len(seen) < 40:
                seen.add((follows.number, follows.chosen))
                waiting.append(follows)


def forks(game, position, after, move, found, replies):
    for reply in replies:
        follows = game.play(after, reply)
        threats = [one for one in found.moves if one != reply]
        assert any(game.play(follows, one).won for one in threats)


def threatens(game, position, after, move, found, replies):
    for one in found.moves:
        assert game.after(after._replace(mover=position.mover), one).won


def blocks(game, position, after, move, found, replies):
    assert game.after(position._replace(mover=other(position.mover)), move).won


CHECKS = {
    "end": ends,
    "answer": answered,
    "pairs": paired,
    "fork": forks,
    "threat": threatens,
    "block": blocks,
    "verdict": lambda *_: None,
}


def check_sentence(text):
    """A text consists of complete sentences, and no sequence of four words occurs in it twice."""
    assert re.match(r"[A-Z0-9]", text) and text[-1] in ".?", text
    assert not re.search(r"\s\s|\.\.|: *\.", text), text
    words = re.findall(r"\w+", text)
    runs = Counter(zip(words, words[1:], words[2:], words[3:], strict=False))
    assert max(runs.values(), default=1) == 1, text


def check_last_words(game, past, position):
    outcome = game.outcome(position)
    for seat in (1, 2):
        found = closing_remark(game, past, outcome, seat)
        mistakes = [
            at
            for at, (before, move) in enumerate(past)
            if before.mover == seat
            and evaluate(game, before)[move].score < theory_of(game).solve(before).score
        ]
        if found.line:
            check_sentence(found.line)
        if outcome.winner == seat:
            assert found.line.startswith("You won") == (past[-1].before.mover == seat)
        elif mistakes:
            assert found.turned == mistakes[-1] and found.line.startswith(
                "So close! It turned when you chose"
            )
        else:
            assert found.line.startswith("You made no mistake") and found.turned is None
            assert theory_of(game).solve(past[0].before).value == (
                "win" if past[0].before.mover == outcome.winner else "loss"
            )
