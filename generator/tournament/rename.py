"""Correct a player's name in the record of an event, in its file, and in the cells of results.csv."""

from __future__ import annotations

import codecs
import csv
import io
import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from generator.errors import DataError, Problem, WrongUsageError
from generator.localization import tr
from generator.notation.text import clean_name, value
from generator.tournament import event_file
from generator.tournament.csv_files import Row, cell_words, decoded_text, headings, means, plain
from generator.tournament.event_file import MAX_FORMER_NAMES, EventRecord, Meeting, Played, Player

_NAME_COLUMNS = ("player_a", "player_b", "winner")
"""The columns of results.csv that may contain a name."""
_DELIMITERS = ",;\t"
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CODECS = {"utf-8-sig": "utf-8"}
"""Encodings without their byte order mark, which is handled separately."""
_TOML_STRING = re.compile(
    r'#[^\n]*|"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'', re.DOTALL
)
_KEY_BEFORE = re.compile(r"(?P<start>^[ \t]*)?(?P<key>name|a|b|against)[ \t]*=[ \t]*\Z", re.MULTILINE)
_LAST_KEY = re.compile(r"^[ \t]*(?P<key>\w+)[ \t]*=", re.MULTILINE)
_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)


def new_name(event_record: EventRecord, old: Player, user_input: str) -> str:
    """Return a new name in the form in which it is stored.

    Raises:
        WrongUsageError: If the name is not valid or belongs to another player.
    """
    read = Row("", 0, {"name": clean_name(user_input, "NEW")}).name("name")
    if isinstance(read, Problem):
        raise WrongUsageError(read.message, hint=read.hint)
    if means(read, cell_words().bye):
        raise WrongUsageError(tr("NEW: {name!r} means a bye and cannot be a player's name", name=read))
    other = event_record.find_player(read)
    if other and other != old:
        raise WrongUsageError(tr("NEW: {name} is already on the list", name=other.name))
    return read


def rename_player(event_record: EventRecord, old: str, new: str) -> EventRecord:
    """Return the record with a player's name changed in the list, in every round, and among players kept apart.

    The old name is stored with the player, because it is on pages that were printed before.
    """
    key = plain(old)

    def now(name: str) -> str:
        return new if name and plain(name) == key else name

    def of_round(one: Played) -> Played:
        return replace(one, meetings=tuple(of_meeting(m) for m in one.meetings))

    def of_meeting(m: Meeting) -> Meeting:
        return replace(m, a=now(m.a), b=now(m.b), against=now(m.against))

    return replace(
        event_record,
        players=tuple(_of_player(one, new) if plain(one.name) == key else one for one in event_record.players),
        apart=tuple((now(a), now(b)) for a, b in event_record.apart),
        round=tuple(map(of_round, event_record.round)),
        undone=tuple(replace(past, round=of_round(past.round)) for past in event_record.undone),
    )


def _of_player(one: Player, new: str) -> Player:
    formerly = dict.fromkeys((*one.formerly, one.name))
    kept = [name for name in formerly if plain(name) != plain(new)]
    return replace(one, name=new, formerly=tuple(kept[-MAX_FORMER_NAMES:]))


def rename_in_event_file(content: bytes, old: str, new: str, before: EventRecord, after: EventRecord) -> bytes:
    """Return event.toml with the name changed and everything else unchanged, including comments and line ends.

    If the file cannot be changed in this way, it is written again from the record.
    """
    if content == event_file.write(before):
        return event_file.write(after)
    text = content.decode("utf-8", "surrogateescape")
    made = "".join(_in_toml(text, old, new))
    try:
        read = msgspec.convert(tomllib.loads(made.removeprefix("\ufeff")), EventRecord)
    except (ValueError, msgspec.ValidationError):
        return event_file.write(after)
    return made.encode("utf-8", "surrogateescape") if read == after else event_file.write(after)


def _in_toml(text: str, old: str, new: str) -> Iterator[str]:
    """Yield the pieces of a TOML text with the name changed wherever it is the name of a player."""
    end = 0
    first_table = found.start() if (found := _TABLE.search(text)) else len(text)
    for token in _TOML_STRING.finditer(text):
        if token[0].startswith("#") or plain(tomllib.loads(f"v = {token[0]}")["v"]) != plain(old):
            continue
        before = text[: token.start()]
        key = _KEY_BEFORE.search(before)
        # The name is on a separate line: the name of the event, or a name in a [[players]] table.
        alone = bool(key and key["start"] is not None)
        listed = not key and [m["key"] for m in _LAST_KEY.finditer(before)][-1:] == ["apart"]
        if not (key or listed) or (alone and token.start() < first_table):
            continue
        yield text[end : token.start()] + value(new)
        end = token.end()
        if key and key["key"] == "name" and plain(old) != plain(new):
            sign = "\n" if alone else ", "
            yield f"{sign}formerly = [{token[0]}]"
    yield text[end:]


