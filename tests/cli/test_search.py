"""Tests for what a search for grade C shows, and for what it keeps if the user stops it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from generator import interrupt
from generator.cli import console, drawing
from generator.common import trials
from generator.common.fairness import search_figures
from generator.common.search import Progress
from generator.common.tally import Tally
from generator.common.trials import Casual
from generator.workers import Workers
from tests.cli.conftest import CODE, SMALL
from tests.cli.run import muster

DRAW = ("draw", "battling", "--seed", CODE, *SMALL, "--fair", "C", "--jobs", "1")
HOPES = (0.001, 0.2, 0.1)
"""The chances of the candidates that are examined before the interrupt."""


@pytest.fixture(autouse=True)
def shared() -> None:
    """Disable sharing of results, because a shared result of another test would need no search to stop."""


def stopping(hopes: tuple[float, ...]) -> Callable[..., Casual]:
    """Return a replacement for `play_casual` that rejects candidates with these chances, then is interrupted."""
    left: Iterator[float] = iter(hopes)

    def play_casual(game: Any, scenario: Any) -> Casual:
        for hope in left:
            tally = Tally(("brawler", "lurker"), [0.5 + hope])
            return Casual((tally,), tally, hope)
        raise KeyboardInterrupt

    return play_casual


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "play_casual", stopping(HOPES))


@pytest.mark.usefixtures("stopped")
@pytest.mark.parametrize(
    ("lang", "output"), [("en", "The most even candidate so far"), ("ja", "それまでで最も互角な候補")]
)
def test_ctrl_c_keeps_the_most_even_candidate_and_says_what_it_is(here: Path, lang: str, output: str) -> None:
    done = muster(*DRAW, "-o", "best.toml", "--lang", lang)
    assert done.code == interrupt.INTERRUPTED == 130
    assert output in done.err and "70.0 %" in done.err and "best.toml" in done.err and done.out == ""
    (row,) = muster("check", "best.toml", "--json").json
    assert row["legal"] and "certificate" not in row
    # The file is the plain scenario of the candidate's code, which the command in the message draws again.
    (command,) = (line for line in done.err.splitlines() if "muster draw battling --seed" in line)
    words = command.partition("muster ")[2].split()
    assert "--fair" not in words and muster(*words, "-o", "again.toml").code == 0
    assert (here / "again.toml").read_bytes() == (here / "best.toml").read_bytes()


@pytest.mark.usefixtures("stopped")
def test_a_stopped_kit_names_the_command_for_the_best_candidate(here: Path) -> None:
    done = muster("kit", *DRAW[1:], "-o", "kit")
    assert (done.code, (here / "kit").exists()) == (130, False)
    assert "muster draw battling --seed" in done.err


def test_a_search_that_is_stopped_while_strong_players_play_keeps_their_candidate(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    even = Casual((Tally(("brawler", "lurker"), [0.5]),), None, 1.0)
    monkeypatch.setattr(trials, "play_casual", lambda game, scenario: even)
    monkeypatch.setattr(trials, "play_strong", stop)
    done = muster(*DRAW, "-o", "best.toml", "--lang", "en")
    assert done.code == 130 and "the games of the strong ones were not finished" in done.err
    assert f'code = "{CODE}"' in (here / "best.toml").read_text("utf-8")


def test_nothing_is_kept_before_a_candidate_was_examined(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "play_casual", stopping(()))
    done = muster(*DRAW, "-o", "best.toml", "--lang", "en")
    assert (done.code, (here / "best.toml").exists()) == (130, False)
    assert interrupt.MESSAGE in done.err


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_progress_is_computed_from_the_measured_figures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lang: str
) -> None:
    figures = search_figures("battlelore")
    assert figures
    messages: list[tuple[str, float | None]] = []

    class Line(console.ProgressLine):
        def __init__(self) -> None:
            super().__init__()
            self.is_terminal = True

        def __call__(self, message: str, share: float | None = None) -> None:
            messages.append((message, share))

    monkeypatch.setattr(drawing, "default_lang", lambda: lang)
    report = drawing._expected_search(figures, Workers(2), Line())
    announced = capsys.readouterr().err
    low, high = (drawing.rounded(seconds / 2) for seconds in figures.usual_cpu_s)
    assert all(str(n) in announced for n in (drawing.rounded(figures.candidates), low, high)) and "{" not in announced
    report(Progress(1, 2_500))
    report(Progress(figures.candidates, 2_500))
    report(Progress(figures.candidates, 2_500, (40, 256)))
    assert str(figures.candidates) in messages[1][0] and "256" in messages[2][0]
    # About 63 % of the searches need no more candidates than the mean.
    assert messages[0][1] and messages[0][1] < 0.1 and messages[1][1] == pytest.approx(0.63, abs=0.02)


def test_a_file_of_an_older_test_stays_readable_and_says_so(here: Path) -> None:
    """Files of version 0.2 name the grade, the candidate's code and the number of rejected candidates."""
    muster("draw", "battling", "--seed", CODE, *SMALL, "-o", "old.toml")
    plain = Path("old.toml").read_text("utf-8")
    Path("old.toml").write_text(plain + logged("C", CODE, "7"), "utf-8")
    (row,) = muster("check", "old.toml", "--json").json
    assert (row["legal"], row["certificate"]["test"], row["certificate"]["strong_games"]) == (True, 1, 0)
    for verb in ("check", "fairness"):
        output = muster(verb, "old.toml", "--lang", "en").out
        assert "by test 1, which used casual computer players only" in output
        assert "no strong ones" in output and "has been changed since the search" in output
    assert "試験1：普通のコンピューターのみ" in muster("check", "old.toml", "--lang", "ja").out
    # Other searches and broken certificates do not count.
    for result in (("B", CODE, "7"), ("C", CODE, "7", "two"), ("C", CODE, "7", "2", "960")):
        Path("old.toml").write_text(plain + logged(*result), "utf-8")
        (row,) = muster("check", "old.toml", "--json").json
        assert "certificate" not in row


