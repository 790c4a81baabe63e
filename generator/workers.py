"""Long work by one process, by several, or by a cluster: the same results in the same order, whoever works.

Work is a function of one case; function, cases and results travel pickled, games by their names. All three ways are a
`concurrent.futures.Executor`: who schedules is Python or Dask, never we (docs/scaling.md).
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
from generator.errors import MusterError, WrongUsageError, describe_error
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
"""Processes at most: Windows waits for no more of them at once."""
QUEUED_PER_PROCESS, QUEUED_ON_CLUSTER = 4, 2_000
"""So many pieces of work are on their way at once, for each process, and to a cluster, of whatever size that is."""
MAX_LOST_POOLS = 3
"""After so many pools in a row that brought no result it is the work that ends them."""
WORKER_POLL_S = 1.0
"""After so many seconds without a result the workers are looked at."""
CLUSTER_TIMEOUT_S = 10
"""Seconds in which a cluster must answer, and have a worker."""
JOBS_VARIABLE = "MUSTER_JOBS"
"""The environment's word for how many processes there are where nobody says so; a worker's is one."""


class LostError(MusterError):
    """Workers end before they are done, or their scheduler no longer answers: it cannot be done as it was typed."""

    exit_code = WrongUsageError.exit_code


class Spread(Protocol):
    """Does work for every case, here or elsewhere."""

    def __call__(
        self, work: Callable[[A], B], cases: Iterable[A], *, size: int = 1, alone: float = 0.0, along: bool = False
    ) -> Iterator[B]:
        """The results in the order of the cases, which are taken as they are needed; what `work` raises is raised.

        `size` cases make a piece of work. For `alone` seconds it is done here, since short work is over sooner so.
        With `along` this is one of the processes that work, which is for few pieces that take long: it has no start
        to wait for. Whoever stops asking ends what is under way. LostError where workers end again and again,
        WrongUsageError where a cluster does not answer.
        """


def here(
    work: Callable[[A], B], cases: Iterable[A], *, size: int = 1, alone: float = 0.0, along: bool = False
) -> Iterator[B]:
    """By this process."""
    return map(work, cases)


class Workers(Struct, frozen=True):
    """Who works: so many processes, or the cluster whose scheduler has that address."""

    jobs: int = 1
    cluster: str = ""

    def spread(
        self, work: Callable[[A], B], cases: Iterable[A], *, size: int = 1, alone: float = 0.0, along: bool = False
    ) -> Iterator[B]:
        """As `Spread` has it."""
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
    """Whether this process works for another one, and may have none of its own."""
    from multiprocessing import current_process

    return current_process().daemon


def processes_available() -> int:
    """How many processes this machine runs at once, as far as this one may use them."""
    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(there, MAX_PROCESSES)


def address(raw: str) -> str:
    """A scheduler's address as typed; WrongUsageError where anybody on the way could answer in its place."""
    from urllib.parse import urlsplit

    parts = urlsplit(raw)
    try:
        whole = parts.hostname is not None and parts.port is not None and not parts.path.strip("/")
    except ValueError:
        whole = False
    if parts.scheme not in ("tls", "tcp") or not whole:
        hint = tr("tls://HOST:PORT, or on this machine tcp://127.0.0.1:PORT")
        raise WrongUsageError(tr("--cluster {typed}: not the address of a scheduler", typed=raw), hint=hint)
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
    """Cases that are worked on together, and what will come of them; None where nobody has them in hand."""

    cases: Sequence[Any]
    future: Future[Any] | None = None

    @property
    def over(self) -> bool:
        """Whether it is known what has come of it."""
        return self.future is not None and self.future.done()

    @property
    def done(self) -> bool:
        """Whether its results are there."""
        of = self.future
        return bool(of and of.done() and not of.cancelled() and of.exception() is None)


class _Pool(Protocol):
    """Workers at hand."""

    jobs: int
    """How many; of a cluster nobody knows."""
    ahead: int

    def submit(self, work: Callable[[Sequence[Any]], Any], cases: Sequence[Any]) -> Future[Any]:
        """Have a piece of work done."""

    def wait(self, future: Future[Any]) -> Any:
        """Its results; BrokenExecutor where the workers have ended."""

    def renew(self) -> None:
        """Find other workers in the place of those that have ended; LostError where there can be none."""


