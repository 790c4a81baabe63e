"""Writing that is whole or not at all: a temporary file in the same folder, then one rename.

A link stays, and the file it leads to is replaced; what is replaced keeps its mode, and its owner where that can be.
Devices and pipes are written to, and stay what they are.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from weakref import finalize

from generator.errors import CannotWriteError, describe_error
from generator.localization import tr
from generator.store.folders import cached

BLOCK = 1 << 20
"""Files are read in pieces so long, and a draft that is no longer stays in memory."""
_PART = ".muster-part"
_STALE = 3600.0
_TRIES, _RETRY_S = 50, 0.01
"""How often to ask for a folder that is being swept, and after how many seconds again."""
_NEW, _PRIVATE = 0o666, 0o600
"""The modes that files begin with; the user's umask takes from the first what it takes from every new file."""


def is_plain_name(name: str) -> bool:
    """Whether a name is that of a file in the folder itself, no path out of it."""
    return bool(name) and name not in (".", "..") and not set(name) & set("/\\\0")


class Draft(tempfile.SpooledTemporaryFile[bytes]):
    """A file in the making: it has no name, lies on disk where it is long, and is gone with its process."""

    def __init__(self, content: bytes = b"") -> None:
        super().__init__(BLOCK)
        self.write(content)

    def __bytes__(self) -> bytes:
        return b"".join(self.blocks())

    def __reduce__(self) -> Any:
        return Draft, (bytes(self),)

    def __del__(self) -> None:
        # Nobody need close it: Python's own would warn of that.
        self.close()

    def rollover(self) -> None:
        """Put it on disk."""
        super().rollover()
        # In a cycle the file itself might be ended first, of which Python would warn as well.
        finalize(self, self._file.close)

    def blocks(self) -> Iterator[bytes]:
        """All of it, piece by piece."""
        self.seek(0)
        return iter(partial(self.read, BLOCK), b"")


Content = bytes | Draft


def blocks(content: Content) -> Iterable[bytes]:
    """What shall be in a file, piece by piece."""
    return content.blocks() if isinstance(content, Draft) else (content,)


def write(path: Path, content: Content, private: bool = False) -> None:
    """Write a file whole; the old one stays as it was when anything goes wrong (CannotWriteError).

    A private one is its owner's alone, where it is new.
    """
    write_all(path.parent, {path.name: content}, private)


@contextlib.contextmanager
def temporary_folder(files: Mapping[str, bytes]) -> Iterator[Path]:
    """A folder with these files, gone when nobody needs it any more."""
    with tempfile.TemporaryDirectory(prefix="muster-") as name:
        folder = Path(name)
        write_all(folder, files)
        yield folder


def write_all(folder: Path, files: Mapping[str, Content], private: bool = False) -> None:
    """Write files into a folder, in their order, each whole; nothing is renamed before all are on disk."""
    if paths := [name for name in files if not is_plain_name(name)]:
        raise CannotWriteError(tr("cannot write a file named {name!r}", name=paths[0]))
    ready: dict[Path, Path] = {}  # the temporary file of each that is to be replaced
    poured: list[tuple[Path, Content]] = []
    held: dict[Path, int] = {}
    try:
        _make(folder)
        for name, content in files.items():
            path = folder / name
            there = _there(path)
            if there and not stat.S_ISREG(there.st_mode):
                poured.append((path, content))
                continue
            target = Path(os.path.realpath(path)) if path.is_symlink() else path
            if target in ready:
                raise OSError(None, tr("{name} is the same file as another name", name=name))
            _sweep(target.parent, held)
            part = target.parent / f".{secrets.token_hex(8)}{_PART}"
            ready[target] = part
            _stage(part, content, there, _PRIVATE if private else _NEW)
        for path, content in poured:
            _pour(path, content)
        for target, part in ready.items():
            part.replace(target)
    except OSError as error:
        raise CannotWriteError(
            tr("cannot write to {folder}: {reason}", folder=folder, reason=describe_error(error))
        ) from error
    finally:
        for part in ready.values():
            with contextlib.suppress(OSError):
                part.unlink()
        for handle in held.values():
            os.close(handle)


