"""Check a file's values against their expected type, and report every wrong key, word and value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import msgspec.inspect as types

from generator.errors import near, nearest
from generator.localization import joined, tr, tr_external
from generator.notation.text import NAME_LIMIT, find_word, name_fault, paragraphs_fault, print_hint

KeyPath = tuple[str | int, ...]


class TextLine(int):
    """The last key of a path to a line in a string of several lines, counted from 0."""


LONGEST = 40
"""The maximum number of characters of a mistyped word that are examined and shown."""

_KINDS: tuple[tuple[type[types.Type], tuple[type, ...], str], ...] = (
    (types.BoolType, (bool,), tr("true or false")),
    (types.IntType, (int,), tr("a whole number")),
    (types.FloatType, (int, float), tr("a number")),
    (types.StrType, (str,), tr("text in quotation marks")),
    (types.CollectionType, (list,), tr("a list in square brackets")),
    (types.TupleType, (list,), tr("a list in square brackets")),
    (types.DictType, (dict,), tr("a table")),
    (types.StructType, (dict,), tr("a table")),
)
"""The kinds of values, as the type in the schema, the Python types that TOML is read as, and the name used in
messages.
"""


_BARE = {"true or false", "a whole number", "a number"}
"""The names of types that are written without quotation marks."""


def is_of_kind(value: object, of: types.Type) -> bool:
    """Return whether a value is of a type's kind. Booleans are not numbers."""
    if isinstance(of, types.UnionType):
        return any(is_of_kind(value, member) for member in of.types)
    if isinstance(of, types.Metadata):
        return is_of_kind(value, of.type)
    if isinstance(of, types.LiteralType):
        return type(value) in map(type, of.values)
    if isinstance(of, types.NoneType):
        return value is None  # TOML has no null, but JSON does
    known = [taken for kind, taken, _ in _KINDS if isinstance(of, kind)]
    return not known or type(value) in known[0]


def expected_kinds(value: object, of: types.Type) -> str:
    """Return the message that states the expected kinds of value."""
    words = list(dict.fromkeys(_words(of)))
    quoted = isinstance(value, str) and _BARE.intersection(words)
    meant = joined(words, " or ", "か")
    return (
        tr("expected {words}, without quotation marks", words=meant)
        if quoted
        else tr("expected {words}", words=meant)
    )


def _words(of: types.Type) -> list[str]:
    if isinstance(of, types.UnionType):
        return [word for member in of.types for word in _words(member)]
    if isinstance(of, types.Metadata):
        return _words(of.type)
    if isinstance(of, types.LiteralType):
        return [tr("text in quotation marks") if isinstance(of.values[0], str) else tr("a whole number")]
    return [words for kind, _, words in _KINDS if isinstance(of, kind)]


def bounds(value: object, of: types.Type, pattern_words: str) -> tuple[str, str]:
    """Return the fault in the size or form of a value of the right kind, and a hint.

    Both are empty if there is no fault.

    `pattern_words` describes what the type's pattern requires.
    """
    if isinstance(of, types.IntType | types.FloatType) and isinstance(value, int | float):
        return _outside(value, of.ge, of.le)
    if isinstance(of, types.StrType) and isinstance(value, str):
        if of.pattern and not re.search(of.pattern, value):
            hint = tr("expected {words}", words=tr_external(pattern_words)) if pattern_words else ""
            return tr("{value!r} does not have the expected form", value=value[:LONGEST]), hint
        return _length(len(value), of.min_length, of.max_length, tr("characters")), ""
    if isinstance(of, types.TupleType) and isinstance(value, list):
        return _length(len(value), len(of.item_types), len(of.item_types), tr("entries")), ""
    if isinstance(of, types.CollectionType | types.DictType) and isinstance(value, list | dict):
        hint = "" if value or isinstance(of, types.DictType) else _form(of.item_type, ())
        return _length(len(value), of.min_length, of.max_length, tr("entries")), hint
    return "", ""


def _outside(value: float, low: float | None, high: float | None) -> tuple[str, str]:
    small, large = low is not None and value < low, high is not None and value > high
    if not (small or large):
        return "", ""
    if low is not None and high is not None:
        hint = tr("give a value from {least:g} to {most:g}", least=low, most=high)
    else:
        hint = tr("at least {least:g}", least=low) if small else tr("at most {most:g}", most=high)
    return tr("{value} is too small", value=value) if small else tr("{value} is too large", value=value), hint


def _length(count: int, low: int | None, high: int | None, what: str) -> str:
    if low is not None and count < low:
        return tr("has fewer than {least} {what}", least=low, what=what) if count else tr("is empty")
    return tr("has more than {most} {what}", most=high, what=what) if high is not None and count > high else ""


SHORT = 3
"""The maximum number of fields of a table that a hint shows in full."""


class ValueFault(NamedTuple):
    """A fault of a value, with its keys, the message, and a hint about accepted values."""

    keys: KeyPath
    message: str
    hint: str