def rename_in_results(
    file: Path, old: str, new: str, encoding: str | None = None, names: Sequence[str] = ()
) -> tuple[bytes, int]:
    """Return results.csv with the name changed in the cells that contain it, and the number of these cells.

    All other bytes stay unchanged.

    Raises:
        DataError: If the file cannot be read as CSV, or its encoding lacks a letter of the new name.
    """
    found = decoded_text(file, encoding, [*names, old])
    text, used = found.text, found.encoding
    content = file.read_bytes()
    mark = next((mark for mark in _MARKS if content.startswith(mark)), b"")
    codec = _CODECS.get(used, used)
    if mark in _MARKS[1:]:
        codec = "utf-16-le" if mark == codecs.BOM_UTF16_LE else "utf-16-be"
    spans = _spans(text, plain(old))
    if not spans:
        return content, 0
    at = _offsets(content[len(mark) :], codec, len(text))
    made, end = [mark], 0
    body = content[len(mark) :]
    changed: list[str] = []
    last = 0
    for start, stop, delimiter in spans:
        cell = _quoted(new, delimiter, text[start] == '"')
        try:
            made += [body[end : at[start]], cell.encode(codec)]
        except UnicodeEncodeError as error:
            message = tr(
                "the encoding of this file is {encoding}, which cannot represent {name!r}",
                encoding=used,
                name=new[:40],
            )
            raise DataError(Problem(message, str(file), hint=tr("save the file as CSV in UTF-8"))) from error
        changed += [text[last:start], cell]
        end, last = at[stop], stop
    whole = b"".join([*made, body[end:]])
    if whole[len(mark) :].decode(codec) != "".join([*changed, text[last:]]):
        message = tr("names cannot be changed in a file with the encoding {encoding}", encoding=used)
        raise DataError(Problem(message, str(file), hint=tr("save the file as CSV in UTF-8")))
    return whole, len(spans)


def _offsets(body: bytes, codec: str, letters: int) -> list[int]:
    """Return the offset in bytes of each letter, and of the end of the last letter."""
    decoder = codecs.getincrementaldecoder(codec)()
    found, begin = [0], 0
    for at in range(len(body)):
        made = decoder.decode(body[at : at + 1])
        found += [begin] * (len(made) - 1) + [at + 1] if made else []
        begin = at + 1 if made else begin
    return found if len(found) == letters + 1 else [*found, *[len(body)] * (letters + 1 - len(found))]


def _spans(text: str, key: str) -> list[tuple[int, int, str]]:
    """Return the start, the end and the delimiter of each cell that contains a name."""
    known = headings(_NAME_COLUMNS)
    for delimiter in _DELIMITERS:
        rows = list(_rows(text, delimiter))
        for at, row in enumerate(rows):
            keys = [known.get(plain(_content(text[start:stop])), "") for start, stop in row]
            if set(_NAME_COLUMNS[:2]) <= set(keys):
                _check_cells(text, delimiter, rows)
                return [
                    (start, stop, delimiter)
                    for below in rows[at + 1 :]
                    for column, (start, stop) in zip(keys, below, strict=False)
                    if column and stop > start and plain(_content(text[start:stop])) == key
                ]
    return []


def _check_cells(text: str, delimiter: str, rows: Sequence[Sequence[tuple[int, int]]]) -> None:
    """Check that Python's CSV reader finds the same cells.

    Raises:
        DataError: If it finds other cells.
    """
    ours = [[_content(text[start:stop]) for start, stop in row] for row in rows]
    expected = [
        [cell.strip() for cell in row] for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    ]
    if [row for row in ours if any(row)] != [row for row in expected if any(row)]:
        raise DataError(Problem(tr("the file contains quotation marks that can be read in two ways")))


def _rows(text: str, delimiter: str) -> Iterator[list[tuple[int, int]]]:
    """Yield the start and end of the cells in each line, including quotes."""
    cell = _cell_pattern(delimiter)
    at, row = 0, list[tuple[int, int]]()
    while at <= len(text):
        found = cell.match(text, at)
        assert found
        row.append(found.span())
        at = found.end()
        after = text[at : at + 1]
        if after != delimiter:
            yield row
            row = []
            if not after:
                return
            at += text.startswith("\r\n", at)
        at += 1


def _cell_pattern(delimiter: str) -> re.Pattern[str]:
    """Return the pattern of a cell, which is quoted or extends to the next delimiter or the end of the line."""
    return re.compile(rf'"(?:[^"]|"")*"[^{delimiter}\r\n]*|[^{delimiter}\r\n]*')


def _content(raw: str) -> str:
    """Return the content of a cell without quotes."""
    if raw.startswith('"'):
        inside, _, after = raw[1:].rpartition('"')
        raw = inside.replace('""', '"') + after
    return raw.strip()


def _quoted(text: str, delimiter: str, quotes: bool) -> str:
    """Return a cell as it must be written in the file, with quotes if they are needed or requested."""
    if quotes or delimiter in text or '"' in text:
        return '"' + text.replace('"', '""') + '"'
    return text
