"""Tests for prints with a user's templates, rendered in a process with limited time, memory and access."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from generator import games
from generator.errors import DataError, DoesNotFitError
from generator.model.views import Bundle, Kit, Sheet
from generator.model.words import Words, same
from generator.press import silent
from generator.press.book import print_kit
from generator.press.bundles import print_bundles
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf import fonts
from generator.press.pictures import kit_pictures
from generator.press.sandbox import sandbox, worker
from generator.store.folders import shipped_path
from tests.press.kits import kit_of

RECORD = "battlelore/record.xml"
QUICK = replace(sandbox.LIMITS, seconds=0.2, share=0.1, wall=4.0)


@pytest.fixture(scope="module")
def records() -> Kit:
    return kit_of("call_to_arms").only(["records"])


@pytest.fixture
def copied(tmp_path: Path) -> tuple[Path, ...]:
    """Return the path of a copy of all shipped templates, as a user's templates."""
    shutil.copytree(shipped_path("templates"), tmp_path / "own")
    return (tmp_path / "own",)


def restyled(folder: Path, source: str) -> tuple[Path, ...]:
    (folder / "battlelore").mkdir(exist_ok=True)
    (folder / RECORD).write_text(source, "utf-8")
    return (folder,)


EDITIONS = (
    PrintSettings("en"),
    PrintSettings("ja", "letter", "saver", fillable=True),
    PrintSettings("en", second_lang="ja", turned=True),
)


@pytest.mark.parametrize("name", games.names())
def test_the_same_templates_print_the_same_bytes(name: str, copied: tuple[Path, ...]) -> None:
    print_options = EDITIONS[games.names().index(name) % len(EDITIONS)]
    kit = kit_of(name)
    assert print_kit(kit, replace(print_options, templates=copied)) == print_kit(kit, print_options)


def test_pictures_and_bundles_are_the_same_too(records: Kit, copied: tuple[Path, ...]) -> None:
    jailed_options, ours = PrintSettings("ja", templates=copied), PrintSettings("ja")
    assert kit_pictures(records, jailed_options, "svg") == kit_pictures(records, ours, "svg")
    bundles = [Bundle(same(f"Table {n}"), (records,)) for n in range(2)]
    jailed, here = (print_bundles(bundles, same("Cup"), print_options) for print_options in (jailed_options, ours))
    assert (bytes(jailed.pdf), jailed.starts, jailed.bodies) == (bytes(here.pdf), here.starts, here.bodies)


def test_letters_of_the_larger_fonts_are_found(records: Kit, tmp_path: Path) -> None:
    templates = restyled(tmp_path, "<sheet><para>Θερμοπύλαι 丘</para></sheet>")
    assert print_kit(records, PrintSettings("en", templates=templates)).startswith(b"%PDF")


def test_progress_is_passed_on(records: Kit, copied: tuple[Path, ...]) -> None:
    messages: dict[tuple[Path, ...], list[tuple[str, float | None]]] = {}
    for folders in (copied, ()):
        reported = messages.setdefault(folders, [])

        def progress(message: str, share: float | None = None, reported: list[Any] = reported) -> None:
            reported.append((message, share))

        print_kit(records, PrintSettings("en", templates=folders), progress)
    assert messages[copied] == messages[()] != []


def complaint(records: Kit, templates: tuple[Path, ...]) -> str:
    with pytest.raises(DataError) as caught:
        print_kit(records, PrintSettings("en", templates=templates))
    return str(caught.value)


@pytest.mark.parametrize(
    "source",
    [
        "<sheet>\n{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}</sheet>",
        # This is a single call inside Python, which handles no signals and does not let other threads run.
        "<sheet>{% set n = namespace(s=[0], t=[0]) %}{% for a in range(99) %}{% set n.s = [n.s, n.s] %}"
        "{% set n.t = [n.t, n.t] %}{% endfor %}\n{{ n.s == n.t }}</sheet>",
        "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}<sheet>{{ f(80) }}</sheet>",
    ],
    ids=["loops", "doubled lists compared", "macros"],
)
def test_endless_templates_are_stopped_and_reported_with_their_line(
    source: str, records: Kit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "LIMITS", QUICK)
    templates = restyled(tmp_path, source)
    began = time.monotonic()
    message = complaint(records, templates)
    assert message.startswith(
        f"{tmp_path}/{RECORD}:{1 if 'macro' in source else 2}: takes longer than 0.2 seconds (check "
    )
    assert f"to use the shipped templates, omit --templates {tmp_path}" in message
    assert time.monotonic() < began + 30


