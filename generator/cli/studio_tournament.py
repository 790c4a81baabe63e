"""The endpoints of the tournament room: the desk, the second screen, and the result slip on a phone.

The desk works on the folders of events below the folder in which the studio was started, with the commands, locks and
atomic writes of `muster tournament`. It answers only this machine. A phone needs no key, but a token for one table.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import io
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from generator import games
from generator.cli import studio_events
from generator.cli.event_folder import round_folder
from generator.cli.event_version import EventChangedError, event_version, expecting
from generator.cli.one_writer import lock_event
from generator.cli.page_words import Offer, in_page_words, offer_of, room_words
from generator.cli.studio_actions import DRAWING, AnyAction, Enter, New, command_of_action
from generator.cli.studio_answer import Answer
from generator.cli.studio_event_command import run_event_command
from generator.cli.studio_events import event_folders, event_state, folder_name, problem_text, round_files, wall_state
from generator.cli.studio_lists import preview_list
from generator.cli.studio_phones import find_slip, make_tokens, slip_values
from generator.cli.studio_results import GameResult, TableResult, record_at_desk, record_from_phone
from generator.cli.studio_runners import POLL_INTERVAL_S, Client, ClientGoneError, OverLimitError, Runners
from generator.cli.tournament_cli import format_numbers, format_sentence
from generator.errors import MusterError
from generator.localization import LANGS, Lang, localize, tr
from generator.notation.text import marked_commands
from generator.store.folders import is_file
from generator.tournament.day_files import ALL

T = TypeVar("T")
PHONE_PATHS = frozenset(("/slip", "/slip/read", "/slip/send", "/phone.js", "/phone.css", "/room.js", "/lit-html.js"))
"""The addresses that a phone needs. They need no key, and reveal nothing without the token of a table."""
MAX_DESK_BYTES, MAX_PHONE_BYTES = 16 << 20, 4096
"""The maximum size of a request of the desk, which may contain scanned slips, and of a phone."""
BODY_TIMEOUT_S = 20
MAX_ACTION_S = 3600.0
"""The maximum time for an action, in seconds. Drawing a round for 100 tables takes minutes."""
GUESS_DELAY_S = 0.25
"""The time that an answer to an unknown token takes, in seconds."""
_EVENT_FILES = ("index.pdf", "standings.pdf", "standings.csv", ALL, "commitment.json")
"""Files of an event that the page can show, in addition to the files of its rounds."""


class _Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request about an event. `version` is the state that the page shows."""

    event: str = ""
    lang: Lang = "en"
    version: str = ""


class _ListAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: str
    event: str = ""
    lang: Lang = "en"


class _FileAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    event: str
    name: str


class _PhonesAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    event: str
    round: int
    tables: tuple[int, ...] = ()
    lang: Lang = "en"


class _ActionAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    do: AnyAction
    event: str = ""
    version: str = ""
    lang: Lang = "en"


class _SlipAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    token: str


class _SlipSent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    token: str
    games: tuple[GameResult, ...]


