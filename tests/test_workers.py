"""Tests that long work gives the same result with any workers, and is finished even if workers are killed."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Future, ProcessPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from importlib.util import find_spec
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import NamedTuple

import pytest

from generator import games, workers
from generator.cli.studio_runners import Runners
from generator.common.search import candidates
from generator.errors import NothingLegalError, Problem, WrongUsageError
from generator.localization import LocalizedStr, tr
from generator.model.scenario import Request
from generator.workers import LostError, Workers, _Cluster, _Processes, _several, address
from tests.chores import (
    fatal,
    killed_half_sent,
    killed_once,
    killed_while_sending,
    refusing,
    slow_number,
    squared,
    where,
    wrong,
)
from tests.cli.run import muster, spawn
from tests.prove.parts import executor
from tests.prove.parts.executor import interruption_faults

TWO = Workers(2)


def spread_within(sender: Connection) -> None:
    sender.send([*TWO.spread(squared, range(4))])


def test_a_process_that_may_have_none_of_its_own_does_the_work_itself() -> None:
    context = multiprocessing.get_context("spawn")
    heard, sender = context.Pipe(duplex=False)
    helper = context.Process(target=spread_within, args=(sender,), daemon=True)
    helper.start()
    sender.close()
    assert heard.recv() == [0, 1, 4, 9]


@pytest.mark.parametrize("size", [1, 3])
def test_results_come_in_the_order_of_their_cases(size: int) -> None:
    assert list(TWO.spread(squared, range(20), size=size)) == [n * n for n in range(20)]


def test_short_work_is_done_here() -> None:
    here = os.getpid()
    assert set(TWO.spread(where, range(5), alone=60)) == {here}
    assert list(TWO.spread(where, [0])) == [here]
    assert here not in set(TWO.spread(where, range(5)))


def test_if_this_process_works_along_it_counts_as_one_of_them() -> None:
    numbers, places = zip(*TWO.spread(slow_number, range(8), along=True), strict=True)
    assert numbers == tuple(range(8))
    assert len(set(places)) == 2 and os.getpid() in places
    assert [*TWO.spread(squared, range(20), size=3, along=True)] == [n * n for n in range(20)]


def test_if_it_works_along_a_worker_that_ends_is_replaced(tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    assert [*TWO.spread(partial(killed_once, os.getpid()), [str(flag)] * 6, along=True)] == [b"done"] * 6
    assert flag.exists()


@pytest.mark.parametrize(("workers", "along"), [(Workers(), False), (TWO, False), (TWO, True)])
def test_errors_are_reported_after_earlier_results(workers: Workers, along: bool) -> None:
    found = workers.spread(refusing, range(9), along=along)
    assert [next(found) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(NothingLegalError) as caught:
        next(found)
    assert caught.value.lines("ja") == NothingLegalError(
        Problem(
            tr("--cluster {typed}: this is not a valid address of a scheduler", typed=3),
            hint=tr("the cluster has no workers"),
        )
    ).lines("ja")


@pytest.mark.parametrize("workers", [Workers(), TWO])
def test_a_failing_case_is_reported_in_its_place(workers: Workers) -> None:
    def cases() -> Iterator[int]:
        yield from (1, 2, 3)
        raise NothingLegalError("no more")

    found = workers.spread(squared, cases(), size=2)
    assert [next(found) for _ in range(3)] == [1, 4, 9]
    with pytest.raises(NothingLegalError):
        next(found)


def test_work_that_kills_every_worker_ends() -> None:
    with pytest.raises(LostError):
        list(TWO.spread(fatal, range(4)))


def test_one_that_dies_while_it_tells_its_result_is_not_waited_for(tmp_path: Path) -> None:
    cases = [(str(tmp_path / "flag"), number) for number in range(4)]
    assert list(TWO.spread(killed_while_sending, cases))[2:] == [b"\2", b"\3"]
    assert (tmp_path / "flag").exists()


def test_half_a_result_is_not_waited_for(tmp_path: Path) -> None:
    cases = [(str(tmp_path / "flag"), number) for number in range(4)]
    assert list(TWO.spread(killed_half_sent, cases)) == [0, 1, 2, 3]
    assert (tmp_path / "flag").exists()


@pytest.fixture
def pool() -> Iterator[_Processes]:
    """Yield a pool of two processes, and check at the end that no process is left."""
    hands = _Processes(2)
    with hands:
        yield hands
    assert not any(process.is_alive() for process in hands.processes)


def several(hands: _Processes, work: Callable[[int], object], count: int = 4) -> list[Future[object]]:
    return [hands.submit(partial(_several, work), [number]) for number in range(count)]


def ends(hands: _Processes, future: Future[object]) -> None:
    with pytest.raises((BrokenExecutor, CancelledError)):
        hands.wait(future)


def test_a_pool_is_ended_before_it_begins() -> None:
    hands = _Processes(2)
    hands.end()
    hands.end()
    with pytest.raises(BrokenExecutor):
        several(hands, squared)


def test_a_pool_is_ended_before_it_has_work(pool: _Processes) -> None:
    pool.end()
    pool.end()
    pool.renew()
    assert [pool.wait(future) for future in several(pool, squared)] == [[0], [1], [4], [9]]


def test_a_pool_is_ended_twice_while_it_works(pool: _Processes) -> None:
    futures = several(pool, slow_number, 12)
    pool.end()
    pool.end()
    for future in futures:  # some had started, and others were cancelled
        ends(pool, future)
    pool.renew()
    assert [pool.wait(future) for future in several(pool, squared, 2)] == [[0], [1]]


def test_a_pool_is_ended_twice_after_a_crash(pool: _Processes) -> None:
    ends(pool, several(pool, fatal, 3)[2])
    pool.end()
    pool.end()


def test_a_crash_is_detected_before_the_pool_detects_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, Muster detects the missing process before the pool's thread does."""
    monkeypatch.setattr("generator.workers.WORKER_POLL_S", 0.01)
    missed = list[int]()
    alive = SpawnProcess.is_alive

    def is_alive(self: SpawnProcess) -> bool:
        if not missed:
            missed.append(0)
            return False
        return alive(self)

    monkeypatch.setattr(SpawnProcess, "is_alive", is_alive)
    assert [number for number, _ in TWO.spread(slow_number, range(4))] == [0, 1, 2, 3]
    assert missed


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("crashed", [False, True])
def test_a_pool_is_ended_though_ctrl_c_comes_while_it_ends(
    monkeypatch: pytest.MonkeyPatch, times: int, crashed: bool
) -> None:
    left = [times]
    shutdown = ProcessPoolExecutor.shutdown

    def interrupted(self: ProcessPoolExecutor, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if left[0]:
            left[0] -= 1
            raise KeyboardInterrupt
        shutdown(self, wait, cancel_futures=cancel_futures)

    monkeypatch.setattr(ProcessPoolExecutor, "shutdown", interrupted)
    hands = _Processes(2)
    with pytest.raises(KeyboardInterrupt), hands:
        futures = several(hands, fatal if crashed else slow_number)
        if crashed:
            ends(hands, futures[2])
        hands.end()
    hands.end()
    assert not left[0]
    assert hands.pool is None
    assert all(process.exitcode is not None for process in hands.processes)


@pytest.mark.parametrize("game", games.names())
def test_a_game_travels_by_its_name_and_what_it_draws_whole(game: str) -> None:
    one = games.load(game)
    assert pickle.loads(pickle.dumps(one)) is one
    drawn = one.draw(Request("K7Q2M-9FHN5", {}, {}))
    assert one.write(pickle.loads(pickle.dumps(drawn))) == one.write(drawn)


def test_messages_are_sent_in_both_languages() -> None:
    message = tr("--cluster {typed}: this is not a valid address of a scheduler", typed="x")
    there = pickle.loads(pickle.dumps(message))
    assert (
        isinstance(there, LocalizedStr)
        and (str(there), there.ja) == (str(message), message.ja)
        and message != message.ja
    )


@pytest.mark.parametrize("user_input", ["tls://scheduler.example:8786", "tcp://127.0.0.1:8786", "tcp://[::1]:8786"])
def test_a_cluster_is_reached_through_tls_or_not_at_all(user_input: str) -> None:
    assert address(user_input) == user_input


@pytest.mark.parametrize(
    ("user_input", "why"),
    [
        ("tcp://10.0.0.7:8786", "a scheduler runs any code it receives"),
        ("tcp://localhost:8786", "a scheduler runs any code it receives"),
        ("10.0.0.7:8786", "not a valid address"),
        ("tls://scheduler", "not a valid address"),
        ("tls://:8786", "not a valid address"),
        ("tls://host:99999999", "not a valid address"),
        ("http://127.0.0.1:8786", "not a valid address"),
        ("", "not a valid address"),
    ],
)
def test_any_other_address_is_refused_with_the_reason(user_input: str, why: str) -> None:
    with pytest.raises(WrongUsageError, match=why):
        address(user_input)


def test_a_command_says_who_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    refused = muster("draw", "--cluster", "tcp://10.0.0.7:8786", "--lang", "ja")
    assert refused.code == 2 and "受け取ったプログラムをすべて実行します" in refused.err
    monkeypatch.setattr("generator.workers.CLUSTER_TIMEOUT_S", 1)
    silent = muster("draw", "--count", "2", "--cluster", "tcp://127.0.0.1:1", "--json")
    assert silent.code == 2 and list(tmp_path.iterdir()) == []
    assert muster("draw", "--jobs", "0").code == 2


def drawn(code: str) -> str:
    game = games.load("battlelore")
    return game.write(game.draw(Request(code, {}, {})))


CODES = list(islice(candidates("K7Q2M-9FHN5"), 30))


def killing(workers: Workers, victim: Callable[[], int]) -> list[str]:
    """Return the scenarios of the codes, with a worker killed as soon as the first result arrives."""
    found = workers.spread(drawn, CODES)
    first = next(found)
    os.kill(victim(), signal.SIGKILL)
    return [first, *found]


def test_two_draw_what_one_draws_though_a_worker_is_killed() -> None:
    def child() -> int:
        pid = multiprocessing.active_children()[0].pid
        assert pid
        return pid

    assert killing(TWO, child) == list(Workers().spread(drawn, CODES))


@pytest.mark.skipif(find_spec("distributed") is None, reason=executor.NO_DASK)
def test_a_cluster_draws_it_too_though_a_worker_is_killed() -> None:
    with executor.local_cluster() as cluster:
        workers = Workers(cluster=cluster.scheduler_address)
        assert killing(workers, lambda: executor.likely_busy(cluster)) == list(map(drawn, CODES))


@pytest.mark.skipif(find_spec("distributed") is None, reason=executor.NO_DASK)
def test_what_a_cluster_takes_for_a_fault_is_asked_for_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, cases_asked = _Cluster.submit, list[int]()

    def submit(self: _Cluster, work: Callable[[Sequence[int]], list[int]], cases: Sequence[int]) -> Future[list[int]]:
        cases_asked.extend(cases)
        if len(cases_asked) > 1:
            return whole(self, work, cases)
        mislaid: Future[list[int]] = Future()
        mislaid.set_exception(ValueError("not enough values to unpack"))
        return mislaid

    monkeypatch.setattr(_Cluster, "submit", submit)
    with executor.local_cluster() as cluster:
        workers = Workers(cluster=cluster.scheduler_address)
        assert [*workers.spread(squared, range(3))] == [0, 1, 4]
        assert cases_asked.count(0) == 2
        with pytest.raises(ValueError, match="of ours"):
            [*workers.spread(wrong, range(3))]


def test_a_cluster_that_times_out_is_not_closed_again() -> None:
    """Dask's client closes itself when it is deleted. After a failure it would wait again and print a traceback."""

    class Client:
        status = "running"

        def close(self, timeout: float) -> None:
            self.status = "closing"
            raise TimeoutError(timeout)

    cluster = _Cluster("tcp://127.0.0.1:1")
    cluster.client = Client()
    cluster._close()
    assert cluster.client.status == "closed"


class Dask(NamedTuple):
    """A scheduler in a separate process, with one worker."""

    address: str
    scheduler: subprocess.Popen[bytes]
    worker: subprocess.Popen[bytes]


@pytest.fixture
def dask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Dask]:
    pytest.importorskip("distributed", reason=executor.NO_DASK)
    # On a busy machine, a new scheduler may need more than the usual time for its first answer.
    monkeypatch.setattr("generator.workers.CLUSTER_TIMEOUT_S", 60)
    file = tmp_path / "scheduler.json"
    env = {**os.environ, "PYTHONPATH": str(executor.ROOT)}
    with ExitStack() as ended:

        def begun(part: str, *args: str) -> subprocess.Popen[bytes]:
            words = [sys.executable, "-m", f"distributed.cli.dask_{part}", "--scheduler-file", str(file), *args]
            quiet = subprocess.DEVNULL
            process = subprocess.Popen(words, cwd=tmp_path, env=env, stdout=quiet, stderr=quiet)
            ended.callback(process.wait)
            ended.callback(process.kill)
            return process

        scheduler = begun("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        worker = begun("worker", "--no-nanny", "--nthreads", "1", "--no-dashboard")
        yield Dask(_address(file), scheduler, worker)


def _address(file: Path) -> str:
    """Return the address that a scheduler writes to its file, as soon as the file is complete."""
    until = time.monotonic() + 120
    while True:
        with suppress(OSError, ValueError):
            return str(json.loads(file.read_text("utf-8"))["address"])
        assert time.monotonic() < until, "the scheduler did not start"
        time.sleep(0.1)


@pytest.mark.parametrize(
    ("lost", "expected"),
    [
        (lambda of: of.scheduler.kill(), "the scheduler no longer answers"),
        (lambda of: of.scheduler.send_signal(signal.SIGSTOP), "the scheduler no longer answers"),
        (lambda of: of.worker.kill(), "the workers of the cluster have ended"),
    ],
    ids=["killed", "silent", "without workers"],
)
def test_a_cluster_that_is_lost_midway_ends_in_a_message(
    dask: Dask, lost: Callable[[Dask], None], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Workers(cluster=dask.address).spread(slow_number, range(100))
    assert next(found)[0] == 0
    monkeypatch.setattr("generator.workers.CLUSTER_TIMEOUT_S", 1)
    lost(dask)
    began = time.monotonic()
    with pytest.raises(LostError, match=expected) as caught:
        list(found)
    assert caught.value.exit_code == 2
    assert time.monotonic() - began < 60


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGSTOP])
def test_a_cluster_that_is_lost_at_the_end_has_done_its_work(
    dask: Dask, sent: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Workers(cluster=dask.address).spread(squared, range(4))
    assert [next(found) for _ in range(4)] == [0, 1, 4, 9]
    monkeypatch.setattr("generator.workers.CLUSTER_TIMEOUT_S", 1)
    dask.scheduler.send_signal(sent)
    assert list(found) == []


def test_a_scheduler_without_workers_is_reported(dask: Dask, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [*Workers(cluster=dask.address).spread(squared, range(2))] == [0, 1]
    dask.worker.kill()
    monkeypatch.setattr("generator.workers.CLUSTER_TIMEOUT_S", 2)
    until = time.monotonic() + 60
    while True:  # the scheduler notices after a moment
        with pytest.raises((LostError, WrongUsageError)) as caught:
            list(Workers(cluster=dask.address).spread(squared, range(2)))
        if "the cluster has no workers" in str(caught.value) or time.monotonic() > until:
            break
    assert "the cluster has no workers" in str(caught.value)


@pytest.mark.parametrize("hangs_up", [False, True])
def test_a_server_that_is_not_a_scheduler_is_reported(hangs_up: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason=executor.NO_DASK)
    monkeypatch.setattr("generator.workers.CLUSTER_TIMEOUT_S", 1)
    with socket.create_server(("127.0.0.1", 0)) as door:

        def answer() -> None:
            with suppress(OSError):
                while True:
                    heard, _ = door.accept()
                    if hangs_up:
                        heard.close()

        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(WrongUsageError, match="no scheduler answers at this address"):
            list(Workers(cluster=f"tcp://127.0.0.1:{door.getsockname()[1]}").spread(squared, range(2)))


def test_a_command_whose_scheduler_is_killed_reports_it_and_writes_nothing(dask: Dask, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    words = (*executor.LONG_COMMAND, "--cluster", dask.address)
    with executor.begun(words, work) as process:
        time.sleep(5)
        dask.scheduler.kill()
        _, err = process.communicate(timeout=executor.WAIT)
    assert process.returncode == 2, err
    assert "Traceback" not in err and len(err.splitlines()) == 1, err
    assert err.startswith(f"--cluster {dask.address}: ")
    assert list(work.iterdir()) == []


EARLY = [min(executor.cases(12), key=lambda case: case.after)]
"""Earliest of twelve interruptions, so that the workers run no longer than necessary."""


@pytest.mark.parametrize("case", EARLY, ids=lambda case: case.sent.name)
def test_a_terminated_command_leaves_nothing(case: executor.Case) -> None:
    assert interruption_faults(case) == []


def test_workers_stop_when_their_parent_is_killed(tmp_path: Path) -> None:
    with executor.begun((*executor.LONG_COMMAND, "--jobs", "2"), tmp_path) as process:
        until = time.monotonic() + 60
        while not executor.workers(process.pid) and time.monotonic() < until:
            time.sleep(0.25)
        time.sleep(1)
        assert executor.group(process.pid)
        process.kill()
        process.wait()
        while executor.group(process.pid) and time.monotonic() < until:
            time.sleep(0.25)
        assert executor.group(process.pid) == []


class GivenUp:
    """A stand-in for a Dask client and its executor that has closed itself because its scheduler is gone."""

    scheduler = None

    def submit(self, *_: object) -> None:
        from distributed.client import ClosedClientError

        raise ClosedClientError


def test_a_client_that_has_closed_itself_means_a_lost_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason=executor.NO_DASK)
    monkeypatch.setattr(workers, "CLUSTER_TIMEOUT_S", 0.01)
    cluster = _Cluster("tcp://127.0.0.1:1")
    cluster.client = cluster.pool = GivenUp()
    with pytest.raises(LostError, match="the scheduler no longer answers"):
        cluster.wait(Future())
    with pytest.raises(LostError, match="the scheduler no longer answers"):
        cluster.submit(list, [])


STRAYS = {name: f'raise SystemExit("a stray {name}")\n' for name in ("org.py", "random.py", "struct.py")}
"""Files in a working folder with names that Python itself imports."""


def test_what_lies_in_the_working_folder_ends_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in STRAYS.items():
        Path(name).write_text(text, "utf-8")
    before = dict(os.environ)
    assert [*TWO.spread(squared, range(4))] == [0, 1, 4, 9]
    # In a new process, Python also starts its lock server at this point.
    few = ("--players", "2", "--rounds", "1", "--parts", "map", "--seed", "K7Q2M-9FHN5")
    done = spawn("tournament", "pack", "travel_battle", *few, "--jobs", "2", "-o", "event", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    runners = Runners(1)
    try:
        assert runners.run(["games"], {}).exit == 0
    finally:
        runners.close()
    assert dict(os.environ) == before