def test_a_certificate_shows_both_levels_and_what_it_does_not_show(here: Path) -> None:
    muster("draw", "battling", "--seed", CODE, *SMALL, "-o", "found.toml")
    values = ("C", CODE, "7", "2", "960", "44.1", "55.0", "256", "50.2", "45.1", "55.3")
    Path("found.toml").write_text(Path("found.toml").read_text("utf-8") + logged(*values), "utf-8")
    output = muster("fairness", "found.toml", "-o", "found.pdf", "--lang", "en").out
    assert "casual 44.1–55.0 % in 960 games, strong 50.2 % (45.1–55.3) in 256 games" in output
    assert "Results between other computer players or people may differ" in output
    pages = pypdfium2.PdfDocument(here / "found.pdf")
    page = " ".join("".join(page.get_textpage().get_text_bounded() for page in pages).split())
    assert "strong 50.2 %" in page and "Results between other computer players or people may differ" in page
    (row,) = muster("fairness", "found.toml", "--json").json
    about = row["certificate"].pop("about")
    assert "people may differ" in about and row["certificate"] == {
        "test": 2,
        "casual_games": 960,
        "casual_rates": [44.1, 55.0],
        "strong_games": 256,
        "strong_rate": 50.2,
        "strong_interval": [45.1, 55.3],
        "strong_pairs": [],
    }


def test_a_certificate_of_test_3_shows_each_pair_of_strong_players(here: Path) -> None:
    muster("draw", "battling", "--seed", CODE, *SMALL, "-o", "found.toml")
    captain, raider = "player-captain", "player-raider"
    by_pair = (captain, raider, "51.0", captain, captain, "48.2", raider, raider, "54.4")
    values = ("C", CODE, "7", "3", "960", "44.1", "55.0", "512", "51.2", "48.1", "54.3", *by_pair)
    Path("found.toml").write_text(Path("found.toml").read_text("utf-8") + logged(*values), "utf-8")
    output = muster("check", "found.toml", "--lang", "en").out
    assert "by test 3;" in output and "strong 51.2 % (48.1–54.3) in 512 games: " in output
    assert "Captain – Raider 51.0 %, Captain – Captain 48.2 %, Raider – Raider 54.4 %" in output
    assert "隊長・襲撃型 51.0 %" in muster("check", "found.toml", "--lang", "ja").out
    (row,) = muster("fairness", "found.toml", "--json").json
    assert (row["certificate"]["test"], row["certificate"]["strong_games"]) == (3, 512)
    assert row["certificate"]["strong_pairs"][1] == {"policies": ["captain", "captain"], "rate": 48.2}
    # A certificate in which a pair has no rate is broken.
    text = Path("found.toml").read_text("utf-8")
    Path("found.toml").write_text(text.replace(', "54.4"]', "]"), "utf-8")
    (row,) = muster("check", "found.toml", "--json").json
    assert "certificate" not in row


def logged(*result: str) -> str:
    """Return the log step of a search with this result, as a table of a scenario file."""
    return f'\n[[log]]\nstep = "fair"\nstream = "v1/fair"\nresult = {json.dumps(result)}\n'
