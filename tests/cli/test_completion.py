from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.run import muster


def completion_variables(line: str) -> dict[str, str]:
    """Return the environment variables that a shell sets to request completions of a command line."""
    return {"_MUSTER_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1)}


def listed(output: str) -> list[str]:
    return [row.partition(",")[2] for row in output.splitlines() if row]


def shell_completions(line: str) -> list[str]:
    """Return the completions that a shell offers for a command line."""
    with pytest.MonkeyPatch.context() as environ:
        for name, value in completion_variables(line).items():
            environ.setenv(name, value)
        return listed(muster().out)


def test_a_shell_asks_a_process_of_its_own() -> None:
    line = "muster kit batt"
    done = subprocess.run(
        [sys.executable, "-c", "from generator.cli import main; main()"],
        capture_output=True,
        text=True,
        env=os.environ | completion_variables(line),
    )
    assert listed(done.stdout) == shell_completions(line) == ["battlelore", "battling"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_names_its_variable(shell: str) -> None:
    done = muster("completion", shell)
    assert done.code == 0
    assert "_MUSTER_COMPLETE" in done.out
    assert f"muster completion {shell}" in done.out.splitlines()[0]


def test_bash_reads_the_script() -> None:
    done = subprocess.run(["bash", "-n"], input=muster("completion", "bash").out, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_verbs_games_options_and_words_are_completed() -> None:
    assert "kit" in shell_completions("muster k")
    assert "battlelore" in shell_completions("muster kit batt")
    assert "call_to_arms" in shell_completions("muster cards call")
    assert "--paper" in shell_completions("muster kit --pap")
    assert "saint_ivo" in shell_completions("muster kit call_to_arms --map sai")
    assert shell_completions("muster rules battling squad.p") == ["squad.points", "squad.players"]
    assert shell_completions("muster data copy house-p") == ["house-pool", "house-pack"]


def test_parts_are_completed_word_by_word(tmp_path: Path) -> None:
    assert shell_completions("muster kit --parts re") == ["records", "reference", "readings"]
    assert shell_completions("muster kit battling --parts map,ar") == ["map,arena"]
    assert shell_completions("muster kit --parts map,ma") == []
    assert shell_completions("muster cards battlelore --only u") == ["units"]
    assert shell_completions("muster reference --only battle,od") == ["battle,odds"]
    assert shell_completions("muster cards travel_battle --only u") == []
    file = tmp_path / "march.toml"
    assert muster("draw", "blind_faith", "--seed", "K7Q2M-9FHN5", "-o", file).code == 0
    assert shell_completions(f"muster print {file} --parts di") == ["display"]
    assert shell_completions(f"muster print {file}.toml --parts di") == []


def test_saved_printers_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUSTER_CONFIG", str(tmp_path / "config"))
    assert muster("printer", "set", "attic", "--dx", "0.3").code == 0
    assert shell_completions("muster kit --printer at") == ["attic"]
