"""Run the installation commands of README in fresh clones: `python -m tests.fresh [REVISION]` (`make fresh`).

For each version of pip that a Python may include, the command clones a revision, creates `.venv` with that pip,
prints a kit and runs a few tests. A package index with newer releases of all pinned libraries is also available,
which an installation from the lock files must ignore. This shows failures before the libraries publish their next
releases.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic

from tests.versions.__main__ import pythons

ROOT = Path(__file__).resolve().parents[1]
PIPS = {"22.3": "3.11.0", "23.2.1": "3.11.7", "newest": "a new Python"}
"""Versions of pip, each with the Python that includes it."""
LAST_PYTHON = {"22.3": 11}
"""Last minor version of Python 3 on which an old pip runs."""
NEWER = "99999"
"""Version number of the simulated newer releases."""
COMMANDS = (("kit",), ("test", "ARGS=-x -n 0 tests/grid"))
SHOWN_LINES = 25
TIMEOUT_S = 900


class FreshError(Exception):
    """A step failed in a clone. The message is the output of the step."""


def locked_names(root: Path) -> list[str]:
    """Return the names of all pinned libraries of a clone."""
    text = "".join(path.read_text("utf-8") for path in root.glob("requirements*.lock"))
    return sorted(set(re.findall(r"^([A-Za-z0-9._-]+)==", text, re.MULTILINE)))


def write_newer_releases(names: list[str], folder: Path) -> None:
    """Write an empty wheel for each name, with a version number above all real releases."""
    for name in names:
        stem = f"{re.sub('[-_.]+', '_', name)}-{NEWER}"
        files = {
            "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {NEWER}\n",
            "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            "RECORD": "",
        }
        with zipfile.ZipFile(folder / f"{stem}-py3-none-any.whl", "w") as wheel:
            for file, text in files.items():
                wheel.writestr(f"{stem}.dist-info/{file}", text)


def run(*command: str | Path, cwd: Path, environ: dict[str, str] | None = None) -> str:
    """Run a command and return its output.

    Raises:
        FreshError: If the command fails. The message contains the last lines of the output.
    """
    done = subprocess.run(
        command,
        cwd=cwd,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        timeout=TIMEOUT_S,
    )
    if done.returncode:
        lines = [line for line in done.stdout.splitlines() if "is ignored: it is" not in line]
        raise FreshError("\n".join([f"{' '.join(map(str, command))} failed:", *lines[-SHOWN_LINES:]]))
    return done.stdout


def clean_environ(newer: Path) -> dict[str, str]:
    """Return the environment of this process without the variables of its Python, and with the newer releases."""
    dropped = ("PYTHON", "VIRTUAL_ENV", "MAKE", "MFLAGS", "MUSTER", "GIT_")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    links = f"{environ.get('PIP_FIND_LINKS', '')} {newer}".strip()
    return environ | {"PIP_FIND_LINKS": links, "PIP_NO_COMPILE": "1", "MUSTER_CACHE": str(newer.parent / "cache")}


def try_pip(pip: str, commit: str, python: Path, folder: Path) -> str:
    """Install, print and test a clone of a commit with one version of pip, and return a line about the result."""
    start = monotonic()
    clone, newer = folder / "muster", folder / "newer"
    newer.mkdir(parents=True)
    environ = clean_environ(newer)
    run("git", "clone", "-q", "--shared", "--no-checkout", ROOT, clone, cwd=folder)
    run("git", "checkout", "-q", "--detach", commit, cwd=clone)
    run(python, "-m", "venv", ".venv", cwd=clone)
    wanted = ("--upgrade", "pip") if pip == "newest" else (f"pip=={pip}",)
    run(".venv/bin/python", "-m", "pip", "install", "-q", *wanted, cwd=clone)
    write_newer_releases(locked_names(clone), newer)
    for command in COMMANDS:
        run("make", *command, cwd=clone, environ=environ)
    version = run(".venv/bin/python", "-m", "pip", "--version", cwd=clone).split()[1]
    if pip not in ("newest", version):
        raise FreshError(f"pip {version} was used: make replaced the environment that has pip {pip}")
    run(".venv/bin/python", "-m", "pip", "check", cwd=clone)
    return f"pip {version} (as with {PIPS[pip]}): a kit is printed and tests pass, {monotonic() - start:.0f} s"


def try_all(commit: str, python: Path, folder: Path) -> Iterator[str | Exception]:
    """Yield a line for each version of pip, or the exception that occurred."""
    minor = int(re.sub(r".*python3\.", "", python.name))

    def tried(pip: str) -> str | Exception:
        if minor > LAST_PYTHON.get(pip, minor):
            return f"pip {pip}: skipped, it does not run on Python 3.{minor}"
        try:
            return try_pip(pip, commit, python, folder / pip)
        except (FreshError, OSError, subprocess.TimeoutExpired) as error:
            return error

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(tried, PIPS)


def main() -> int:
    """Test all versions of pip and return the exit code, which is 1 if any of them fails."""
    options = argparse.ArgumentParser(prog="python -m tests.fresh", description=__doc__)
    options.add_argument("revision", nargs="?", default="HEAD", help="what to clone (default: HEAD)")
    revision = options.parse_args().revision
    try:
        commit = run("git", "rev-parse", "--verify", f"{revision}^{{commit}}", cwd=ROOT).strip()
    except FreshError as error:
        options.error(f"no revision {revision}: {error}")
    python = next(iter(pythons().values()))
    print(f"fresh clones of {commit[:12]}, {python}", flush=True)
    failed = 0
    with tempfile.TemporaryDirectory(prefix="muster-fresh-") as folder:
        for pip, result in zip(PIPS, try_all(commit, python, Path(folder)), strict=True):
            if isinstance(result, str):
                print(result, flush=True)
            else:
                failed += 1
                print(f"pip {pip} (as with {PIPS[pip]}): FAILED: {result}", flush=True)
    print(f"{len(PIPS) - failed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
