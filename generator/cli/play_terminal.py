"""Play a session at a terminal: show the board, the opponent's moves and the dice, and read moves and commands."""

from __future__ import annotations

import re
import sys
import textwrap
from collections import deque
from collections.abc import Callable, Sequence
from shutil import get_terminal_size

import click

from generator.cli import console
from generator.cli.text_board import text_board
from generator.common.play_session import PlaySession
from generator.common.presenter import Choice, Face, UnitNow
from generator.common.tables import shared_words
from generator.errors import MusterError
from generator.localization import display_width
from generator.model.words import Lang, Words

MAX_LISTED_MOVES = 60
"""The maximum number of moves that are listed at once."""
MAX_COLUMNS = 110
"""The maximum width of lists of moves in columns, even if the terminal is wider."""
SEPARATORS = re.compile("[;；,，、]")
"""The characters that separate several moves in one line."""
COMMANDS = {
    "help": ("help", "h", "ヘルプ"),
    "board": ("board", "map", "盤", "盤面", "マップ"),
    "units": ("units", "ユニット"),
    "hand": ("hand", "cards", "手札"),
    "hint": ("hint", "ヒント"),
    "odds": ("odds", "確率"),
    "undo": ("undo", "u", "取り消し", "戻す"),
    "again": ("last", "log", "経過"),
    "quit": ("quit", "exit", "q", "bye", "中断"),
}
"""The words for each command."""


class PlayerLeftError(Exception):
    """Raised if the player stops the game, which is saved."""


