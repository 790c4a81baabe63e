"""What many commands print, look over and prove in passing is done once for all tests that ask for it."""

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
"""So many results of a kind are kept: the prints of a whole kit have some hundred kilobytes."""


class Once:
    """Results by what was asked, to the last byte: of functions whose results hang on nothing else."""

    def __init__(self) -> None:
        self.known: OrderedDict[bytes, Any] = OrderedDict()

    def __call__(self, asked: object, make: Callable[[], Any]) -> Any:
        try:
            key = hashlib.sha256(pickle.dumps(asked)).digest()
        except (AttributeError, TypeError, pickle.PicklingError):  # it holds a function of nobody's name
            return make()
        if key not in self.known:
            self.known[key] = make()
            if len(self.known) > KEPT:
                self.known.popitem(last=False)
        self.known.move_to_end(key)
        return self.known[key]


PRINTS, LOOKS, PROOFS, OUTCOMES, TRIALS, BASES, CHECKS, DRAWS, FILES = EVERY = [Once() for _ in range(9)]
_looking: Callable[..., Any] = looking.preflight
_confined, _verify, _outcomes, _counted = sandbox.confined, verify.verify, interpretations.outcomes, trials.counted
_loads = tomllib.loads
_shared, _check, _sought = templates.shared, ruling.check, search.sought


def confined(edition: Any, kind: Any, work: Any, *given: Any, progress: Any) -> Any:
    """What is printed with templates of ours; those of a person's own are files, which may change."""

    def make() -> Any:
        return _confined(edition, kind, work, *given, progress=progress)

    what, *how = given
    if isinstance(what, tuple):  # of kits: what they have besides may be made by a function of nobody's name
        what = [replace(one, usual=one.sheets, more=()) if isinstance(one, Kit) else one for one in what]
    return make() if edition.templates else PRINTS((work.__module__, work.__qualname__, what, how), make)


def preflight(pdf: bytes, *given: Any, measuring: Any = None, **named: Any) -> list[Any]:
    """What is wrong with a print, and its ink where that is measured."""
    before = measuring.inks[:] if measuring else []

    def look() -> tuple[list[Any], list[Any]]:
        found = _looking(pdf, *given, measuring=measuring, **named)
        return found, measuring.inks[len(before) :] if measuring else []

    found, inks = LOOKS((pdf, given, sorted(named.items()), measuring is None), look)
    if measuring:
        measuring.inks[:] = [*before, *inks]
    return list(found)


def proved(claims: Iterable[Any]) -> Any:
    """What was held against Shapely."""
    every = tuple(claims)
    return PROOFS(every, lambda: _verify(every))


def outcomes(scenario: Any, switches: Mapping[str, Any], every: Sequence[Any]) -> list[Any]:
    """What each other choice of a switch would change."""
    asked = scenario, [*switches], [stake.id for stake in every]
    return list(OUTCOMES(asked, lambda: _outcomes(scenario, switches, every)))


def counted(game: Any, scenario: Any, *given: Any, **named: Any) -> Any:
    """What the games or odds of a scenario came to; a round that is packed has them played for itself."""
    return TRIALS((game.name, scenario), lambda: _counted(game, scenario, *given, **named))


def shared(names: Iterable[str]) -> list[str]:
    """The shipped templates of all games that these take from."""
    every = tuple(names)
    return list(BASES(every, lambda: _shared(every)))


def check(rules: Sequence[Any], scenario: Any, mode: str) -> Any:
    """What rules find in a scenario."""
    tests = [(rule.text.id, id(rule.test)) for rule in rules]
    return CHECKS((tests, scenario, mode), lambda: _check(rules, scenario, mode))


def sought(game: Any, order: Any, *given: Any, **named: Any) -> Any:
    """What a code draws, or the first of its candidates that is wished for."""
    drawn = DRAWS((game.name, order), lambda: _sought(game, order, *given, **named))
    if drawn.origin.files:  # a person's own, which may change
        DRAWS.known.popitem()
    return drawn


def loads(text: str) -> dict[str, Any]:
    """What a file in TOML holds: whoever asks may change it."""
    read: dict[str, Any] = pickle.loads(FILES(text, lambda: pickle.dumps(_loads(text))))
    return read


@contextlib.contextmanager
def anew() -> Iterator[None]:
    """Have commands do all of it anew meanwhile; what is known is kept for those after them."""
    with pytest.MonkeyPatch.context() as changed:
        for once in EVERY:
            changed.setattr(once, "known", OrderedDict())
        yield


def share(patch: pytest.MonkeyPatch) -> None:
    """Have the commands of a test share what was done for those before."""
    patch.setattr(sandbox, "confined", confined)
    patch.setattr(looking, "preflight", preflight)
    patch.setattr(verify, "verify", proved)
    patch.setattr(templates, "shared", shared)
    patch.setattr("generator.cli.scenario.check", check)
    patch.setattr("generator.notation.toml.tomllib", SimpleNamespace(**{**vars(tomllib), "loads": loads}))
    for caller in ("drawing", "event_folder"):
        patch.setattr(f"generator.cli.{caller}.sought", sought)
    for verb in (recount, verb_fairness):
        patch.setattr(verb, "counted", counted)
    for module in (interpretations, verb_rulings):
        patch.setattr(module, "outcomes", outcomes)
