from __future__ import annotations

from pathlib import Path

import pypdfium2

from tests.cli.conftest import CODE
from tests.cli.run import muster


def pages(pdf: Path) -> int:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return len(document)
    finally:
        document.close()


def test_a_kit_of_chosen_parts(tmp_path: Path) -> None:
    assert muster("kit", "--seed", CODE, "-o", tmp_path / "whole").code == 0
    done = muster("kit", "--seed", CODE, "--parts", "MAP、records", "--separate", "-o", tmp_path / "some")
    assert done.code == 0
    some = {path.name for path in (tmp_path / "some").glob("*.pdf")}
    assert some == {"kit.pdf", "map.pdf", "records.pdf"}
    assert pages(tmp_path / "some" / "map.pdf") == 1
    parts = pages(tmp_path / "some" / "map.pdf") + pages(tmp_path / "some" / "records.pdf")
    assert pages(tmp_path / "some" / "kit.pdf") == parts < pages(tmp_path / "whole" / "kit.pdf")
    assert muster("verify", tmp_path / "some").code == 0


def test_parts_by_the_names_of_their_verbs(tmp_path: Path) -> None:
    parts = "map,cards,sheets,reference,tokens"
    done = muster("kit", "--seed", CODE, "--parts", parts, "--separate", "-o", tmp_path)
    assert done.code == 0
    some = {path.name for path in tmp_path.glob("*.pdf")}
    assert some == {"kit.pdf", "map.pdf", "cards.pdf", "records.pdf", "reference.pdf", "tokens.pdf"}


def test_a_board_and_tokens_as_large_as_asked(tmp_path: Path) -> None:
    counts = []
    for size in ("20mm", "1.6in"):
        done = muster("kit", "--seed", CODE, "--parts", "board,tokens", "--hex", size, "-o", tmp_path / size)
        assert done.code == 0
        counts.append(pages(tmp_path / size / "kit.pdf"))
        assert "--hex" in (tmp_path / size / "manifest.json").read_text("utf-8")
    assert counts[0] < counts[1]
    assert muster("kit", "--seed", CODE, "--hex", "7mm", "-o", tmp_path / "small").code == 2


def test_a_wrong_part_lists_what_there_is() -> None:
    done = muster("kit", "--seed", CODE, "--parts", "recrds")
    assert done.code == 2
    assert "did you mean records?" in done.err


def test_what_an_earlier_kit_left_goes_unless_a_person_changed_it(tmp_path: Path) -> None:
    folder = tmp_path / "kit"
    assert muster("kit", "--seed", CODE, "--parts", "map,records", "--separate", "-o", folder).code == 0
    (folder / "records.pdf").write_bytes(b"%PDF- mine")
    (folder / "notes.txt").touch()
    assert muster("kit", "--seed", CODE, "--parts", "map", "-o", folder).code == 0
    left = {path.name for path in folder.iterdir()}
    assert left == {"kit.pdf", "scenario.toml", "manifest.json", "records.pdf", "notes.txt"}