class PlayTerminal:
    """A game at the terminal between a person and a computer player."""

    def __init__(
        self, session: PlaySession, lang: Lang, seat: int, save: Callable[[], None], refresh: Callable[[], None]
    ) -> None:
        """Create the dialogue of the player at a seat.

        `save` writes the game, and `refresh` updates a picture of the board.
        """
        self.session, self.lang, self.seat = session, lang, seat
        self._save, self._refresh = save, refresh
        self._told = session.step_count
        """The number of steps that have been shown."""
        self._turn_story = self._told
        """The number of steps before the opponent's latest moves."""
        self._board_of: tuple[object, ...] = ()
        """The turn whose board has been shown, or the lines of a board without a map."""

    def run(self) -> None:
        """Play until the game is over.

        Raises:
            PlayerLeftError: If the player stops. The game has been saved.
        """
        self._save()
        try:
            while True:
                self._follow()
                if self.session.outcome:
                    self._save()
                    self._show_board()
                    return
                self._ask()
        except (click.Abort, EOFError) as error:
            self._save()
            raise PlayerLeftError from error

    # The course of the game

    def _print(self, text: Words | str) -> None:
        console.print_line(text if isinstance(text, str) else text[self.lang])

    def _say(self, key: str, **values: object) -> None:
        self._print(shared_words()["playing"][key].fill(**values))

    def _follow(self) -> None:
        """Let the computer play until the player has to decide, and show every step."""
        began = self._told
        self._show_steps()
        while self.session.advance():
            self._show_steps()
        if self._told > began:
            self._turn_story = began
            self._save()

    def _show_steps(self, start: int | None = None) -> None:
        """Show the steps that have not been shown, or those from `start` on."""
        first = self._told if start is None else start
        for lines, dice, unit in self.session.story(first):
            for line in lines[:1]:
                self._print(line)
            if dice and (len(dice) > 1 or isinstance(dice[0], str)):
                self._print(f"  {self._dice(dice, unit)}")
            for line in lines[1:]:
                self._print(line)
        self._told = self.session.step_count

    def _dice(self, faces: Sequence[Face], unit: str) -> str:
        """Return the faces of dice in words. Numbers are shown with the unit that rolled them."""
        names = self.session.presenter.face_names
        texts = [
            re.split(r" ?[(（]", names[face][self.lang])[0] if isinstance(face, str) else str(face) for face in faces
        ]
        joint: str = shared_words()["playing"]["comma"][self.lang]
        key = "dice_of" if unit and isinstance(faces[0], int) else "dice"
        return shared_words()["playing"][key].fill(faces=joint.join(texts), unit=unit)[self.lang]

    # The position

    def _show_board(self) -> None:
        """Show the map or the lines of the units."""
        lines = self.session.presenter.board(self.session.state)
        if lines is not None:
            for line in lines:
                self._print(line)
            return
        view = self.session.engine.view(self.session.state)
        if view is None:
            self._say("no_board")
            return
        places: dict[str, list[str]] = {}
        for unit in self.session.units():
            if unit.place:
                figures = f":{unit.left}" if unit.total > 1 else ""
                places.setdefault(unit.place, []).append(f"{unit.id}{figures}{unit.note}")
        turned, columns = self.seat == 1, get_terminal_size().columns
        far, near = (view.edges or ("", ""))[:: -1 if turned else 1]
        if view.edges:
            self._print(far)
        for row in text_board(view, places, self.lang, columns, turned):
            self._print(row)
        if view.edges:
            self._print(near)
        if any(unit.total > 1 for unit in self.session.units()):
            self._say("figures")
        for key in self.session.presenter.key:
            self._print(key)

    def _show_board_of_turn(self) -> None:
        """Show the board once at the start of each of the player's turns, or whenever its lines have changed."""
        lines = self.session.presenter.board(self.session.state)
        if lines is not None:
            key: tuple[object, ...] = tuple(lines)
        elif self.session.mover != self.seat:
            return
        else:
            key = self.session.round, self.session.mover
        if key == self._board_of:
            return
        self._board_of = key
        self._print("")
        self._show_board()
        self._show_hand(quiet=True)
        self._print("")

    def _show_units(self) -> None:
        """List all units of both sides."""
        for seat, name in enumerate(self.session.playing.seats):
            self._print(shared_words()["playing"]["side"].fill(side=name))
            for unit in self.session.units():
                if unit.seat == seat:
                    self._print(f"  {self._unit(unit)}")

    def _unit(self, unit: UnitNow) -> str:
        texts = shared_words()["playing"]
        if not unit.place:
            return texts["unit_lost" if not unit.left else "unit_off"].fill(unit=unit.id, kind=unit.kind)[self.lang]
        key = "unit" if unit.total > 1 else "unit_one"
        values = {"unit": unit.id, "kind": unit.kind, "place": unit.place, "n": unit.left, "total": unit.total}
        return texts[key].fill(**values)[self.lang]

    def _show_hand(self, quiet: bool = False) -> None:
        """List the cards of the player's hand with their texts."""
        cards = self.session.hand(self.seat)
        if cards:
            self._say("hand")
        elif not quiet:
            self._say("no_hand")
        wide = max((display_width(card.id) for card in cards), default=0)
        for card in cards:
            times = f" ×{card.count}" if card.count > 1 else ""
            text = shared_words()["playing"]["card"].fill(name=card.name, text=card.text)[self.lang]
            self._print(f"  {card.id:{wide}}  {text}{times}")

    # Moves and commands

    def _ask(self) -> None:
        """Show what has to be decided, and carry out one line that the player types."""
        self._show_board_of_turn()
        self._refresh()
        self._print(self.session.question())
        if sys.stdin is None:  # A shell may have closed the standard input, which ends the game like its end.
            raise click.Abort
        line = click.prompt("", default="", show_default=False, prompt_suffix="> ")
        parts = [part.strip() for part in SEPARATORS.split(line)]
        if not any(parts):
            self._say("empty")
            return
        if len(parts) > 1 and (whole := self.session.find_move(line)):
            parts = [whole]
        waiting = deque(filter(None, parts))
        while waiting:
            part = waiting.popleft()
            if self._names_units(part):
                waiting.extendleft(reversed(part.split()))
            elif not self._carry_out(part):
                if waiting:
                    self._say("rest", rest="; ".join(waiting))
                return

    def _carry_out(self, text: str) -> bool:
        """Carry out a move or command. Return whether the rest of the line may follow."""
        if text[0] in "?？":
            self._list(text[1:].strip())
            return True
        if move := self.session.find_move(text):
            return self._move(move)
        word, *words = text.split()
        for command, names in COMMANDS.items():
            if word.casefold() in names and (command == "odds" or not words):
                try:
                    self._command(command, words)
                except MusterError as error:
                    for row in error.lines(self.lang):
                        self._print(row)
                return True
        self._reject(text)
        return False

    def _names_units(self, text: str) -> bool:
        """Return whether a text is ids of several units, of which the first alone is a move, as `P3 P5` is."""
        ids, words = {unit.id.casefold() for unit in self.session.units()}, text.split()
        return (
            len(words) > 1
            and all(word.casefold() in ids for word in words)
            and self.session.find_move(text) is None
            and self.session.find_move(words[0]) is not None
        )

    def _move(self, move: str) -> bool:
        """Make a move and save it. Return whether the player decides next, without dice or other players before."""
        self.session.apply(move)
        self._save()
        self._show_steps()
        if text := self.session.echo():
            self._print(text)
        return self.session.waits_for_person

    def _command(self, command: str, words: Sequence[str]) -> None:
        if command == "help":
            for row in shared_words()["playing_help"].values():
                self._print(row)
        elif command == "board":
            self._show_board()
        elif command == "units":
            self._show_units()
        elif command == "hand":
            self._show_hand()
        elif command == "hint":
            self._hint()
        elif command == "odds":
            self._odds(words)
        elif command == "undo":
            self.session.undo()
            self._told = min(self._told, self.session.step_count)
            self._save()
            self._say("undone")
        elif command == "again":
            self._show_steps(self._turn_story)
        else:
            self._save()
            raise PlayerLeftError

    def _hint(self) -> None:
        """Show the move that the captain makes, with its reasons."""
        hint = self.session.hint()
        self._say("hint", move=hint.move.entry)
        for line in dict.fromkeys((hint.move.text, *hint.reasons)):
            self._print(f"  {line[self.lang]}")

    def _odds(self, words: Sequence[str]) -> None:
        """Show the odds of a named attack, or of the whole fight."""
        names = [word for word in words if word.casefold() not in ("against", "at", "on", "x", ">", "対")]
        if len(names) == 2:
            lines = self.session.odds(*names)
        else:
            lines = () if names else self.session.presenter.position_odds(self.session.state)
            if not lines:
                self._say("odds", example=self._example())
        for line in lines:
            self._print(line)

    def _example(self) -> str:
        """Return a unit of the player and one of the enemy."""
        there = [unit for unit in self.session.units() if unit.place]
        pair = [next((unit.id for unit in there if unit.seat == seat), "") for seat in (self.seat, 1 - self.seat)]
        return " ".join(pair)

    def _reject(self, text: str) -> None:
        """Show that a text is not a move, and a similar move."""
        self._say("unknown", typed=text)
        if near := self.session.near_move(text):
            entry = next(choice.entry for choice in self.session.choices() if choice.notation == near)
            self._say("near", move=entry)
        self._say("more")

    def _list(self, start: str) -> None:
        """List the legal moves by unit, or in words those of one unit or those that begin with a text."""
        choices = list({choice.entry: choice for choice in self.session.choices()}.values())
        if start:
            self._list_in_words(choices, start)
            return
        by_unit: dict[str, list[str]] = {}
        for choice in choices:
            if choice.unit and choice.entry.startswith(f"{choice.unit} "):
                by_unit.setdefault(choice.unit, []).append(choice.entry.removeprefix(f"{choice.unit} "))
        known = {unit.id: unit for unit in self.session.units()}
        for name, entries in by_unit.items():
            unit = known.get(name)
            label = f"{self._unit(unit)}:" if unit else f"{name}:"
            self._print_wrapped(label, entries)
        for choice in choices:
            if not choice.unit or not choice.entry.startswith(f"{choice.unit} "):
                self._print(f"  {choice.entry}  {choice.text[self.lang]}")

    def _print_wrapped(self, label: str, entries: Sequence[str]) -> None:
        """Print the moves of a unit in lines that fit the terminal."""
        width = min(MAX_COLUMNS, get_terminal_size().columns) - 1
        joint = " | " if any(" " in entry for entry in entries) else ", "
        # A line never breaks within a move.
        text = joint.join(entry.replace(" ", "\xa0") for entry in entries)
        self._print(f"  {label}")
        for row in textwrap.wrap(text, width, initial_indent="    ", subsequent_indent="    "):
            self._print(row.replace("\xa0", " "))

    def _list_in_words(self, choices: Sequence[Choice], start: str) -> None:
        plain = start.casefold()
        found = [choice for choice in choices if choice.unit.casefold() == plain]
        found = found or [
            choice
            for choice in choices
            if any(entry.casefold().replace("_", " ").startswith(plain) for entry in (choice.entry, choice.notation))
        ]
        if not found:
            self._say("none_listed", start=start)
        for choice in found[:MAX_LISTED_MOVES]:
            self._print(f"  {choice.entry}  {choice.text[self.lang]}")
        if len(found) > MAX_LISTED_MOVES:
            self._say("listed", n=MAX_LISTED_MOVES, m=len(found))
