"""The log of a draw: what was drawn, for whom, from which random stream, and what came."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from generator.errors import near
from generator.games.filing import Reading, Short
from generator.games.words import shared_words
from generator.model.words import Words, joined, same
from generator.notation import emit
from generator.rules.rule import Fault

STEP_LIMIT, RESULT_LIMIT = 1000, 100
"""A runaway file gets its answer at once."""


@dataclass(frozen=True)
class Step:
    """One step of a draw."""

    what: str
    """A key of [step] in the game's words.toml."""
    who: str | None
    """The side it was drawn for."""
    stream: str
    """Empty where the choice was wished for or follows from the rules."""
    result: tuple[str, ...]

    @property
    def shown(self) -> tuple[str, str | None, tuple[str, ...]]:
        """What the scenario itself must show of it."""
        return self.what, self.who, self.result


class StepRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step as a scenario file has it."""

    step: Short
    result: Annotated[tuple[Short, ...], msgspec.Meta(max_length=RESULT_LIMIT)] = ()
    who: Short = ""
    stream: Short = ""


Log = Annotated[tuple[StepRow, ...], msgspec.Meta(max_length=STEP_LIMIT)]


def log_lines(log: Iterable[Step]) -> list[str]:
    """The tables [[log]] of a scenario file."""
    lines = []
    for step in log:
        row: dict[str, object] = {"step": step.what}
        row |= {"who": step.who} if step.who else {}
        row |= {"stream": step.stream} if step.stream else {}
        lines += ["", "[[log]]", *emit.lines(row | {"result": step.result})]
    return lines


def steps(reading: Reading, log: Log, known: Iterable[str]) -> tuple[Step, ...]:
    """The log as read; whoever a step was drawn for must be one of the `known`, or nobody."""
    sides = list(dict.fromkeys(known))
    for number, row in enumerate(log):
        if row.who and row.who not in sides:
            reading.fault(("log", number, "who"), f"nobody here is {row.who!r}", near(row.who, sides))
    return tuple(Step(row.step, row.who or None, row.stream, row.result) for row in log)


def exported(log: Iterable[Step]) -> list[dict[str, Any]]:
    """The log in the JSON form."""
    return [{"step": s.what, "who": s.who, "stream": s.stream, "result": list(s.result)} for s in log]


def false_steps(
    log: Iterable[Step], known: Iterable[str], shown: Iterable[tuple[str, str | None, tuple[str, ...]]]
) -> Iterator[Fault]:
    """Steps that nobody knows (reason `unknown`), or that the scenario does not bear out (reason `false`)."""
    known, shown = set(known), set(shown)
    for number, step in enumerate(log, 1):
        if step.what not in known:
            yield Fault(f"log {number}", "unknown", {"step": step.what})
        elif step.shown not in shown:
            told = " ".join((step.what, *([step.who] if step.who else []), *step.result))
            yield Fault(f"log {number}", "false", {"told": told})


def checklist(
    log: Iterable[Step], tell: Callable[[Step], Words], side: Callable[[str], Words]
) -> list[dict[str, object]]:
    """A log as a sheet has it: consecutive steps of a side in one group, each in words.

    A group is ticked off, but for what a search for a fair scenario left: nobody does that at the table.
    """
    groups: list[tuple[tuple[str | None, bool], list[Words]]] = []
    for step in log:
        head = step.who, step.what not in shared_words()["fair_step"]
        if not groups or groups[-1][0] != head:
            groups.append((head, []))
        groups[-1][1].append(tell(step))
    return [{"who": side(who) if who else same(""), "ticked": own, "steps": told} for (who, own), told in groups]


def told(step: Step, by: Mapping[str, Words], call: Callable[[str], Words], missing: str = "") -> Words:
    """A step in words; one that nobody knows tells its name and result.

    `by` has each kind of step in words, `call` names a part of its result. Where `missing` stands among the parts,
    the kind's `…_none` is used if there is one.
    """
    result = [call(part) for part in step.result]
    what = f"{step.what}_none" if missing in step.result and f"{step.what}_none" in by else step.what
    if what not in by:
        return joined([same(what), *result])
    try:
        return Words(
            by[what].en.format(*(r.en for r in result), result=" ".join(r.en for r in result)),
            by[what].ja.format(*(r.ja for r in result), result="・".join(r.ja for r in result)),
        )
    except IndexError:  # a hand-written step that says less than the words ask for
        return joined([same(what), *result])