class TournamentRoom:
    """The state of the room: the folder of its events, its runners, and how files get an address."""

    def __init__(
        self,
        root: Path,
        address: str,
        publish: Callable[[str, bytes], str],
        is_local: Callable[[Request], bool],
        on_request: Callable[[], None] = lambda: None,
    ) -> None:
        self.root, self.address, self.publish, self.is_local, self.on_request = (
            root, address, publish, is_local, on_request
        )  # fmt: skip
        self.runners = Runners(2, MAX_ACTION_S)
        """Two processes, so that results and late players need not wait for a pack that is being drawn."""
        self.writing = threading.Lock()
        """Held while this process writes, because the lock of a folder does not hold off threads of one process."""

    def routes(self) -> list[Route]:
        """Return the addresses of the room."""
        endpoints: Mapping[str, Callable[[Request], Any]] = {
            "list": self.list_events, "state": self.state, "preview": self.preview,
            "do": self.do, "file": self.file, "phones": self.phones,
        }  # fmt: skip
        return [
            *(Route(f"/tournament/{name}", self._desk(of), methods=["POST"]) for name, of in endpoints.items()),
            Route("/wall/state", self.wall, methods=["POST"]),
            Route("/slip/read", self.read_slip, methods=["POST"]),
            Route("/slip/send", self.send_slip, methods=["POST"]),
        ]

    def _desk(self, endpoint: Callable[[Request], Any]) -> Callable[[Request], Any]:
        """Return an endpoint that answers only this machine."""

        async def guarded(request: Request) -> Response:
            self.on_request()
            if not self.is_local(request):
                return _refused(tr("the tournament room opens only on the computer that runs the studio"), 403)
            response: Response = await endpoint(request)
            return response

        return guarded

    async def list_events(self, request: Request) -> Response:
        """Return the events, and the games for a new one."""
        if isinstance(body := await _read(request, _Asked, MAX_DESK_BYTES), Response):
            return body
        rows = await run_in_threadpool(lambda: list(studio_events.event_rows(self.root)))
        every = [games.load(name) for name in games.names()]
        about = [{"name": game.name, "title": {"en": game.title.en, "ja": game.title.ja}} for game in every]
        return JSONResponse({"events": rows, "games": about, "folder": self.root.name, "address": self.address})

    async def state(self, request: Request) -> Response:
        """Return an event, or `{"same": true}` if it has not changed."""
        if isinstance(body := await _read(request, _Asked, MAX_DESK_BYTES), Response):
            return body
        if (folder := event_folders(self.root).get(body.event)) is None:
            return _no_event()
        if body.version and await run_in_threadpool(event_version, folder) == body.version:
            return JSONResponse({"same": True})
        return await self._answer(lambda: event_state(body.event, folder, body.lang), folder)

    async def wall(self, request: Request) -> Response:
        """Return what the second screen shows of an event, or of the event that was changed last if none is named."""
        self.on_request()
        if isinstance(body := await _read(request, _Asked, MAX_PHONE_BYTES), Response):
            return body
        folders = event_folders(self.root)
        folder = folders.get(body.event) if body.event else studio_events.latest_event(folders)
        if folder is None:
            return _no_event()
        if body.version and await run_in_threadpool(event_version, folder) == body.version:
            return JSONResponse({"same": True})
        return await self._answer(lambda: wall_state(folder, body.lang), folder)

    async def preview(self, request: Request) -> Response:
        """Return each line of a pasted list of players, taken or refused."""
        if isinstance(body := await _read(request, _ListAsked, MAX_DESK_BYTES), Response):
            return body
        folder = event_folders(self.root).get(body.event)
        try:
            rows = await run_in_threadpool(preview_list, body.text, folder, body.lang)
        except MusterError as error:
            return _refusal_of(error, 400)
        return JSONResponse({"rows": rows})

    async def file(self, request: Request) -> Response:
        """Return the address of a PDF of an event. Only files of a fixed list have one."""
        if isinstance(body := await _read(request, _FileAsked, MAX_DESK_BYTES), Response):
            return body
        if (folder := event_folders(self.root).get(body.event)) is None:
            return _no_event()
        found = _event_file(folder, body.name)
        if found is None:
            return _refused(tr("this file is not part of the event"), 404)
        content = await run_in_threadpool(found.read_bytes)
        return JSONResponse({"url": self.publish(found.name, content)})

    async def phones(self, request: Request) -> Response:
        """Make tokens for tables of the current round, and return a QR code with the address of each slip."""
        if isinstance(body := await _read(request, _PhonesAsked, MAX_DESK_BYTES), Response):
            return body
        if (folder := event_folders(self.root).get(body.event)) is None:
            return _no_event()

        def make() -> dict[str, object]:
            with self._locked(folder):
                tokens = make_tokens(folder, body.round, body.tables)
            rows = []
            for table, token in tokens.items():
                address = f"{self.address}slip#{token}"
                rows.append({"table": table, "address": address, "qr": _qr_image(address)})
            return {"slips": rows}

        return await self._answer(make, folder)

    async def read_slip(self, request: Request) -> Response:
        """Return the table that a token opens."""
        self.on_request()
        if isinstance(body := await _read(request, _SlipAsked, MAX_PHONE_BYTES), Response):
            return body
        found = await run_in_threadpool(lambda: find_slip(event_folders(self.root), body.token))
        if found is None:
            return await _unknown_slip()
        return JSONResponse(await run_in_threadpool(slip_values, found))

    async def send_slip(self, request: Request) -> Response:
        """Record the results of a table that a phone has entered, for games without a result."""
        self.on_request()
        if isinstance(body := await _read(request, _SlipSent, MAX_PHONE_BYTES), Response):
            return body
        if not body.games or len({game.game for game in body.games}) < len(body.games):
            return _refused(tr("the request must be JSON"), 400)
        found = await run_in_threadpool(lambda: find_slip(event_folders(self.root), body.token))
        if found is None:
            return await _unknown_slip()
        opened = found

        def record() -> dict[str, object] | None:
            with self._locked(opened.folder):
                now = find_slip({opened.key: opened.folder}, body.token)
                if now is None:
                    return None
                record_from_phone(now.folder, now.table_slip, body.games)
            after = find_slip({opened.key: opened.folder}, body.token)
            return slip_values(after) if after else None

        try:
            values = await run_in_threadpool(record)
        except EventChangedError as error:
            return _refusal_of(error, 409)
        except MusterError as error:
            return _refusal_of(error, 400)
        return JSONResponse(values) if values else await _unknown_slip()

    async def do(self, request: Request) -> Response:
        """Carry out an action, and return what it reports together with the new state of the event, as JSON lines."""
        if isinstance(body := await _read(request, _ActionAsked, MAX_DESK_BYTES), Response):
            return body
        folders = event_folders(self.root)
        if isinstance(body.do, New):
            key = folder_name(body.do.name, [path.name for path in self.root.iterdir()])
            folder = self.root / key
        elif (found := folders.get(body.event)) is None:
            return _no_event()
        else:
            key, folder = body.event, found
        client = Client()
        work = asyncio.create_task(run_in_threadpool(self._carry_out, body, key, folder, client))
        return StreamingResponse(self._progress(work, client), media_type="application/x-ndjson")

    async def _progress(self, work: asyncio.Task[dict[str, object]], client: Client) -> AsyncIterator[bytes]:
        heard = None
        try:
            while not work.done():
                await asyncio.wait([work], timeout=POLL_INTERVAL_S)
                self.on_request()
                if client.last_progress != heard and (heard := client.last_progress):
                    yield json.dumps({"at": heard[0], "share": heard[1]}).encode() + b"\n"
                elif not work.done():
                    yield b"\n"
            yield json.dumps(work.result()).encode() + b"\n"
        finally:
            client.disconnected = True

    def _carry_out(self, body: _ActionAsked, key: str, folder: Path, client: Client) -> dict[str, object]:
        """Return the answer to an action: its lines and problems, what the user can confirm, and the new state."""
        try:
            if isinstance(body.do, Enter):
                answer = self._enter(body.do, folder, body.version, body.lang)
            else:
                answer = self._run(body, folder, client)
        except EventChangedError as error:
            answer = {"stale": True, "problems": _texts(error, body.lang, folder)}
        except MusterError as error:
            answer = {"problems": _texts(error, body.lang, folder)}
        except ClientGoneError:
            return {"problems": [localize(tr("cancelled"), body.lang)]}
        except OverLimitError:
            message = tr("this takes more time or memory than the studio allows; use the command line")
            answer = {"problems": [localize(message, body.lang)]}
        with contextlib.suppress(MusterError):
            answer["state"] = event_state(key, folder, body.lang)
        return {"lines": [], "problems": [], "offer": {}, "stale": False, "files": [], "event": key} | answer

    def _enter(self, entered: Enter, folder: Path, version: str, lang: Lang) -> dict[str, object]:
        with marked_commands(), self._locked(folder, version):
            found = record_at_desk(folder, TableResult(entered.round, entered.table, entered.games))
        later = [one.number for one in found.event_record.round if one.number > entered.round]
        based = found.corrected and later
        sentence = room_words()["said_corrected" if found.corrected else "said_recorded"]
        values = {"table": entered.table, "game": format_numbers(game.game for game in entered.games)}
        line = format_sentence("based", lang, n=entered.round, m=format_numbers(later))
        return {"said": sentence.fill(**values)[lang], "lines": [line] if based else []}

    def _run(self, body: _ActionAsked, folder: Path, client: Client) -> dict[str, object]:
        words, files = command_of_action(body.do, folder, body.lang)
        version = "" if isinstance(body.do, DRAWING) else body.version
        if body.version and not version and not isinstance(body.do, New) and event_version(folder) != body.version:
            raise EventChangedError(
                tr("the event has changed since the page showed it"),
                hint=tr("nothing was written; check the new state and try again"),
            )
        task = partial(run_event_command, str(folder), version)
        answer = self.runners.run(words, files, client, task)
        return _answer_values(answer, body.lang, folder)

    @contextlib.contextmanager
    def _locked(self, folder: Path, version: str = "") -> Iterator[None]:
        """Lock an event against other threads and other commands. Files are written as by a command.

        Raises:
            EventChangedError: If the event is no longer in the given version.
        """
        context = click.Context(click.Command("studio"), info_name="muster studio")
        with self.writing, context, expecting(folder, version), lock_event(folder):
            yield

    async def _answer(self, work: Callable[[], dict[str, object]], folder: Path) -> Response:
        try:
            return JSONResponse(await run_in_threadpool(work))
        except MusterError as error:
            return _refusal_of(error, 409, folder)


