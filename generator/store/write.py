"""Write files completely or not at all, by renaming a temporary file in the same folder.

If the path is a link, its target is replaced and the link is kept. A replaced file keeps its mode and, if
possible, its owner. Devices and pipes are written to directly.
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

from generator.errors import CannotWriteError, cannot_write
from generator.localization import tr
from generator.store.folders import cache_folder

BLOCK = 1 << 20
"""The size of the blocks in which files are read, in bytes. Drafts up to this size are kept in memory."""
_PART_SUFFIX = ".muster-part"
_STALE_S = 3600.0
_MAX_LOCK_TRIES, _RETRY_S = 50, 0.01
"""The number of attempts to lock a folder that another process is cleaning up, and the seconds between them."""
_NEW_FILE_MODE, _PRIVATE_FILE_MODE = 0o666, 0o600
"""The modes of new files. The user's umask is applied to the first one."""


def is_plain_name(name: str) -> bool:
    """Return whether a name is the name of a file in a folder, and not a path."""
    return bool(name) and name not in (".", "..") and not set(name) & set("/\\\0")


class Draft(tempfile.SpooledTemporaryFile[bytes]):
    """An unfinished file without a name.

    A long draft is stored on disk and is deleted when its process ends.
    """

    def __init__(self, content: bytes = b"") -> None:
        super().__init__(BLOCK)
        self.write(content)

    def __bytes__(self) -> bytes:
        return b"".join(self.blocks())

    def __reduce__(self) -> Any:
        return Draft, (bytes(self),)

    def __del__(self) -> None:
        # Callers need not close drafts. Python would warn about an unclosed file.
        self.close()

    def rollover(self) -> None:
        """Move the draft to disk."""
        super().rollover()
        # In a reference cycle, the underlying file might be finalized first, and Python would warn about this.
        finalize(self, self._file.close)

    def blocks(self) -> Iterator[bytes]:
        """Yield the content in blocks."""
        self.seek(0)
        return iter(partial(self.read, BLOCK), b"")


Content = bytes | Draft


def blocks(content: Content) -> Iterable[bytes]:
    """Return the content of a file in blocks."""
    return content.blocks() if isinstance(content, Draft) else (content,)


def write(path: Path, content: Content, private: bool = False) -> None:
    """Write a file completely. If this fails, an existing file stays unchanged.

    If `private` is true, a new file is readable only by its owner.

    Raises:
        CannotWriteError: If the file cannot be written.
    """
    write_all(path.parent, {path.name: content}, private)


@contextlib.contextmanager
def temporary_folder(files: Mapping[str, bytes]) -> Iterator[Path]:
    """Yield a temporary folder with these files, which is deleted at the end."""
    with tempfile.TemporaryDirectory(prefix="muster-") as name:
        folder = Path(name)
        write_all(folder, files)
        yield folder


def write_all(folder: Path, files: Mapping[str, Content], private: bool = False) -> None:
    """Write files to a folder in order, each of them completely.

    No file is renamed before all of them are on disk.
    """
    if paths := [name for name in files if not is_plain_name(name)]:
        raise CannotWriteError(tr("cannot write a file named {name!r}", name=paths[0]))
    ready: dict[Path, Path] = {}  # the temporary file for each file that is replaced
    direct: list[tuple[Path, Content]] = []
    lock_handles: dict[Path, int] = {}
    try:
        _make_folder(folder)
        for name, content in files.items():
            path = folder / name
            there = _target_status(path)
            if there and not stat.S_ISREG(there.st_mode):
                direct.append((path, content))
                continue
            target = Path(os.path.realpath(path)) if path.is_symlink() else path
            if target in ready:
                raise OSError(None, tr("{name} and another output file are the same file", name=name))
            _remove_stale_parts(target.parent, lock_handles)
            part = target.parent / f".{secrets.token_hex(8)}{_PART_SUFFIX}"
            ready[target] = part
            _write_part(part, content, there, _PRIVATE_FILE_MODE if private else _NEW_FILE_MODE)
        for path, content in direct:
            _write_directly(path, content)
        for target, part in ready.items():
            part.replace(target)
    except OSError as error:
        raise cannot_write(folder, error) from error
    finally:
        for part in ready.values():
            with contextlib.suppress(OSError):
                part.unlink()
        for handle in lock_handles.values():
            os.close(handle)


