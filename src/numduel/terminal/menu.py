"""The menu of `numduel` without a command: it asks which game, who plays and how."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from difflib import get_close_matches
from functools import partial
from typing import Any

import click

from numduel.core.errors import NumduelError, SettingsError, TooLarge
from numduel.core.game import Game
from numduel.core.numerals import quoted
from numduel.core.settings import Flag, Setting, Word
from numduel.core.words import field_label
from numduel.games import game_type, games
from numduel.play.friendly_settings import beginning, friendly_game, winner_forecast
from numduel.play.saved import Entry
from numduel.play.setup import COIN, MAX_ROUNDS, check_name
from numduel.players import HUMAN, check_who, display_name, kinds
from numduel.terminal.chain import make_chain
from numduel.terminal.look_back import summary
from numduel.terminal.menu_questions import (
    Answers,
    BackRequested,
    LeaveRequested,
    MenuQuestion,
    ask,
    ask_all,
    number_up_to,
    one_of,
    yes,
)
from numduel.terminal.options import default_text
from numduel.terminal.play import begin, resumed_lines
from numduel.terminal.puzzle import solve_puzzles
from numduel.terminal.saved_games import shelf
from numduel.terminal.screen import Screen, rules_of, screen
from numduel.terminal.session import Interrupted, Session

ALONE = {
    solve_puzzles: "Puzzle: Find the right moves of today's position.",
    make_chain: "Chain: Make the longest chain of factors and multiples.",
}
"""What one person does alone, with its line in the menu."""

AGAIN = MenuQuestion(
    "again",
    "Type again, change (the settings) or menu",
    one_of(("again", "change", "menu")),
    "again",
)

FRIENDLY, DOCUMENT, OWN = "friendly", "document", "own"
"""The settings that a person can choose."""


def run_menu() -> None:
    """Let a person choose and play games until they leave."""
    shown = screen(plain=False)
    shown.say(["Numduel: number games for two. Type help at any question, quit to leave.", ""])
    try:
        while True:
            _choose_and_play(shown)
    except LeaveRequested:
        shown.say(["Goodbye."])
    except EOFError:
        shown.say(["", "Goodbye."])
    except Interrupted:
        raise click.exceptions.Exit(130) from None


def _choose_and_play(shown: Screen) -> None:
    """Run from the list of games until the person wants to see that list again."""
    answers: Answers = {}
    saved = shelf().entries()
    unfinished = next((one for one in saved if one.match and not one.match.over), None)
    while ask_all(shown, partial(following, unfinished), answers, rules):
        if isinstance(answers["game"], Entry):
            _go_on(shown, answers["game"].ident)
            return
        if answers["game"] in ALONE:
            shown.say([""])
            answers["game"](shown)
            shown.say([""])
            return
        try:
            word = _play(shown, answers)
        except NumduelError as error:  # the game is too large for this player
            shown.say([f"Choose another player: {error}.", ""])
            word = "players"
        if word == "menu":
            return
        kept = {"change": ("game", "players", "name1", "name2"), "players": ("game",)}[word]
        answers = {name: value for name, value in answers.items() if name in kept}


def _play(shown: Screen, answers: Answers) -> str:
    """Play until the person wants something else; return what they chose."""
    players = answers["players"]
    game = _chosen_game(answers)
    first = answers.get("first", "1" if players[1] == HUMAN else None)
    rounds, best_of = answers.get("rounds", (1, False))
    names = answers["name1"], answers.get("name2")
    if answers["settings"] == FRIENDLY:
        with contextlib.suppress(TooLarge):  # then it is not known
            shown.say([winner_forecast(game, _advice(answers))])
    while True:
        shown.say([""])
        saved = begin(
            game,
            shown,
            players=players,
            names=names,
            first=first,
            rounds=rounds,
            best_of=best_of,
            swap=answers.get("swap", False),
            coach=answers.get("coach", answers["settings"] == FRIENDLY and players[1] != HUMAN),
        )
        if not Session(saved, shown).run():
            raise LeaveRequested
        shown.say([""])
        first = {"1": "2", "2": "1"}.get(first or "", first)
        try:
            word = str(ask(shown, AGAIN, rules_of(game)))
        except BackRequested:
            word = "menu"
        if word != "again":
            return word


def _advice(answers: Answers) -> str:
    """Return what to know where whoever begins, or goes second, can win."""
    if answers["players"][1] == HUMAN:
        return "Play again afterwards: then the other one begins."
    return "" if answers["settings"] == OWN else "That is you."


def _go_on(shown: Screen, ident: int) -> None:
    try:
        saved = shelf().open(ident)
        shown.say(resumed_lines(saved, shown))
        if not Session(saved, shown).run():
            raise LeaveRequested
    except NumduelError as error:  # it is open in another window, or damaged
        shown.say([f"This game cannot be continued: {error}."])
    shown.say([""])


def _chosen_game(answers: Answers) -> Game[Any]:
    kind: type[Game[Any]] = answers["game"]
    if answers["settings"] == FRIENDLY:
        return friendly_game(kind)
    declared = kind.settings_type.declared
    return kind(**{s.name: answers[key(s)] for s in declared if key(s) in answers})


# The questions: which one follows depends on the answers so far.


def following(unfinished: Entry | None, answers: Answers) -> MenuQuestion | None:
    """Return the next question, or None if a game can begin or be resumed."""
    if "game" not in answers:
        return _which_game(unfinished)
    kind = answers["game"]
    if not isinstance(kind, type):
        return None
    asked = _about_the_game(kind, answers)
    return next((question for question in asked if question.name not in answers), None)


def _about_the_game(kind: type[Game[Any]], answers: Answers) -> Iterator[MenuQuestion]:
    yield _who_plays()
    yield from _who_are_they(answers)
    yield _which_settings(kind)
    if answers["settings"] == OWN:
        yield from _settings(kind, answers)
    if answers["settings"] != FRIENDLY:
        yield from _warning(_chosen_game(answers), _advice(answers))
    if answers["settings"] == OWN:
        yield from _match(answers["players"])


def _which_game(unfinished: Entry | None) -> MenuQuestion:
    known = [game_type(listed.key) for listed in games()]
    lines = [f"{count}. {kind.title}: {kind.summary}" for count, kind in enumerate(known, 1)]
    options: list[Any] = [*known]
    for alone, line in ALONE.items():
        lines.append(f"{len(lines) + 1}. {line}")
        options.append(alone)
    if unfinished is not None and unfinished.match is not None:  # last: the others stay in place
        going_on = f"Go on with game {unfinished.ident}: {summary(unfinished.match)}"
        lines.append(f"{len(lines) + 1}. {going_on}")
        options.append(unfinished)
    titles: dict[str, Any] = {"puzzle": solve_puzzles, "chain": make_chain}
    titles |= {kind.title.lower(): kind for kind in known} | {kind.key: kind for kind in known}

    def parse(typed: str) -> Any:
        if typed.lower() in titles:
            return titles[typed.lower()]
        try:
            return options[number_up_to(len(options))(typed) - 1]
        except SettingsError:
            for meant in get_close_matches(typed.lower(), titles, 1):
                line = f"did you mean {meant}? If not, type a number from 1 to {len(options)}"
                raise SettingsError(line) from None
            raise

    return MenuQuestion("game", f"Choose a game (1 to {len(options)})", parse, "", tuple(lines))


def _who_plays() -> MenuQuestion:
    offered = [kind for kind in kinds() if not kind.parameter]
    lines = ["two people here", *(f"{display_name(kind.name)}: {kind.help}" for kind in offered)]
    choices = tuple(f"{count}. {line}" for count, line in enumerate(lines, 1))

    def parse(typed: str) -> tuple[str, str]:
        with contextlib.suppress(SettingsError):
            return HUMAN, check_who(typed)
        chosen = number_up_to(len(lines))(typed)
        return HUMAN, HUMAN if chosen == 1 else offered[chosen - 2].name

    return MenuQuestion("players", "Who plays", parse, "1", choices)


def _who_are_they(answers: Answers) -> Iterator[MenuQuestion]:
    if answers["players"][1] != HUMAN:
        yield MenuQuestion("name1", "Your name, or Enter to play without", _name)
        return
    yield MenuQuestion("name1", "Name of Player 1, or Enter", _name)

    def other_name(typed: str) -> str | None:
        name, first = _name(typed), answers["name1"]
        if name and first and name.casefold() == first.casefold():
            raise SettingsError(f"Player 1 is called {first} already")
        return name

    yield MenuQuestion("name2", "Name of Player 2, or Enter", other_name)


def _name(typed: str) -> str | None:
    return check_name(typed) if typed else None


def _which_settings(kind: type[Game[Any]]) -> MenuQuestion:
    friendly, document = friendly_game(kind), kind()
    lines = {FRIENDLY: f"friendly: {friendly.settings.describe() or 'none'}"}
    if friendly != document:
        lines[DOCUMENT] = f"as in the document: {document.settings.describe()}"
    lines[OWN] = "your own"
    choices = tuple(f"{count}. {line}" for count, line in enumerate(lines.values(), 1))

    def parse(typed: str) -> str:
        if typed.lower() in lines:
            return typed.lower()
        return list(lines)[number_up_to(len(lines))(typed) - 1]

    return MenuQuestion("settings", "Which settings", parse, "1", choices)


def _settings(kind: type[Game[Any]], answers: Answers) -> list[MenuQuestion]:
    declared = kind.settings_type.declared

    def parse(setting: Setting[Any], typed: str) -> Any:
        given = {s.name: answers[key(s)] for s in declared if key(s) in answers}
        value = yes(typed) if isinstance(setting, Flag) else setting.parse(typed)
        kind(**{**given, setting.name: value})  # raises if two settings contradict each other
        return value

    return [
        MenuQuestion(key(setting), _asked(setting), partial(parse, setting), default_text(setting))
        for setting in declared
    ]


def key(setting: Setting[Any]) -> str:
    """Return the name of the question about a setting."""
    return f"setting {setting.name}"


def _asked(setting: Setting[Any]) -> str:
    told = f"{field_label(setting.name)}: {setting.help}"
    if isinstance(setting, Flag):
        return f"{told}. Type yes or no"
    return f"{told}. Type {setting.allowed}" if isinstance(setting, Word) else told


def _warning(game: Game[Any], advice: str) -> Iterator[MenuQuestion]:
    """Yield a question with what perfect players make of the game, if that spoils it."""

    def agreed(typed: str) -> bool:
        if not yes(typed):
            raise BackRequested
        return True

    with contextlib.suppress(TooLarge):  # then it is not known
        if beginning(game).verdict.value != "draw":
            yield MenuQuestion(
                "agreed", "Play it like this?", agreed, "yes", (winner_forecast(game, advice),)
            )


def _match(players: tuple[str, str]) -> list[MenuQuestion]:
    sides = ("Player 1", "Player 2") if players[1] == HUMAN else ("you", "computer")
    firsts = dict(zip(map(str.lower, sides), "12", strict=True)) | {"coin": COIN}

    def first(typed: str) -> str:
        return typed if typed in ("1", "2") else firsts[one_of(list(firsts))(typed)]

    begins = f"Who begins? Type {sides[0]}, {sides[1]} or coin"
    return [
        MenuQuestion("first", begins, first, sides[0]),
        MenuQuestion(
            "rounds", "How many rounds? Type a number such as 4, or best of 3", _rounds, "1"
        ),
        MenuQuestion("swap", "May the second player take over the first move?", yes, "no"),
        MenuQuestion("coach", "Do you want a coach?", yes, "no"),
    ]


def _rounds(typed: str) -> tuple[int, bool]:
    """Return the number of rounds, and whether to stop when the match is decided."""
    best = typed.lower().startswith("best")
    count = number_up_to(MAX_ROUNDS)(typed.split()[-1] if best else typed)
    if best and count % 2 == 0:
        raise SettingsError(f"type an odd number, as in best of 3, not {quoted(typed)}")
    return count, best


def rules(answers: Answers) -> str:
    """Return the rules of the game that was chosen."""
    kind = answers.get("game")
    if isinstance(kind, type):
        return rules_of(kind())
    return "Each game has its rules: choose one first."
