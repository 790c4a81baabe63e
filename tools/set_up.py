"""Set up Muster and its libraries in `.venv`. The Makefile runs this script before each target.

`.venv` is created if it is missing. It is created again if its set-up was interrupted, if its Python or pip is
gone, or if the clone was moved. Otherwise only changed libraries are installed. The script imports only the
standard library.
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
"""The lock file with the pinned libraries of each set-up. The development set-up includes the libraries for kits."""
FONT_PACKAGES = ("noto-cjk", "font-source-sans")
"""Prefixes of the names of the font packages, which `--fonts system` omits."""
OF_VENV = {"pip", "setuptools", "wheel"}
"""Packages that `python -m venv` installs itself."""
INSTALL = ("-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-user", "--no-deps")
"""Arguments for installing packages. `--no-deps` is required, although the locks name every library.

With dependencies, old versions of pip (22.3, 23.2) treat `coverage[toml]` as a package that is not pinned. They
find its newest release and reject it because it has no hash."""
MAKE_VENV = ("-m", "venv")
PROGRAMS = "Scripts" if os.name == "nt" else "bin"
"""The folder of the programs in an environment. The Makefile has the same name for it."""
PROGRAM_SUFFIX = ".exe" if os.name == "nt" else ""
OLDEST_PYTHON = (3, 11)
WAITING = "waiting for another make that sets up .venv …"
LOCK_FILE = ".venv.lock"
"""A file in the clone that is locked if folders cannot be locked. Windows, for example, has no fcntl."""
LOCK_POLL_S = 0.5
"""Time between two attempts to lock that file, in seconds."""
DESCRIBE_PYTHON = "import os, sys; print(*sys.version_info[:2]); print(ascii(os.path.realpath(sys.base_prefix)))"


class SetUpError(Exception):
    """Raised if the set-up cannot continue. The message is shown to the user."""


@dataclass
class State:
    """The result of a finished set-up, which is stored in a file in `.venv`."""

    folder: str
    """The path of the clone for which `.venv` was created. Scripts in `.venv` contain this path."""
    python: str
    """The Python with which `.venv` was created, as returned by `describe_python`."""
    fonts: str = "packages"
    locks: dict[str, str] = field(default_factory=dict)
    """The hash of each installed lock, keyed by the name of the set-up."""
    project: str = ""
    """The hash of pyproject.toml at the time when Muster itself was installed."""
    installed: list[str] = field(default_factory=list)
    """The `NAME-VERSION.dist-info` of each package in the environment."""


@dataclass(frozen=True)
class Environment:
    """The virtual environment of a clone."""

    root: Path
    held: tuple[int, ...] = ()
    """Open files that child processes inherit, so that the lock stays in force until the last of these processes
    ends."""

    @property
    def folder(self) -> Path:
        """The folder of the environment, which may not exist."""
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        """The Python of the environment, which may not work."""
        return self.program("python")

    def program(self, name: str) -> Path:
        """Return the path of a program of the environment, which may not exist."""
        return self.folder / PROGRAMS / (name + PROGRAM_SUFFIX)

    @property
    def unfinished(self) -> Path:
        """The file that exists while `.venv` is being changed."""
        return self.folder / "unfinished"

    @property
    def state_file(self) -> Path:
        """The file that stores the result of a finished set-up."""
        return self.folder / "set-up.json"

    def state(self) -> State | None:
        """Return the result of the last set-up, or None if there is no valid result."""
        try:
            return State(**json.loads(self.state_file.read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def site_packages(self) -> Path | None:
        """Return the folder of installed packages, or None if it does not exist."""
        found = [*self.folder.glob("lib/*/site-packages"), self.folder / "Lib" / "site-packages"]
        return next((path for path in sorted(found) if path.is_dir()), None)

    def installed(self) -> list[str]:
        """Return the `NAME-VERSION.dist-info` of each package in the environment."""
        site = self.site_packages()
        return sorted(path.name for path in site.glob("*.dist-info")) if site else []

    def run(self, *command: str | Path) -> None:
        """Run a command in the clone.

        Raises:
            SetUpError: If the command fails.
        """
        done = subprocess.run(command, cwd=self.root, pass_fds=self.held)
        if done.returncode:
            raise SetUpError(f"{shlex.join(map(str, command))}: exit code {done.returncode}")

    def output(self, *args: str) -> str | None:
        """Return the output of `.venv/bin/python ARGS`, or None if the command fails."""
        try:
            done = subprocess.run([self.python, *args], cwd=self.root, capture_output=True, timeout=120)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else None

    def describe_python(self) -> str | None:
        """Return the version and path of the environment's Python, or None if it does not start."""
        return self.output("-c", DESCRIBE_PYTHON)

    def fault(self, python: str | None = None) -> str | None:
        """Return the reason why `.venv` must be created again, or None if it is usable.

        Args:
            python: The Python that the user requires, as returned by `describe_this_python`, or None for any
                Python.
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
        if not set(state.installed) <= set(installed) or not self.program("muster").exists():
            return "packages are missing from it"
        return None

    def _fault_of_unknown(self, installed: Sequence[str]) -> str | None:
        """Return the problem of an environment of unknown origin, or None if it is as created by `python -m venv`."""
        if not {name.partition("-")[0] for name in installed} <= OF_VENV:
            return "it was not set up by this version of Muster, or not to its end"
        try:
            moved = os.fsencode(self.folder) not in (self.folder / PROGRAMS / "activate").read_bytes()
        except OSError:
            moved = True
        return "the clone was moved, or it was not made to its end" if moved else self.fault_of_pip()

    def fault_of_pip(self) -> str | None:
        """Return the reason why pip cannot install into the environment, or None if it can."""
        if self.output("-m", "pip", "--version") is None:
            return "there is no working pip in it"
        return None

    def make(self) -> None:
        """Create an empty environment, replacing anything at its path."""
        if self.folder.is_symlink() or self.folder.is_file():
            self.folder.unlink()
        python = Path(sys.executable)
        if sys.prefix != sys.base_prefix:  # This Python may be in the environment that is about to be removed.
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

        Python 3.11 reads `.pth` files in the encoding of the locale and does not start if that fails. The path in
        the file is therefore relative, and thus ASCII, regardless of the path of the clone.
        """
        self.run(self.python, *INSTALL, "--no-build-isolation", "-e", ".")
        site = self.site_packages()
        paths = list(site.glob("*musterkit*.pth")) if site else []
        if not (site and len(paths) == 1):
            raise SetUpError(f"pip did not install Muster into {self.folder}")
        paths[0].write_text(os.path.relpath(self.root, site) + "\n", "ascii")


