"""Answer the studio's requests about games in play. A runner of the studio executes them.

The page keeps the game as the text of a saved game and sends it with every request. A runner remembers the sessions
of the latest games, so that it need not repeat their steps.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from generator.cli import BUG, REPORT_BUG, request
from generator.cli.playing import playing_for, result_line, saved_key
from generator.cli.scenario import Loaded, read_scenario
from generator.cli.studio_answer import Answer
from generator.cli.studio_play_request import PlayRequest
from generator.common.play_session import (
    PATH,
    Frame,
    PlaySession,
    SavedScenario,
    decode,
    encode,
    frame_values,
)
from generator.common.playing import DICE, SEATS, Seated, at_level, finish_game
from generator.common.tables import shared_words
from generator.errors import MusterError, NotInOrderError, WrongUsageError
from generator.localization import localize, tr
from generator.model.scenario import WithTexts
from generator.model.words import Lang, Words
from generator.notation.toml import Source
from generator.press.figures.maps import draw_fitted
from generator.press.pictures import map_zones
from generator.press.svg import UNITS, svg, svg_layer
from generator.seeds import Rng
from generator.store.manifest import seal
from generator.store.write import temporary_folder

SCENARIO = "battle.toml"
"""The name of the scenario in messages."""
PICTURE_MM = 240.0
"""The maximum width and height of the map in mm, which fills most of a screen."""
MAX_SESSIONS, MAX_SCENARIOS = 16, 8
"""The numbers of sessions and of scenarios that a runner remembers."""
MAX_RATED_STEPS, MAX_RATED_GAMES = 200, 400
"""The maximum numbers of positions in a request for win rates, and of games from each position."""
RATES_TIME_S = 1.0
"""The processor time after which a request for win rates is answered with the positions that are done."""

_sessions: OrderedDict[str, tuple[Loaded, PlaySession]] = OrderedDict()
"""The sessions of the latest saved games, keyed by the digest of their texts and files."""
_scenarios: OrderedDict[str, Loaded] = OrderedDict()
"""The latest scenarios, keyed by the digest of their texts and files."""


def run(words: Sequence[str], files: Mapping[str, bytes], _: object) -> Answer:
    """Answer a request whose JSON is the only word. The files are the user's own files."""
    play_request = msgspec.json.decode(words[0], type=PlayRequest)
    with temporary_folder(files) as folder, contextlib.chdir(folder):
        try:
            values = answer(play_request, folder)
        except Exception as error:
            hint = localize(REPORT_BUG, play_request.lang)
            values = {"exit": BUG, "problems": [{"message": f"{type(error).__name__}: {error}", "hint": hint}]}
    return Answer(0, msgspec.json.encode(values).decode(), "", {})


def answer(play_request: PlayRequest, folder: Path) -> dict[str, object]:
    """Return the answer to a request as plain values, or its problems.

    `folder` contains the user's own files, and no other files are read.
    """
    try:
        return {"exit": 0, "problems": [], **_answer(play_request, folder)}
    except MusterError as error:
        return {"exit": error.exit_code, "problems": _problem_values(error, play_request.lang)}


def _problem_values(error: MusterError, lang: Lang) -> list[dict[str, str]]:
    return [
        {"message": localize(problem.message, lang), "hint": localize(problem.hint, lang)}
        for problem in error.problems
    ]