def _shared(pool: _Pool, work: Callable[[A], B], cases: Iterator[A], size: int, along: bool) -> Iterator[B]:
    """The results in their order; what is lost with a worker is done once more."""
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
                hint = tr("there may be too little memory; with --jobs 1, one process does all the work")
                raise LostError(tr("workers end before they are done"), hint=hint) from error
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
    """Have the hands do what nobody does yet; the piece that is left to this process where it works along.

    Then each of the hands has a piece before this process has its own, and one more that is there when it is done:
    what is left at the end is shared so that all are done at about the same time.
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
    """What becomes of a piece of work that this process does."""
    from concurrent.futures import Future

    found: Future[Any] = Future()
    try:
        found.set_result(work(cases))
    except Exception as error:
        found.set_exception(error)
    return found


def _pieces(cases: Iterable[Any], size: int) -> Iterator[_Piece]:
    """So many cases at a time; what goes wrong in finding one is raised where that one would have come."""
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
    """Processes of this machine. They are begun anew, not forked, so that they are alike on every system."""

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
        """Have a piece of work done, by a new process where there are not all of them yet."""
        from concurrent.futures import BrokenExecutor

        if self.pool is None:
            raise BrokenExecutor
        with apart():
            future: Future[Any] = self.pool.submit(work, cases)
        return future

    def wait(self, future: Future[Any]) -> Any:
        """Its results."""
        from concurrent.futures import BrokenExecutor, wait

        while not future.done() and wait([future], WORKER_POLL_S).not_done:
            if self.pool is None:
                raise BrokenExecutor
            if not all(process.is_alive() for process in self.processes):
                # One that is killed while it tells its results leaves Python's pool waiting for the rest of them.
                self.end()
        return future.result()

    def renew(self) -> None:
        """Begin a new pool."""
        self.end()
        self._begin()

    def _begin(self) -> None:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing.context import SpawnContext

        hired, results = self.processes, self.results = [], []

        class Context(SpawnContext):
            """Keeps hold of what the pool asks for, since the pool forgets it as it ends."""

            def Process(self, *args: Any, **attributes: Any) -> Any:  # type: ignore[override]  # noqa: N802
                hired.append(SpawnContext.Process(*args, **attributes))
                return hired[-1]

            def SimpleQueue(self) -> SimpleQueue[Any]:  # noqa: N802 - the names that a pool asks for
                results.append(super().SimpleQueue())
                return results[-1]

        context = Context()
        heard, self.alive = context.Pipe(duplex=False)
        with apart():  # its locks have a process of Python's own that looks after them
            self.pool = ProcessPoolExecutor(self.jobs, context, _start_worker, (heard, default_lang()))

    def end(self) -> None:
        """Kill the workers and end the pool: safe before they begin, twice, after a crash and after an interrupt."""
        if self.pool is None:
            return
        for worker in self.processes:
            if worker.is_alive():
                worker.kill()
        # Else a pool whose worker was killed while it sent a result would wait for the rest of it for ever. Closing
        # the whole queue would take its reader from under the pool's thread. (Python 3.14 has `kill_workers`.)
        for queue in self.results:
            writer: Any = queue
            writer._writer.close()
        self.pool.shutdown(cancel_futures=True)
        self.alive.close()
        self.results.clear()  # its locks go with it, or else Python reports them as leaked
        self.pool = None


def _start_worker(alive: Connection, lang: str) -> None:
    """Make a process a worker: who began it speaks for it, hears what it is told, and does not leave it behind."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stderr = io.StringIO()
    process.take_over()
    process.collect_rarely()
    set_language(["--lang", lang])
    os.environ[JOBS_VARIABLE] = "1"
    Thread(target=_end_with, args=(alive,), daemon=True).start()


def _end_with(alive: Connection) -> None:
    """End this process as soon as nobody holds the other end."""
    with suppress(EOFError, OSError):
        alive.recv()
    os._exit(1)


_APART = RLock()
_SAFE = "PYTHONSAFEPATH"


@contextmanager
def apart() -> Iterator[None]:
    """Have Python processes that begin here import nothing from the working folder, and never hear Ctrl-C.

    An `org.py` that lies there would end each of them, since Python itself asks for one; and of Ctrl-C, which a
    terminal tells all of them, Python would speak.
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
"""A worker of a cluster may have several threads, and Muster is none of theirs."""


def _as_here(made: Mapping[str, object], work: Callable[[Sequence[A]], list[B]], cases: Sequence[A]) -> list[B]:
    """A cluster's piece of work, by the same Muster as where it comes from: WrongUsageError where it is another."""
    for what, of in made_with().items():
        if of != made[what]:
            message = tr("--cluster: a worker has a different {what} than this machine", what=what)
            raise WrongUsageError(message, hint=tr("install the same versions there"))
    with _ONE:
        return work(cases)