def _answer_values(answer: Answer, lang: Lang, folder: Path) -> dict[str, object]:
    """Return the answer of a command in the words of the page."""
    place = str(folder)
    try:
        out = json.loads(answer.out)
    except ValueError:
        out = {}
    out = out if isinstance(out, dict) else {}
    rows = [*out.get("problems", []), *out.get("contradictions", [])]
    problems, offer = [], Offer()
    for row in rows:
        offer = _joined(offer, offer_of(row.get("hint", "")))
        line = f"{row['line']}: " if row.get("line") else ""
        hint = f" ({row['hint']})" if row.get("hint") else ""
        problems.append(in_page_words(f"{line}{row['message']}{hint}", lang, place))
    if answer.exit and not problems:
        problems = [in_page_words(line, lang, place) for line in answer.err.strip().splitlines()[-3:]]
    stale = any(row.get("message") == localize(_changed(), lang) for row in rows)
    lines = [in_page_words(line, lang, place) for line in out.get("told", []) if isinstance(line, str)]
    if answer.exit:
        return {"lines": lines, "problems": problems, "offer": msgspec.structs.asdict(offer), "stale": stale}
    files = [Path(file).relative_to(folder).as_posix() for file in _written(out) if Path(file).is_relative_to(folder)]
    return {"lines": [*lines, *problems], "files": files}