def _answer(play_request: PlayRequest, folder: Path) -> dict[str, object]:
    lang, action = play_request.lang, play_request.action
    if action == "new":
        loaded = _read(play_request.scenario, play_request.files, folder)
        playing = playing_for(loaded)
        code = request.parse_seed(play_request.code or None)
        session = PlaySession(playing, loaded.scenario, play_request.seats, code)
    else:
        loaded, session = _open(play_request, folder)
    if action == "hint":
        hint = session.hint()
        reasons = dict.fromkeys((hint.move.text, *hint.reasons))
        return {"move": hint.move.notation, "entry": hint.move.entry, "lines": [line[lang] for line in reasons]}
    if action == "odds":
        return {"lines": [line[lang] for line in session.odds(play_request.unit, play_request.target)]}
    if action == "rates":
        return {"rates": list(_rates(session, play_request))}
    if action == "move":
        session.apply(play_request.move)
    elif action == "roll":
        session.roll(play_request.faces)
    elif action == "undo":
        session.undo()
    if action != "undo":
        _advance(session, play_request.by_hand)
    scenario = SavedScenario(saved_key(loaded), loaded.text)
    saved = seal(encode(session.save(scenario, loaded.game.name))).decode()
    _remember(_sessions, _digest(saved, play_request.files), (loaded, session), MAX_SESSIONS)
    return {"saved": saved, **_position(loaded, session, play_request)}


# Sessions


def _digest(text: str, files: Mapping[str, str]) -> str:
    return hashlib.sha256(repr((text, sorted(files.items()))).encode("utf-8", "replace")).hexdigest()


def _remember(found: OrderedDict[str, Any], key: str, value: object, max_count: int) -> None:
    found[key] = value
    found.move_to_end(key)
    while len(found) > max_count:
        found.popitem(last=False)


def _read(text: str, files: Mapping[str, str], folder: Path) -> Loaded:
    """Return a scenario with the report of its check."""
    key = _digest(text, files)
    loaded = _scenarios.get(key) or read_scenario(Source(SCENARIO, text), folder)
    _remember(_scenarios, key, loaded, MAX_SCENARIOS)
    return loaded


def _open(play_request: PlayRequest, folder: Path) -> tuple[Loaded, PlaySession]:
    """Return the session of a saved game, and its scenario.

    A session that the request changes is taken from the sessions that are remembered.

    Raises:
        NotInOrderError: If the text is not a saved game, or the game cannot go on with its scenario.
    """
    action, files = play_request.action, play_request.files
    key = _digest(play_request.saved, files)
    if action != "branch" and key in _sessions:
        return _sessions[key] if action in ("hint", "odds", "rates", "open") else _sessions.pop(key)
    saved = decode(play_request.saved.encode("utf-8", "replace"))
    # The folder of a saved game is a path on the machine that wrote it. The page sends the files instead.
    loaded = _read(saved.scenario.text, files, folder)
    playing = playing_for(loaded)
    if not saved_key(loaded).startswith(saved.scenario.sha256 or "?"):
        raise NotInOrderError(tr("the scenario in {file} was changed", file=SCENARIO))
    if action == "branch":
        steps = saved.steps[: max(0, play_request.step)]
        saved = msgspec.structs.replace(saved, steps=steps, seats=play_request.seats, over=False)
    session = PlaySession.load(playing, loaded.scenario, saved)
    if action in ("hint", "odds", "rates"):
        _remember(_sessions, key, (loaded, session), MAX_SESSIONS)
    return loaded, session


def _advance(session: PlaySession, by_hand: bool) -> None:
    """Let computer players and dice go on until a person has to decide or to enter dice, or the game is over."""
    while not (by_hand and session.waits_for_dice) and session.advance():
        pass


# Positions


