"""Allow only one writer at a time in a folder to which several commands write."""

from __future__ import annotations

import errno
import json
import os
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from generator.errors import CannotWriteError, cannot_write
from generator.localization import LocalizedStr, tr
from generator.store.write import remove, write, write_all

if TYPE_CHECKING:
    from filelock import BaseFileLock

LOCK = ".muster-lock"
"""The name of the file that is locked. It is not removed afterwards, because two writers could then lock it at once.
"""
SOFT_LOCK = ".muster-lock-held"
"""The name of the lock file on a drive that cannot lock files. The process that creates this file has the lock, and
removes the file later.
"""
HOLDER = ".muster-writer"
"""The name of a note about the command that has the lock. A command that stops waiting shows its contents."""
WAIT_S = 15.0
"""The time that a command waits for the lock, in seconds. Most commands have the lock for a tenth of a second."""
POLL_S = 0.05
_LOCK_FILE_MODE = 0o666
"""The mode of the empty lock file. Every user who may write to a shared folder must be able to lock it."""
_NO_LOCK_ERRORS = (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL)
"""The errors of network drives that cannot lock files."""
_MAX_NOTE_BYTES = 4096
_MAX_COMMAND_LENGTH = 200


class _Note(msgspec.Struct, frozen=True):
    """The command that has a lock."""

    command: str
    since: str
    """The time when the command started, with the offset from UTC."""
    pid: int
    host: str


_held: set[Path] = set()
"""The folders that this process has locked. A command that calls another one must not wait for itself."""


@contextmanager
def one_writer(folder: Path, command: str, wait: float | None = None) -> Iterator[None]:
    """Lock a folder while it is read and written. A missing folder is created.

    A folder that cannot be written at all is not locked, because every attempt to write there fails with its own
    message.

    Raises:
        CannotWriteError: If another command still has the lock after `wait` seconds (`WAIT_S` by default).
    """
    place = Path(os.path.realpath(folder))
    if place in _held:
        yield
        return
    lock = _lock_folder(folder, time.monotonic() + (WAIT_S if wait is None else wait))
    if lock is None:
        yield
        return
    _held.add(place)
    try:
        with suppress(CannotWriteError):
            write(folder / HOLDER, _note(command))
        yield
    finally:
        _held.discard(place)
        with suppress(CannotWriteError):
            remove(folder, [HOLDER])
        with suppress(OSError):
            lock.release()


def _lock_folder(folder: Path, deadline: float) -> BaseFileLock | None:
    """Lock a folder, and return the lock, or None if the folder cannot be written."""
    from filelock import FileLock, SoftFileLock, Timeout  # only commands that write an event need this

    kind: Any = FileLock
    name = LOCK
    while True:
        try:
            write_all(folder, {})
            lock: BaseFileLock = kind(str(folder / name), mode=_LOCK_FILE_MODE)
            with warnings.catch_warnings():
                # On a network drive without flock, the existence of a file is the lock. filelock warns about this.
                warnings.simplefilter("ignore")
                lock.acquire(timeout=max(0.0, deadline - time.monotonic()), poll_interval=POLL_S)
            return lock
        except Timeout:
            raise CannotWriteError(_busy_message(folder), hint=_hint()) from None
        except NotImplementedError:  # older versions of filelock without a fallback raise this error
            kind, name = SoftFileLock, SOFT_LOCK
        except FileNotFoundError as error:  # the folder was removed in the meantime
            if time.monotonic() > deadline:
                raise cannot_write(folder, error) from error
        except OSError as error:
            if error.errno in _NO_LOCK_ERRORS and kind is FileLock:
                kind, name = SoftFileLock, SOFT_LOCK
                continue
            if os.access(folder, os.W_OK):
                raise cannot_write(folder, error) from error
            return None
        except CannotWriteError:  # the folder cannot be created
            return None


def _note(command: str) -> bytes:
    import socket
    from datetime import datetime

    now = datetime.now().astimezone().isoformat(timespec="seconds")
    # A name of a file from another system may contain bytes that are not UTF-8.
    command = command[:_MAX_COMMAND_LENGTH].encode("utf-8", "backslashreplace").decode()
    note = {"command": command, "since": now, "pid": os.getpid(), "host": socket.gethostname()}
    return (json.dumps(note, ensure_ascii=False) + "\n").encode()


def _busy_message(folder: Path) -> LocalizedStr:
    """Return the reason why a folder is locked, with the command that has the lock and its start time."""
    note = holder(folder)
    if note is None:
        return tr("another command is writing to {folder}", folder=folder)
    from datetime import datetime

    since = datetime.fromisoformat(note.since).astimezone()
    return tr(
        "`{command}` has been writing to {folder} since {since} (process {pid} on {host})",
        command=note.command,
        folder=folder,
        since=f"{since:%H:%M:%S}",
        pid=note.pid,
        host=note.host,
    )


def holder(folder: Path) -> _Note | None:
    """Return the command that has locked a folder, or None if there is no readable note."""
    from datetime import datetime

    try:
        with (folder / HOLDER).open("rb") as file:
            note = msgspec.json.decode(file.read(_MAX_NOTE_BYTES), type=_Note)
        datetime.fromisoformat(note.since)
    except (OSError, ValueError, msgspec.MsgspecError):
        return None
    return note


def _hint() -> LocalizedStr:
    return tr("nothing was changed; run the same command again after the other command has ended")
