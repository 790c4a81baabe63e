"""What is told of sight, verified: the sentence that says so, plain values of it, and the page of a whole proof."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

from generator.common.game import S, SightTool
from generator.common.tables import shared_words
from generator.model.views import Sheet
from generator.model.words import Words, joined, same

if TYPE_CHECKING:
    from generator.sight.verify import Claim, Verified

Held = tuple["Verified", ...]
"""What was held against Shapely, by kind."""


def verified(claims: Iterable[Claim]) -> Held:
    """Hold claims against Shapely, which is loaded where there are any; DisagreementError where it differs."""
    claims = tuple(claims)
    if not claims:
        return ()
    from generator.sight.verify import verify

    return verify(claims)


def sentence(held: Held) -> Words | None:
    """Return the line that reports what was verified; None if nothing was."""
    texts = shared_words()["verified"]
    if not held:
        return None
    return joined([texts[of.kind].fill(m=grouped(of.lines)) for of in held], "; ", "；")


def grouped(number: int) -> str:
    """A number in groups of three digits."""
    return f"{number:,}"


def rows(held: Held) -> list[dict[str, object]]:
    """The same as plain values (docs/json.md)."""
    return [{"what": of.kind, "held": of.held, "lines": of.lines, "differences": 0} for of in held]


class Case(msgspec.Struct, frozen=True):
    """One way to read the rules of sight, and what every pair comes to under it."""

    rulings: Mapping[str, str]
    held: Held

    @property
    def pairs(self) -> int:
        """How many pairs were judged."""
        return sum(of.lines for of in self.held if of.kind != "traces")

    @property
    def clear(self) -> int:
        """How many of them are in sight of each other."""
        return sum(of.clear for of in self.held)

    @property
    def name(self) -> Words:
        """The choices made; where sight depends on none, that."""
        choices = same(", ".join(f"{switch} = {choice}" for switch, choice in self.rulings.items()))
        return choices if self.rulings else shared_words()["verified"]["no_rulings"]


def proved(sight: SightTool[S], scenario: S) -> tuple[Case, ...]:
    """Every pair under every ruling that sight depends on; DisagreementError where Shapely differs."""
    return tuple(Case(rulings, verified(claims)) for rulings, claims in sight.claims.proof(scenario))


def proof_sentence(cases: tuple[Case, ...]) -> Words:
    """What a proof came to."""
    text = shared_words()["verified"]["proved" if len(cases) > 1 else "proved_one"]
    return text.fill(n=len(cases), m=grouped(sum(case.pairs for case in cases)))


def case_sentence(case: Case) -> Words:
    """What every pair comes to under one combination of rulings."""
    values = {"name": case.name, "m": grouped(case.pairs), "clear": grouped(case.clear)}
    return shared_words()["verified"]["case"].fill(**values)


def case_rows(cases: tuple[Case, ...]) -> list[dict[str, object]]:
    """A proof as plain values (docs/json.md)."""
    return [
        {"rulings": dict(case.rulings), "pairs": case.pairs, "clear": case.clear, "verified": rows(case.held)}
        for case in cases
    ]


def proof_sheet(sight: SightTool[S], scenario: S, cases: tuple[Case, ...]) -> Sheet:
    """A proof as a page; the rulings that a scenario is played by stand out."""
    texts, chosen = shared_words()["verified"], sight.claims.rulings(scenario)
    return Sheet(
        part="proof",
        title=texts["title"],
        template="proof.xml",
        view={
            "of": texts["of"].fill(title=scenario.title),
            "line": proof_sentence(cases),
            "rows": [
                {
                    "name": case.name,
                    "own": all(chosen.get(switch) == choice for switch, choice in case.rulings.items()),
                    "pairs": grouped(case.pairs),
                    "clear": grouped(case.clear),
                    "blocked": grouped(case.pairs - case.clear),
                    "held": sentence(case.held),
                }
                for case in cases
            ],
            "readings": [texts["reading"].fill(name=name, text=text) for name, text in sight.claims.readings.items()],
            "how": [texts[f"how_{kind}"] for kind in dict.fromkeys(of.kind for case in cases for of in case.held)],
        },
    )
