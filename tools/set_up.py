"""Set up Muster and its libraries in `.venv`; the Makefile runs this before each target.

`.venv` is made when it is missing, and made again when it cannot be trusted: its set-up was interrupted, its Python
or its pip is gone, or the clone was moved. Otherwise only what changed is installed. Nothing but the standard library
is imported.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LOCKS = {"kit": "requirements.lock", "dev": "requirements-dev.lock"}
"""The pinned libraries of each set-up; those for development include those that a kit needs."""
FONT_PACKAGES = ("noto-cjk", "font-source-sans")
"""Beginnings of the names of the font packages, which `--fonts system` leaves out."""
OF_VENV = {"pip", "setuptools", "wheel"}
"""Packages that `python -m venv` brings by itself."""
INSTALL = ("-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-user", "--no-deps")
"""`--no-deps` is required: the locks name every library.

An old pip (22.3, 23.2) that resolves dependencies takes `coverage[toml]` for a package that is not pinned, finds its
newest release, and refuses it because it has no hash.
"""
MAKE_VENV = ("-m", "venv")
OLDEST_PYTHON = (3, 11)
WAITING = "waiting for another make that sets up .venv …"
LOCK_FILE = ".venv.lock"
"""A file in the clone that is locked where folders cannot be: on Windows, which has no fcntl."""
LOCK_POLL_S = 0.5
"""How often the lock of that file is tried again, in seconds."""
DESCRIBE_PYTHON = "import os, sys; print(*sys.version_info[:2]); print(ascii(os.path.realpath(sys.base_prefix)))"


class SetUpError(Exception):
    """The set-up cannot go on; the message is for the user."""


@dataclass
class State:
    """The result of a finished set-up, stored in a file in `.venv`."""

    folder: str
    """The clone for which `.venv` was made, as a URI: scripts in it start with this path."""
    python: str
    """The Python that made it (`describe_python`)."""
    fonts: str = "packages"
    locks: dict[str, str] = field(default_factory=dict)
    """The hash of each installed lock, by the name of its set-up."""
    project: str = ""
    """The hash of pyproject.toml when Muster itself was installed."""
    installed: list[str] = field(default_factory=list)
    """Every `NAME-VERSION.dist-info` of the environment."""


@dataclass(frozen=True)
class Environment:
    """The environment in a clone."""

    root: Path
    held: tuple[int, ...] = ()
    """Open files that child processes inherit: the lock is held until the last of them ends."""

    @property
    def folder(self) -> Path:
        """Its folder, which need not exist."""
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        """Its Python, which need not run."""
        return self.folder / "bin" / "python"

    @property
    def unfinished(self) -> Path:
        """Return the file that exists while `.venv` is being changed."""
        return self.folder / "unfinished"

    @property
    def state_file(self) -> Path:
        """Return the file that stores the result of a finished set-up."""
        return self.folder / "set-up.json"

    def state(self) -> State | None:
        """Return the result of the last set-up, or None."""
        try:
            return State(**json.loads(self.state_file.read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def site_packages(self) -> Path | None:
        """Return the folder of installed packages, or None."""
        return next(iter(sorted(self.folder.glob("lib/*/site-packages"))), None)

    def installed(self) -> list[str]:
        """Return the `NAME-VERSION.dist-info` of each package in the environment."""
        site = self.site_packages()
        return sorted(path.name for path in site.glob("*.dist-info")) if site else []

    def run(self, *command: str | Path) -> None:
        """Run a command in the clone; SetUpError if it fails."""
        done = subprocess.run(command, cwd=self.root, pass_fds=self.held)
        if done.returncode:
            raise SetUpError(f"{shlex.join(map(str, command))}: exit code {done.returncode}")

    def output(self, *args: str) -> str | None:
        """Return what `.venv/bin/python ARGS` prints, or None if it does not run."""
        try:
            done = subprocess.run([self.python, *args], cwd=self.root, capture_output=True, timeout=120)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else None

    def describe_python(self) -> str | None:
        """Return the version and path of the environment's Python, or None if it does not start."""
        return self.output("-c", DESCRIBE_PYTHON)

    def fault(self, python: str | None = None) -> str | None:
        """Return why `.venv` must be made again, or None.

        Args:
            python: the Python that the user named (`describe_this_python`), if any.
        """
        if self.unfinished.exists():
            return "its set-up did not finish"
        found, state, installed = self.describe_python(), self.state(), self.installed()
        if found is None:
            return "its Python does not start"
        if tuple(map(int, found.splitlines()[0].split())) < OLDEST_PYTHON:
            return "its Python is older than 3.11"
        if python not in (None, state.python if state else found):
            return "PYTHON names another Python"
        if state is None:
            return self._fault_of_unknown(installed)
        if state.folder != self.root.as_uri():
            return "the clone was moved"
        if not set(state.installed) <= set(installed) or not (self.folder / "bin" / "muster").exists():
            return "packages are missing from it"
        return None

    def _fault_of_unknown(self, installed: Sequence[str]) -> str | None:
        """Return the fault of an environment of unknown origin; None if it is as `python -m venv` makes it."""
        if not {name.partition("-")[0] for name in installed} <= OF_VENV:
            return "it was not set up by this version of Muster, or not to its end"
        try:
            moved = os.fsencode(self.folder) not in (self.folder / "bin" / "activate").read_bytes()
        except OSError:
            moved = True
        return "the clone was moved, or it was not made to its end" if moved else self.fault_of_pip()

    def fault_of_pip(self) -> str | None:
        """Return why pip cannot install into the environment, or None."""
        if self.output("-m", "pip", "--version") is None:
            return "there is no working pip in it"
        return None

    def make(self) -> None:
        """Make an empty environment, whatever is in its place."""
        if self.folder.is_symlink() or self.folder.is_file():
            self.folder.unlink()
        python = Path(sys.executable)
        if sys.prefix != sys.base_prefix:  # it may be in the environment that is about to be removed
            python = python.resolve()
        self.folder.mkdir(exist_ok=True)
        self.unfinished.touch()
        for path in self.folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            elif path != self.unfinished:
                path.unlink()
        self.run(python, *MAKE_VENV, self.folder)

    def install(self, lock: Path) -> None:
        """Install the libraries of a lock."""
        self.run(self.python, *INSTALL, "--require-hashes", "-r", lock)

    def install_muster(self) -> None:
        """Install Muster itself, so that `.venv/bin/muster` runs the code of the clone.

        Python 3.11 reads `.pth` files in the locale's encoding and does not start if it cannot. So the path in it is
        relative, and plain ASCII wherever the clone is.
        """
        self.run(self.python, *INSTALL, "--no-build-isolation", "-e", ".")
        site = self.site_packages()
        paths = list(site.glob("*musterkit*.pth")) if site else []
        if not (site and len(paths) == 1):
            raise SetUpError(f"pip did not install Muster into {self.folder}")
        paths[0].write_text(os.path.relpath(self.root, site) + "\n", "ascii")


