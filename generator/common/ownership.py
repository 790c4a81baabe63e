"""Determine whether content belongs to Muster or to a user.

Content belongs to Muster as long as its values equal those of a shipped file, and to the user as soon as they
differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from msgspec.structs import replace

from generator.common.game import ContentType, Game
from generator.common.tables import shared_words
from generator.model.words import Words, joined, same
from generator.notation.toml import Source

OWNERS: tuple[str, ...] = ("owner", "own")
"""The words by which a file states that it belongs to a user: `owner` in decks, `own` in maps."""
HEAD = frozenset({"name", "note", "source"})
"""The fields that describe the file itself. They are ignored when content is compared with a shipped file."""

Ownership = Literal["house", "owner"]

C = TypeVar("C")


def with_ownership(content: C, source: Source, ours: Iterable[C], owner_word: str = OWNERS[0]) -> C:
    """Return the content of a file with its `source` corrected.

    The content belongs to Muster if its values equal those of a shipped file, unless the file states that it belongs
    to a user. Otherwise the content belongs to the user, and a name or note copied from the shipped file is removed.
    """
    there: list[Any] = list(ours)
    plain: Any = content
    whole: C
    if source.data.get("source") not in OWNERS:
        for one in there:
            if _values(content) == _values(one):
                whole = replace(plain, source=one.source)
                return whole
    changes: dict[str, object] = {"source": owner_word}
    for one in there if len(there) == 1 else ():
        heads = {"name": shared_words()["whose"]["unnamed"], "note": same("")}
        changes |= {key: text for key, text in heads.items() if getattr(one, key, None) == getattr(content, key, 0)}
    whole = replace(plain, **changes)
    return whole


def is_user_content(content: Any) -> bool:
    """Return whether content belongs to a user, rather than to Muster or the game."""
    return content.source in OWNERS


def user_content_words(what: Words, name: Words) -> Words:
    """Return a phrase that credits content to the user, including the name of the content."""
    texts = shared_words()["whose"]
    return texts["named"].fill(what=texts["foot"].fill(what=what), name=name)


class Part(msgspec.Struct, frozen=True):
    """A part of a print, with its owner and its file. The file is empty if there is none."""

    what: Words
    user_made: bool
    file: str = ""


def content_type_of(game: Game[Any], option: str) -> ContentType | None:
    """Return the type of file that an option of the game accepts, or None if it accepts no files."""
    return next(
        (
            content_type
            for content_type in (*game.content_types, *game.borrowed_content_types)
            if content_type.read and option in content_type.takes
        ),
        None,
    )


def print_commands(
    content_type: ContentType, path: Path, games: Iterable[Game[Any]]
) -> list[tuple[list[str], dict[str, str]]]:
    """Return the commands that print with a file of this type, as words and options. Commands for kits come first."""
    if content_type.command:
        return [([*content_type.command], {content_type.takes[0]: str(path)})]
    kits: list[tuple[list[str], dict[str, str]]] = []
    prints: list[tuple[list[str], dict[str, str]]] = []
    for game in games:
        option = content_type.takes[0]
        if content_type_of(game, option) is content_type:
            if any(one.name == option for one in game.options):
                kits.append((["muster", "kit", game.name], {option: str(path)}))
            prints += [(["muster", p.verb, game.name], {option: str(path)}) for p in game.prints if option in p.takes]
    return [*kits, *prints]


def file_ownership(game: Game[Any], files: Mapping[str, Path]) -> dict[str, Ownership]:
    """Return the owner of each of the user's files, keyed by option.

    Raises:
        DataError: If a file is faulty.
    """
    found: dict[str, Ownership] = {}
    for option, path in files.items():
        if (content_type := content_type_of(game, option)) and content_type.read:
            found[option] = "owner" if is_user_content(content_type.read(Source.open(path))) else "house"
    return found


def foot_credit(game: Game[Any], ownership: Mapping[str, Ownership]) -> Words | None:
    """Return the credit at the foot of every page, or None if no file belongs to the user."""
    shelves = [content_type_of(game, option) for option, of in ownership.items() if of == "owner"]
    what = list(dict.fromkeys(content_type.what for content_type in shelves if content_type))
    return shared_words()["whose"]["foot"].fill(what=joined(what)) if what else None


def cover_credits(parts: Iterable[Part], all_ours: Words | None = None) -> list[Words]:
    """Return the credits on a cover: a line for the parts that belong to Muster, and a line for the user's parts.

    If no part is the user's, the only credit is `all_ours`, if given.
    """
    parts, texts = list(parts), shared_words()["whose"]
    ours, users = [part.what for part in parts if not part.user_made], [part for part in parts if part.user_made]
    if all_ours and not users:
        return [all_ours]
    user_parts = [texts["named"].fill(what=part.what, name=part.file) if part.file else part.what for part in users]
    lines = [texts["ours"].fill(what=joined(ours))] if ours else []
    return [*lines, texts["theirs"].fill(what=joined(user_parts))] if user_parts else lines


def _values(content: Any) -> Mapping[str, object]:
    """Return the values of content without the fields that describe its file."""
    return {name: getattr(content, name) for name in content.__struct_fields__ if name not in HEAD}
