"""A file is written whole, or the old one stays as it was."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from generator.errors import CannotWriteError
from generator.store.write import write, write_all

OLD, NEW = {"a": b"old a", "b": b"old b"}, {"a": b"new a", "b": b"new b", "c": b"new c"}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_new_files_replace_old_ones_and_leave_others(tmp_path: Path) -> None:
    write_all(tmp_path / "deep" / "er", {**OLD, "mine": b"mine"})
    write_all(tmp_path / "deep" / "er", NEW)
    assert contents(tmp_path / "deep" / "er") == {**NEW, "mine": b"mine"}


def test_write_one(tmp_path: Path) -> None:
    write(tmp_path / "a", b"a")
    assert contents(tmp_path) == {"a": b"a"}


@pytest.mark.parametrize("step", ["os.fsync", "pathlib.Path.replace"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT])
def test_a_full_or_broken_disk_leaves_the_old_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, number: int
) -> None:
    write_all(tmp_path, OLD)

    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(step, fail)
    with pytest.raises(CannotWriteError, match=os.strerror(number)):
        write_all(tmp_path, NEW)
    assert contents(tmp_path) == OLD


def test_a_disk_that_fills_up_at_the_last_file_leaves_the_old_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_all(tmp_path, OLD)
    synced = []

    def fill(handle: int) -> None:
        synced.append(handle)
        if len(synced) == len(NEW):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fill)
    with pytest.raises(CannotWriteError):
        write_all(tmp_path, NEW)
    assert contents(tmp_path) == OLD


def test_an_interruption_leaves_the_old_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_all(tmp_path, OLD)

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_all(tmp_path, NEW)
    assert contents(tmp_path) == OLD


def test_a_folder_in_the_way_stops_everything(tmp_path: Path) -> None:
    write_all(tmp_path, OLD)
    (tmp_path / "c").mkdir()
    with pytest.raises(CannotWriteError, match="c is a folder there"):
        write_all(tmp_path, NEW)
    assert contents(tmp_path) == OLD


@pytest.mark.parametrize("name", ["../x", "/x", "a/b", "a\\b", "..", ".", "", "a\0b", "x" * 300])
def test_a_name_is_no_way_out(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "kit"
    folder.mkdir()
    with pytest.raises(CannotWriteError):
        write_all(folder, {"a": b"a", name: b"x"})
    assert list(tmp_path.rglob("*")) == [folder]


@pytest.mark.parametrize("name", ["con", "日本語 の名前.toml", "-rf", "a" * 240, "it's", "%n"])
def test_an_odd_name_is_still_a_name(tmp_path: Path, name: str) -> None:
    write_all(tmp_path, {name: b"x"})
    assert contents(tmp_path) == {name: b"x"}


HOLD = """
import os, sys
from pathlib import Path
from generator.store import write
def fsync(_):
    print("writing", flush=True)
    sys.stdin.read()
write.os.fsync = fsync
write.write(Path("a"), b"whole")
"""


def test_what_a_killed_run_left_is_swept_and_what_one_writes_now_is_not(tmp_path: Path) -> None:
    (tmp_path / ".1.muster-part").write_bytes(b"half")
    with subprocess.Popen(
        [sys.executable, "-c", HOLD], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as run:
        assert run.stdin and run.stdout
        assert run.stdout.readline() == "writing\n"
        (part,) = contents(tmp_path)
        assert part != ".1.muster-part"
        write_all(tmp_path, {"b": b"x"})
        assert set(contents(tmp_path)) == {part, "b"}
        run.stdin.close()
    assert contents(tmp_path) == {"a": b"whole", "b": b"x"}


def test_where_no_folder_can_be_held_what_is_an_hour_old_is_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stale, fresh = tmp_path / ".1.muster-part", tmp_path / ".2.muster-part"
    for part in (stale, fresh):
        part.write_bytes(b"half")
    os.utime(stale, (time.time() - 7200,) * 2)
    monkeypatch.setitem(sys.modules, "fcntl", None)
    write_all(tmp_path, OLD)
    assert set(contents(tmp_path)) == {"a", "b", fresh.name}


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").write_bytes(b"mine")
    (tmp_path / "a").symlink_to(tmp_path / "mine")
    write_all(tmp_path, {"a": b"new"})
    assert contents(tmp_path) == {"mine": b"mine", "a": b"new"}


def test_writers_at_the_same_time_leave_whole_files(tmp_path: Path) -> None:
    sizes = [100_000 + i for i in range(8)]
    failed: list[BaseException] = []

    def run(size: int) -> None:
        try:
            for _ in range(10):
                write_all(tmp_path, {"a": bytes([size % 256]) * size})
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(size,)) for size in sizes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    (whole,) = contents(tmp_path).values()
    assert len(whole) in sizes and set(whole) == {len(whole) % 256}


WRITER = """
import sys
from pathlib import Path
from generator.store.write import write_all
n = 0
while True:
    n += 1
    write_all(Path(sys.argv[1]), {name: bytes([n % 256]) * 1_000_000 for name in ("a", "b")})
    print(n, flush=True)
"""


def test_killed_at_any_moment_no_half_file_has_a_final_name(tmp_path: Path) -> None:
    for kill in range(25):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as run:
            assert run.stdout
            run.stdout.readline()
            time.sleep(kill * 0.0007)
            run.kill()
        for name in ("a", "b"):
            content = (tmp_path / name).read_bytes()
            assert len(content) == 1_000_000 and len(set(content)) == 1
    left = [path for path in tmp_path.iterdir() if path.name not in ("a", "b")]
    assert all(path.name.endswith(".muster-part") for path in left)
    assert left, "no kill came while a file was being written: the test has lost its point"
    write_all(tmp_path, {"a": b"a"})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
