"""Run long work in one process, several processes or on a cluster, with the same results in the same order.

Work is a function of one case. The function, cases and results are pickled, and a game is pickled as its name. All
three ways use a `concurrent.futures.Executor`, so Python or Dask does the scheduling (docs/scaling.md).
"""

from __future__ import annotations

import io
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain, islice
from threading import Lock, RLock, Thread
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from msgspec import Struct

from generator import process
from generator.errors import MusterError, WrongUsageError, describe_error, install_hint
from generator.localization import LocalizedStr, default_lang, set_language, tr
from generator.store.manifest import made_with

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess
    from multiprocessing.queues import SimpleQueue

A = TypeVar("A")
B = TypeVar("B")

MAX_PROCESSES = 60
"""The maximum number of processes. Windows cannot wait for more processes at once."""
QUEUED_PER_PROCESS, QUEUED_ON_CLUSTER = 4, 2_000
"""The maximum number of pieces of work in progress or queued, for each process and for a cluster of any size."""
MAX_LOST_POOLS = 3
"""The number of successive pools without a result after which the work itself is assumed to crash them."""
WORKER_POLL_S = 1.0
"""The number of seconds without a result after which the workers are checked."""
CLUSTER_TIMEOUT_S = 10
"""The number of seconds within which a cluster must answer and have a worker."""
JOBS_VARIABLE = "MUSTER_JOBS"
"""The environment variable for the default number of processes. Workers set it to 1."""


class LostError(MusterError):
    """Raised if workers end before their work is done, or their scheduler does not answer."""

    exit_code = WrongUsageError.exit_code


class Spread(Protocol):
    """A function that applies work to every case, in this process or in others."""

    def __call__(
        self, work: Callable[[A], B], cases: Iterable[A], *, size: int = 1, alone: float = 0.0, along: bool = False
    ) -> Iterator[B]:
        """Yield the results in the order of the cases. Cases are read as needed.

        A piece of work has `size` cases. For the first `alone` seconds, this process does all the work, because
        that is faster for short work. If `along` is true, this process continues to work after that, which helps
        if there are few long pieces, because other processes must start first. If the caller stops iterating,
        unfinished work is cancelled.

        Raises:
            LostError: If workers end repeatedly.
            WrongUsageError: If a cluster does not answer.
            Exception: If `work` raises an error, the same error is raised here.
        """


def here(
    work: Callable[[A], B], cases: Iterable[A], *, size: int = 1, alone: float = 0.0, along: bool = False
) -> Iterator[B]:
    """Apply work to every case in this process. The other arguments have no effect."""
    return map(work, cases)


class Workers(Struct, frozen=True):
    """The workers to use: a number of processes, or the cluster of the scheduler with the given address."""

    jobs: int = 1
    cluster: str = ""

    def spread(
        self, work: Callable[[A], B], cases: Iterable[A], *, size: int = 1, alone: float = 0.0, along: bool = False
    ) -> Iterator[B]:
        """Apply work to every case with these workers; see `Spread`."""
        left = iter(cases)
        if not self.cluster:
            until = time.monotonic() + alone
            single = self.jobs == 1 or _is_helper()
            while single or time.monotonic() < until:
                for case in islice(left, 1):
                    yield work(case)
                    break
                else:
                    return
            first = tuple(islice(left, size + 1))
            left = chain(first, left)
            if len(first) <= size:
                yield from map(work, left)
                return
        along = along and not self.cluster
        with _Cluster(self.cluster) if self.cluster else _Processes(self.jobs - along) as pool:
            yield from _shared(pool, work, left, size, along)


def _is_helper() -> bool:
    """Return whether this process is a worker of another process and may not start processes."""
    from multiprocessing import current_process

    return current_process().daemon


def processes_available() -> int:
    """Return the number of processors available to this process, but not more than MAX_PROCESSES."""
    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(there, MAX_PROCESSES)