def pinned(lock: str, fonts: str) -> str:
    """Return the text of a lock, without the font packages if the system's fonts are used."""
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
    """Return the result of `Environment.describe_python` for an environment created by the running Python."""
    return f"{sys.version_info[0]} {sys.version_info[1]}\n{os.path.realpath(sys.base_prefix)!a}"


def digest(path: Path) -> str:
    """Return the SHA-256 hash of a file in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


@contextmanager
def one_at_a_time(root: Path) -> Iterator[tuple[int, ...]]:
    """Wait until no other set-up of this clone is running, and block other set-ups.

    Yield the open files that the child processes of this set-up must inherit (`Environment.held`).
    """
    try:
        import fcntl
    except ImportError:  # Windows has no fcntl.
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
            pass  # The file system does not support locks.
        yield (folder,)
    finally:
        os.close(folder)


@contextmanager
def _lock_file(path: Path) -> Iterator[None]:
    """Lock a file with msvcrt. On systems without msvcrt, the file is not locked."""
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
        os.close(handle)  # Closing the file also unlocks it, even after an error.


def _is_locked(msvcrt: Any, handle: int) -> bool:
    """Try to lock the first byte of a file, and return whether this was successful."""
    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    return True


def set_up(root: Path, what: str, fonts: str | None = None, python: str | None = None) -> None:
    """Install everything in `.venv` that the clone needs now.

    Args:
        root: The clone.
        what: "kit" for the libraries that kits need, or "dev" to include those for tests and tools.
        fonts: "packages", "system", or None for the previous choice. The default of the first set-up is
            "packages".
        python: The Python that the user requires, as returned by `describe_this_python`, or None for any Python.
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
        # Nothing has been changed, for example because there is no network connection.
        if state.installed and environment.installed() == before:
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
    """Run the command, and return its exit code."""
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
