"""Tests that `--templates` refuses a malicious folder quickly, in one sentence, and leaves no process running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import CODE
from tests.cli.run import muster
from tests.prove.attacks import KINDS, RECORD, Attack, attack, sheet
from tests.prove.figure import SEED
from tests.prove.parts.templates import run_attack

ENDLESS = sheet("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}")
SLOW = {
    "again", "chains", "circles", "compared", "doubled", "holds_itself", "lists", "loops", "macros", "many", "no_end",
    "just_within", "nested", "powers", "recursive", "set_blocks", "shown_whole", "sorting", "tables", "deep_tables",
    "brackets", "filled", "letters", "output", "words", "padded", "multiplied", "long_text",
}  # fmt: skip
"""Kinds of attacks that take several seconds. `make prove` includes them."""
QUICK = sorted(set(KINDS) - SLOW)
ISSUE = {
    "as many words as never left layout": sheet("<para>{% for a in range(80000) %}word {% endfor %}</para>"),
    "a word that never left layout": sheet("<para>{{ 'x' * 400000 }}</para>"),
    "infinity": sheet("{{ 1e9999999|float|int }}"),
    "nested ifs": sheet("{% if 1 %}" * 200 + "{% endif %}" * 200),
    "a chain of filters that takes gigabytes": sheet(
        "{{ range(99999) | list * 9999 | map('string') | list | batch(1) | list | map('list') | list | length }}"
    ),
}


@pytest.mark.parametrize("source", ISSUE.values(), ids=ISSUE)
def test_what_once_broke_it_is_stopped(source: str) -> None:
    found = run_attack(Attack("of the issue", {RECORD: source.encode()}))
    assert (found.faults, found.code) == ((), 3)


@pytest.mark.parametrize("kind", QUICK)
def test_a_sample_of_attacks_is_stopped(kind: str, here: Path) -> None:
    """Each attack runs in this process, without the sandbox process."""
    number = sorted(KINDS).index(kind) + len(KINDS)
    what = attack(number, SEED)
    folder = what.folder_in(here)
    done = muster("kit", "--seed", CODE, "--parts", "records", "--templates", folder, "-o", "out", *what.args)
    assert done.code in ((0, 1, 2, 3) if what.harmless else (1, 2, 3)), done.err
    assert done.code == 0 or str(folder) in done.err


def test_every_number_is_the_same_attack_again() -> None:
    first, again = ([attack(number, SEED).files for number in range(200)] for _ in range(2))
    assert first == again
    assert len({repr(files) for files in first}) > 120


PATIENT = """
import subprocess
from generator.cli import main
from generator.press.sandbox import sandbox; from generator.press.sandbox import messages
sandbox.LIMITS = messages.Limits(seconds=600, wall=600)
begin = subprocess.Popen
def begun(*args, **how):
    made = begin(*args, **how)
    print("begun", flush=True)
    return made
subprocess.Popen = begun
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_terminated_command_leaves_no_process(number: signal.Signals, here: Path) -> None:
    (here / RECORD).parent.mkdir()
    (here / RECORD).write_text(ENDLESS, "utf-8")
    process = subprocess.Popen(
        [sys.executable, "-c", PATIENT, "kit", "--parts", "records", "--templates", ".", "-o", "out"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout and process.stdout.readline() == b"begun\n"
    time.sleep(0.5)
    os.kill(process.pid, number)
    began = time.monotonic()
    output = process.communicate()[1].decode().lstrip("\n")
    code = {signal.SIGINT: 130, signal.SIGTERM: 143}.get(number, -number)
    wanted = (code, "" if number == signal.SIGKILL else "interrupted; nothing half-written is left\n")
    assert (process.returncode, output) == wanted
    while running(process.pid) and time.monotonic() < began + 20:
        time.sleep(0.02)
    assert not running(process.pid)
    assert not (here / "out").exists()


def running(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_folder_of_anything_is_answered_at_once() -> None:
    for folder in ("/", "/proc", "/dev"):
        if not Path(folder).is_dir():
            continue
        began = time.monotonic()
        done = muster("kit", "--seed", CODE, "--templates", folder)
        assert (
            done.code,
            done.err.startswith(f"{folder}: contains no file with the name of a shipped template"),
        ) == (
            3,
            True,
        )
        assert time.monotonic() < began + 30


def test_every_verb_that_takes_templates_prints_with_them(here: Path) -> None:
    assert muster("data", "templates", "battling", "-o", "mine").code == 0
    for command in (
        ("kit", "battling", "--parts", "records", "--fillable", "--ink", "saver", "--lang", "ja", "-o", "kit"),
        ("kit", "battling", "--parts", "map", "--format", "svg", "-o", "pictures"),
        ("sheets", "battling", "-o", "sheets.pdf"),
        ("tournament", "pack", "battling", "--players", "4", "--rounds", "1", "-o", "cup"),
    ):
        done = muster(*command, "--templates", "mine")
        assert done.code == 0, (command, done.err)