def address(raw: str) -> str:
    """Return the address of a scheduler.

    Raises:
        WrongUsageError: If the address is invalid or unsafe.
    """
    from urllib.parse import urlsplit

    parts = urlsplit(raw)
    try:
        whole = parts.hostname is not None and parts.port is not None and not parts.path.strip("/")
    except ValueError:
        whole = False
    if parts.scheme not in ("tls", "tcp") or not whole:
        hint = tr("give tls://HOST:PORT, or tcp://127.0.0.1:PORT for a scheduler on this machine")
        raise WrongUsageError(
            tr("--cluster {typed}: this is not a valid address of a scheduler", typed=raw), hint=hint
        )
    if parts.scheme == "tcp" and not _is_loopback(str(parts.hostname)):
        hint = tr("use tls://{place}, with certificates as described in docs/scaling.md", place=parts.netloc)
        message = tr(
            "--cluster {typed}: a scheduler runs any code it receives, and over unencrypted tcp "
            "anyone on the network can send code",
            typed=raw,
        )
        raise WrongUsageError(message, hint=hint)
    return raw


def _is_loopback(host: str) -> bool:
    import ipaddress

    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class _Piece(Struct):
    """Cases that are processed together, and the future of their results.

    The future is None until a worker has the piece.
    """

    cases: Sequence[Any]
    future: Future[Any] | None = None

    @property
    def over(self) -> bool:
        """Whether the work has succeeded or failed."""
        return self.future is not None and self.future.done()

    @property
    def done(self) -> bool:
        """Whether the results are available."""
        of = self.future
        return bool(of and of.done() and not of.cancelled() and of.exception() is None)


class _Pool(Protocol):
    """The interface of a set of workers."""

    jobs: int
    """The number of workers, or 0 for a cluster, whose size is unknown."""
    ahead: int

    def submit(self, work: Callable[[Sequence[Any]], Any], cases: Sequence[Any]) -> Future[Any]:
        """Start a piece of work and return the future of its results."""

    def wait(self, future: Future[Any]) -> Any:
        """Return the results of a piece of work.

        Raises:
            BrokenExecutor: If the workers have ended.
        """

    def renew(self) -> None:
        """Replace workers that have ended.

        Raises:
            LostError: If the workers cannot be replaced.
        """


def _shared(pool: _Pool, work: Callable[[A], B], cases: Iterator[A], size: int, along: bool) -> Iterator[B]:
    """Yield the results in the order of the cases, and repeat work that was lost with its worker."""
    from concurrent.futures import BrokenExecutor, CancelledError

    several = partial(_several, work)
    under_way: deque[_Piece] = deque()
    pieces = _pieces(cases, size)
    lost = 0
    while True:
        try:
            under_way.extend(islice(pieces, pool.ahead - len(under_way)))
            own_piece = _hand_out(pool, several, under_way, along)
            if not under_way:
                return
            if own_piece and not under_way[0].over:
                own_piece.future = _run_here(several, own_piece.cases)
                continue
            assert under_way[0].future
            results: list[B] = pool.wait(under_way[0].future)
        except (BrokenExecutor, CancelledError) as error:
            lost += 1
            if lost == MAX_LOST_POOLS:
                hint = tr("there may not be enough memory; add --jobs 1 to do all the work in one process")
                raise LostError(tr("worker processes ended before their work was done"), hint=hint) from error
            pool.renew()
            for piece in under_way:
                if piece.cases and not piece.done:
                    piece.future = None
            continue
        lost = 0
        under_way.popleft()
        yield from results


def _hand_out(
    pool: _Pool, work: Callable[[Sequence[Any]], Any], under_way: Iterable[_Piece], along: bool
) -> _Piece | None:
    """Start the pieces that no worker has. Return the piece for this process if `along` is true, and None otherwise.

    Before this process takes a piece, each worker gets one. Each worker also gets one in advance, so that all
    workers finish at about the same time.
    """
    left = [piece for piece in under_way if not piece.future]
    pool_pieces, own_piece = left, None
    if along:
        busy = sum(not piece.over for piece in under_way if piece.future)
        first = max(0, min(pool.jobs - busy, len(left) - 1))
        own_piece = next(iter(left[first:]), None)
        pool_pieces = left[:first] + left[first + 1 : 1 + max(first, 2 * pool.jobs - busy)]
    for piece in pool_pieces:
        piece.future = pool.submit(work, piece.cases)
    return own_piece


