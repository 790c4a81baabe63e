from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import CODE
from tests.cli.run import muster


def test_a_reference_is_in_order_on_its_own_paper_alone(tmp_path: Path) -> None:
    pdf = tmp_path / "quick.pdf"
    assert muster("reference", "-o", pdf, "--lang", "en").code == 0
    assert muster("preflight", pdf, "--paper", "a4", "--text", "en").code == 0
    wrong = muster("preflight", pdf, "--paper", "letter", "--json")
    assert wrong.code == 1
    [row] = wrong.json
    assert not row["in_order"]
    assert row["findings"][0].startswith("page 1: is 595.276 × 841.890 pt")
    assert "(ja)" in muster("preflight", pdf, "--text", "ja").out


def test_a_print_made_up_for_a_printer_is_held_to_its_smallest_type(tmp_path: Path) -> None:
    pdf, printer = tmp_path / "kit.pdf", "scale=104"
    assert muster("kit", "--seed", CODE, "--parts", "fire-all", "-o", tmp_path, "--printer", printer).code == 0
    assert "smaller than" in muster("preflight", pdf).out
    assert muster("preflight", pdf, "--printer", printer).code == 0


def test_files_that_are_not_pdfs(tmp_path: Path) -> None:
    text = tmp_path / "a.pdf"
    text.write_text("hello", encoding="utf-8")
    assert muster("preflight", text).out.startswith(f"{text}: cannot be read as a PDF")
    assert muster("preflight", tmp_path / "none.pdf").code == 3


def test_cards_for_a_print_service_are_in_order(tmp_path: Path) -> None:
    """Their pages have the size of a card and its bleed, and are printed to the edge."""
    pdf = tmp_path / "cards.pdf"
    assert muster("cards", "call_to_arms", "--format", "service", "--only", "A", "-o", pdf).code == 0
    done = muster("preflight", pdf)
    assert (done.code, done.out) == (0, f"no faults found: {pdf}\n")
    assert muster("preflight", pdf, "--paper", "a4").code == 1


def test_a_sheet_of_cards_must_still_have_the_size_of_a_paper(tmp_path: Path) -> None:
    pdf = tmp_path / "sheet.pdf"
    assert muster("cards", "call_to_arms", "--only", "A", "-o", pdf).code == 0
    assert muster("preflight", pdf).code == 0
    assert muster("preflight", pdf, "--paper", "letter").code == 1
