"""Tests that each sentence of the rule texts (tests/seeds/*.toml) is in the rules and printed in both languages."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from generator import games
from generator.model.words import LANGS, Lang
from generator.press.pdf.typography import typeset
from tests.paper import PRODUCTS, pages

ROOT = Path(__file__).resolve().parent.parent
FILES = {
    path.stem: tomllib.loads(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "tests" / "seeds").glob("*.toml"))
}
SEEDS = {name: file["rows"] for name, file in FILES.items()}
PIECES = {"battlelore": 138, "call_to_arms": 151, "travel_battle": 93, "blind_faith": 61, "battling": 145}
CLAIMS = [
    (seed, claim["rows"], product) for seed in SEEDS for claim in FILES[seed]["claims"] for product in claim["on"]
]
CORRECTED = tomllib.loads((ROOT / "tests" / "corrected.toml").read_text("utf-8"))
ROWS = [pytest.param(seed, row[2:], id=f"{seed} {row[0]}") for seed, rows in SEEDS.items() for row in rows]


@cache
def rules() -> set[str]:
    return {rule.id for name in SEEDS for rule in games.load(name).rules}


@cache
def data(name: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / "data" / name).read_text(encoding="utf-8"))


@cache
def printed(name: str, product: str, lang: Lang) -> str:
    """Return the text of a game's product without white space."""
    return squeezed("".join(pages(name, product, lang)))


@cache
def source(seed: str, name: str) -> str:
    """Return the source code of a game's test module."""
    return (ROOT / "tests" / "games" / seed / name).read_text(encoding="utf-8")


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", typeset(text))


def data_value(file: str, path: str) -> Any:
    """Return the value at a path, or None if a table does not contain the last key."""
    value: Any = data(file)
    for key, entry in re.findall(r"(\w+)(\[[^]]*\])?\.?", path):
        assert isinstance(value, dict), f"{path}: {key}"
        value = value.get(key)
        if entry == "[]":
            value = len(value)
        elif entry:
            value = at(value, entry[1:-1])
            assert value is not None, f"{path}: {entry}"
    return value


def at(entries: list[Any], wanted: str) -> Any:
    """Return the entry with the given number, id or faces."""
    if wanted.isdigit():
        return entries[int(wanted)]
    return next((e for e in entries if wanted in (e.get("id"), ",".join(e.get("faces", [])))), None)


@pytest.mark.parametrize(("seed", "targets"), ROWS)
def test_every_sentence_is_held(seed: str, targets: list[str]) -> None:
    assert targets
    for target in targets:
        kind, _, what = target.partition(":")
        if kind == "rule":
            assert what in rules(), target
        elif kind == "paper":
            on, *texts = what.split("|")
            for product in on.split():
                for lang, text in zip(LANGS, texts, strict=True):
                    assert squeezed(text) in printed(seed, product, lang), f"{lang}, {product}: {target}"
        elif kind == "datum":
            place, equals, value = what.partition("=")
            found = data_value(*place.split("#"))
            value_text = "none" if found is None else str(found).lower() if isinstance(found, bool) else str(found)
            assert value_text == value if equals else found is not None, f"{target}: {found}"
        elif kind == "test":
            assert f"\ndef {what.split('#')[1]}(" in source(seed, what.split("#")[0]), target
        else:
            assert kind == "intro", target
            assert what, target


@pytest.mark.parametrize("seed", SEEDS)
def test_no_sentence_is_left_out(seed: str) -> None:
    assert [row[0] for row in SEEDS[seed]] == list(range(1, PIECES[seed] + 1))


@pytest.mark.parametrize(("seed", "targets"), ROWS)
def test_every_sentence_is_printed_in_both_languages(seed: str, targets: list[str]) -> None:
    """Headings, captions and similar texts, which `intro:` lists, are exceptions."""
    on = products(targets)
    assert on <= set(PRODUCTS[seed])
    assert on or all(target.startswith("intro:") for target in targets)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: f"{c[0]} {c[1][0]}-{c[1][1]} {c[2]}")
def test_a_product_tells_every_sentence_of_its_subject(claim: tuple[str, tuple[int, int], str]) -> None:
    seed, (first, last), product = claim
    for row in SEEDS[seed][first - 1 : last]:
        papers = [target for target in row[2:] if target.startswith("paper:")]
        wanted = not papers or any(product in target[6:].partition("|")[0].split() for target in papers)
        assert wanted, f"{row[0]}: {row[1]}"


@pytest.mark.parametrize("seed", SEEDS)
def test_the_reference_alone_has_every_sentence(seed: str) -> None:
    """A player may have only the reference. `not_on_reference` gives the reason for each exception."""
    missing = {str(row[0]) for row in SEEDS[seed] if (on := products(row[2:])) and "reference" not in on}
    assert missing == FILES[seed].get("not_on_reference", {}).keys()


def products(targets: list[str]) -> set[str]:
    """Return the products on which a sentence is printed."""
    return {product for t in targets if t.startswith("paper:") for product in t[6:].partition("|")[0].split()}


def test_summaries_do_not_quote_the_rules() -> None:
    """The rule texts are Japanese, so an ASCII text cannot quote them."""
    assert all(row[1].isascii() for rows in SEEDS.values() for row in rows)


@pytest.mark.parametrize(("name", "on", "english", "japanese"), CORRECTED["now"])
def test_what_stood_wrong_on_paper_stands_right(name: str, on: str, english: str, japanese: str) -> None:
    for product in on.split():
        assert squeezed(english) in printed(name, product, "en"), product
        assert squeezed(japanese) in printed(name, product, "ja"), product


@pytest.mark.parametrize(("name", "lang", "text"), CORRECTED["never"])
def test_what_stood_wrong_on_paper_stands_nowhere(name: str, lang: Lang, text: str) -> None:
    assert [product for product in PRODUCTS[name] if squeezed(text) in printed(name, product, lang)] == []


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("name", "count"), [(name, 2 if name == "travel_battle" else 0) for name in PRODUCTS])
def test_every_command_on_a_reference_runs(name: str, count: int, lang: Lang, tmp_path: Path) -> None:
    from generator.cli import main

    text = " ".join(" ".join(pages(name, "reference", lang)).split())
    commands = re.findall(r"muster [a-z]+ [a-z_]+(?: --[a-z]+ [a-z0-9_]+)*", text)
    assert len(commands) == count
    for n, command in enumerate(commands):
        file = tmp_path / f"{n}.pdf"
        with pytest.raises(SystemExit) as ended:
            main([*command.split()[1:], "--lang", lang, "-o", str(file)])
        assert not ended.value.code, command
        assert file.read_bytes().startswith(b"%PDF"), command


@pytest.mark.parametrize("name", PRODUCTS)
def test_a_reference_has_two_pages_and_its_odds(name: str) -> None:
    """Battling's odds are on its two pages; Call to Arms has three pages and a page of odds."""
    limit = {"call_to_arms": 4, "battling": 2}.get(name, 3)
    assert [len(pages(name, "reference", lang)) for lang in LANGS] == [limit, limit]


def test_no_reference_prints_an_option_of_another_command() -> None:
    """`--parts` belongs to the commands that print scenarios."""
    assert [n for n in PRODUCTS for lang in LANGS if "--parts" in printed(n, "reference", lang)] == []
