"""Mistyped keys and words of a file, found by holding it against the type it is read as."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec.inspect as types

from generator.errors import near

if TYPE_CHECKING:
    from generator.notation.toml import KeyPath


LONGEST = 40
"""As much of a mistyped word is looked at, and told."""


class Slip(NamedTuple):
    """A key or a word that the type does not know, where it stands, and a hint at what might stand there."""

    keys: KeyPath
    message: str
    hint: str


def slips(value: object, kind: Any, keys: KeyPath) -> Iterator[Slip]:
    """Every slip of a value that is to become one of that type; it stands at `keys`."""
    return _slips(value, types.type_info(kind), keys)


def _slips(value: object, of: types.Type, keys: KeyPath) -> Iterator[Slip]:
    if isinstance(of, types.UnionType):
        of = _meant(value, of)
    if isinstance(of, types.LiteralType) and type(value) is type(of.values[0]) and value not in of.values:
        word = str(value)[:LONGEST]
        yield Slip(keys, f"{word!r} is not known", near(word, map(str, of.values)))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _slips(inner, _element(of, index), (*keys, index))
    elif isinstance(value, dict) and isinstance(of, types.DictType):
        for key, inner in value.items():
            yield from _slips(inner, of.value_type, (*keys, key))
    elif isinstance(value, dict) and isinstance(of, types.StructType):
        fields = {field.encode_name: field.type for field in of.fields}
        for key, inner in value.items():
            if key in fields:
                yield from _slips(inner, fields[key], (*keys, key))
            elif of.cls.__struct_config__.forbid_unknown_fields:
                yield Slip((*keys, key), "unknown field", near(key[:LONGEST], fields))


def _meant(value: object, of: types.UnionType) -> types.Type:
    """The member of a union that a value is meant for."""
    shapes: tuple[type[types.Type], ...] = (types.StrType, types.LiteralType)
    if isinstance(value, dict):
        shapes = (types.StructType, types.DictType)
    elif isinstance(value, list):
        shapes = (types.CollectionType, types.TupleType)
    meant = [member for shape in shapes for member in of.types if isinstance(member, shape)]
    return meant[0] if meant else types.AnyType()


def _element(of: types.Type, index: int) -> types.Type:
    """The type of a list's element."""
    if isinstance(of, types.CollectionType):
        return of.item_type
    if isinstance(of, types.TupleType) and index < len(of.item_types):
        return of.item_types[index]
    return types.AnyType()