def _run_here(work: Callable[[Sequence[Any]], Any], cases: Sequence[Any]) -> Future[Any]:
    """Run a piece of work in this process and return a future with its results or its error."""
    from concurrent.futures import Future

    found: Future[Any] = Future()
    try:
        found.set_result(work(cases))
    except Exception as error:
        found.set_exception(error)
    return found


def _pieces(cases: Iterable[Any], size: int) -> Iterator[_Piece]:
    """Yield pieces of `size` cases.

    If the iterator of cases raises an error, it is raised in place of the missing case.
    """
    from concurrent.futures import Future

    some: list[Any] = []
    wrong: Future[Any] | None = None
    try:
        for case in cases:
            some.append(case)
            if len(some) == size:
                yield _Piece(some)
                some = []
    except Exception as error:
        wrong = Future()
        wrong.set_exception(error)
    if some:
        yield _Piece(some)
    if wrong:
        yield _Piece((), wrong)


def _several(work: Callable[[A], B], cases: Sequence[A]) -> list[B]:
    return [work(case) for case in cases]


class _Processes:
    """Worker processes on this machine.

    They are spawned rather than forked, so they behave the same on every system.
    """

    def __init__(self, jobs: int) -> None:
        self.jobs, self.ahead = jobs, QUEUED_PER_PROCESS * jobs
        self.pool: ProcessPoolExecutor | None = None
        self.processes: list[BaseProcess] = []
        self.results: list[SimpleQueue[Any]] = []

    def __enter__(self) -> _Processes:
        self._begin()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None and self.pool:
                self.pool.shutdown()
        finally:
            self.end()

    def submit(self, work: Callable[[Sequence[Any]], Any], cases: Sequence[Any]) -> Future[Any]:
        """Start a piece of work, in a new process if the pool is not yet complete."""
        from concurrent.futures import BrokenExecutor

        if self.pool is None:
            raise BrokenExecutor
        with apart():
            future: Future[Any] = self.pool.submit(work, cases)
        return future

    def wait(self, future: Future[Any]) -> Any:
        """Return the results of a piece of work."""
        from concurrent.futures import BrokenExecutor, wait

        while not future.done() and wait([future], WORKER_POLL_S).not_done:
            if self.pool is None:
                raise BrokenExecutor
            if not all(process.is_alive() for process in self.processes):
                # If a process is killed while it sends results, Python's pool would wait for the rest of the results.
                self.end()
        return future.result()

    def renew(self) -> None:
        """Start a new pool."""
        self.end()
        self._begin()

    def _begin(self) -> None:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing.context import SpawnContext

        hired, results = self.processes, self.results = [], []

        class Context(SpawnContext):
            """A context that keeps references to the pool's processes and queues.

            The pool drops its own references when it ends.
            """

            def Process(self, *args: Any, **attributes: Any) -> Any:  # type: ignore[override]  # noqa: N802
                hired.append(SpawnContext.Process(*args, **attributes))
                return hired[-1]

            def SimpleQueue(self) -> SimpleQueue[Any]:  # noqa: N802 - the names that a pool asks for
                results.append(super().SimpleQueue())
                return results[-1]

        context = Context()
        heard, self.alive = context.Pipe(duplex=False)
        with apart():  # Creating the pool's locks starts a helper process of Python.
            self.pool = ProcessPoolExecutor(self.jobs, context, _start_worker, (heard, default_lang()))

    def end(self) -> None:
        """Kill the workers and end the pool.

        This is safe before the pool starts, after it has ended, after a crash and after an interrupt.
        """
        if self.pool is None:
            return
        for worker in self.processes:
            if worker.is_alive():
                worker.kill()
        # If a worker was killed while it sent a result, the pool would otherwise wait forever for the rest of the
        # result. The queue cannot be closed completely, because the pool's thread still reads it. (Python 3.14 has
        # `kill_workers`.)
        for queue in self.results:
            writer: Any = queue
            writer._writer.close()
        self.pool.shutdown(cancel_futures=True)
        self.alive.close()
        self.results.clear()  # Releases the locks, which Python would otherwise report as leaked.
        self.pool = None