def _changed() -> str:
    return tr("the event has changed since the page showed it")


def _written(out: Mapping[str, Any]) -> Iterator[str]:
    """Yield the files that a command lists in its answer."""
    for key in ("files", "file", "written"):
        value = out.get(key)
        yield from (one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str))


def _joined(one: Offer, other: Offer) -> Offer:
    return Offer(one.reopen or other.reopen, one.rematch or other.rematch, one.rounds or other.rounds)


def _event_file(folder: Path, name: str) -> Path | None:
    """Return a file of an event that the page may show, or None."""
    known = {file: folder / file for file in _EVENT_FILES}
    known |= {file.name: file for file in folder.glob("day-*.pdf")}
    known |= {file.name: file for file in folder.glob("round-*-tables-*.pdf")}
    for place in folder.glob("round-*"):
        number = place.name.removeprefix("round-")
        if number.isdecimal() and place.name == round_folder(int(number)):
            known |= {f"{place.name}/{file}": place / file for file in round_files(int(number))}
    found = known.get(name)
    return found if found and is_file(found) and not found.is_symlink() else None


def _qr_image(text: str) -> str:
    """Return a QR code as the address of an SVG image."""
    import segno  # Only a request for a QR code needs it.

    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="svg", scale=4, border=4, xmldecl=False)
    return f"data:image/svg+xml;base64,{base64.b64encode(out.getvalue()).decode()}"


async def _read(request: Request, kind: type[T], limit: int) -> T | Response:
    """Return the body of a request, or a refusal if it is too large, too slow or has the wrong form."""
    content = bytearray()
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            async for chunk in request.stream():
                content += chunk
                if len(content) > limit:
                    return _refused(tr("the request is larger than {n} KiB", n=limit >> 10), 413)
    except TimeoutError:
        return _refused(tr("the request did not arrive within {n} seconds", n=BODY_TIMEOUT_S), 408)
    try:
        return msgspec.json.decode(bytes(content), type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _refused(tr("the request must be JSON"), 400)


async def _unknown_slip() -> Response:
    await asyncio.sleep(GUESS_DELAY_S)
    return _refused(tr("this address is not valid, or its round is over; ask the organiser"), 404)


def _no_event() -> Response:
    return _refused(tr("this event is no longer in its folder"), 404)


def _refused(why: str, status: int) -> Response:
    return JSONResponse({"problems": [{"message": localize(why, lang), "lang": lang} for lang in LANGS]}, status)


def _refusal_of(error: MusterError, status: int, folder: Path | str = "") -> Response:
    rows = [{"message": problem_text(one, lang, folder), "lang": lang} for one in error.problems for lang in LANGS]
    return JSONResponse({"problems": rows}, status)


def _texts(error: MusterError, lang: Lang, folder: Path) -> list[str]:
    return [problem_text(problem, lang, folder) for problem in error.problems]
