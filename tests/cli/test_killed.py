"""Tests on a sample of what `make prove ARGS=kills` proves in full, and of the faults that this proof detects."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from generator import interrupt
from generator.interrupt import MESSAGE, MESSAGE_JA
from tests.prove.parts import kills
from tests.prove.parts.kills import Case

CASES = (*kills.cases(6, [signal.SIGKILL]), *kills.cases(9, kills.SENT))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.sent.name}-{case.number}")
def test_no_partial_files_are_left_and_one_line_is_printed(case: Case) -> None:
    assert kills.shoot(case).faults == ()


KILLED = Case(0, signal.SIGKILL, 1, True, 0.5)
TERMINATED = Case(0, signal.SIGTERM, 1, True, 0.5)
OLD, NEW = (dict.fromkeys(("kit.pdf", "manifest.json"), word) for word in (b"old", b"new"))


@pytest.mark.parametrize(
    ("there", "fault"),
    [
        (OLD, ""),
        (NEW, ""),
        (OLD | {"kit.pdf": b"new"}, ""),
        (OLD | {"kit.pdf": b"ne"}, "partial"),
        (NEW | {"kit.pdf": b"old"}, "before the end"),
        ({"kit.pdf": b"old"}, "gone"),
    ],
)
def test_what_is_partial_is_seen(here: Path, there: dict[str, bytes], fault: str) -> None:
    (here / "out").mkdir()
    for name, content in there.items():
        (here / "out" / name).write_bytes(content)
    found = "; ".join(kills._leftover_faults(KILLED, OLD, NEW, -9))
    assert fault in found and bool(fault) == bool(found)


@pytest.mark.parametrize(
    ("code", "expected", "sound"),
    [
        (0, "", True),
        (143, f"\n{MESSAGE}\n", True),
        (-15, "", True),
        (130, MESSAGE, False),
        (1, "Traceback (most recent call last):", False),
        (143, "Exception ignored in: <module 'threading'>", False),
        (70, MESSAGE, False),
    ],
)
def test_messages_are_checked(code: int, expected: str, sound: bool) -> None:
    assert (not list(kills._ending_faults(TERMINATED, code, expected))) == sound


def test_the_start_of_python_is_distinguished_from_muster() -> None:
    site = 'Traceback (most recent call last):\n  File "<frozen site>", line 73, in <module>\nKeyboardInterrupt\n'
    ours = site.replace("<frozen site>", "/x/generator/cli/request.py")
    assert kills._is_start(site) and not kills._is_start(ours)


EARLY = "import os, signal; from generator import interrupt; interrupt.leave_at_once(); os.kill(os.getpid(), {})"


def test_signals_are_handled_before_other_modules_are_imported() -> None:
    begun = "import sys; old = set(sys.modules); import generator.__main__; print(*set(sys.modules) - old)"
    found = subprocess.run([sys.executable, "-c", begun], capture_output=True, text=True, check=True).stdout.split()
    assert set(found) == {"generator", "generator.__main__"}


@pytest.mark.parametrize(
    ("locale", "words", "expected"),
    [
        ("ja_JP.UTF-8", (), MESSAGE_JA),
        ("C", ("kit", "--lang", "ja"), MESSAGE_JA),
        ("C", ("kit", "--lang=JA+en"), MESSAGE_JA),
        ("ja_JP.UTF-8", ("kit", "--lang", "en"), MESSAGE),
        ("C", ("kit", "ja"), MESSAGE),
    ],
)
def test_an_early_interruption_is_reported_in_the_users_language(
    locale: str, words: tuple[str, ...], expected: str
) -> None:
    run = subprocess.run(
        [sys.executable, "-c", EARLY.format(int(signal.SIGTERM)), *words],
        env={**os.environ, "LC_ALL": locale},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (run.returncode, run.stderr) == (143, f"{expected}\n")


def test_an_interruption_before_the_handlers_are_installed_is_reported() -> None:
    """The process ended with exit code 130 but without a message."""
    early = (
        "from generator import interrupt, __main__\n"
        "def press(): raise KeyboardInterrupt\n"
        "interrupt.leave_at_once = press\n"
        "__main__.main()"
    )
    run = subprocess.run(
        [sys.executable, "-c", early], env={**os.environ, "LC_ALL": "C"}, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (130, f"{MESSAGE}\n")


def test_a_second_signal_before_the_handlers_are_installed_prints_no_traceback() -> None:
    """The import that was needed for the message was interrupted too."""
    early = (
        "import sys\n"
        "class Pressed:\n"
        "    def find_spec(name, path=None, target=None):\n"
        "        if name == 'generator.interrupt': raise KeyboardInterrupt\n"
        "from generator import __main__\n"
        "sys.meta_path.insert(0, Pressed)\n"
        "__main__.main()"
    )
    run = subprocess.run([sys.executable, "-c", early], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (130, "")


def test_a_signal_at_the_very_end_is_heard_no_more(capsys: pytest.CaptureFixture[str]) -> None:
    too_late = OSError("Signal 2 ignored due to race condition")
    hook: Any = interrupt._swallowed
    hook(SimpleNamespace(exc_type=OSError, exc_value=too_late))
    assert capsys.readouterr().err == ""


def test_what_waits_for_the_end_of_a_process_is_done_before_it_ends() -> None:
    script = "import atexit, sys; atexit.register(print, 'the last'); sys.argv = ['muster', *sys.argv[1:]]"
    ended = subprocess.run(
        [sys.executable, "-c", f"{script}; from generator.cli import main; main()", "games", "--nonsense"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (2, "the last\n")
    assert "--nonsense" in ended.stderr