Check = Callable[[Any], Iterable[ValueFault]]
"""A function that yields the faults of a value of the right shape, with keys relative to the value."""


def with_check(check: Check) -> msgspec.Meta:
    """Return an annotation for a type that runs a check for conditions that types cannot express."""
    return msgspec.Meta(extra={"check": check})


def full_match(pattern: str, description: str) -> msgspec.Meta:
    """Return an annotation for a text that matches the whole pattern, without a line end after it."""
    return msgspec.Meta(pattern=rf"^({pattern})$(?!\n)", description=description)


def name_text(limit: int = NAME_LIMIT, *, optional: bool = False) -> msgspec.Meta:
    """Return an annotation for a printable name of limited length, which may be empty if `optional` is true."""

    def check(value: str | dict[str, Any]) -> Iterator[ValueFault]:
        texts = [value] if isinstance(value, str) else [text for text in value.values() if isinstance(text, str)]
        for fault in dict.fromkeys(name_fault(text, limit) for text in texts):
            if fault and (any(texts) or not optional):
                yield ValueFault((), fault, "")

    return with_check(check)


def paragraphs_text(limit: int) -> msgspec.Meta:
    """Return a part of a type: a printable text of several lines, in one or two languages, which may be empty."""

    def check(value: str | dict[str, Any]) -> Iterator[ValueFault]:
        whole: dict[KeyPath, Any] = (
            {(): value} if isinstance(value, str) else {(lang,): of for lang, of in value.items()}
        )
        texts = {keys: text for keys, text in whole.items() if isinstance(text, str)}
        for keys, text in texts.items() if any(texts.values()) else ():
            if fault := paragraphs_fault(text, limit):
                yield ValueFault(keys, fault, print_hint(text))

    return with_check(check)


def known(words: Callable[[], Iterable[str]]) -> msgspec.Meta:
    """Return an annotation for one of the words in a table of the game."""

    def check(value: str) -> Iterator[ValueFault]:
        accepted = list(words())
        if value not in accepted:
            yield ValueFault((), tr("{value!r} is not valid", value=value[:LONGEST]), near(value[:LONGEST], accepted))

    return with_check(check)


def within(ends: Callable[[], tuple[int, int]]) -> msgspec.Meta:
    """Return an annotation for a number within the limits in a table of the game."""

    def check(value: int) -> Iterator[ValueFault]:
        message, hint = _outside(value, *ends())
        if message:
            yield ValueFault((), message, hint)

    return with_check(check)


def parsable_text(read: Callable[[str], object]) -> msgspec.Meta:
    """Return an annotation for a text that `read` accepts. The message of the ValueError of `read` is the fault."""

    def check(value: str) -> Iterator[ValueFault]:
        try:
            read(value)
        except ValueError as error:
            yield ValueFault((), error.args[0], "")

    return with_check(check)


def unique_in_rows(*keys: str) -> msgspec.Meta:
    """Return an annotation for rows that all have different values for each of these keys."""

    def check(rows: list[object]) -> Iterator[ValueFault]:
        for key in keys:
            found = [row.get(key) for row in rows if isinstance(row, dict)]
            for i, value in enumerate(found):
                if isinstance(value, str) and found.count(value) > 1:
                    yield ValueFault(
                        (i, key), tr("the {key} {value} is used twice", key=key, value=value[:LONGEST]), ""
                    )

    return with_check(check)


def value_faults(value: object, kind: Any, keys: KeyPath, taken: bool = False) -> Iterator[ValueFault]:
    """Yield every fault of a value that is read as a type. `keys` is its path.

    If the value has already been read as this type (`taken`), only the checks that types cannot express are run.
    """
    shape, asking = _shape(kind)
    return _value_faults(value, shape, keys, asking if taken else None)


def in_standard_spelling(value: object, kind: Any) -> object:
    """Return a value in which each word that a type enumerates, such as a side, has its standard case and width."""
    return _in_standard_spelling(value, _shape(kind)[0])


def _in_standard_spelling(value: Any, of: types.Type) -> Any:
    if isinstance(of, types.Metadata):
        return _in_standard_spelling(value, of.type)
    if isinstance(of, types.LiteralType) and isinstance(value, str):
        return find_word(value, [word for word in of.values if isinstance(word, str)]) or value
    if isinstance(of, types.UnionType):
        return next((new for inner in of.types if (new := _in_standard_spelling(value, inner)) != value), value)
    if isinstance(of, types.StructType) and isinstance(value, dict):
        fields = {field.encode_name: field.type for field in of.fields}
        return {
            key: _in_standard_spelling(entry, fields[key]) if key in fields else entry for key, entry in value.items()
        }
    if isinstance(of, types.DictType) and isinstance(value, dict):
        return {key: _in_standard_spelling(entry, of.value_type) for key, entry in value.items()}
    if isinstance(of, types.CollectionType) and isinstance(value, list):
        return [_in_standard_spelling(entry, of.item_type) for entry in value]
    return value


