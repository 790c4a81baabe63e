"""Read the words printed on pages from data/words.toml and each game's own file, in one language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from generator.errors import DataError
from generator.localization import tr
from generator.model.words import LANGS, Lang, Words
from generator.notation.toml import Source
from generator.store.folders import shipped_path


@lru_cache(64)  # all folders in all languages
def words(folder: str, lang: Lang) -> Mapping[str, Any]:
    """Return data/words.toml and data/<folder>/words.toml as one nested mapping in one language."""
    merged: dict[str, Any] = {}
    for name in dict.fromkeys(("words.toml", Path(folder, "words.toml").as_posix())):
        path = shipped_path("data") / name
        if path.is_file():
            source = Source.open(path, f"data/{name}")
            _merge(merged, _in_language(source, source.data, (), lang))
    return merged


def _in_language(source: Source, value: object, keys: tuple[str | int, ...], lang: Lang) -> Any:
    if isinstance(value, list):
        return [_in_language(source, inner, (*keys, i), lang) for i, inner in enumerate(value)]
    if not isinstance(value, dict):
        raise DataError(source.problem(keys, tr("is not text"), tr("write {{ en = …, ja = … }}")))
    if value.keys().isdisjoint(LANGS):
        return {key: _in_language(source, inner, (*keys, key), lang) for key, inner in value.items()}
    if value.keys() != set(LANGS) or not all(isinstance(v, str) for v in value.values()):
        raise DataError(source.problem(keys, tr("must contain a text for en and a text for ja, and nothing else")))
    return value[lang]


def _merge(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value


def localize_view(value: object, lang: Lang) -> object:
    """Return a view's value with all Words in one language, including those in mappings and sequences."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Words):
        return value[lang]
    if type(value) is dict or isinstance(value, Mapping):
        return {key: localize_view(inner, lang) for key, inner in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, bytes):
        return [localize_view(inner, lang) for inner in value]
    raise TypeError(f"a view holds plain values and Words, not {type(value).__name__}")