def pinned(lock: str, fonts: str) -> str:
    """Return the text of a lock, without the font packages if the system's fonts are to be used."""
    if fonts == "packages":
        return lock
    kept, skipping = [], False
    for line in lock.splitlines(keepends=True):
        if not line.startswith((" ", "\t")):
            skipping = line.startswith(FONT_PACKAGES)
        if not skipping:
            kept.append(line)
    return "".join(kept)


def describe_this_python() -> str:
    """Return what `Environment.describe_python` returns for an environment that this Python made."""
    return f"{sys.version_info[0]} {sys.version_info[1]}\n{os.path.realpath(sys.base_prefix)!a}"


def digest(path: Path) -> str:
    """Return the SHA-256 hash of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


@contextmanager
def one_at_a_time(root: Path) -> Iterator[tuple[int, ...]]:
    """Wait until no other set-up of this clone runs, and keep others waiting.

    Returns the open files that the processes of this set-up inherit (`Environment.held`).
    """
    try:
        import fcntl
    except ImportError:  # Windows
        with _lock_file(root / LOCK_FILE):
            yield ()
        return
    folder = os.open(root, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(WAITING, flush=True)
            fcntl.flock(folder, fcntl.LOCK_EX)
        except OSError:
            pass  # a file system without locks
        yield (folder,)
    finally:
        os.close(folder)


@contextmanager
def _lock_file(path: Path) -> Iterator[None]:
    """Lock a file with msvcrt; where that is missing too, nothing is locked."""
    try:
        msvcrt: Any = importlib.import_module("msvcrt")
    except ImportError:
        yield
        return
    handle = os.open(path, os.O_RDWR | os.O_CREAT)
    try:
        waiting = False
        while not _is_locked(msvcrt, handle):
            if not waiting:
                print(WAITING, flush=True)
            waiting = True
            time.sleep(LOCK_POLL_S)
        yield
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
    finally:
        os.close(handle)  # which unlocks it too, after an error


def _is_locked(msvcrt: Any, handle: int) -> bool:
    """Try to lock the first byte of a file; return False if another process holds it."""
    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    return True


def set_up(root: Path, what: str, fonts: str | None = None, python: str | None = None) -> None:
    """Bring `.venv` to what the clone needs now.

    Args:
        root: the clone.
        what: "kit" for what a kit needs, "dev" for the tests and tools too.
        fonts: "packages", "system", or None for what was chosen before (at first: packages).
        python: the Python that the user named (`describe_this_python`), if any.
    """
    if _is_ready(Environment(root), what, fonts, python):
        return
    with one_at_a_time(root) as held:
        environment = Environment(root, held)
        if not _is_ready(environment, what, fonts, python):
            _bring_up(environment, what, fonts, python)


def _is_ready(environment: Environment, what: str, fonts: str | None, python: str | None) -> bool:
    state, root = environment.state(), environment.root
    return (
        state is not None
        and fonts in (None, state.fonts)
        and state.locks.get(what) == digest(root / LOCKS[what])
        and state.project == digest(root / "pyproject.toml")
        and environment.fault(python) is None
    )


def _bring_up(environment: Environment, what: str, fonts: str | None, python: str | None) -> None:
    root, state = environment.root, environment.state()
    chosen = fonts or (state.fonts if state else "packages")
    if os.path.lexists(environment.folder):
        fault = environment.fault(python) or environment.fault_of_pip()
        if fault is None and state and state.fonts != chosen == "system":
            fault = "it has the font packages"
        if fault:
            print(f"making .venv again: {fault}", flush=True)
    else:
        fault = "there is none"
    print(f"setting up Muster{' and its tests' if what == 'dev' else ''} (once) …", flush=True)
    if fault:
        environment.make()
        state = None
        made_by = describe_this_python()
    else:
        made_by = environment.describe_python() or ""
    state = state or State(root.as_uri(), made_by)
    before = environment.installed()
    environment.unfinished.touch()
    try:
        lock = environment.folder / "locked.txt"
        lock.write_text(pinned((root / LOCKS[what]).read_text("utf-8"), chosen), "utf-8")
        environment.install(lock)
        if state.project != digest(root / "pyproject.toml"):
            environment.install_muster()
    except SetUpError:
        if state.installed and environment.installed() == before:  # nothing was changed, as without a network
            environment.unfinished.unlink()
        raise
    state.fonts, state.project, state.installed = chosen, digest(root / "pyproject.toml"), environment.installed()
    for name in LOCKS if what == "dev" else (what,):
        state.locks[name] = digest(root / LOCKS[name])
    draft = environment.state_file.with_suffix(".draft")
    draft.write_text(json.dumps(asdict(state), indent=1), "utf-8")
    draft.replace(environment.state_file)
    environment.unfinished.unlink()


def main(args: Sequence[str] | None = None) -> int:
    """Return the exit code."""
    parser = argparse.ArgumentParser(prog="tools/set_up.py", description=__doc__)
    parser.add_argument("what", choices=LOCKS)
    parser.add_argument("--fonts", choices=("packages", "system"))
    parser.add_argument("--this-python", action="store_true", help="make .venv again if another Python made it")
    options = parser.parse_args(args)
    try:
        set_up(ROOT, options.what, options.fonts, describe_this_python() if options.this_python else None)
    except (SetUpError, OSError) as error:
        print(f"Muster could not be set up: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
