"""Every mistyped key, word and value of a file, found by holding it against the type it is read as."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec.inspect as types

from generator.errors import near, nearest
from generator.notation.meant import LONGEST, bounds, fits, kinds

if TYPE_CHECKING:
    from generator.notation.toml import KeyPath


SHORT = 3
"""A table of as many fields is shown whole as a hint."""


class Slip(NamedTuple):
    """What the type does not take, where it stands, and a hint at what might stand there."""

    keys: KeyPath
    message: str
    hint: str


def slips(value: object, kind: Any, keys: KeyPath) -> Iterator[Slip]:
    """Every slip of a value that is to become one of that type; it stands at `keys`."""
    return _slips(value, types.type_info(kind), keys)


def _slips(value: object, of: types.Type, keys: KeyPath, told: str = "") -> Iterator[Slip]:
    if isinstance(of, types.Metadata):
        yield from _slips(value, of.type, keys, (of.extra_json_schema or {}).get("description", ""))
        return
    if not fits(value, of):
        yield Slip(keys, kinds(value, of), _form(of, keys))
        return
    if isinstance(of, types.UnionType):
        # A text may be one of a few words or any text: the wider holds.
        taken = sorted((t for t in of.types if fits(value, t)), key=lambda t: isinstance(t, types.LiteralType))
        yield from _slips(value, taken[0], keys)
        return
    message, hint = bounds(value, of, told)
    if message:
        yield Slip(keys, message, hint)
    if isinstance(of, types.LiteralType) and value not in of.values:
        word = str(value)[:LONGEST]
        yield Slip(keys, f"{word!r} is not known", near(word, map(str, of.values)))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _slips(inner, _element(of, index), (*keys, index))
    elif isinstance(value, dict) and isinstance(of, types.DictType):
        for key, inner in value.items():
            yield from _slips(key, of.key_type, (*keys, key))
            yield from _slips(inner, of.value_type, (*keys, key))
    elif isinstance(value, dict) and isinstance(of, types.StructType):
        yield from _fields(value, of, keys)


def _fields(value: Mapping[str, object], of: types.StructType, keys: KeyPath) -> Iterator[Slip]:
    """The slips of a table whose keys are known: a key that is lacking is told unless it is there mistyped."""
    fields = {field.encode_name: field for field in of.fields}
    strange = [key for key in value if key not in fields] if of.cls.__struct_config__.forbid_unknown_fields else []
    mistyped = {nearest(key[:LONGEST], fields) for key in strange}
    for name, field in fields.items():
        if field.required and name not in value and name not in mistyped:
            yield Slip(keys, f"lacks `{name}`", "")
    for key, inner in value.items():
        if key in fields:
            yield from _slips(inner, fields[key].type, (*keys, key))
        elif key in strange:
            yield Slip((*keys, key), "unknown field", near(key[:LONGEST], fields))


def _form(of: types.Type, keys: KeyPath) -> str:
    """How what is meant is written: one of a few words, a short table, a list of tables."""
    if isinstance(of, types.LiteralType):
        return near("", map(str, of.values))
    if isinstance(of, types.StructType):
        needed = [f"{field.encode_name} = …" for field in of.fields if field.required]
        return f"{{ {', '.join(needed)} }}" if 0 < len(needed) <= SHORT else ""
    listed = isinstance(of, types.CollectionType) and isinstance(of.item_type, types.StructType)
    return f"[[{'.'.join(map(str, keys))}]] begins each" if listed and all(isinstance(k, str) for k in keys) else ""


def _element(of: types.Type, index: int) -> types.Type:
    """The type of a list's element."""
    if isinstance(of, types.CollectionType):
        return of.item_type
    if isinstance(of, types.TupleType) and index < len(of.item_types):
        return of.item_types[index]
    return types.AnyType()
