"""Run every verb under other libraries and Pythons, and compare: `python -m tests.versions [ENVIRONMENT …]`."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / ".versions"
"""Folder of the environments, which are kept until their requirements change."""
LOCK, BOUNDS = ROOT / "requirements.lock", ROOT / "pyproject.toml"
UV = Path(sys.executable).with_name("uv")
MINORS = range(11, 20)
"""Minor versions to look for: Python 3.11 and later."""
UNANSWERED = re.compile("Failed to fetch|error sending request|dns error|timed out|Could not connect")
PINNED = "locked"
SHOWN = 20
Rows = dict[str, tuple[str, str]]


class NoAnswerError(Exception):
    """The package registry does not answer."""


@dataclass(frozen=True)
class Environment:
    """An environment with one Python and with libraries resolved by uv or pinned."""

    name: str
    python: Path
    options: tuple[str, ...] = field(default=())
    """Options with which uv resolves the requirements, or () for the lock file."""
    passing: bool = False
    """Whether the resolution changes from day to day, so that the registry is queried each time."""

    @property
    def folder(self) -> Path:
        """Return the folder of the environment."""
        return KEPT / self.name

    @property
    def bin(self) -> Path:
        """Return the path of the environment's Python."""
        return self.folder / "venv" / "bin" / "python"

    def make(self) -> None:
        """Create the environment, unless it exists with the same requirements."""
        made, mark = self.folder / "made-from.txt", self._mark()
        wanted = self._resolved() if self.passing else ""
        if made.is_file() and made.read_text("utf-8") == mark + wanted:
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        pinned = self.folder / "requirements.txt"
        pinned.write_text((wanted or self._resolved()) if self.options else LOCK.read_text("utf-8"), "utf-8")
        _uv("venv", "-q", "--no-python-downloads", "-p", self.python, self.folder / "venv")
        hashes = () if self.options else ("--require-hashes",)
        _uv("pip", "install", "-q", "-p", self.bin, "--only-binary", ":all:", *hashes, "-r", pinned)
        made.write_text(mark + wanted, "utf-8")

    def _mark(self) -> str:
        """Return a line that identifies the Python, options and requirements of the environment."""
        source = BOUNDS if self.options else LOCK
        digest = hashlib.sha256(source.read_bytes()).hexdigest()
        return f"{self.python} {' '.join(self.options)} {digest}\n"

    def _resolved(self) -> str:
        """Return every library with its version, resolved by uv."""
        quiet = ("-q", "--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links")
        return _uv(
            "pip", "compile", *quiet, "-p", self.python, "--only-binary", ":all:", "--refresh", *self.options, BOUNDS
        )

    def smoke(self) -> Rows:
        """Run every verb and return the results.

        Raises:
            RuntimeError: If the run fails. The message contains the last lines of the output.
        """
        out = self.folder / "smoke.json"
        out.unlink(missing_ok=True)
        environ = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MUSTER"))}
        done = subprocess.run(
            [self.bin, "-W", "error", "-m", "tests.versions.smoke", out],
            cwd=ROOT,
            env=environ | {"MUSTER_CACHE": str(self.folder / "cache"), "LC_ALL": "C.UTF-8"},
            capture_output=True,
            encoding="utf-8",
        )
        if done.returncode:
            raise RuntimeError(f"the smoke broke: {done.stderr.strip()[-1500:]}")
        rows: dict[str, list[str]] = json.loads(out.read_text("utf-8"))
        return {what: (found[0], found[1]) for what, found in rows.items()}


def _uv(*words: str | Path) -> str:
    """Run uv and return its output.

    Raises:
        NoAnswerError: If no registry answers.
        RuntimeError: If uv fails for another reason.
    """
    done = subprocess.run([UV, *words], cwd=ROOT, capture_output=True, encoding="utf-8")
    if done.returncode:
        error = NoAnswerError if UNANSWERED.search(done.stderr) else RuntimeError
        raise error(done.stderr.strip()[-600:])
    return done.stdout