def _position(loaded: Loaded, session: PlaySession, play_request: PlayRequest) -> dict[str, object]:
    """Return the position with everything that can be done in it, and the frames since the page's last step."""
    lang = play_request.lang
    people = tuple(seat for seat in SEATS if session.seats[seat].is_person)
    since = min(max(0, play_request.since), session.step_count)
    if play_request.action == "undo":
        since = session.step_count
    # A request that draws shows the whole course of the game. Any other request shows only the new steps.
    frames = list(session.frames(people, 0 if play_request.draws else since + 1))
    drawer = _Drawer(session, lang, turned=people == (1,))
    positions = list(_positions(session, frames, drawer, since))
    by_hand = play_request.by_hand and session.waits_for_dice
    values = {
        "game": loaded.game.name,
        "title": loaded.game.title[lang],
        "scenario": loaded.scenario.title[lang],
        "code": session.code,
        "people": list(people),
        "seats": [_seat_values(session, seat, lang) for seat in SEATS],
        "count": session.step_count,
        "turn": session.round,
        "mover": session.mover,
        "to_move": session.to_move,
        "question": session.decision()[lang] if session.to_move is not None else "",
        "choices": _choices(session, lang) if session.waits_for_person else [],
        "undoable": session.undoable,
        "echo": _echo(session, lang),
        "hand": _hand(session, people, lang),
        "units": _units(session, lang),
        "score": list(session.score()),
        "counted": loaded.game.score.counted[lang] if loaded.game.score else "",
        "goal": [line[lang] for line in loaded.game.score.goal(loaded.scenario)] if loaded.game.score else [],
        "roll": _roll(session, lang) if by_hand else None,
        "faces": {face: name[lang] for face, name in session.presenter.face_names.items()},
        "marks": [line[lang] for line in session.presenter.key],
        "notes": [note[lang] for note in _notes(loaded, session)],
        "outcome": _outcome(loaded, session, lang),
        "frames": [frame_values(frame, lang) for frame in frames],
        "positions": positions,
    }
    return values | drawer.values()


def _notes(loaded: Loaded, session: PlaySession) -> Iterator[Words]:
    """Yield what the game leaves out."""
    if isinstance(loaded.scenario, WithTexts) and loaded.scenario.texts.special_rules.en:
        yield shared_words()["adventure"]["not_played"]
    for left_out in session.playing.left_out:
        yield shared_words()["played"]["left_out"].fill(what=left_out)


def _seat_values(session: PlaySession, seat: int, lang: Lang) -> dict[str, object]:
    policy = session.policies[seat]
    return {
        "name": session.playing.seats[seat][lang],
        "person": policy is None,
        "player": session.seats[seat].player,
        "level": session.seats[seat].level,
        "policy": policy.name[lang] if policy else "",
    }


def _choices(session: PlaySession, lang: Lang) -> list[dict[str, object]]:
    """Return the legal moves with the cells and units that they concern, and the chances of attacks."""
    found: dict[str, dict[str, object]] = {}
    for choice, event, chance in session.choices_on_board():
        found.setdefault(
            choice.entry,
            {
                "move": choice.notation,
                "entry": choice.entry,
                "unit": choice.unit or event.unit,
                "text": choice.text[lang],
                "ends": choice.ends,
                "kind": event.kind,
                "from": event.start,
                "to": event.end,
                "targets": list(event.targets),
                "what": event.what,
                "chance": None if chance is None else float(chance),
            },
        )
    return list(found.values())


def _echo(session: PlaySession, lang: Lang) -> str:
    """Return a sentence about the latest decision that the frames do not describe, or an empty string."""
    if not session.undoable:
        return ""
    echo = session.echo()
    return echo[lang] if echo else ""


def _hand(session: PlaySession, people: tuple[int, ...], lang: Lang) -> list[dict[str, object]]:
    """Return the cards of the person who decides, or of the only person."""
    seat = people[0] if len(people) == 1 else session.to_move
    if seat is None or seat not in people:
        return []
    return [
        {"id": card.id, "name": card.name[lang], "text": card.text[lang], "count": card.count}
        for card in session.hand(seat)
    ]


def _units(session: PlaySession, lang: Lang) -> list[dict[str, object]]:
    return [
        {
            "id": unit.id,
            "seat": unit.seat,
            "kind": unit.kind[lang],
            "place": unit.place,
            "left": unit.left,
            "total": unit.total,
            "note": unit.note,
        }
        for unit in session.units()
    ]


def _roll(session: PlaySession, lang: Lang) -> dict[str, object]:
    """Return the number of dice that are rolled next and their faces."""
    names = session.presenter.face_names
    chances = session.engine.chances(session.state)
    faces = [{"face": face, "name": name[lang]} for face, name in names.items()]
    numbers = [{"face": number, "name": str(number)} for number in range(1, len(chances) + 1)]
    return {
        "seat": session.engine.to_move(session.state) - DICE,
        "count": session.presenter.dice_count(session.state),
        "faces": faces or numbers,
    }