def keep(kind: str, name: str, content: bytes, max_files: int) -> None:
    """Write a file into a folder of the user's cache, which holds so many at most: the oldest go, half of them.

    Without a cache nothing is kept, and nobody minds.
    """
    folder = cached() / kind
    with contextlib.suppress(OSError, CannotWriteError):
        write(folder / name, content)
        there = [path for path in folder.iterdir() if not path.name.endswith(_PART)]
        if len(there) > max_files:
            old = sorted(there, key=lambda path: path.stat().st_mtime)[: len(there) - max_files // 2]
            remove(folder, [path.name for path in old])


def kept(kind: str, name: str) -> bytes | None:
    """What lies in the user's cache under that name; None where nothing does."""
    try:
        return (cached() / kind / name).read_bytes()
    except OSError:
        return None


def remove(folder: Path, names: Iterable[str]) -> None:
    """Remove files of a folder; CannotWriteError where one cannot be."""
    try:
        for name in names:
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise CannotWriteError(
            tr("cannot write to {folder}: {reason}", folder=folder, reason=describe_error(error))
        ) from error


def _make(folder: Path) -> None:
    """Make a folder where there is none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        way = Path(error.filename)
        what = (
            tr("a link to {target}, which is not a folder", target=way.readlink())
            if way.is_symlink()
            else tr("a file")
        )
        raise OSError(None, tr("{way} is {what}", way=way, what=what)) from error


def _there(path: Path) -> os.stat_result | None:
    """What lies there or where a link leads, None for nothing; OSError for what is no place to write to."""
    try:
        found = path.stat()
    except FileNotFoundError as error:
        if not path.is_symlink():
            return None
        hint = tr("create that file, or remove the link")
        raise OSError(
            None,
            tr(
                "{name} is a link to {target}, which does not exist: {hint}",
                name=path.name,
                target=path.readlink(),
                hint=hint,
            ),
        ) from error
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(None, tr("{name} is a link to itself: remove it", name=path.name)) from error
        raise
    if stat.S_ISDIR(found.st_mode):
        raise OSError(None, tr("{name} is a folder there", name=path.name))
    if stat.S_ISBLK(found.st_mode):
        raise OSError(None, tr("{name} is a disk and is left untouched", name=path.name))
    return found


def _stage(part: Path, content: Content, before: os.stat_result | None, mode: int) -> None:
    """Bring the bytes to disk under a name of their own, with owner and mode of the file that they shall replace."""
    with open(part, "xb", opener=lambda name, flags: os.open(name, flags, _PRIVATE if before else mode)) as out:
        out.writelines(blocks(content))
        out.flush()
        if before:
            _keep(part, before)
        os.fsync(out.fileno())


def _keep(part: Path, before: os.stat_result) -> None:
    now = part.stat()
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        with contextlib.suppress(OSError):  # only root may give files away
            os.chown(part, before.st_uid, before.st_gid)
    part.chmod(stat.S_IMODE(before.st_mode))


def _pour(path: Path, content: Content) -> None:
    """Write to a device or a pipe, which is neither made nor cut short."""
    try:
        with open(path, "wb", opener=lambda name, flags: os.open(name, flags & ~(os.O_CREAT | os.O_TRUNC))) as out:
            out.writelines(blocks(content))
    except OSError as error:
        raise OSError(None, f"{path.name}: {error.strerror}") from error


def _sweep(folder: Path, held: dict[Path, int]) -> None:
    """Remove what an earlier run that was killed left behind, and hold the folder, lest another run sweep ours.

    Where nothing can be held, or somebody else writes there now, what is an hour old was left behind.
    """
    if folder in held:
        return
    alone = _hold(folder, held)
    for stale in folder.glob(f".*{_PART}"):
        with contextlib.suppress(OSError):
            if alone or time.time() - stale.stat().st_mtime > _STALE:
                stale.unlink()
    if alone:
        _share(held[folder])


def _hold(folder: Path, held: dict[Path, int]) -> bool:
    """Hold a folder open until its handle is closed; whether nobody else does."""
    try:
        import fcntl

        held[folder] = os.open(folder, os.O_RDONLY)
        fcntl.flock(held[folder], fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        _share(held[folder])
        return False
    except (ImportError, OSError):
        return False
    return True


def _share(handle: int) -> None:
    """Hold together with others who write, as soon as nobody sweeps."""
    import fcntl

    for _ in range(_TRIES):
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            time.sleep(_RETRY_S)
        else:
            return
