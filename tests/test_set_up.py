"""Tests that `make` creates `.venv` from the lock files with any pip in any folder, and recreates a broken one."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
import time
import tomllib
import zipfile
from collections.abc import Callable
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import set_up
from tools.set_up import Environment, SetUpError

ROOT = Path(__file__).resolve().parent.parent
CLONED = ("Makefile", "pyproject.toml", "README.md", "LICENSE", "requirements.lock", "requirements-dev.lock")
SITE = sysconfig.get_path("purelib")
WITHOUT_PIP = ("-m", "venv", "--without-pip")
"""Arguments that create an environment in a second. Pip is found on PYTHONPATH."""


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pip use the installed libraries, so that it downloads nothing."""
    for name in list(os.environ):
        if name.startswith(("PIP_", "MAKE", "MFLAGS", "PYTHON", "VIRTUAL_ENV")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PYTHONPATH", SITE)
    monkeypatch.setattr(set_up, "MAKE_VENV", WITHOUT_PIP)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    return copy_to(tmp_path / "clone")


@pytest.fixture
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install almost nothing, because the tests only check when an installation happens."""

    def install_muster(environment: Environment) -> None:
        site = environment.site_packages()
        assert site
        (site / "musterkit-0.dist-info").mkdir(exist_ok=True)
        (environment.folder / "bin/muster").touch()

    monkeypatch.setattr(Environment, "install", lambda _, lock: None)
    monkeypatch.setattr(Environment, "install_muster", install_muster)


def copy_to(folder: Path) -> Path:
    """Copy the files that an installation reads. The code only needs to be importable."""
    folder.mkdir(parents=True)
    for name in CLONED:
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "tools", folder / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("generator", "data", "templates"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def works(clone: Path) -> bool:
    """Return whether the command of a clone runs the code of this clone."""
    done = subprocess.run([clone / ".venv/bin/muster", "--version"], cwd="/", capture_output=True)
    where = "import generator; print(ascii(generator.__file__))"
    found = subprocess.run([clone / ".venv/bin/python", "-c", where], cwd="/", capture_output=True, encoding="utf-8")
    return done.returncode == 0 and found.stdout.strip() == ascii(str(clone / "generator" / "__init__.py"))


def make(clone: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "--no-print-directory", f"PYTHON={sys.executable}", *args]
    return subprocess.run(
        command, cwd=clone, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace"
    )


def write_wheel(folder: Path, name: str, version: str, *lines: str) -> str:
    """Write an empty wheel and return its line for a lock file."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    meta = "\n".join(["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *lines, ""])
    about = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{about}/METADATA", meta)
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")
    return f"{name}=={version} --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


