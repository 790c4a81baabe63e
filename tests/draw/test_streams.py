from collections import Counter

import pytest

from generator.seeds import Rng, RngStreams

CODE = "K7Q2M-9FHN5"


def stream(path: str = "v1/test") -> Rng:
    return Rng(CODE, path)


def test_golden_vectors() -> None:
    one = stream()
    assert [one.below(1 << 64) for _ in range(2)] == [7737228666154866133, 7537278537490532615]
    assert [one.below(1000) for _ in range(10)] == [93, 123, 985, 749, 131, 678, 808, 885, 156, 594]
    assert "".join(one.shuffle("ABCDEFG")) == "ECBDFAG"
    assert one.sample(range(100), 5) == [66, 96, 24, 97, 81]
    assert [one.die() for _ in range(12)] == [2, 2, 5, 3, 2, 2, 1, 3, 5, 2, 4, 2]
    assert "".join(one.choice("xyz") for _ in range(12)) == "yzxxyyyyzyzy"
    assert "".join("ny"[one.chance(1, 3)] for _ in range(12)) == "nyyyynnyyynn"
    assert "".join(one.weighted("abc", (1, 0, 3)) for _ in range(12)) == "cacaccccacac"


def test_a_stream_depends_on_code_and_path_alone() -> None:
    def first(code: str, path: str) -> list[int]:
        one = Rng(code, path)
        return [one.below(1 << 30) for _ in range(20)]

    assert first(CODE, "a") == first(CODE, "a")
    assert first(CODE, "a") != first(CODE, "b")
    assert first(CODE, "a") != first("00000-0023M", "a")


def test_streams_put_their_prefix_before_a_name() -> None:
    streams = RngStreams(CODE, "v1/call_to_arms")
    assert streams.at("left").path == "v1/call_to_arms/left"
    assert streams.under("pennant").at("left").path == "v1/call_to_arms/pennant/left"
    assert streams.at("left").below(1 << 60) == streams.at("left").below(1 << 60)


def test_numbers_are_spread_evenly() -> None:
    one = stream()
    for n in (2, 6, 7, 100):
        counts = Counter(one.below(n) for _ in range(400 * n))
        assert set(counts) == set(range(n))
        chi = sum((c - 400) ** 2 / 400 for c in counts.values())
        assert chi < n + 5 * (2 * n) ** 0.5
    orders = Counter("".join(one.shuffle("abc")) for _ in range(1200))
    assert len(orders) == 6
    assert all(150 < c < 250 for c in orders.values())
    assert {one.die() for _ in range(100)} == set(range(1, 7))
    weighed = Counter(one.weighted("abc", (1, 0, 3)) for _ in range(1000))
    assert 200 < weighed["a"] < 300
    assert not weighed["b"]


def test_the_whole_and_nothing() -> None:
    one = stream()
    assert sorted(one.sample(range(5), 5)) == list(range(5))
    assert one.sample(range(5), 0) == []
    assert one.below(1) == 0
    assert not one.chance(0, 5)
    assert one.chance(5, 5)


def test_what_cannot_be_drawn() -> None:
    one = stream()
    for n in (0, -1, (1 << 64) + 1):
        with pytest.raises(ValueError, match="no number"):
            one.below(n)
    with pytest.raises(ValueError, match="no 3 of 2"):
        one.sample("ab", 3)
    with pytest.raises(ValueError, match="no number"):
        one.choice(())
    with pytest.raises(ValueError, match="no number"):
        one.weighted("ab", (0, 0))
