"""Verify lines of sight with Shapely and report the results as sentences, plain values and a page."""

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

Verifications = tuple["Verified", ...]
"""The results of verification with Shapely, one for each kind of claim."""


def verify_claims(claims: Iterable[Claim]) -> Verifications:
    """Verify claims with Shapely, which is imported only if there are claims.

    Raises:
        DisagreementError: If Shapely's result differs for any claim.
    """
    claims = tuple(claims)
    if not claims:
        return ()
    from generator.sight.verify import verify

    return verify(claims)


def sentence(held: Verifications) -> Words | None:
    """Return the line that reports what was verified, or None if nothing was verified."""
    texts = shared_words()["verified"]
    if not held:
        return None
    return joined([texts[of.kind].fill(m=group_digits(of.lines)) for of in held], ". ", "。")


def group_digits(number: int) -> str:
    """Return a number with commas between groups of three digits."""
    return f"{number:,}"


def rows(held: Verifications) -> list[dict[str, object]]:
    """Return the results as plain values for JSON (docs/json.md)."""
    return [{"what": of.kind, "held": of.held, "lines": of.lines, "differences": 0} for of in held]


class Case(msgspec.Struct, frozen=True):
    """A combination of the rulings on sight, with the verification results for every pair of cells."""

    rulings: Mapping[str, str]
    held: Verifications

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return sum(of.lines for of in self.held if of.kind != "traces")

    @property
    def clear(self) -> int:
        """The number of pairs with a clear line of sight."""
        return sum(of.clear for of in self.held)

    @property
    def name(self) -> Words:
        """The rulings as text, or a sentence stating that no rulings affect sight."""
        choices = joined(same(f"{switch} = {choice}") for switch, choice in self.rulings.items())
        return choices if self.rulings else shared_words()["verified"]["no_rulings"]


def prove_all_pairs(sight: SightTool[S], scenario: S) -> tuple[Case, ...]:
    """Verify every pair under every combination of rulings that affects sight.

    Raises:
        DisagreementError: If Shapely's result differs for any pair.
    """
    return tuple(Case(rulings, verify_claims(claims)) for rulings, claims in sight.claims.proof(scenario))


def proof_sentence(cases: tuple[Case, ...]) -> Words:
    """Return the line that reports the whole proof."""
    text = shared_words()["verified"]["proved" if len(cases) > 1 else "proved_one"]
    return text.fill(n=len(cases), m=group_digits(sum(case.pairs for case in cases)))


def case_sentence(case: Case) -> Words:
    """Return the line that reports the proof for one combination of rulings."""
    values = {"name": case.name, "m": group_digits(case.pairs), "clear": group_digits(case.clear)}
    return shared_words()["verified"]["case"].fill(**values)


def case_rows(cases: tuple[Case, ...]) -> list[dict[str, object]]:
    """Return the proof as plain values for JSON (docs/json.md)."""
    return [
        {"rulings": dict(case.rulings), "pairs": case.pairs, "clear": case.clear, "verified": rows(case.held)}
        for case in cases
    ]


def proof_sheet(sight: SightTool[S], scenario: S, cases: tuple[Case, ...]) -> Sheet:
    """Return the proof as a page on which the rulings of the scenario are highlighted."""
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
                    "pairs": group_digits(case.pairs),
                    "clear": group_digits(case.clear),
                    "blocked": group_digits(case.pairs - case.clear),
                    "held": sentence(case.held),
                }
                for case in cases
            ],
            "readings": [texts["reading"].fill(name=name, text=text) for name, text in sight.claims.readings.items()],
            "how": [texts[f"how_{kind}"] for kind in dict.fromkeys(of.kind for case in cases for of in case.held)],
        },
    )