def _outcome(loaded: Loaded, session: PlaySession, lang: Lang) -> dict[str, object] | None:
    end = session.outcome
    if end is None:
        return None
    return {"winner": end.winner, "text": result_line(loaded, session.playing, end)[lang]}


# Pictures


class _Drawer:
    """The pictures of several positions. Elements and symbols that occur several times are returned only once."""

    def __init__(self, session: PlaySession, lang: Lang, turned: bool) -> None:
        self.session, self.lang, self.turned = session, lang, turned
        self.boards: list[str] = []
        self.definitions: dict[str, str] = {}
        self.elements: dict[str, int] = {}
        self._board_numbers: dict[object, int] = {}

    def position(self, state: Any, draws: bool) -> dict[str, object]:
        """Return the number of the board and the numbers of the elements of the units."""
        view = self.session.engine.view(state)
        if view is None:
            return {"board": None, "units": []}
        drawn = draw_fitted(view, self.lang, "full", PICTURE_MM, PICTURE_MM, self.turned)
        # The places of names may depend on the units.
        key = drawn.place, drawn.picture.width, drawn.picture.height, drawn.lettering.names
        if draws and key not in self._board_numbers:
            title = self.session.engine.describe(state)[self.lang]
            self._board_numbers[key] = len(self.boards)
            zones = map_zones(view, drawn, self.lang)
            self.boards.append(svg(drawn.picture, self.lang, title, zones).decode())
        elements = svg_layer(drawn.picture, UNITS, self.definitions)
        numbers = [self.elements.setdefault(element, len(self.elements)) for element in elements]
        return {"board": self._board_numbers.get(key), "units": numbers}

    def values(self) -> dict[str, object]:
        """Return everything to which the positions refer."""
        return {"boards": self.boards, "definitions": self.definitions, "elements": list(self.elements)}


def _positions(session: PlaySession, frames: list[Frame], drawer: _Drawer, since: int) -> Iterator[dict[str, object]]:
    """Yield the picture of the present position and of each position in the frames that differs from the one before.

    If the page shows only the present position of a long game, it does not need the pictures of the earlier ones.
    """
    whole = not any(seat.is_person for seat in session.seats)
    draws = bool(frames) and frames[0].number == 0
    for frame in frames:
        last = frame.number == session.step_count
        wanted = whole or frame.number > since or last
        if wanted and (last or frame.number == 0 or frame.moved or frame.left):
            yield {"number": frame.number, **drawer.position(session.state_after(frame.number), draws)}
    if not frames:
        yield {"number": session.step_count, **drawer.position(session.state, draws=False)}


# Win rates


def _rates(session: PlaySession, play_request: PlayRequest) -> Iterator[dict[str, object]]:
    """Yield how often the first seat wins games between casual computer players from each of the positions.

    The iterator ends early after some processor time, but not before the first position.

    Raises:
        WrongUsageError: If a position does not exist, or too many are requested.
    """
    steps, games = play_request.steps, play_request.games
    if len(steps) > MAX_RATED_STEPS or not 1 <= games <= MAX_RATED_GAMES:
        raise WrongUsageError(tr("too many positions or games at once"))
    if any(not 0 <= step <= session.step_count for step in steps):
        raise WrongUsageError(tr("the number of steps in the game is only {n}", n=session.step_count))
    end = time.process_time() + RATES_TIME_S
    policies = [at_level(session.playing, "casual", seat) for seat in SEATS]
    for step in steps:
        won = 0.0
        for game in range(games):
            path = f"{PATH}/rate-{step}-{game}"
            minds, luck = ([Rng(session.code, f"{path}/{of}-{seat}") for seat in SEATS] for of in ("mind", "luck"))
            first, second = (Seated(policies[seat], minds[seat], luck[seat]) for seat in SEATS)
            winner = finish_game(session.engine, session.state_after(step), (first, second)).winner
            won += 0.5 if winner is None else float(winner == 0)
        yield {"step": step, "games": games, "won": won}
        if time.process_time() > end:
            return