def pythons() -> dict[str, Path]:
    """Return the supported Pythons of this machine, keyed by version, from the path, pyenv, or this process."""
    versions = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    found: dict[str, Path] = {}
    for minor in MINORS:
        name = f"3.{minor}"
        on_path = shutil.which(f"python{name}")
        this = [Path(sys.base_prefix) / "bin" / f"python{name}"] if sys.version_info[1] == minor else []
        for path in (
            *this,
            *sorted(versions.glob(f"{name}.*/bin/python{name}")),
            *([Path(on_path)] if on_path else []),
        ):
            if name not in found and _runs(path):
                found[name] = path
    return found


def _runs(path: Path) -> bool:
    """Return whether an interpreter really runs. A pyenv shim may exist for a version that is not selected."""
    try:
        return subprocess.run([path, "-c", "import venv, ssl"], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def environments() -> list[Environment]:
    """Return the environments: pinned libraries on every Python, lowest on the oldest, newest on the newest."""
    found = pythons()
    oldest, *_ = found.values()
    *_, youngest = found.values()
    return [
        *(Environment(f"{PINNED}-{version}", python) for version, python in found.items()),
        Environment("lowest", oldest, ("--resolution", "lowest")),
        Environment("lowest-direct", oldest, ("--resolution", "lowest-direct")),
        Environment("newest", youngest, ("--resolution", "highest", "--upgrade"), passing=True),
    ]


def tried(environment: Environment) -> Rows | Exception:
    """Return the results of an environment, or the error that prevented them."""
    try:
        environment.make()
        return environment.smoke()
    except (NoAnswerError, RuntimeError) as error:
        return error
    finally:
        print(f"  {environment.name}: done", file=sys.stderr, flush=True)


def faults(found: dict[str, Rows]) -> Iterator[str]:
    """Yield differences from the first environment: contents always, bytes only if both have pinned libraries."""
    (name, first), *others = found.items()
    yield from (f"{name}: {what} {rows[0]}" for what, rows in first.items() if _broken(what, rows[0]))
    for other, rows in others:
        for what in first.keys() | rows.keys():
            if what not in first or what not in rows:
                yield f"{other if what in first else name}: there is no {what}"
            elif first[what][0] != rows[what][0]:
                yield f"{other}: {what} is {rows[what][0]}, in {name} {first[what][0]}"
            elif name.startswith(PINNED) and other.startswith(PINNED) and first[what][1] != rows[what][1]:
                yield f"{other}: {what} has other bytes than in {name}"


def _broken(what: str, found: str) -> bool:
    """Return whether a command ended in neither success nor a documented refusal."""
    return what.endswith("exit code") and found not in ("0", "2")


def main() -> int:
    """Return the exit code, which is 1 for differences or failures, and in CI also if no registry answers."""
    there = {environment.name: environment for environment in environments()}
    options = argparse.ArgumentParser(prog="python -m tests.versions", description=__doc__)
    options.add_argument("environment", nargs="*", help=f"of: {', '.join(there)} (default: all)")
    chosen = options.parse_args().environment or list(there)
    if strange := set(chosen) - set(there):
        options.error(f"no environment {', '.join(sorted(strange))}; there are: {', '.join(there)}")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = dict(zip(chosen, pool.map(lambda name: tried(there[name]), chosen), strict=True))
    strict = os.environ.get("CI", "").lower() not in ("", "0", "false")
    held = {name: rows for name, rows in results.items() if isinstance(rows, dict)}
    wrong = sorted(faults(held)) if held else []
    for name, result in results.items():
        if isinstance(result, NoAnswerError):
            print(f"{name}: {'FAILED' if strict else 'skipped'}: the registry of packages does not answer: {result}")
        elif isinstance(result, Exception):
            wrong.append(f"{name}: {result}")
        else:
            print(f"{name}: {len(result)} results of every verb, {there[name].python}")
    for line in wrong[:SHOWN]:
        print(line)
    if len(wrong) > SHOWN:
        print(f"… and {len(wrong) - SHOWN} more")
    if held and not wrong:
        print("what they hold differs nowhere")
    return int(bool(wrong) or (strict and len(held) < len(results)))


if __name__ == "__main__":
    sys.exit(main())