@lru_cache(maxsize=64)  # all boards of a folder are read as one type
def _shape(kind: Any) -> tuple[types.Type, frozenset[int]]:
    """Return the structure of a type, and the identities of those of its parts that have further checks."""
    shape, asking = types.type_info(kind), set[int]()

    def look(of: types.Type, above: tuple[int, ...]) -> None:
        here = (*above, id(of))
        if id(of) in above:
            return
        if isinstance(of, types.Metadata) and of.extra:
            asking.update(here)
        for inner in _parts(of):
            look(inner, here)

    look(shape, ())
    return shape, frozenset(asking)


def _parts(of: types.Type) -> Iterable[types.Type]:
    """Return the types that a type contains directly."""
    if isinstance(of, types.StructType):
        return [field.type for field in of.fields]
    if isinstance(of, types.DictType):
        return of.key_type, of.value_type
    if isinstance(of, types.CollectionType):
        return (of.item_type,)
    if isinstance(of, types.Metadata):
        return (of.type,)
    return of.item_types if isinstance(of, types.TupleType) else of.types if isinstance(of, types.UnionType) else ()


def _value_faults(
    value: object, of: types.Type, keys: KeyPath, asking: frozenset[int] | None, description: str = ""
) -> Iterator[ValueFault]:
    if asking is not None and id(of) not in asking:
        return
    if isinstance(of, types.Metadata):
        found = list(_value_faults(value, of.type, keys, asking, (of.extra_json_schema or {}).get("description", "")))
        yield from found
        if of.extra and all(fault.keys != keys for fault in found):
            for fault in of.extra["check"](value):
                yield fault._replace(keys=(*keys, *fault.keys))
        return
    if not is_of_kind(value, of):
        yield ValueFault(
            keys,
            expected_kinds(value, of),
            _form(of, keys) or (description and tr("expected {words}", words=tr_external(description))),
        )
        return
    if isinstance(of, types.UnionType):
        # If a text may be one of several words or any text, the wider type applies.
        taken = sorted((t for t in of.types if is_of_kind(value, t)), key=lambda t: isinstance(t, types.LiteralType))
        yield from _value_faults(value, taken[0], keys, asking)
        return
    message, hint = bounds(value, of, description)
    if message:
        yield ValueFault(keys, message, hint)
    if isinstance(of, types.LiteralType) and value not in of.values:
        word = str(value)[:LONGEST]
        yield ValueFault(keys, tr("{word!r} is not valid", word=word), near(word, map(str, of.values)))
    elif isinstance(value, list):
        for index, inner in enumerate(value[: getattr(of, "max_length", None)]):
            yield from _value_faults(inner, _element(of, index), (*keys, index), asking)
    elif isinstance(value, dict) and isinstance(of, types.DictType):
        for key, inner in value.items():
            yield from _value_faults(key, of.key_type, (*keys, key), asking)
            yield from _value_faults(inner, of.value_type, (*keys, key), asking)
    elif isinstance(value, dict) and isinstance(of, types.StructType):
        yield from _fields(value, of, keys, asking)


def _fields(
    value: Mapping[str, object], of: types.StructType, keys: KeyPath, asking: frozenset[int] | None
) -> Iterator[ValueFault]:
    """Yield the faults of a table with known keys. A missing key is not reported if it is present with a typo."""
    fields = {field.encode_name: field for field in of.fields}
    strange = [key for key in value if key not in fields] if of.cls.__struct_config__.forbid_unknown_fields else []
    mistyped = {nearest(key[:LONGEST], fields) for key in strange}
    for name, field in fields.items():
        if field.required and name not in value and name not in mistyped:
            yield ValueFault(keys, tr("`{name}` is missing", name=name), "")
    for key, inner in value.items():
        if key in fields:
            yield from _value_faults(inner, fields[key].type, (*keys, key), asking)
        elif key in strange:
            yield ValueFault((*keys, key), tr("unknown field"), near(key[:LONGEST], fields))


def _form(of: types.Type, keys: KeyPath) -> str:
    """Return the form of the expected value, such as one of several words, a short table, or a list of tables."""
    if isinstance(of, types.UnionType):
        return next(filter(None, (_form(member, keys) for member in of.types)), "")
    if isinstance(of, types.LiteralType):
        return near("", map(str, of.values))
    if isinstance(of, types.StructType):
        needed = [f"{field.encode_name} = …" for field in of.fields if field.required]
        return f"{{ {', '.join(needed)} }}" if 0 < len(needed) <= SHORT else ""
    listed = isinstance(of, types.CollectionType) and isinstance(of.item_type, types.StructType)
    return (
        tr("start each entry with [[{keys}]]", keys=".".join(map(str, keys)))
        if listed and all(isinstance(k, str) for k in keys)
        else ""
    )


def _element(of: types.Type, index: int) -> types.Type:
    """Return the type of a list's element."""
    if isinstance(of, types.CollectionType):
        return of.item_type
    if isinstance(of, types.TupleType) and index < len(of.item_types):
        return of.item_types[index]
    return types.AnyType()
