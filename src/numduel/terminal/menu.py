"""The menu of `numduel` without a command: it asks which game, who plays and how."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import partial
from typing import Any

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
    ask_question,
    ask_questions,
    parse_number,
    parse_word,
    parse_yes_or_no,
)
from numduel.terminal.options import default_text, help_sentence
from numduel.terminal.play import create_match, introduce_resumed
from numduel.terminal.puzzle import solve_puzzles
from numduel.terminal.saved_games import shelf
from numduel.terminal.screen import Screen, make_screen, rules_of
from numduel.terminal.session import Session

ALONE = {
    solve_puzzles: "Puzzle: Find the right moves of today's position.",
    make_chain: "Chain: Make the longest chain of factors and multiples.",
}
"""What one person does alone, with its line in the menu."""

AGAIN = MenuQuestion(
    "again",
    "Type again, change (the settings) or menu",
    partial(parse_word, words=("again", "change", "menu")),
    "again",
)

FRIENDLY, DOCUMENT, OWN = "friendly", "document", "own"
"""The settings that a person can choose."""


def run_menu() -> None:
    """Let a person choose and play games until they leave."""
    screen = make_screen()
    screen.say(["Numduel: number games for two. Type help at any question, quit to leave.", ""])
    try:
        while True:
            _choose_and_play(screen)
    except LeaveRequested:
        screen.say(["Goodbye."])
    except EOFError:
        screen.say(["", "Goodbye."])


def _choose_and_play(screen: Screen) -> None:
    """Run from the list of games until the person wants to see that list again."""
    answers: Answers = {}
    history = shelf().entries()
    unfinished = next((entry for entry in history if entry.match and not entry.match.over), None)
    while ask_questions(screen, partial(_next_question, unfinished), answers, _chosen_rules):
        if isinstance(answers["game"], Entry):
            _resume(screen, answers["game"].ident)
            return
        if answers["game"] in ALONE:
            screen.say([""])
            answers["game"](screen)
            screen.say([""])
            return
        try:
            word = _play(screen, answers)
        except NumduelError as error:  # the game is too large for this player
            screen.say([f"Choose another player: {error}.", ""])
            word = "players"
        if word == "menu":
            return
        kept = {"change": ("game", "players", "name1", "name2"), "players": ("game",)}[word]
        answers = {name: value for name, value in answers.items() if name in kept}


def _play(screen: Screen, answers: Answers) -> str:
    """Play until the person wants something else. Return the word that they chose."""
    players = answers["players"]
    game = _chosen_game(answers)
    first = answers.get("first", "1" if players[1] == HUMAN else None)
    rounds, best_of = answers.get("rounds", (1, False))
    if answers["settings"] == FRIENDLY:
        with contextlib.suppress(TooLarge):  # who can win is not known
            screen.say([winner_forecast(game, _advice(answers))])
    while True:
        screen.say([""])
        saved = create_match(
            game,
            screen,
            players=players,
            names=(answers["name1"], answers.get("name2")),
            first=first,
            rounds=rounds,
            best_of=best_of,
            swap=answers.get("swap", False),
            coach=answers.get("coach", answers["settings"] == FRIENDLY and players[1] != HUMAN),
        )
        if not Session(saved, screen).run():
            raise LeaveRequested
        screen.say([""])
        first = {"1": "2", "2": "1"}.get(first or "", first)
        try:
            word = str(ask_question(screen, AGAIN, rules_of(game)))
        except BackRequested:
            word = "menu"
        if word != "again":
            return word


def _advice(answers: Answers) -> str:
    """Return what a person should know if one side can win from the start."""
    if answers["players"][1] == HUMAN:
        return "Play again afterwards: then the other one begins."
    return "" if answers["settings"] == OWN else "That is you."


def _resume(screen: Screen, ident: int) -> None:
    try:
        saved = shelf().open(ident)
        introduce_resumed(saved, screen)
        if not Session(saved, screen).run():
            raise LeaveRequested
    except NumduelError as error:  # it is open in another window, or damaged
        screen.say([f"This game cannot be continued: {error}."])
    screen.say([""])


def _chosen_game(answers: Answers) -> Game[Any]:
    kind: type[Game[Any]] = answers["game"]
    if answers["settings"] == FRIENDLY:
        return friendly_game(kind)
    return kind(**_chosen_settings(kind, answers))


def _chosen_settings(kind: type[Game[Any]], answers: Answers) -> dict[str, Any]:
    declared = kind.settings_type.declared
    return {s.name: answers[_setting_key(s)] for s in declared if _setting_key(s) in answers}


def _chosen_rules(answers: Answers) -> str:
    kind = answers.get("game")
    if isinstance(kind, type):
        return rules_of(kind())
    return "Each game has its rules: choose one first."


# The questions. Which one comes next depends on the answers so far.


def _next_question(unfinished: Entry | None, answers: Answers) -> MenuQuestion | None:
    """Return the next question, or None if a game can begin or be resumed."""
    if "game" not in answers:
        return _game_question(unfinished)
    kind = answers["game"]
    if not isinstance(kind, type):
        return None
    questions = _questions_about(kind, answers)
    return next((question for question in questions if question.name not in answers), None)


def _questions_about(kind: type[Game[Any]], answers: Answers) -> Iterator[MenuQuestion]:
    yield _players_question()
    yield from _name_questions(answers)
    yield _settings_question(kind)
    if answers["settings"] == OWN:
        yield from _own_settings_questions(kind, answers)
    if answers["settings"] != FRIENDLY:
        yield from _warning_question(_chosen_game(answers), _advice(answers))
    if answers["settings"] == OWN:
        yield from _match_questions(answers["players"])


def _game_question(unfinished: Entry | None) -> MenuQuestion:
    kinds = [game_type(listed.key) for listed in games()]
    choices: list[tuple[Any, str]] = [(kind, f"{kind.title}: {kind.summary}") for kind in kinds]
    choices += ALONE.items()
    if unfinished is not None and unfinished.match is not None:  # last: the others stay in place
        line = f"Go on with game {unfinished.ident}: {summary(unfinished.match)}"
        choices.append((unfinished, line))
    words: dict[str, Any] = {"puzzle": solve_puzzles, "chain": make_chain}
    words |= {kind.title.lower(): kind for kind in kinds} | {kind.key: kind for kind in kinds}

    def parse(typed: str) -> Any:
        if typed.lower() in words:
            return words[typed.lower()]
        try:
            return choices[parse_number(typed, len(choices)) - 1][0]
        except SettingsError:
            for similar in get_close_matches(typed.lower(), words, 1):
                line = f"did you mean {similar}? If not, type a number from 1 to {len(choices)}"
                raise SettingsError(line) from None
            raise

    prompt = f"Choose a game (1 to {len(choices)})"
    return MenuQuestion("game", prompt, parse, "", _numbered(line for _, line in choices))


def _numbered(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{number}. {line}" for number, line in enumerate(lines, 1))


def _players_question() -> MenuQuestion:
    offered = [kind for kind in kinds() if not kind.parameter]
    lines = ["two people here", *(f"{display_name(kind.name)}: {kind.help}" for kind in offered)]

    def parse(typed: str) -> tuple[str, str]:
        with contextlib.suppress(SettingsError):
            return HUMAN, check_who(typed)
        number = parse_number(typed, len(lines))
        return HUMAN, HUMAN if number == 1 else offered[number - 2].name

    return MenuQuestion("players", "Who plays", parse, "1", _numbered(lines))


def _name_questions(answers: Answers) -> Iterator[MenuQuestion]:
    if answers["players"][1] != HUMAN:
        yield MenuQuestion("name1", "Your name, or Enter to play without", _parse_name)
        return
    yield MenuQuestion("name1", "Name of Player 1, or Enter", _parse_name)

    def parse(typed: str) -> str | None:
        name, first = _parse_name(typed), answers["name1"]
        if name and first and name.casefold() == first.casefold():
            raise SettingsError(f"Player 1 is called {first} already")
        return name

    yield MenuQuestion("name2", "Name of Player 2, or Enter", parse)


def _parse_name(typed: str) -> str | None:
    return check_name(typed) if typed else None


def _settings_question(kind: type[Game[Any]]) -> MenuQuestion:
    friendly, document = friendly_game(kind), kind()
    lines = {FRIENDLY: f"friendly: {friendly.settings.describe() or 'none'}"}
    if friendly != document:
        lines[DOCUMENT] = f"as in the document: {document.settings.describe()}"
    lines[OWN] = "your own"

    def parse(typed: str) -> str:
        if typed.lower() in lines:
            return typed.lower()
        return list(lines)[parse_number(typed, len(lines)) - 1]

    return MenuQuestion("settings", "Which settings", parse, "1", _numbered(lines.values()))


def _own_settings_questions(kind: type[Game[Any]], answers: Answers) -> Iterator[MenuQuestion]:
    def parse(setting: Setting[Any], typed: str) -> Any:
        value = parse_yes_or_no(typed) if isinstance(setting, Flag) else setting.parse(typed)
        # Raises SettingsError if two settings contradict each other.
        kind(**{**_chosen_settings(kind, answers), setting.name: value})
        return value

    for setting in kind.settings_type.declared:
        yield MenuQuestion(
            _setting_key(setting),
            _setting_prompt(setting),
            partial(parse, setting),
            default_text(setting),
            (help_sentence(setting),),
        )


def _setting_key(setting: Setting[Any]) -> str:
    """Return the name of the question about a setting."""
    return f"setting {setting.name}"


def _setting_prompt(setting: Setting[Any]) -> str:
    name = field_label(setting.name)
    if isinstance(setting, Flag):
        return f"{name}, yes or no"
    return f"{name}, {setting.allowed}" if isinstance(setting, Word) else name


def _warning_question(game: Game[Any], advice: str) -> Iterator[MenuQuestion]:
    """Yield a question about the settings, if one side can win from the start."""

    def parse(typed: str) -> bool:
        if not parse_yes_or_no(typed):
            raise BackRequested
        return True

    with contextlib.suppress(TooLarge):  # who can win is not known
        if beginning(game).verdict.value != "draw":
            line = winner_forecast(game, advice)
            yield MenuQuestion("agreed", "Play it like this?", parse, "yes", (line,))


def _match_questions(players: tuple[str, str]) -> list[MenuQuestion]:
    sides = ("Player 1", "Player 2") if players[1] == HUMAN else ("you", "computer")
    firsts = dict(zip(map(str.lower, sides), "12", strict=True)) | {"coin": COIN}

    def parse_first(typed: str) -> str:
        return typed if typed in ("1", "2") else firsts[parse_word(typed, list(firsts))]

    who = f"Who begins? Type {sides[0]}, {sides[1]} or coin"
    rounds = "How many rounds? Type a number such as 4, or best of 3"
    swap = "May the second player take over the first move?"
    return [
        MenuQuestion("first", who, parse_first, sides[0]),
        MenuQuestion("rounds", rounds, _parse_rounds, "1"),
        MenuQuestion("swap", swap, parse_yes_or_no, "no"),
        MenuQuestion("coach", "Do you want a coach?", parse_yes_or_no, "no"),
    ]


def _parse_rounds(typed: str) -> tuple[int, bool]:
    """Return the number of rounds, and whether to stop when the match is decided."""
    best_of = typed.lower().startswith("best")
    count = parse_number(typed.split()[-1] if best_of else typed, MAX_ROUNDS)
    if best_of and count % 2 == 0:
        raise SettingsError(f"type an odd number, as in best of 3, not {quoted(typed)}")
    return count, best_of
