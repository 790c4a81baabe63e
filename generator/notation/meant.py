"""What kind of value a file is to hold, in the words of whoever types it."""

from __future__ import annotations

import re

import msgspec.inspect as types

LONGEST = 40
"""As much of a mistyped word is looked at, and told."""

_KINDS: tuple[tuple[type[types.Type], tuple[type, ...], str], ...] = (
    (types.BoolType, (bool,), "true or false"),
    (types.IntType, (int,), "a whole number"),
    (types.FloatType, (int, float), "a number"),
    (types.StrType, (str,), "a text in quotation marks"),
    (types.CollectionType, (list,), "a list in square brackets"),
    (types.TupleType, (list,), "a list in square brackets"),
    (types.DictType, (dict,), "a table"),
    (types.StructType, (dict,), "a table"),
)
"""The kinds of values: what TOML reads them as, and what we call them."""


_BARE = {"true or false", "a whole number", "a number"}
"""What is written without quotation marks."""


def fits(value: object, of: types.Type) -> bool:
    """Whether a value is of the kind that a type takes; a true is no number."""
    if isinstance(of, types.UnionType):
        return any(fits(value, member) for member in of.types)
    if isinstance(of, types.Metadata):
        return fits(value, of.type)
    if isinstance(of, types.LiteralType):
        return type(value) in map(type, of.values)
    known = [taken for kind, taken, _ in _KINDS if isinstance(of, kind)]
    return type(value) in known[0] if known else not isinstance(of, types.NoneType)


def kinds(value: object, of: types.Type) -> str:
    """The sentence that tells what kind of value is meant in place of that one."""
    words = list(dict.fromkeys(_words(of)))
    quoted = isinstance(value, str) and _BARE.intersection(words)
    return f"{' or '.join(words)} is meant{', without quotation marks' if quoted else ''}"


def _words(of: types.Type) -> list[str]:
    if isinstance(of, types.UnionType):
        return [word for member in of.types for word in _words(member)]
    if isinstance(of, types.Metadata):
        return _words(of.type)
    if isinstance(of, types.LiteralType):
        return ["a text in quotation marks" if isinstance(of.values[0], str) else "a whole number"]
    return [words for kind, _, words in _KINDS if isinstance(of, kind)]


def bounds(value: object, of: types.Type, told: str) -> tuple[str, str]:
    """What is wrong with the size or form of a value of the right kind, and a hint; empty where nothing is.

    `told` says in words what its pattern asks for.
    """
    if isinstance(of, types.IntType | types.FloatType) and isinstance(value, int | float):
        return _number(value, of)
    if isinstance(of, types.StrType) and isinstance(value, str):
        if of.pattern and not re.search(of.pattern, value):
            return f"{value[:LONGEST]!r} does not fit", f"{told} is meant" if told else ""
        return _length(len(value), of.min_length, of.max_length, "characters"), ""
    if isinstance(of, types.TupleType) and isinstance(value, list):
        return _length(len(value), len(of.item_types), len(of.item_types), "entries"), ""
    if isinstance(of, types.CollectionType | types.DictType) and isinstance(value, list | dict):
        return _length(len(value), of.min_length, of.max_length, "entries"), ""
    return "", ""


def _number(value: float, of: types.IntType | types.FloatType) -> tuple[str, str]:
    least, most = of.ge, of.le
    small, large = least is not None and value < least, most is not None and value > most
    ends = (
        ("from", least, "to", most)
        if None not in (least, most)
        else ("at least", least)
        if small
        else ("at most", most)
    )
    hint = " ".join(end if isinstance(end, str) else f"{end:g}" for end in ends if end is not None)
    return (f"{value} is too {'small' if small else 'large'}", hint) if small or large else ("", "")


def _length(count: int, least: int | None, most: int | None, what: str) -> str:
    if least is not None and count < least:
        return f"has fewer than {least} {what}" if count else "is empty"
    return f"has more than {most} {what}" if most is not None and count > most else ""