class _Cluster:
    """The workers of a Dask scheduler, which gives to others what one that ends had in hand."""

    jobs, ahead = 0, QUEUED_ON_CLUSTER

    def __init__(self, place: str) -> None:
        self.place = address(place)
        self.doubted = self.again = False

    def __enter__(self) -> _Cluster:
        try:
            from distributed import Client
        except ImportError as error:
            hint = tr("pip install {extra}", extra='"musterkit[cluster]"')
            raise WrongUsageError(tr("--cluster needs Dask, which is not installed"), hint=hint) from error
        _silence("distributed", "tornado", "asyncio")
        try:
            _check_scheduler(self.place)
            self.client = Client(self.place, timeout=CLUSTER_TIMEOUT_S, set_as_default=False)
        except OSError as error:
            raise self._silent(tr("no scheduler answers there")) from error
        except (ValueError, TypeError) as error:  # such as certificates that nobody named
            raise self._silent(describe_error(error)) from error
        try:
            self.pool = self.client.get_executor(pure=False)
            until = time.monotonic() + CLUSTER_TIMEOUT_S
            while not self._workers():
                if time.monotonic() > until:
                    raise self._silent(tr("it has no workers"))
                time.sleep(0.1)
        except BaseException as error:
            self._close()
            if isinstance(error, OSError):
                raise self._silent(tr("no scheduler answers there")) from error
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def submit(self, work: Callable[[Sequence[Any]], Any], cases: Sequence[Any]) -> Future[Any]:
        """Have a piece of work done by somebody who has the same Muster."""
        try:
            found: Future[Any] = self.pool.submit(_as_here, made_with(), work, cases)
        except OSError as error:
            raise self._lost() from error
        return found

    def wait(self, future: Future[Any]) -> Any:
        """Its results; LostError if the scheduler no longer answers, or has had no worker for some time."""
        from concurrent.futures import BrokenExecutor, wait

        from distributed import KilledWorker

        missing = 0
        while not future.done() and wait([future], CLUSTER_TIMEOUT_S).not_done:
            try:
                missing = 0 if self._workers() else missing + 1
            except OSError as error:
                raise self._lost() from error
            if missing == MAX_LOST_POOLS:  # a worker that is killed is begun again within seconds
                raise LostError(
                    tr("--cluster {place}: its workers have ended", place=self.place), hint=_restart_hint()
                )
        try:
            return future.result()
        except ValueError as error:
            # Where a worker is killed just as it has told its results, Dask may try to read them as a fault of its:
            # they are asked for once more, and a fault of ours comes again.
            if self.doubted:
                raise
            self.doubted = self.again = True
            raise BrokenExecutor from error
        except KilledWorker as error:
            raise LostError(tr("workers end before they are done")) from error
        except ImportError as error:
            message = tr("--cluster {place}: a worker lacks {name}", place=self.place, name=error.name)
            raise WrongUsageError(message, hint=tr("install the same versions there")) from error

    def renew(self) -> None:
        """Nobody else is there: only what was doubted is asked for again."""
        if self.again:
            self.again = False
            return
        raise self._lost()

    def _workers(self) -> int:
        """Ask the scheduler how many workers it has; OSError if it does not answer in time."""
        return len(self.client.sync(self.client.scheduler.identity, callback_timeout=CLUSTER_TIMEOUT_S)["workers"])

    def _close(self) -> None:
        """Let go of the cluster at once, whether or not its scheduler still answers."""
        with suppress(Exception):
            self.pool.shutdown(wait=False)
        with suppress(Exception):
            self.client.close(timeout=CLUSTER_TIMEOUT_S)

    def _lost(self) -> LostError:
        message = tr("--cluster {place}: the scheduler no longer answers", place=self.place)
        return LostError(message, hint=_restart_hint())

    def _silent(self, reason: str) -> WrongUsageError:
        message = tr("--cluster {place}: {reason}", place=self.place, reason=reason)
        return WrongUsageError(message, hint=tr("docs/scaling.md explains how to start a cluster"))


def _check_scheduler(place: str) -> None:
    """Have the scheduler there say who it is; OSError unless it does so in time (a Client would wait for ever)."""
    import asyncio

    from distributed import Security, rpc

    async def greeted() -> None:
        secured = Security().get_connection_args("client")
        async with rpc(place, timeout=CLUSTER_TIMEOUT_S, connection_args=secured) as scheduler:
            await scheduler.identity()

    asyncio.run(asyncio.wait_for(greeted(), CLUSTER_TIMEOUT_S))


def _restart_hint() -> LocalizedStr:
    return tr("begin the cluster again (docs/scaling.md), or work on this machine without --cluster")


def _silence(*libraries: str) -> None:
    """Keep these libraries from logging: what goes wrong is reported by Muster, once and without a traceback."""
    import logging

    for name in [*libraries, *logging.root.manager.loggerDict]:
        if name.partition(".")[0] in libraries:
            logging.getLogger(name).disabled = True
