"""Tests for users' files on the command line, and for the pages that name their ownership."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pypdfium2
import pytest

from generator import games
from generator.cli.data_files import content_types
from generator.common.game import Printable
from generator.common.ownership import content_type_of
from generator.model.views import Sheet
from generator.model.words import LANGS, Lang
from tests.cli.run import muster
from tests.games.owners import RENAMED, SEED, changed, content_text, file_options, shipped_file, variants, with_header

BROUGHT = {(game, wish): shelf for game, wish, shelf in file_options()}
TAKEN = [
    (game, what.verb, wish)
    for (game, wish), shelf in BROUGHT.items()
    for what in games.load(game).prints
    if wish in what.takes and not shelf.view
]
REFUSED = [
    (game, what.verb, wish) for game, wish in BROUGHT for what in games.load(game).prints if wish not in what.takes
]
FOOT = {"en": "your own {what} · ", "ja": "持ち込みの{what} · "}
"""Footer of pages that show a user's content."""


def text(path: str) -> list[str]:
    """Return the text of each page of a PDF."""
    document = pypdfium2.PdfDocument(path)
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


def printable(game: str, verb: str) -> Printable:
    return next(what for what in games.load(game).prints if what.verb == verb)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("game", "verb", "option"), TAKEN)
def test_every_page_says_that_it_shows_an_owner_s(here: Path, game: str, verb: str, option: str, lang: Lang) -> None:
    content_type = BROUGHT[game, option]
    Path("mine.toml").write_text(with_header(changed(content_type), "house"), "utf-8")
    done = muster(verb, game, f"--{option}", "mine.toml", "--lang", lang, "-o", "mine.pdf")
    assert (done.code, done.err) == (0, "")
    pages = text("mine.pdf")
    assert all(FOOT[lang].format(what=content_type.what[lang]) in page for page in pages if page.strip())
    # Tokens and boards have no room for names.
    if verb not in ("tokens", "boards"):
        assert RENAMED in "".join(pages) or f"'{RENAMED}" not in content_text(
            printable(game, verb).make(options(game, verb, option))
        )


def options(game: str, verb: str, option: str) -> dict[str, str]:
    return {**variants(printable(game, verb))[0], option: "mine.toml"}


@pytest.mark.parametrize(("game", "verb", "option"), TAKEN)
def test_a_copy_prints_as_what_ships(here: Path, game: str, verb: str, option: str) -> None:
    Path("mine.toml").write_bytes(shipped_file(BROUGHT[game, option]).read_bytes())
    what = printable(game, verb)
    # A user's inventory has the same effect as a random board.
    usual = {**variants(what)[0], **({"board": "random"} if option == "inventory" and verb == "boards" else {})}
    assert content_text(what.make({**usual, option: "mine.toml"})) == content_text(what.make(usual))
    if (game, verb) in (("call_to_arms", "cards"), ("battling", "reference"), ("travel_battle", "sheets")):
        muster(verb, game, f"--{option}", "mine.toml", "-o", "mine.pdf")
        muster(verb, game, "-o", "ours.pdf")
        assert Path("mine.pdf").read_bytes() == Path("ours.pdf").read_bytes()


@pytest.mark.parametrize(("game", "verb", "file_option"), REFUSED)
def test_where_it_changes_nothing_it_is_refused_with_what_takes_it(
    here: Path, game: str, verb: str, file_option: str
) -> None:
    Path("mine.toml").write_bytes(shipped_file(BROUGHT[game, file_option]).read_bytes())
    done = muster(verb, game, f"--{file_option}", "mine.toml")
    assert done.code == 2
    assert f"--{file_option} has no effect on muster {verb}" in done.err
    for words in done.err.split("commands that accept the option: ")[1].strip().split("; "):
        _, able, option_name, option, _ = words.split()
        assert option_name == game and option in muster(able, game, "--help").out
    assert [path.name for path in here.iterdir()] == ["mine.toml"]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("game", "option"), [("battling", "charts"), ("travel_battle", "board-blue")])
def test_every_page_of_a_kit_says_so_too_and_its_manifest(here: Path, game: str, option: str, lang: Lang) -> None:
    content_type = BROUGHT[game, option]
    for content, owner in (
        (changed(content_type), "owner"),
        (shipped_file(content_type).read_text("utf-8"), "house"),
    ):
        Path("mine.toml").write_text(content, "utf-8")
        done = muster("kit", game, f"--{option}", "mine.toml", "--seed", SEED, "--lang", lang, "-o", "kit", "--json")
        assert done.code == 0
        assert (
            done.json["whose"] == json.loads(Path("kit/manifest.json").read_text("utf-8"))["whose"] == {option: owner}
        )
        pages = text("kit/kit.pdf")
        marked = [FOOT[lang].format(what=content_type.what[lang]) in page for page in pages]
        assert all(marked) if owner == "owner" else not any(marked)
        if owner == "owner":
            assert muster("print", "kit/scenario.toml", "--lang", lang, "-o", "again").code == 0
            assert text("again/kit.pdf")[1:] == pages[1:]