def test_a_newer_release_of_a_pinned_library_with_an_extra_changes_nothing(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pip 23.2 and older, if the tests run with one, would resolve `mustertestb[x]` to release 2."""
    environment = Environment(clone)
    environment.make()
    lock = tmp_path / "lock.txt"
    lock.write_text(
        write_wheel(tmp_path, "mustertesta", "1", "Requires-Dist: mustertestb[x]")
        + write_wheel(tmp_path, "mustertestb", "1", "Provides-Extra: x")
    )
    write_wheel(tmp_path, "mustertestb", "2", "Provides-Extra: x")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    environment.install(lock)
    assert environment.installed() == ["mustertesta-1.dist-info", "mustertestb-1.dist-info"]
    lock.write_text(re.sub("sha256:.", "sha256:0", lock.read_text()).replace("==1", "==2"))
    with pytest.raises(SetUpError):
        environment.install(lock)


def test_no_step_of_the_set_up_resolves_dependencies() -> None:
    assert "--no-deps" in set_up.INSTALL
    code = (ROOT / "tools/set_up.py").read_text("utf-8")
    assert code.count('"pip", "install"') == 1
    assert code.count("*INSTALL") == 2
    recipes = [line for line in (ROOT / "Makefile").read_text("utf-8").splitlines() if "pip install" in line]
    assert [line for line in recipes if ".bench/venv" not in line] == []


@pytest.mark.parametrize(
    ("lock", "extras"), [("requirements.lock", ()), ("requirements-dev.lock", ("dev", "studio"))]
)
def test_lock_files_name_every_library(lock: str, extras: tuple[str, ...]) -> None:
    """The installation resolves no dependencies, so a library that is not in the lock file would be missing."""
    text = (ROOT / lock).read_text("utf-8").replace("\\\n", " ")
    lines = [Requirement(line.partition(" --hash")[0]) for line in text.splitlines() if "==" in line]
    pinned = {
        canonicalize_name(line.name): str(line.specifier).removeprefix("==")
        for line in lines
        if line.marker is None or line.marker.evaluate()
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *(ROOT / "requirements.in").read_text("utf-8").splitlines()]
    wanted += [line for extra in extras for line in project["optional-dependencies"][extra]]
    queue = [(Requirement(line), "pyproject.toml") for line in wanted if line and not line.startswith("#")]
    seen = set()
    while queue:
        requirement, by = queue.pop()
        name = canonicalize_name(requirement.name)
        if name == "musterkit" or (key := (name, frozenset(requirement.extras))) in seen:
            continue
        seen.add(key)
        assert name in pinned, f"{lock} lacks {requirement}, which {by} needs"
        assert requirement.specifier.contains(pinned[name], prereleases=True), f"{lock}: {requirement} of {by}"
        for line in distribution(name).requires or ():
            found = Requirement(line)
            if found.marker is None or any(found.marker.evaluate({"extra": e}) for e in ("", *requirement.extras)):
                queue.append((found, name))
    assert len(seen) > 10


@pytest.mark.parametrize("locale", ["C", "POSIX", "C.UTF-8"])
def test_a_clone_in_a_folder_with_japanese_letters_and_spaces(
    locale: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    clone = copy_to(tmp_path / "春の 大会" / "muster's clone")
    set_up.set_up(clone, "kit")
    assert works(clone)
    assert (pth := next((clone / ".venv").glob("lib/*/site-packages/*musterkit*.pth"))).read_bytes().isascii()
    assert (pth.parent / pth.read_text().strip()).resolve() == clone.resolve()
    monkeypatch.setenv("LC_ALL", "C.UTF-8" if locale == "C" else "C")
    assert works(clone)
    assert Environment(clone).fault() is None


def remove_pip_and_state(clone: Path) -> Path:
    (clone / ".venv/set-up.json").unlink()
    return clone


def interrupt(clone: Path) -> Path:
    (clone / ".venv/unfinished").touch()
    return clone


def let_python_dangle(clone: Path) -> Path:
    for path in (clone / ".venv/bin").glob("python*"):
        path.unlink()
        path.symlink_to("/nowhere/python3")
    return clone


def remove_python(clone: Path) -> Path:
    for path in (clone / ".venv/bin").glob("python*"):
        path.unlink()
    return clone


def empty(clone: Path) -> Path:
    shutil.rmtree(clone / ".venv")
    (clone / ".venv").mkdir()
    return clone


def put_a_file(clone: Path) -> Path:
    shutil.rmtree(clone / ".venv")
    (clone / ".venv").write_text("")
    return clone


def move(clone: Path) -> Path:
    return clone.rename(clone.with_name("moved"))


def copy(clone: Path) -> Path:
    return Path(shutil.copytree(clone, clone.with_name("copied"), symlinks=True))


def lose_packages(clone: Path) -> Path:
    shutil.rmtree(clone / ".venv/lib")
    return clone


def lose_command(clone: Path) -> Path:
    (clone / ".venv/bin/muster").unlink()
    return clone


def garble_state(clone: Path) -> Path:
    (clone / ".venv/set-up.json").write_text('{"folder": 3')
    return clone


@pytest.mark.parametrize(
    "damage",
    [
        remove_pip_and_state,
        interrupt,
        let_python_dangle,
        remove_python,
        empty,
        put_a_file,
        move,
        copy,
        lose_packages,
        lose_command,
        garble_state,
    ],
)
def test_a_broken_environment_is_made_again(
    damage: Callable[[Path], Path], clone: Path, light: None, capfd: pytest.CaptureFixture[str]
) -> None:
    set_up.set_up(clone, "kit")
    assert "making .venv again" not in capfd.readouterr().out
    clone = damage(clone)
    set_up.set_up(clone, "kit")
    assert "making .venv again: " in capfd.readouterr().out
    assert Environment(clone).fault() is None
    set_up.set_up(clone, "kit")
    assert capfd.readouterr().out == ""


def test_the_python_of_the_environment_can_recreate_it(clone: Path) -> None:
    """`make` runs the installation with the Python of `.venv` if it exists."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", clone / ".venv"], check=True)
    interrupt(clone)
    code = f"from tools import set_up; set_up.MAKE_VENV = {WITHOUT_PIP!r}; set_up.main(['kit'])"
    subprocess.run([clone / ".venv/bin/python", "-c", code], cwd=clone, check=True)
    assert works(clone)


