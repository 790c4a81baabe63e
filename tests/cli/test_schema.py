"""Tests that schemas of users' files are valid, accurate, documented in docs/formats and written with every copy."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from generator import games
from generator.cli.data_files import content_types
from generator.model.words import LANGS
from generator.notation.schema import labels
from tests.cli.run import contents, muster
from tests.corpus import unpacked
from tests.prove.parts import schemas
from tests.schemas import BY_NAME, TYPED, Schema, inner, keys, misfits, mutated, schema_faults, schema_of

FORMATS = Path(__file__).resolve().parents[2] / "docs" / "formats"
DOCS = {
    "battlelore-scenario": ("scenario",),
    "battlelore-pool": ("deck",),
    "battlelore-map": ("map",),
    "battlelore-inventory": ("inventory",),
    "battling-scenario": ("battling_scenario", "scenario", "arena"),
    "battling-arena": ("arena",),
    "battling-charts": ("machines",),
    "blind_faith-scenario": ("blind_faith_scenario", "scenario", "operational_map"),
    "blind_faith-map": ("operational_map",),
    "blind_faith-pack": ("blind_faith_tables",),
    "call_to_arms-scenario": ("scenario",),
    "call_to_arms-deck": ("deck",),
    "travel_battle-scenario": ("travel_scenario", "scenario"),
    "travel_battle-board": ("travel_board",),
    "travel_battle-army": ("travel_army",),
    "travel_battle-brigade-campaign": ("campaign",),
    "call_to_arms-track-campaign": ("campaign",),
    "battlelore-map-names": ("terrain_names",),
    "battling-arena-names": ("terrain_names",),
    "blind_faith-operational-names": ("terrain_names",),
}
"""Documents in docs/formats about each form, the main document first."""
OWN = {doc: [name for name, docs in DOCS.items() if docs[0] == doc] for docs in DOCS.values() for doc in docs}


@pytest.mark.parametrize("name", BY_NAME)
def test_a_schema_is_one_and_tells_what_each_key_is(name: str) -> None:
    whole = schema_of(name)
    assert list(schema_faults(whole, whole)) == []

    def untold(schema: Schema, at: str) -> list[str]:
        missing = [f"{at}.{key}" for key, of in schema.get("properties", {}).items() if not of.get("description")]
        return [
            *missing,
            *(missing_key for number, of in enumerate(inner(schema)) for missing_key in untold(of, f"{at}/{number}")),
        ]

    assert untold(whole, name) == []


def test_invalid_schemas_and_misfits_are_found() -> None:
    whole: Schema = {"$schema": "x", "definitions": {"A": {"type": "integer", "minimum": 2}}}
    whole["properties"] = {"a": {"$ref": "#/definitions/A", "description": "x"}, "b": {"type": "int", "least": 1}}
    assert [fault.partition(":")[0] for fault in schema_faults(whole, whole)] == ["", "/0", "/1", "/1"]
    shape: Schema = {
        "type": "object",
        "properties": {"a": {"anyOf": [{"type": "integer"}, {"enum": ["x"]}]}, "b": {"pattern": "^x$"}},
        "additionalProperties": False,
        "required": ["b"],
    }
    assert list(misfits({"a": "x", "b": "x"}, shape, shape)) == []
    wrongs: tuple[Any, ...] = ({}, {"b": "x", "c": 1}, {"b": "y"}, {"a": "y", "b": "x"}, {"a": True, "b": "x"}, [])
    for wrong in wrongs:
        assert list(misfits(wrong, shape, shape)), wrong


def test_files_that_ship_fit_their_schemas() -> None:
    assert schemas.shipped() == []
    assert {(g.name, s.kind) for g, s in content_types() if s.read} <= {(f.game, f.kind) for f in BY_NAME.values()}
    assert {f.game for f in BY_NAME.values() if f.kind == "scenario"} == set(games.names())


@pytest.mark.parametrize("name", games.names())
def test_scenario_files_of_the_first_format_fit(name: str, tmp_path: Path) -> None:
    assert [fault for file in unpacked(name, tmp_path)[::10] if (fault := schemas.kept(file))] == []


def test_what_a_schema_refuses_is_refused() -> None:
    tried = [mutated(number) for number in range(420)]
    assert [fault for _, fault in tried if fault] == []
    assert sum(refused for refused, _ in tried) >= schemas.LEAST * len(tried)


def test_a_round_that_was_sealed_fits() -> None:
    from tests.hostile import event

    made = event(True)
    for name in ("opening", "commitment"):
        [content] = [content for path, content in made.items() if path.endswith(f"{name}.json")]
        assert list(misfits(json.loads(content), schema_of(name), schema_of(name))) == []
    [event_text] = [content for path, content in made.items() if path.endswith("event.toml")]
    parsed = tomllib.loads(event_text.decode())
    assert list(misfits(parsed, schema_of("event"), schema_of("event"))) == []
    assert list(misfits(parsed | {"byes": "highest"}, schema_of("event"), schema_of("event")))


def _code(doc: str, lang: str) -> str:
    """Return all code in a document, both examples and inline spans, in English if there is no Japanese page."""
    japanese = FORMATS / f"{doc}.ja.md"
    page = japanese if lang == "ja" and japanese.exists() else FORMATS / f"{doc}.md"
    text = page.read_text("utf-8")
    blocks = re.findall(r"```(?:toml|text)\n(.*?)```", text, re.S)
    return "\n".join([*blocks, *re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.S))])


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", DOCS)
def test_every_key_of_a_form_stands_in_its_document(name: str, lang: str) -> None:
    code = "\n".join(_code(doc, lang) for doc in DOCS[name])
    words = {"en", "ja"}
    assert {key for key in keys(schema_of(name)) - words if not re.search(rf"(?<!\w){key}(?!\w)", code)} == set()


@pytest.mark.parametrize("doc", [doc for doc, names in OWN.items() if names])
def test_every_key_that_a_document_names_is_one(doc: str) -> None:
    text = (FORMATS / f"{doc}.md").read_text("utf-8")
    forms = [schema_of(name) for name in OWN[doc]]
    tables = re.findall(r"^\| key \|.*\n\|[-| ]+\n((?:\|.*\n)+)", text, re.M)
    cells = [row.split("|")[1] for table in tables for row in table.splitlines()]
    named_keys = {span.split(".")[-1].strip("[]") for cell in cells for span in re.findall("`([^`]+)`", cell)}
    assert named_keys - set().union(*map(keys, forms)) == set()
    for block in re.findall(r"```toml\n(.*?)```", text, re.S):
        strange = [[fault for fault in misfits(tomllib.loads(block), of, of) if ": no " in fault] for of in forms]
        assert [] in strange, (block, strange)


def test_the_documents_of_forms_are_all_there() -> None:
    assert set(DOCS) == {name for name in TYPED if BY_NAME[name].game}
    documents = {path.stem.removesuffix(".ja") for path in FORMATS.glob("*.md")}
    assert documents - set(OWN) == {"order_log", "readings", "saved_game"}


def plain(whole: Schema) -> Schema:
    """Return a schema as `muster schema` prints it, without the titles and descriptions of keys."""

    def untitled(of: Any, key: str = "") -> Any:
        if isinstance(of, list):
            return [untitled(one) for one in of]
        if not isinstance(of, dict):
            return of
        inner = {name: untitled(one, name) for name, one in of.items()}
        if key != "properties":
            return inner
        return {name: {more: value for more, value in one.items() if more != "title"} for name, one in inner.items()}

    made: Schema = untitled({key: value for key, value in whole.items() if key != "x-words"})
    return made


def test_every_key_and_word_of_an_owner_s_file_is_called_something_in_both_languages() -> None:
    missing, used = [], set()
    for form in [f"{game.name}-{content_type.kind}" for game, content_type in content_types() if content_type.form]:
        whole: Any = {lang: muster("data", "schema", form, "--lang", lang).json for lang in LANGS}
        for kind in ("", *(whole["en"]["definitions"].keys() - {"Words"})):
            en, ja = (whole[lang]["definitions"][kind] if kind else whole[lang] for lang in LANGS)
            for key, of in en.get("properties", {}).items():
                titles = of.get("title", key), ja["properties"][key].get("title", key)
                words = [*of.get("enum", ()), *of.get("items", {}).get("enum", ())]
                missing += [f"{form} {kind}.{key}"] if titles[0] == key or titles[1] == key else []
                missing += [f"{form} {word}" for word in words if word not in whole["ja"]["x-words"]]
                used |= {key, f"{kind}.{key}"}
    assert missing == []
    assert set(labels().key) <= used


def test_schemas_are_listed_printed_and_written(here: Path) -> None:
    listed = muster("data", "schema", "--json").json
    assert [row["schema"] for row in listed] == list(BY_NAME)
    assert all(row["schema"] in muster("data", "schema", "--lang", "ja").out for row in listed)
    printed = muster("data", "schema", "deck").json
    assert printed == muster("data", "schema", "call_to_arms-deck", "--json").json
    assert plain(printed) == schema_of("call_to_arms-deck")
    assert contents(here) == {}
    for _ in range(2):
        assert muster("data", "schema", "deck", "-o", "deck.json", "--json").json == {"file": "deck.json"}
    assert json.loads((here / "deck.json").read_text("utf-8")).items() >= plain(printed).items()
    (here / "deck.json").write_text("{}", "utf-8")
    assert muster("data", "schema", "deck", "-o", "deck.json").code == 2


def test_which_schema_is_meant() -> None:
    assert "battlelore-map, blind_faith-map" in muster("data", "schema", "map").err
    assert "did you mean deck?" in muster("data", "schema", "dekc").err
    assert "muster data schema" in muster("data", "schema", "nothing-like-it").err
    assert muster("data", "schema", "-o", "x.json").code == 2


@pytest.mark.parametrize(
    ("game", "kind"), [(game.name, shelf.kind) for game, shelf in content_types() if shelf.read and shelf.items()]
)
def test_a_copy_names_the_schema_that_lies_beside_it_and_is_still_ours(here: Path, game: str, kind: str) -> None:
    [content_type] = [
        content_type for of, content_type in content_types() if (of.name, content_type.kind) == (game, kind)
    ]
    name = next(iter(content_type.items()))
    row = muster("data", "copy", name, "-o", "folder/mine.toml", "--json").json
    first, rest = (here / "folder" / "mine.toml").read_text("utf-8").split("\n", 1)
    assert content_type.file and rest == content_type.file(name).read_text("utf-8")
    assert first == f"#:schema ./{Path(row['schema']).name}"
    written = json.loads((here / row["schema"]).read_text("utf-8"))
    assert list(misfits(tomllib.loads(rest), written, written)) == []
    assert muster("data", "copy", name, "-o", "folder/mine.toml").code == 0
    assert "[house]" in muster("data", "show", "folder/mine.toml").out
