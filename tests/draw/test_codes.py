import random
from itertools import combinations

import pytest

from generator.errors import WrongUsageError
from generator.seeds import BITS, SYMBOLS, _code, code_for, new_code, parse_code, renewed

EXAMPLE = "K7Q2M-9FHN5"


def message(text: str) -> str:
    with pytest.raises(WrongUsageError) as caught:
        parse_code(text)
    return str(caught.value)


def codes(n: int) -> list[str]:
    chance = random.Random(7)
    return [code_for(chance.randrange(1 << BITS)) for _ in range(n)]


def test_golden_codes() -> None:
    assert parse_code(EXAMPLE) == EXAMPLE
    assert [code_for(n) for n in (0, 1, (1 << BITS) - 1)] == ["00000-0023M", "10000-0034S", "ZZZZZ-ZZXQK"]


def test_every_number_of_35_bits_has_its_own_code() -> None:
    drawn = [code_for(n) for n in range(500)] + [code_for(1 << i) for i in range(9, BITS)]
    assert len(set(drawn)) == len(drawn)
    assert all(parse_code(code) == code for code in drawn)
    for n in (-1, 1 << BITS):
        with pytest.raises(ValueError, match="bits"):
            code_for(n)


def test_a_new_code_is_a_code() -> None:
    assert all(parse_code(code) == code for code in (new_code() for _ in range(50)))


@pytest.mark.parametrize(
    "raw",
    [
        "k7q2m-9fhn5",
        "K7Q2M9FHN5",
        " K7Q2 M9FH N5 ",
        "K-7-Q-2-M-9-F-H-N-5",
        "K7Q2M\u22129FHN5",
        "K7Q2M\u30fc9FHN5",
        "K7Q2M9FHN5",
        "\u200bK7Q2M\u20109FHN5\ufeff",
    ],
)
def test_what_is_taken(raw: str) -> None:
    assert parse_code(raw) == EXAMPLE


def test_look_alikes_are_forgiven() -> None:
    code = next(c for c in codes(200) if "0" in c and "1" in c)
    for one in "IiLl1":
        for nought in "Oo0":
            assert parse_code(code.replace("1", one).replace("0", nought)) == code


@pytest.mark.parametrize("code", codes(3))
def test_every_typo_in_one_symbol_is_detected_and_the_code_is_suggested(code: str) -> None:
    plain = code.replace("-", "")
    for i in range(10):
        for symbol in set(SYMBOLS) - {plain[i]}:
            refusal = message(plain[:i] + symbol + plain[i + 1 :])
            assert "typo" in refusal
            assert code in refusal


@pytest.mark.parametrize("code", codes(3))
def test_every_swap_is_caught_and_a_swap_of_neighbours_offered(code: str) -> None:
    plain = code.replace("-", "")
    for i, j in combinations(range(10), 2):
        if plain[i] != plain[j]:
            swapped = list(plain)
            swapped[i], swapped[j] = swapped[j], swapped[i]
            refusal = message("".join(swapped))
            assert j > i + 1 or code in refusal


def test_typos_in_two_symbols_are_detected() -> None:
    chance = random.Random(3)
    for code in codes(300):
        plain = list(code.replace("-", ""))
        for i in chance.sample(range(10), 2):
            plain[i] = chance.choice([s for s in SYMBOLS if s != plain[i]])
        assert "typo" in message("".join(plain))


def test_a_symbol_lost_or_doubled_is_offered_back() -> None:
    assert message("K7Q2M-9FHN").startswith("“K7Q2M-9FHN” is not a valid code: a code has 10 characters, not 9")
    assert EXAMPLE in message("K7Q2M-9FHN")
    assert EXAMPLE in message("K7QQ2M-9FHN5")
    assert message("K7Q2").endswith("a code has 10 characters, not 4")
    assert "10 characters, not 0" in message(" - ")


def test_letters_that_codes_leave_out_are_named() -> None:
    assert (
        message("K7Q2M-9FHNU")
        == f"“K7Q2M-9FHNU” is not a valid code: a code never contains the letter U (did you mean {EXAMPLE}?)"
    )
    assert "a code never contains '?'" in message("K7Q2M-9FHN?")
    assert "a code never contains" in message("K\u0667Q2M-9FHN5")
    assert "a code never contains" in message("K７Q2M-9FHNß")


def test_hostile_text_is_answered_briefly() -> None:
    assert len(message("A" * 1_000_000)) < 200
    assert "\x1b" not in message("\x1b[31mK7Q2M")
    message("\ud800" * 10)


def test_no_row_of_one_symbol_is_a_code() -> None:
    for symbol in SYMBOLS:
        message(symbol * 10)


def test_another_generation_is_named() -> None:
    from generator import seeds as room

    values = [SYMBOLS.index(s) for s in EXAMPLE.replace("-", "")][:8]
    values[0] ^= room.GENERATION ^ 3
    found = [
        text
        for a in SYMBOLS
        for b in SYMBOLS
        if "generation" in message(text := "".join(SYMBOLS[v] for v in values) + a + b)
    ]
    assert len(found) == 1
    refusal = message(found[0])
    assert (
        "belongs to generation 3, but this version of Muster draws scenarios only from codes of generation 2 "
        "(use a later version of Muster to draw the scenario for this code)" in refusal
    )
    assert room.GENERATION == 2


def test_a_code_of_an_earlier_generation_is_answered_with_the_version_that_draws_it() -> None:
    from generator import seeds as room

    assert set(room.DRAWN_BY) == set(range(1, room.GENERATION))
    with pytest.raises(WrongUsageError) as caught:
        parse_code(_code(12345678901, 1))
    (problem,) = caught.value.problems
    assert (
        "belongs to generation 1, but this version of Muster draws scenarios only from codes of generation 2 "
        "(use Muster 0.1 to draw the scenario for this code; " in problem.describe("en")
    )
    japanese = problem.describe("ja")
    assert "は第1世代です。このバージョンの Muster は、第2世代のコードからだけシナリオを作成できます" in japanese
    assert "（このコードのシナリオは Muster 0.1 で作成してください。" in japanese
    with pytest.raises(WrongUsageError, match="no version of Muster has printed this code"):
        parse_code(_code(12345678901, 0))


@pytest.mark.parametrize("wrong", codes(2))
def test_at_most_three_codes_are_offered(wrong: str) -> None:
    assert message(wrong[::-1]).count("-") <= 4


@pytest.mark.parametrize("number", [0, 1, 12345678901, (1 << BITS) - 1])
def test_an_earlier_code_is_renewed_to_the_one_that_carries_the_same(number: int) -> None:
    assert renewed(_code(number, 1)) == renewed(code_for(number)) == code_for(number)
    with pytest.raises(WrongUsageError, match="generation 3"):
        renewed(_code(number, 3))
    code = _code(number, 1)
    with pytest.raises(WrongUsageError, match="typo"):
        renewed(("X" if code[0] != "X" else "Y") + code[1:])