def _start_worker(alive: Connection, lang: str) -> None:
    """Set up this process as a worker that prints nothing, ignores Ctrl-C, and ends with its parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stderr = io.StringIO()
    process.take_over()
    process.collect_rarely()
    set_language(["--lang", lang])
    os.environ[JOBS_VARIABLE] = "1"
    Thread(target=_end_with, args=(alive,), daemon=True).start()


def _end_with(alive: Connection) -> None:
    """End this process when the other end of the connection closes."""
    with suppress(EOFError, OSError):
        alive.recv()
    os._exit(1)


_APART = RLock()
_SAFE = "PYTHONSAFEPATH"


@contextmanager
def apart() -> Iterator[None]:
    """Prevent processes started in this context from importing from the working folder and receiving Ctrl-C.

    A file `org.py` in that folder would end each Python process, because Python itself imports a module of that
    name. A terminal sends Ctrl-C to all processes, and each would print a traceback.
    """
    with _APART:
        masked = hasattr(signal, "pthread_sigmask")
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT]) if masked else set()
        previous = os.environ.get(_SAFE)
        os.environ[_SAFE] = "1"
        try:
            yield
        finally:
            if previous is None:
                del os.environ[_SAFE]
            else:
                os.environ[_SAFE] = previous
            if masked:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)


_ONE = Lock()
"""Serialises the work of a cluster's worker, which may have several threads, because Muster is not thread-safe."""


def _as_here(made: Mapping[str, object], work: Callable[[Sequence[A]], list[B]], cases: Sequence[A]) -> list[B]:
    """Run a piece of work on a cluster.

    Raises:
        WrongUsageError: If the worker's versions differ from those of the machine that sent the work.
    """
    for what, of in made_with().items():
        if of != made[what]:
            message = tr("--cluster: a worker has a different {what} than this machine", what=what)
            raise WrongUsageError(message, hint=tr("install the same versions on the workers as on this machine"))
    with _ONE:
        return work(cases)