def write_to_cache(kind: str, name: str, content: bytes, max_files: int) -> None:
    """Write a file to a folder of the user's cache.

    If there are more than `max_files` files, the oldest half is removed.

    If the cache cannot be written, the file is not stored and no error is raised.
    """
    folder = cache_folder() / kind
    with contextlib.suppress(OSError, CannotWriteError):
        write(folder / name, content)
        there = [path for path in folder.iterdir() if not path.name.endswith(_PART_SUFFIX)]
        if len(there) > max_files:
            old = sorted(there, key=lambda path: path.stat().st_mtime)[: len(there) - max_files // 2]
            remove(folder, [path.name for path in old])


def read_from_cache(kind: str, name: str) -> bytes | None:
    """Return the content of a file in the user's cache, or None if there is no such file."""
    try:
        return (cache_folder() / kind / name).read_bytes()
    except OSError:
        return None


def move_folder(place: Path, to: Path) -> None:
    """Move a folder, and make the parent of its new place if necessary.

    Raises:
        CannotWriteError: If the folder cannot be moved.
    """
    try:
        to.parent.mkdir(exist_ok=True)
        place.rename(to)
    except OSError as error:
        raise cannot_write(place, error) from error


def remove(folder: Path, names: Iterable[str]) -> None:
    """Remove files of a folder.

    Raises:
        CannotWriteError: If a file cannot be removed.
    """
    try:
        for name in names:
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise cannot_write(folder, error) from error


def _make_folder(folder: Path) -> None:
    """Create a folder if it does not exist."""
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


def _target_status(path: Path) -> os.stat_result | None:
    """Return the status of a file or of a link's target, or None if it does not exist.

    Raises:
        OSError: If the file cannot be written.
    """
    try:
        found = path.stat()
    except FileNotFoundError as error:
        if not path.is_symlink():
            return None
        hint = tr("create the missing file, or remove the link")
        raise OSError(
            None,
            tr(
                "{name} is a link to {target}, which does not exist; {hint}",
                name=path.name,
                target=path.readlink(),
                hint=hint,
            ),
        ) from error
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(None, tr("{name} is a link to itself; remove the link", name=path.name)) from error
        raise
    if stat.S_ISDIR(found.st_mode):
        raise OSError(None, tr("{name} is a folder, not a file", name=path.name))
    if stat.S_ISBLK(found.st_mode):
        raise OSError(None, tr("{name} is a disk, and Muster does not write to disks directly", name=path.name))
    return found


def _write_part(part: Path, content: Content, before: os.stat_result | None, mode: int) -> None:
    """Write content to disk under a temporary name, with the owner and mode of the file that it will replace."""
    with open(
        part, "xb", opener=lambda name, flags: os.open(name, flags, _PRIVATE_FILE_MODE if before else mode)
    ) as out:
        out.writelines(blocks(content))
        out.flush()
        if before:
            _keep_owner_and_mode(part, before)
        os.fsync(out.fileno())


def _keep_owner_and_mode(part: Path, before: os.stat_result) -> None:
    now = part.stat()
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        with contextlib.suppress(OSError):  # only root may change the owner of files
            os.chown(part, before.st_uid, before.st_gid)
    part.chmod(stat.S_IMODE(before.st_mode))


def _write_directly(path: Path, content: Content) -> None:
    """Write to a device or a pipe, which is neither created nor truncated."""
    try:
        with open(path, "wb", opener=lambda name, flags: os.open(name, flags & ~(os.O_CREAT | os.O_TRUNC))) as out:
            out.writelines(blocks(content))
    except OSError as error:
        raise OSError(error.errno, f"{path.name}: {error.strerror}") from error


def _remove_stale_parts(folder: Path, lock_handles: dict[Path, int]) -> None:
    """Remove temporary files of killed processes, and lock the folder to protect this process's own files.

    If the folder cannot be locked, or another process is writing there, only files older than an hour are removed.
    """
    if folder in lock_handles:
        return
    alone = _lock_folder(folder, lock_handles)
    for stale in folder.glob(f".*{_PART_SUFFIX}"):
        with contextlib.suppress(OSError):
            if alone or time.time() - stale.stat().st_mtime > _STALE_S:
                stale.unlink()
    if alone:
        _share_lock(lock_handles[folder])


def _lock_folder(folder: Path, lock_handles: dict[Path, int]) -> bool:
    """Lock a folder until its handle is closed, and return whether no other process has locked it."""
    try:
        import fcntl

        lock_handles[folder] = os.open(folder, os.O_RDONLY)
        fcntl.flock(lock_handles[folder], fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        _share_lock(lock_handles[folder])
        return False
    except (ImportError, OSError):
        return False
    return True


def _share_lock(handle: int) -> None:
    """Share the lock with other writers as soon as no process is cleaning up."""
    import fcntl

    for _ in range(_MAX_LOCK_TRIES):
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            time.sleep(_RETRY_S)
        else:
            return
