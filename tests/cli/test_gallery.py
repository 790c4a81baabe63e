"""Tests for `muster gallery`, which writes one self-contained page. A real browser opens the page if available."""

from __future__ import annotations

import base64
import hashlib
import json
import pickle
import re
import shlex
from html.parser import HTMLParser
from pathlib import Path

import pypdfium2
import pytest

from generator import games
from generator.cli.print_options import PrintOptions
from generator.cli.verb_gallery import game_room
from generator.press.gallery import PictureGroup, gallery_settings
from generator.store.manifest import seal
from tests.cli.browser import Page
from tests.cli.run import muster, spawn

GAME = "blind_faith"
"""The game with the fewest pages."""
ASKED = ("gallery", GAME, "--lang", "ja", "--dpi", "48")
"""Arguments for a gallery in Japanese, which has the widest texts."""

Attributes = dict[str, str | None]


class Tags(HTMLParser):
    """A parser that collects the elements and attributes of a page, and the texts of styles, scripts and code."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, Attributes]] = []
        self.texts: dict[str, list[str]] = {"style": [], "script": [], "code": []}
        self.inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.inside = self.inside if tag == "span" else tag
        if tag in self.texts:
            self.texts[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside if tag == "span" else ""

    def handle_data(self, data: str) -> None:
        if self.inside in self.texts:
            self.texts[self.inside][-1] += data

    def all(self, tag: str) -> list[Attributes]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "gallery.html"
    done = muster(*ASKED, "-o", path)
    assert (done.code, done.out.strip(), done.err) == (0, str(path), "")
    return path


@pytest.fixture
def tags(made: Path) -> Tags:
    return Tags(made.read_text("utf-8"))


def test_it_needs_nothing_else(tags: Tags) -> None:
    link_attributes = {"src", "href", "srcset", "action", "data", "poster", "style"}
    reached = [value for _, attributes in tags.tags for name, value in attributes.items() if name in link_attributes]
    assert reached
    assert all((value or "").startswith(("data:", "#")) for value in reached)
    assert not re.search(r"url\(|@import|https?:", "".join(tags.texts["style"] + tags.texts["script"]))


def test_it_is_the_same_by_two_processes(made: Path) -> None:
    assert muster(*ASKED, "-o", "two.html", "--jobs", "2").code == 0
    assert Path("two.html").read_bytes() == made.read_bytes()


@pytest.mark.parametrize("name", games.names())
def test_what_hangs_of_a_game_may_travel_to_another_process(name: str) -> None:
    entry = game_room(games.load(name), gallery_settings().code, PrintOptions("en"), {})
    assert pickle.loads(pickle.dumps(entry)).groups


def test_a_kit_is_drawn_where_it_is_printed_but_for_a_person_s_file_which_may_be_read_once() -> None:
    game = games.load(GAME)
    for files, later in (({}, 1), ({"map": Path(__file__).parents[2] / "data/blind_faith/maps/luznice.toml"}, 0)):
        walls = game_room(game, gallery_settings().code, PrintOptions("en"), files).groups
        assert len([wall for wall in walls if not isinstance(wall, PictureGroup)]) == later
        kits = [wall if isinstance(wall, PictureGroup) else wall() for wall in walls]
        assert [wall.code for wall in kits].count(gallery_settings().code) >= 1


def test_its_policy_lets_only_its_own_style_and_script_act(tags: Tags) -> None:
    (policy,) = (a["content"] or "" for a in tags.all("meta") if a.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in policy
    for kind in ("style", "script"):
        (text,) = tags.texts[kind]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy


def test_every_picture_tells_what_it_shows_and_where_links_lead_there_is_something(tags: Tags) -> None:
    *pictures, enlarged = tags.all("img")
    assert "src" not in enlarged
    assert all(p["alt"] and p["width"] and p["height"] and p["loading"] == "lazy" for p in pictures)
    names = [attributes["id"] for _, attributes in tags.tags if "id" in attributes]
    assert len(names) == len(set(names))
    links = {(a["href"] or "")[1:] for a in tags.all("a")}
    assert {GAME, f"{GAME}-1"} <= links <= set(names)
    assert tags.all("html")[0]["lang"] == "ja"


def test_every_map_is_there_with_commands_that_play_on_it_and_print_it(tags: Tags) -> None:
    (content_type,) = (content_type for content_type in games.load(GAME).content_types if content_type.view)
    codes = tags.texts["code"]
    assert set(content_type.items()) <= set(codes)
    commands = [shlex.split(code) for code in codes if code.startswith("muster ")]
    for name in list(content_type.items())[:1]:
        (play, command) = (words for words in commands if words[-5:-4] == [name])
        assert (play[:3], command[:3]) == (["muster", "kit", GAME], ["muster", "boards", GAME])
        assert muster(*play[1:], "-o", "played").code == 0
        assert f'map = "{name}"' in Path("played/scenario.toml").read_text("utf-8")
        assert muster(*command[1:], "-o", "board.pdf").code == 0
        document = pypdfium2.PdfDocument("board.pdf")
        assert content_type.items()[name].ja in document[0].get_textpage().get_text_range()
        document.close()


def test_no_command_breaks_inside_an_option(made: Path) -> None:
    commands = re.findall(r"<code>(<span>.*?)</code>", made.read_text("utf-8"))
    assert commands
    for command in commands:
        verb, *options = re.findall(r"<span>(.*?)</span>", command)
        assert verb.startswith("muster ") and "--" not in verb
        assert all(option.startswith("--") and option.count(" ") == 1 for option in options)


@pytest.mark.parametrize("name", games.names())
def test_every_kind_of_map_has_its_heading(name: str) -> None:
    kinds = {content_type.kind for content_type in games.load(name).content_types if content_type.view}
    assert kinds <= gallery_settings().kind.keys()


def test_it_is_written_over_with_the_same_bytes_whatever_the_hash_seed(here: Path, made: Path) -> None:
    page = here / "output" / "gallery.html"
    page.parent.mkdir()
    page.write_bytes(seal(b"<!DOCTYPE html>\n<p>an older one</p>\n"))
    done = spawn(*ASKED, "--json", cwd=here, PYTHONHASHSEED="1")
    expected = {"file": "output/gallery.html", "code": gallery_settings().code, "games": [GAME]}
    assert json.loads(done.stdout) == expected | {"bytes": page.stat().st_size}
    assert page.read_bytes() == made.read_bytes()


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ((GAME[:-1],), f"did you mean {GAME}?"),
        (("-o", "notes.html"), "notes.html would be replaced, but Muster did not write it"),
        (("--seed", "K7Q2M-9FJXX"), "K7Q2M-9FJXX"),
        (("--dpi", "1200"), "48<=x<=200"),
    ],
)
def test_impossible_galleries_are_reported(here: Path, args: tuple[str, ...], expected: str) -> None:
    (here / "notes.html").write_text("mine")
    done = muster("gallery", *args)
    assert done.code == 2
    assert expected in done.err
    assert [path.name for path in here.iterdir()] == ["notes.html"]
    assert (here / "notes.html").read_text() == "mine"


WAIT = "await new Promise(done => requestAnimationFrame(() => setTimeout(done)));"
LOAD = f"""(async () => {{
    const pictures = [...document.querySelectorAll("main img")];
    for (const picture of pictures) {{
        picture.scrollIntoView();
        {WAIT}
        await picture.decode();
    }}
    return pictures.every((picture) => picture.complete && picture.naturalWidth == picture.getAttribute("width"));
}})()"""
"""A script that returns whether all pictures have loaded, after scrolling to each of them."""


@pytest.mark.parametrize(("width", "dark"), [(390, False), (1280, True)])
def test_it_fits_on_a_phone_and_on_a_desktop(tab: Page, made: Path, width: int, dark: bool) -> None:
    with tab.listening("Log", "Network"):
        tab.open(made, width, dark=dark)
        assert tab.run("document.documentElement.scrollWidth") <= width
        assert tab.run(LOAD)
    light = tab.run("getComputedStyle(document.body).backgroundColor.match(/[0-9]+/)[0] > 127")
    assert light != dark
    requests = [event["request"]["url"] for event in tab.all("Network.requestWillBeSent")]
    assert {url.partition(":")[0] for url in requests if url != made.resolve().as_uri()} <= {"data"}
    assert not tab.all("Log.entryAdded")
    assert not tab.all("Runtime.exceptionThrown")
    assert not tab.all("Runtime.consoleAPICalled")


def test_keys_alone_enlarge_a_picture_and_go_on_to_the_next(tab: Page, made: Path) -> None:
    tab.open(made, 390)
    alt_text = "document.querySelector('dialog[open] .zoom img')?.alt"
    names = tab.run("[...document.querySelectorAll('.show img')].map((picture) => picture.alt)")
    tab.run("document.querySelector('.show').focus()")
    tab.press("Enter", 13)
    assert tab.becomes(alt_text, names[0])
    tab.press("ArrowRight", 39)
    assert tab.becomes(alt_text, names[1])
    tab.press("Escape", 27)
    assert tab.becomes(alt_text, None)
    assert tab.becomes("document.activeElement.firstElementChild?.alt", names[1])


def test_a_tap_shows_a_picture_at_full_size(tab: Page, made: Path) -> None:
    tab.open(made, 390)
    box, picture = "document.querySelector('dialog')", "document.querySelector('.zoom img')"
    tab.run("document.querySelector('.show').click()")
    tab.run(f"{picture}.decode().then(() => true)")
    fitted = tab.run(f"{picture}.width")
    assert fitted <= 390
    tab.run("document.querySelector('.zoom').click()")
    assert tab.becomes(f"{picture}.width > {fitted}", True)
    tab.run("document.querySelector('.close').click()")
    assert tab.becomes(f"{box}.open", False)
