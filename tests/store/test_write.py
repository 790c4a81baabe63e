"""Tests that a file is written completely or keeps its old content."""

from __future__ import annotations

import errno
import gc
import json
import os
import pickle
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from generator.errors import CannotWriteError
from generator.store.manifest import manifest, seal, seal_at_end
from generator.store.write import BLOCK, Draft, write, write_all

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
    with pytest.raises(CannotWriteError, match="c is a folder, not a file"):
        write_all(tmp_path, NEW)
    assert contents(tmp_path) == OLD


@pytest.mark.parametrize("name", ["../x", "/x", "a/b", "a\\b", "..", ".", "", "a\0b", "x" * 300])
def test_a_name_cannot_leave_the_folder(tmp_path: Path, name: str) -> None:
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


def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "mine").write_bytes(b"mine")
    (tmp_path / "a").symlink_to(Path("there", "mine"))
    (tmp_path / "b").symlink_to("a")
    write(tmp_path / "b", b"new")
    assert (tmp_path / "there" / "mine").read_bytes() == b"new"
    assert (tmp_path / "a").readlink() == Path("there", "mine") and (tmp_path / "b").readlink() == Path("a")
    assert len(contents(tmp_path / "there")) == 1


@pytest.mark.parametrize(
    ("leads_to", "expected"), [("nowhere", "link to nowhere, which does not exist"), ("link", "a link to itself")]
)
def test_a_dangling_link_is_reported(tmp_path: Path, leads_to: str, expected: str) -> None:
    (tmp_path / "link").symlink_to(leads_to)
    with pytest.raises(CannotWriteError, match=expected):
        write_all(tmp_path, {"a": b"a", "link": b"new"})
    with pytest.raises(CannotWriteError):
        write_all(tmp_path / "link", {"a": b"a"})
    assert [path.name for path in tmp_path.iterdir()] == ["link"]


def test_two_names_of_one_file_do_not_replace_one_another(tmp_path: Path) -> None:
    write_all(tmp_path, OLD)
    (tmp_path / "c").symlink_to("a")
    with pytest.raises(CannotWriteError, match="are the same file"):
        write_all(tmp_path, NEW)
    assert contents(tmp_path) == {**OLD, "c": OLD["a"]}


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o755, 0o444])
def test_what_is_replaced_keeps_mode_and_owner(tmp_path: Path, mode: int) -> None:
    target = tmp_path / "a"
    target.write_bytes(b"old")
    if os.geteuid() == 0:
        os.chown(target, 1234, 4321)
    target.chmod(mode)
    before = target.stat()
    write(target, b"new")
    after = target.stat()
    assert target.read_bytes() == b"new"
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        write(tmp_path / "a", b"new")
        write(tmp_path / "b", b"new", private=True)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o666 & ~mask
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o600


def test_a_device_is_written_to_and_stays_one(tmp_path: Path) -> None:
    before = Path("/dev/null").stat()
    write(Path("/dev/null"), b"new")
    (tmp_path / "link").symlink_to("/dev/null")
    write(tmp_path / "link", b"new")
    after = Path("/dev/null").stat()
    assert stat.S_ISCHR(after.st_mode) and (after.st_ino, after.st_rdev) == (before.st_ino, before.st_rdev)
    assert (tmp_path / "link").is_symlink()
    with pytest.raises(CannotWriteError, match=os.strerror(errno.ENOSPC)):
        write(Path("/dev/full"), b"new")
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


def test_a_full_device_among_the_files_stops_all(tmp_path: Path) -> None:
    write_all(tmp_path, OLD)
    (tmp_path / "c").symlink_to("/dev/full")
    with pytest.raises(CannotWriteError):
        write_all(tmp_path, NEW)
    assert {name: content for name, content in contents(tmp_path).items() if name != "c"} == OLD


def test_a_pipe_gets_the_bytes_and_stays_one(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write(pipe, b"new" * 100_000)
    reader.join(10)
    assert read == [b"new" * 100_000] and stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_disk_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stat.S_ISBLK", lambda mode: stat.S_ISCHR(mode))
    with pytest.raises(CannotWriteError, match="null is a disk, and Muster does not write to disks directly"):
        write(Path("/dev/null"), b"new")


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
    left: list[Path] = []
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
        # The next run removes the temporary files.
        left += [path for path in tmp_path.iterdir() if path.name not in ("a", "b")]
    assert all(path.name.endswith(".muster-part") for path in left)
    assert left, "no kill came while a file was being written: the test has lost its point"
    write_all(tmp_path, {"a": b"a"})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


@pytest.mark.parametrize("size", [10, 3 * BLOCK])
def test_a_draft_is_buffered_and_a_long_draft_is_on_disk(tmp_path: Path, size: int) -> None:
    content = b"%PDF-1.4\n" + bytes(size) + b"startxref\n1\n%%EOF\n"
    draft = Draft(content)
    assert vars(draft)["_rolled"] == (size > BLOCK)
    assert bytes(draft) == bytes(pickle.loads(pickle.dumps(draft))) == content
    seal_at_end(draft)
    write_all(tmp_path, {"a": draft, "b": seal(content)})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes() != content
    assert json.loads(manifest({}, {"a": draft}))["files"] == json.loads(manifest({}, {"a": seal(content)}))["files"]


def test_a_draft_that_goes_with_what_it_is_part_of_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(20):
        draft = Draft()
        ring: list[object] = [draft]
        gc.collect(0)
        draft.write(bytes(2 * BLOCK))
        # The file object may be the first object that the garbage collector finds.
        ring.insert(0, [draft._file, ring])
        draft.__dict__["ring"] = ring
        del draft, ring
    gc.collect()
    assert not capsys.readouterr().err


@pytest.mark.parametrize(
    ("number", "hint"),
    [
        (errno.ENOSPC, "free some space on this disk, then run the command again"),
        (errno.EDQUOT, "free some space on this disk, then run the command again"),
        (errno.EROFS, "use a folder that you may write to, such as one in your home folder"),
        (errno.EACCES, "use a folder that you may write to, or change its permissions"),
        (errno.ENAMETOOLONG, "choose a shorter name"),
    ],
)
def test_the_reason_is_followed_by_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, hint: str
) -> None:
    """The message gave only the reason of the system, such as “Read-only file system”."""

    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(CannotWriteError) as caught:
        write(tmp_path / "a", b"a")
    assert caught.value.lines() == [f"cannot write to {tmp_path}: {os.strerror(number)} ({hint})"]
    assert caught.value.problems[0].describe("ja").isascii() is False


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_device_has_the_same_hint() -> None:
    with pytest.raises(CannotWriteError, match="full: No space left on device \\(free some space on this disk"):
        write(Path("/dev/full"), b"new")
