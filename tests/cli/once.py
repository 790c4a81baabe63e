"""Compute prints, preflights and proofs once for all tests that request the same result."""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import tomllib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from generator import rules as ruling
from generator.cli import recount, verb_fairness, verb_rulings
from generator.common import interpretations, search, trials
from generator.model.views import Kit
from generator.press.check import preflight as looking
from generator.press.sandbox import sandbox, templates
from generator.sight import verify

KEPT = 200
"""Maximum number of cached results of each kind. The print of a whole kit has several hundred kilobytes."""


class Once:
    """A cache of results, keyed by the pickled request.

    Use it only for functions with results that depend on nothing but the request.
    """

    def __init__(self) -> None:
        self.known: OrderedDict[bytes, Any] = OrderedDict()

    def __call__(self, request: object, make: Callable[[], Any]) -> Any:
        try:
            key = hashlib.sha256(pickle.dumps(request)).digest()
        # the request contains a function that cannot be pickled
        except (AttributeError, TypeError, pickle.PicklingError):
            return make()
        if key not in self.known:
            self.known[key] = make()
            if len(self.known) > KEPT:
                self.known.popitem(last=False)
        self.known.move_to_end(key)
        return self.known[key]


PRINTS, LOOKS, PROOFS, OUTCOMES, TRIALS, BASES, CHECKS, DRAWS, FILES = EVERY = [Once() for _ in range(9)]
_looking: Callable[..., Any] = looking.preflight
_confined, _verify, _outcomes, _counted = (
    sandbox.run_confined,
    verify.verify,
    interpretations.outcomes,
    trials.grade_c,
)
_loads = tomllib.loads
_shared, _check, _sought = templates.shared_templates, ruling.check, search.search_fair


def confined(print_options: Any, kind: Any, work: Any, *given: Any, progress: Any) -> Any:
    """Reuse prints made with shipped templates, but not with a user's templates, which may change."""

    def make() -> Any:
        return _confined(print_options, kind, work, *given, progress=progress)

    what, *how = given
    if isinstance(what, tuple):  # other fields of kits may contain functions that cannot be pickled
        what = [replace(one, usual=one.sheets, more=()) if isinstance(one, Kit) else one for one in what]
    return make() if print_options.templates else PRINTS((work.__module__, work.__qualname__, what, how), make)


def preflight(pdf: bytes, *given: Any, ink_meter: Any = None, **keywords: Any) -> list[Any]:
    """Return the problems of a PDF, and measure its ink if an ink meter is given."""
    before = ink_meter.inks[:] if ink_meter else []

    def look() -> tuple[list[Any], list[Any]]:
        found = _looking(pdf, *given, ink_meter=ink_meter, **keywords)
        return found, ink_meter.inks[len(before) :] if ink_meter else []

    found, inks = LOOKS((pdf, given, sorted(keywords.items()), ink_meter is None), look)
    if ink_meter:
        ink_meter.inks[:] = [*before, *inks]
    return list(found)


def proved(claims: Iterable[Any]) -> Any:
    """Verify the claims with Shapely and return the result."""
    every = tuple(claims)
    return PROOFS(every, lambda: _verify(every))


def outcomes(scenario: Any, switches: Mapping[str, Any], every: Sequence[Any]) -> list[Any]:
    """Return the effects of every alternative choice of the given switches."""
    request = scenario, [*switches], [stake.id for stake in every]
    return list(OUTCOMES(request, lambda: _outcomes(scenario, switches, every)))


def counted(game: Any, scenario: Any, *given: Any, **keywords: Any) -> Any:
    """Return the counted games or odds of a scenario. Packing a round does not use this cache."""
    return TRIALS((game.name, scenario), lambda: _counted(game, scenario, *given, **keywords))


def shared(names: Iterable[str]) -> list[str]:
    """Return the shipped base templates with the given names."""
    every = tuple(names)
    return list(BASES(every, lambda: _shared(every)))


def check(rules: Sequence[Any], scenario: Any, mode: str) -> Any:
    """Check a scenario with the given rules and return the findings."""
    tests = [(rule.text.id, id(rule.test)) for rule in rules]
    return CHECKS((tests, scenario, mode), lambda: _check(rules, scenario, mode))


def sought(game: Any, order: Any, *given: Any, **keywords: Any) -> Any:
    """Return the scenario generated from a code, or the first candidate with the requested fairness."""
    drawn = DRAWS((game.name, order), lambda: _sought(game, order, *given, **keywords))
    if drawn.origin.files:  # the user's files may change
        DRAWS.known.popitem()
    return drawn


def loads(text: str) -> dict[str, Any]:
    """Return the content of a TOML file as a new copy that the caller may change."""
    read: dict[str, Any] = pickle.loads(FILES(text, lambda: pickle.dumps(_loads(text))))
    return read


@contextlib.contextmanager
def without_cached_results() -> Iterator[None]:
    """Disable all caches of this module within the context."""
    with pytest.MonkeyPatch.context() as changed:
        for once in EVERY:
            changed.setattr(once, "known", OrderedDict())
        yield


def share(patch: pytest.MonkeyPatch) -> None:
    """Let the commands of a test share results with earlier commands."""
    patch.setattr(sandbox, "run_confined", confined)
    patch.setattr(looking, "preflight", preflight)
    patch.setattr(verify, "verify", proved)
    patch.setattr(templates, "shared_templates", shared)
    patch.setattr("generator.cli.scenario.check", check)
    patch.setattr("generator.notation.toml.tomllib", SimpleNamespace(**{**vars(tomllib), "loads": loads}))
    for caller in ("drawing", "event_folder"):
        patch.setattr(f"generator.cli.{caller}.search_fair", sought)
    for verb in (recount, verb_fairness):
        patch.setattr(verb, "grade_c", counted)
    for module in (interpretations, verb_rulings):
        patch.setattr(module, "outcomes", outcomes)