@pytest.mark.parametrize(
    ("game", "verb"),
    [
        (name, what.verb)
        for name in games.names()
        for what in games.load(name).prints
        if any(isinstance(sheet, Sheet) for sheet in what.make(variants(what)[0]).sheets)
    ],
)
def test_a_users_templates_are_used_for_the_sheets(here: Path, game: str, verb: str) -> None:
    what = printable(game, verb)
    sheets = [sheet for sheet in what.make(variants(what)[0]).sheets if isinstance(sheet, Sheet)]
    for template in {sheet.template for sheet in sheets}:
        path = here / "mine" / template
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"<sheet><para>Our own {template}</para></sheet>", "utf-8")
    done = muster(verb, game, "--templates", "mine", "--lang", "en", "-o", "mine.pdf")
    assert (done.code, done.err) == (0, "")
    page_text = "".join(text("mine.pdf"))
    assert all(f"Our own {sheet.template}" in page_text for sheet in sheets)


def test_a_gallery_shows_them(here: Path) -> None:
    charts, arena = (BROUGHT["battling", option] for option in ("charts", "arena"))
    Path("mine.toml").write_text(with_header(changed(charts), "owner"), "utf-8")
    Path("square.toml").write_text(with_header(changed(arena), "own"), "utf-8")
    args = ("gallery", "battling", "--dpi", "48", "--lang", "en")
    with_user_files = muster(*args, "--charts", "mine.toml", "--arena", "square.toml", "-o", "own.html")
    assert (with_user_files.code, with_user_files.err) == (0, "")
    # Each option is in a separate element so that no line breaks inside an option.
    page = re.sub("</?span>", "", Path("own.html").read_text("utf-8"))
    for command in ("reference", "tokens", "cards"):
        assert f"muster {command} battling --charts mine.toml" in page
    assert "muster boards battling --board square.toml" in page
    assert f"muster kit battling --seed {SEED}" in page and "--arena square.toml" in page
    done = muster("gallery", "blind_faith", "--charts", "mine.toml", "-o", "none.html")
    assert (done.code, "muster kit battling --charts mine.toml" in done.err) == (2, True)


def test_a_copy_on_the_standard_output_is_used_under_another_name(here: Path) -> None:
    done = muster("data", "copy", "house-deck", "-o", "-")
    assert "muster data check FILE.toml" in done.err and "--deck FILE.toml" in done.err
    assert " -;" not in done.err


def test_copy_and_check_say_how_to_print_with_it(here: Path) -> None:
    for game, content_type in content_types():
        if not content_type.read:
            continue
        name = next(iter(content_type.items()), content_type.kind)
        row = muster("data", "copy", name, "--json").json
        commands = [row["command"], *row["prints"]]
        if content_type.command:  # A table that another command uses.
            assert f"To use this file: {row['command']}" in muster("data", "check", f"{name}.toml").out
            continue
        assert [
            line
            for line in muster("data", "check", f"{name}.toml").out.splitlines()
            if "To print with this file" in line
        ] == [f"To print with this file: {command}" for command in commands]
        wanted = {
            (verb, each.name)
            for each in map(games.load, games.names())
            if content_type_of(each, content_type.takes[0]) is content_type
            for verb in (
                *("kit" for option in each.options if option.name == content_type.takes[0]),
                *(what.verb for what in each.prints if content_type.takes[0] in what.takes),
            )
        }
        assert {tuple(shlex.split(command)[1:3]) for command in commands} == wanted
        assert game.name in commands[0]


def test_so_does_every_sheet_of_a_scenario_that_they_belong_to(here: Path) -> None:
    foot = FOOT["en"].format(what="charts")
    Path("mine.toml").write_text(changed(BROUGHT["battling", "charts"]), "utf-8")
    short = ("--charts", "mine.toml", "--turns", "1")
    assert muster("draw", "battling", *short, "--seed", SEED, "-o", "scenario.toml").code == 0
    assert muster("fairness", "scenario.toml", "--lang", "en", "-o", "fair.pdf").code == 0
    assert muster("orders", "play", "scenario.toml", "-o", "game.txt").code == 0
    assert muster("replay", "game.txt", "--scenario", "scenario.toml", "--lang", "en", "-o", "shown").code == 0
    packed = ("tournament", "pack", "battling", "--players", "2", "--rounds", "1", "--charts", "mine.toml")
    assert muster(*packed, "--lang", "en", "-o", "cup").code == 0
    for path in (Path("fair.pdf"), *here.glob("shown/*.pdf"), *here.glob("cup/round-1/*.pdf")):
        assert foot in "".join(text(str(path))) or "organiser" in path.name