def test_a_clone_that_was_moved_works(clone: Path) -> None:
    set_up.set_up(clone, "kit")
    clone = move(clone)
    set_up.set_up(clone, "kit")
    assert works(clone)


def test_an_environment_without_pip_is_recreated(
    clone: Path, light: None, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """PYTHONPATH hides that there is no pip, so the test patches the check."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", clone / ".venv"], check=True)
    monkeypatch.delenv("PYTHONPATH")
    assert Environment(clone).fault() == "there is no working pip in it"
    monkeypatch.setenv("PYTHONPATH", SITE)
    monkeypatch.setattr(Environment, "fault_of_pip", lambda _: "there is no working pip in it")
    set_up.set_up(clone, "kit")
    assert "making .venv again: there is no working pip in it" in capfd.readouterr().out


def test_an_environment_that_a_user_just_made_is_used(
    clone: Path, light: None, capfd: pytest.CaptureFixture[str]
) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", clone / ".venv"], check=True)
    (clone / ".venv/kept").touch()
    set_up.set_up(clone, "kit")
    assert "making .venv again" not in capfd.readouterr().out
    assert (clone / ".venv/kept").exists()


def test_a_set_up_that_is_killed_at_any_time_is_done_by_the_next(clone: Path) -> None:
    command = [sys.executable, "-c", f"from tools import set_up; set_up.MAKE_VENV = {WITHOUT_PIP!r}; set_up.main()"]
    for delay in (0.15, 0.4, 0.8, 1.6):
        process = subprocess.Popen([*command, "kit"], cwd=clone, start_new_session=True, stdout=subprocess.DEVNULL)
        time.sleep(delay)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    set_up.set_up(clone, "kit")
    assert works(clone)


def test_two_at_once_wait_for_each_other(clone: Path) -> None:
    command = [sys.executable, "-c", f"from tools import set_up; set_up.MAKE_VENV = {WITHOUT_PIP!r}; set_up.main()"]
    both = [
        subprocess.Popen([*command, what], cwd=clone, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for what in ("kit", "dev")
    ]
    output = [process.communicate()[0].decode() for process in both]
    assert [process.returncode for process in both] == [0, 0], output
    assert "waiting for another make" in "".join(output)
    assert works(clone)
    assert "making .venv again" not in "".join(output)


class Msvcrt:
    """A replacement for the module that locks files on Windows, with locks per open file instead of process."""

    LK_NBLCK, LK_UNLCK = 2, 0

    def __init__(self) -> None:
        self.holder: int | None = None
        self.tries = 0

    def locking(self, handle: int, mode: int, count: int) -> None:
        assert count == 1
        if mode == self.LK_UNLCK:
            assert self.holder == handle
            self.holder = None
        elif self.holder is None:
            self.holder = handle
        else:
            self.tries += 1
            raise OSError(13, "Permission denied")


def test_on_windows_programs_and_packages_are_in_other_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(set_up, "PROGRAMS", "Scripts")
    monkeypatch.setattr(set_up, "PROGRAM_SUFFIX", ".exe")
    environment = Environment(tmp_path)
    site = tmp_path / ".venv" / "Lib" / "site-packages"
    (site / "click-8.2.dist-info").mkdir(parents=True)
    assert environment.python == tmp_path / ".venv" / "Scripts" / "python.exe"
    assert (environment.site_packages(), environment.installed()) == (site, ["click-8.2.dist-info"])


def test_make_and_the_set_up_agree_on_the_folder_of_programs() -> None:
    for system, folder in (("Windows_NT", "Scripts"), ("", "bin")):
        ran = subprocess.run(
            ["make", "-n", "kit", f"OS={system}", f"PYTHON={sys.executable}"],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert f".venv/{folder}/muster kit" in ran.stdout, ran.stderr


def test_windows_has_no_fcntl_and_locks_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    locks = Msvcrt()
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", locks)
    spec = importlib.util.spec_from_file_location("without_fcntl", set_up.__file__)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "without_fcntl", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "LOCK_POLL_S", 0.01)
    with module.one_at_a_time(tmp_path) as held:
        assert (held, locks.holder is not None) == ((), True)
        other = threading.Thread(target=lambda: module.one_at_a_time(tmp_path).__enter__(), daemon=True)
        other.start()
        until = time.monotonic() + 30
        while not locks.tries and time.monotonic() < until:
            time.sleep(0.01)
        assert other.is_alive() and "waiting for another make" in capfd.readouterr().out
    other.join(30)
    assert not other.is_alive()


def test_without_any_lock_a_set_up_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("fcntl", "msvcrt"):
        monkeypatch.setitem(sys.modules, name, None)
    with set_up.one_at_a_time(tmp_path) as held:
        assert (held, list(tmp_path.iterdir())) == ((), [])


def test_a_failure_that_changed_nothing_keeps_the_environment(
    clone: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    set_up.set_up(clone, "kit")
    lock, kept = clone / "requirements.lock", (clone / "requirements.lock").read_text()
    lock.write_text(kept + f"mustertestc==1 --hash=sha256:{'0' * 64}\n")
    with pytest.raises(SetUpError):
        set_up.set_up(clone, "kit")
    assert works(clone)
    lock.write_text(kept)
    capfd.readouterr()
    set_up.set_up(clone, "kit")
    assert capfd.readouterr().out == ""


def test_fonts_of_the_system_are_remembered(clone: Path, light: None, capfd: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "requirements.lock").read_text("utf-8")
    assert set_up.pinned(text, "packages") == text
    left = set_up.pinned(text, "system")
    assert not re.search("noto|font-source", left)
    gone = re.findall(r"^(\S+)==", text, re.M)
    assert sorted(set(gone) - set(re.findall(r"^(\S+)==", left, re.M))) == [
        "font-source-sans-pro",
        "noto-cjk",
        "noto-cjk-sans-jp-bold",
        "noto-cjk-sans-jp-regular",
    ]
    set_up.set_up(clone, "kit", "system")
    assert "noto" not in (clone / ".venv/locked.txt").read_text()
    set_up.set_up(clone, "dev")
    assert "noto" not in (clone / ".venv/locked.txt").read_text()
    set_up.set_up(clone, "kit", "packages")
    assert "noto" in (clone / ".venv/locked.txt").read_text()
    capfd.readouterr()
    set_up.set_up(clone, "kit", "system")
    assert "making .venv again: it has the font packages" in capfd.readouterr().out


def test_another_python_that_the_user_names_makes_the_environment_again(clone: Path, light: None) -> None:
    set_up.set_up(clone, "kit", python=set_up.describe_this_python())
    assert Environment(clone).fault(set_up.describe_this_python()) is None
    assert Environment(clone).fault("3 12\n'/opt/python'") == "PYTHON names another Python"


def test_make_runs_the_set_up(clone: Path) -> None:
    """The environment was created by a user without pip, so the network is not used."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", clone / ".venv"], check=True)
    done = make(clone, "-j2", "kit", "ARGS=--help", "environment")
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("setting up Muster") == 1
    assert works(clone)
    assert "setting up" not in make(clone, "environment").stdout
    old = make(clone, "environment", "PYTHON=/nowhere/python3")
    assert old.returncode == 2
    assert "Muster needs Python 3.11 or later" in old.stdout


def test_make_lock_raises_the_pins(clone: Path) -> None:
    recipe = make(clone, "-n", "lock").stdout
    assert recipe.count("uv pip compile") == recipe.count("--upgrade") == 2
    assert "--upgrade" not in make(clone, "-n", "lock", "UPGRADE=").stdout
