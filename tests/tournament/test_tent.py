from __future__ import annotations

import pytest

from generator.model.picture import Text, Use
from generator.press.pdf import fonts
from generator.tournament.pages import TENT_HEIGHT_MM, TENT_WIDTH_MM, tent
from generator.tournament.pairings import Pairing


@pytest.mark.parametrize("name", ["Li", "W" * 80, "髙﨑" * 40, "佐藤 太郎", "@" * 80, "Ｗ" * 80, "№" * 80])
@pytest.mark.parametrize("table", [1, 88, 9999])
def test_number_and_names_find_room_on_the_half_that_is_folded_back(name: str, table: int) -> None:
    fonts.register("ja")
    (seen,) = [item for item in tent(Pairing(table, name, name[::-1])).items if isinstance(item, Use)]
    texts = [item for item in seen.symbol.items if isinstance(item, Text)]
    assert (texts[0].text, seen.turn) == (str(table), 180.0)
    assert "".join(text.text for text in texts[1:]).replace(" ", "") == (name + name[::-1]).replace(" ", "")
    assert min(text.size for text in texts) >= 12
    for text in texts:
        assert fonts.width(text.text, text.size, bold=True) * 25.4 / 72 <= TENT_WIDTH_MM
        assert text.y - text.size * 0.1 > -TENT_HEIGHT_MM / 2
        assert text.y + text.size * 0.3 < TENT_HEIGHT_MM / 2