class _Cluster:
    """The workers of a Dask scheduler. If a worker ends, the scheduler assigns its work to others."""

    jobs, ahead = 0, QUEUED_ON_CLUSTER

    def __init__(self, place: str) -> None:
        self.place = address(place)
        self.doubted = self.again = False

    def __enter__(self) -> _Cluster:
        try:
            from distributed import Client
        except ImportError as error:
            hint = install_hint("distributed")
            raise WrongUsageError(tr("--cluster needs Dask, which is not installed"), hint=hint) from error
        _silence("distributed", "tornado", "asyncio")
        try:
            _check_scheduler(self.place)
            self.client = Client(self.place, timeout=CLUSTER_TIMEOUT_S, set_as_default=False)
        except OSError as error:
            raise self._silent(tr("no scheduler answers at this address")) from error
        except (ValueError, TypeError) as error:  # For example, the certificates are missing.
            raise self._silent(describe_error(error)) from error
        try:
            self.pool = self.client.get_executor(pure=False)
            until = time.monotonic() + CLUSTER_TIMEOUT_S
            while not self._workers():
                if time.monotonic() > until:
                    raise self._silent(tr("the cluster has no workers"))
                time.sleep(0.1)
        except BaseException as error:
            self._close()
            if isinstance(error, OSError):
                raise self._silent(tr("no scheduler answers at this address")) from error
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def submit(self, work: Callable[[Sequence[Any]], Any], cases: Sequence[Any]) -> Future[Any]:
        """Start a piece of work on a worker, which checks that its versions are the same."""
        from distributed.client import ClosedClientError

        try:
            found: Future[Any] = self.pool.submit(_as_here, made_with(), work, cases)
        except (OSError, ClosedClientError) as error:
            raise self._lost() from error
        return found

    def wait(self, future: Future[Any]) -> Any:
        """Return the results of a piece of work.

        Raises:
            BrokenExecutor: If the results could not be read and should be requested again.
            LostError: If the scheduler does not answer, has had no worker for some time, or lost several workers
                to the work.
            WrongUsageError: If a worker lacks a module.
        """
        from concurrent.futures import BrokenExecutor, wait

        from distributed import KilledWorker

        missing = 0
        while not future.done() and wait([future], CLUSTER_TIMEOUT_S).not_done:
            try:
                missing = 0 if self._workers() else missing + 1
            except OSError as error:
                raise self._lost() from error
            if missing == MAX_LOST_POOLS:  # A killed worker is restarted within seconds.
                raise LostError(
                    tr("--cluster {place}: the workers of the cluster have ended", place=self.place),
                    hint=_restart_hint(),
                )
        try:
            return future.result()
        except ValueError as error:
            # If a worker is killed just after it sent its results, Dask may fail to read them. The results are
            # requested once more. An error in Muster itself would occur again.
            if self.doubted:
                raise
            self.doubted = self.again = True
            raise BrokenExecutor from error
        except KilledWorker as error:
            raise LostError(tr("worker processes ended before their work was done")) from error
        except ImportError as error:
            message = tr("--cluster {place}: {name} is not installed on a worker", place=self.place, name=error.name)
            raise WrongUsageError(
                message, hint=tr("install the same versions on the workers as on this machine")
            ) from error

    def renew(self) -> None:
        """Allow the work to be repeated after an error in reading its results.

        A cluster cannot be renewed in any other way.

        Raises:
            LostError: If there was no such error.
        """
        if self.again:
            self.again = False
            return
        raise self._lost()

    def _workers(self) -> int:
        """Return the number of workers that the scheduler has.

        Raises:
            OSError: If the scheduler does not answer in time.
        """
        scheduler = self.client.scheduler
        if scheduler is None:
            # The client tried to connect again, gave up and closed itself.
            raise OSError
        return len(self.client.sync(scheduler.identity, callback_timeout=CLUSTER_TIMEOUT_S)["workers"])

    def _close(self) -> None:
        """Disconnect from the cluster immediately, even if its scheduler does not answer."""
        with suppress(Exception):
            self.pool.shutdown(wait=False)
        try:
            self.client.close(timeout=CLUSTER_TIMEOUT_S)
        except Exception:
            # Otherwise the client would try to close again when it is deleted, wait, and print a traceback.
            self.client.status = "closed"

    def _lost(self) -> LostError:
        message = tr("--cluster {place}: the scheduler no longer answers", place=self.place)
        return LostError(message, hint=_restart_hint())

    def _silent(self, reason: str) -> WrongUsageError:
        message = tr("--cluster {place}: {reason}", place=self.place, reason=reason)
        return WrongUsageError(message, hint=tr("docs/scaling.md explains how to start a cluster"))


def _check_scheduler(place: str) -> None:
    """Check that the scheduler answers. A Dask client would wait for it forever.

    Raises:
        OSError: If the scheduler does not answer in time.
    """
    import asyncio

    from distributed import Security, rpc

    async def greeted() -> None:
        secured = Security().get_connection_args("client")
        async with rpc(place, timeout=CLUSTER_TIMEOUT_S, connection_args=secured) as scheduler:
            await scheduler.identity()

    asyncio.run(asyncio.wait_for(greeted(), CLUSTER_TIMEOUT_S))


def _restart_hint() -> LocalizedStr:
    return tr("start the cluster again (see docs/scaling.md), or omit --cluster to work on this machine")


def _silence(*libraries: str) -> None:
    """Disable the logging of these libraries, because Muster reports errors itself, once and without a traceback."""
    import logging

    for name in [*libraries, *logging.root.manager.loggerDict]:
        if name.partition(".")[0] in libraries:
            logging.getLogger(name).disabled = True