def test_the_parents_timeout_stops_an_endless_template(
    records: Kit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If no limit can be set, the parent's timeout applies."""
    monkeypatch.setattr(sandbox, "LIMITS", replace(QUICK, seconds=300, wall=0.1))
    monkeypatch.setattr(sandbox, "_GRACE_S", -0.099)
    templates = restyled(tmp_path, "<sheet>{% for a in range(99999) %}{{ range(99999) | sum }}{% endfor %}</sheet>")
    assert "takes longer than" in complaint(records, templates)


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("<sheet>\n\n{% set n = namespace(s='x') %}{% for a in range(99) %}{% set n.s = n.s ~ n.s %}{% endfor %}", 3),
        ("<sheet>{% set x = [0] * (20000000 + rows | length) %}\n{{ x | list | list | length }}", 2),
        ("<sheet>{{ ' ' * 10 ** 11 }}", 1),
    ],
    ids=["doubled texts", "a chain of filters", "a text times a number"],
)
def test_growing_templates_are_stopped_and_reported_with_their_line(
    source: str, line: int, records: Kit, tmp_path: Path
) -> None:
    templates = restyled(tmp_path, f"{source}</sheet>")
    assert complaint(records, templates).startswith(
        f"{tmp_path}/{RECORD}:{line}: takes more than 448 MB of memory (check the"
    )


def test_what_cannot_be_laid_out_names_the_persons_file(records: Kit, tmp_path: Path) -> None:
    templates = restyled(tmp_path, "<sheet>{% for a in range(99) %}<para>More</para>{% endfor %}</sheet>")
    with pytest.raises(DoesNotFitError, match=rf"^{tmp_path}/{RECORD}: the sheet .* does not fit on one page"):
        print_kit(records, PrintSettings("en", templates=templates))
    assert complaint(records, restyled(tmp_path, "<sheet/>")).startswith(
        f"{tmp_path}/{RECORD}: there is nothing to print"
    )


def test_failures_inside_are_attributed_to_the_template(tmp_path: Path) -> None:
    fonts.ensure_registered("en")
    print_options = PrintSettings("en", templates=restyled(tmp_path, "<sheet/>"))
    for work, expected in (
        (os.abort, "crashed the printing process"),
        (_raises, "cannot be printed: OSError: a pen"),
    ):
        with pytest.raises(DataError, match=expected):
            sandbox.run_confined(print_options, bytes, _begins, work, progress=silent)
    with pytest.raises(RuntimeError, match="did not start"):
        sandbox.run_confined(print_options, bytes, _dies, os.abort, progress=silent)


def _begins(work: Callable[[], bytes], progress: Any) -> bytes:
    progress.__self__.begun(RECORD)
    return work()


def _dies(work: Callable[[], bytes], _progress: Any) -> bytes:
    return work()


def _raises() -> bytes:
    raise OSError("a pen broke")


def test_our_own_templates_need_no_process(records: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)
    assert print_kit(records, PrintSettings("en"))


def test_no_environment_variable_reaches_the_sandbox(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fonts.ensure_registered("en")
    monkeypatch.setenv("SECRET_KEY", "hush")
    print_options = PrintSettings("en", templates=(tmp_path,))
    inside = sandbox.run_confined(print_options, dict[str, str], _environ, progress=silent)
    assert inside["MUSTER_CACHE"]
    assert not set(inside) & {"SECRET_KEY", "HOME", "USER"}


def _environ(_progress: Any) -> dict[str, str]:
    return dict(os.environ)


@pytest.mark.parametrize(
    ("each", "sheets", "ends"), [(0.4, 100, False), (4.0, 1, False), (0.9, 20, True), (5.6, 2, True)]
)
def test_many_sheets_have_the_time_they_need(
    each: float, sheets: int, ends: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr("time.process_time", lambda: now)
    cell = worker.SandboxWorker(io.BytesIO(), sandbox.LIMITS)
    monkeypatch.setattr(cell, "set_clock", lambda *_: None)
    ended = False
    for _ in range(sheets):
        cell.progress("boards, which are ours")
        now += 60
        try:
            cell.begun(RECORD)
        except worker.OutOfTimeError:
            ended = True
            break
        now += each
    assert ended is ends


def test_a_sheet_of_words_may_say_much_and_no_more(records: Kit, tmp_path: Path) -> None:
    for text, expected in (
        ("word " * 2_001, "<para> has a paragraph of more than 10,000 characters (split the paragraph)"),
        ("x" * 2_001, "<para> has a word of more than 2,000 letters (add spaces to the word)"),
        ("x<b>y</b>" * 1_001, "<para> has a word of more than 2,000 letters (add spaces to the word)"),
    ):
        told_here = complaint(records, restyled(tmp_path, f"<sheet>\n<para>{text}</para></sheet>"))
        assert told_here == f"{tmp_path}/{RECORD}:2: {expected}"
    sheet = Sheet("records", Words("A", "あ"), RECORD, {}, pages=3)
    templates = restyled(tmp_path, f"<sheet><para>{'word ' * 1_990}</para></sheet>")
    assert print_kit(replace(records, usual=(sheet,)), PrintSettings("en", templates=templates))
