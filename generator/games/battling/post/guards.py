"""Decide whether a single D in a line is the order to guard without a move, or a letter in talk."""

from __future__ import annotations

import re
from collections.abc import Sequence

from generator.games.battling.notation import Order
from generator.games.battling.post.cores import Core
from generator.games.battling.post.mentions import ITEM, NAME, UNIT, Target
from generator.games.battling.post.phrases import (
    ABOUT_AFTER,
    AFTER_GUARD,
    GUARD_BEFORE,
    GUARD_WORD,
    GUARDS_IN_WORDS,
    NAMING_BEFORE,
    ONLY_SIGNS,
    OPENS_GUARD,
    PURPOSE_AFTER,
    REMARK,
    SIGNATURE_BEFORE,
    SMILEY_AFTER,
    SMILEY_BEFORE,
    STATES_GUARD,
    TALK_AFTER,
    TALK_BEFORE,
    UNSURE_GUARD_AFTER,
    WHOLE_GUARD,
)
from generator.games.battling.post.post_line import NEAR, PostLine
from generator.games.battling.post.tokens import Token

MAX_GUARD_SENTENCE = 25
"""The maximum number of characters of a sentence in words before a single D, as in `Unit 2: guard. D`."""
MAX_ANNOUNCED = 20
"""The maximum number of characters between a single D, or a word for it, and the order that it announces."""
LISTED = 4
"""The number of tokens before a single D in which another letter makes the D part of a list, as in `W, R, F, B and
D`.
"""


def guard_cores(tokens: Sequence[Token], covered: set[int]) -> list[Core]:
    """Return each single D of a line, and each word for a guard, as a core. Cores for words are not strict."""
    return [
        Core(at, at + 1, None, token.kind == "letter", "D")
        for at, token in enumerate(tokens)
        if token.text == "D" and token.kind in ("letter", "verb") and at not in covered
    ]


def is_guard_core(core: Core) -> bool:
    """Return whether a core is a single D or a word for a guard."""
    return core.action == "D" and core.item is None and core.end == core.first + 1 and not core.is_reply


def is_compound(line: PostLine, core: Core) -> bool:
    """Return whether a letter belongs to a longer expression, such as `D&D`, `R2-D2` or `D-rank`."""
    start, end = line.start(core), line.end(core)
    before, after = line.text[max(0, start - 2) : start], line.text[end : end + 2]
    if before[-1:] == "&" or after[:1] in ("&", "'"):
        return True
    if after[:1] in ("-", ".", ":") and after[1:2].isalpha():
        return True
    return before[-1:] == "-" and before[:1].isalpha()


def is_called_otherwise(line: PostLine, core: Core, behind: bool) -> bool:
    """Return whether the word before a letter gives it another meaning, as in `vitamin D`, `plan D` and `gets a D`.

    If the AT is mentioned `behind` the letter, only some words may precede the letter, as in `please D for #2`.
    """
    before = line.text[max(0, line.start(core) - NEAR) : line.start(core)]
    return bool(TALK_BEFORE.search(before) or (behind and not OPENS_GUARD.search(before)))


def is_smiley(line: PostLine, core: Core, target: Target | None) -> bool:
    """Return whether a letter is part of a smiley, such as `:D` or `D:`, but not of `#2: D;`."""
    start, after = line.start(core), line.after(core)
    before = line.text[max(0, start - NEAR) : start]
    if after[:1] == ";" and is_stated(line, core, target):
        return False
    return bool(SMILEY_BEFORE.search(before) or SMILEY_AFTER.match(after))


def announces(line: PostLine, core: Core, following: Core | None) -> bool:
    """Return whether a single D or a word only announces the order after it, as in `下がってD：D / 1 / 0508`."""
    if following is None or following.action != "D":
        return False
    between = line.text[line.end(core) : line.start(following)]
    is_whole = isinstance(following.item, Order) or not core.strict
    return is_whole and not re.search(r"[#0-9]", between) and len(between) <= MAX_ANNOUNCED


def belongs(line: PostLine, core: Core, target: Target) -> bool:
    """Return whether the AT before a single D is in the same sentence, or in one that states the guard in words."""
    between = line.between(target, core)
    return target.is_certain or bool(GUARD_WORD.search(between) and len(between) <= MAX_GUARD_SENTENCE)


def is_stated(line: PostLine, core: Core, target: Target | None) -> bool:
    """Return whether ATs are stated by number, or as all, directly before a letter or word for their order."""
    if target is None or not ONLY_SIGNS.fullmatch(line.between(target, core)):
        return False
    return target.rank == UNIT or any(mention.for_all for mention in target.mentions)


def is_guard_in_words(line: PostLine, core: Core, target: Target | None) -> bool:
    """Return whether a word is the order to guard without its letter, as in `#2 guards.` or `#2：防御`."""
    between = line.between(target, core)
    is_named = (
        target is not None
        and target.rank == NAME
        and bool(ONLY_SIGNS.fullmatch(between))
        and between.strip() in (":", "は")
    )
    stated = is_named or (is_stated(line, core, target) and between.strip() != "の")
    return stated and bool(GUARDS_IN_WORDS.match(line.after(core)))


def may_guard_in_words(line: PostLine, core: Core, target: Target | None) -> bool:
    """Return whether a word may be the order of an AT that is stated by its name, as in `The Tortoise guards.`"""
    stated = target is not None and target.rank == NAME and ONLY_SIGNS.fullmatch(line.between(target, core))
    return bool(stated and GUARDS_IN_WORDS.match(line.after(core)))


def is_guard_of(line: PostLine, core: Core, target: Target, given: Sequence[Core]) -> bool:
    """Return whether a single D is the order of an AT that is mentioned before it in its sentence."""
    capital, between, after = line.is_capital(core), line.between(target, core), line.after(core)
    if line.quotation(core) >= 0 and NAMING_BEFORE.search(line.text[: line.tokens[target.mentions[0].first].start]):
        return False
    behind_remark = REMARK.sub("", after, count=1)
    if behind_remark != after and ABOUT_AFTER.match(behind_remark):
        return False
    follows = AFTER_GUARD.match(after)
    for_all = any(mention.for_all for mention in target.mentions)
    if ONLY_SIGNS.fullmatch(between) and (capital or target.rank >= NAME or ":" in between):
        # This also accepts `#2: D hold on!`.
        speaks_on = between.strip() and after[:1].isspace() and not TALK_AFTER.match(after)
        is_item = target.rank == ITEM
        return bool(follows or (speaks_on and not is_item) or (for_all and PURPOSE_AFTER.match(after)))
    if not capital or not follows:
        is_stated = target.is_direct and capital and (target.rank == UNIT or for_all)
        return is_stated and bool(PURPOSE_AFTER.match(after))
    if SIGNATURE_BEFORE.search(between) and not GUARD_WORD.search(between) and not STATES_GUARD.match(after):
        return False
    return target.is_direct or not (for_all or _is_listed(line, core, given))


def may_be_guard_of(line: PostLine, core: Core, target: Target | None) -> bool:
    """Return whether a single D that is not read as a guard may be one, as in `#2はDかな` or `#2 looks good, D`."""
    if target is None or target.rank < NAME:
        return False
    after = line.after(core)
    is_considered = target.is_direct and UNSURE_GUARD_AFTER.match(after)
    follows = bool(ONLY_SIGNS.fullmatch(line.between(target, core)))
    for_all = any(mention.for_all for mention in target.mentions)
    is_stated = target.rank == UNIT or for_all
    is_possible = line.is_capital(core) and (
        target.is_direct or (is_stated and (AFTER_GUARD.match(after) or follows))
    )
    return bool(is_considered or is_possible)


def _is_listed(line: PostLine, core: Core, given: Sequence[Core]) -> bool:
    """Return whether a single D is part of a list of letters, as in `W, R, F, B and D`."""
    near = line.tokens[max(0, core.first - LISTED) : core.first]
    letters = any(token.kind == "letter" and token.text in ("W", "R", "F", "B") for token in near)
    return letters and not any(core.first - LISTED <= other.first < core.first for other in given)


def stands_alone(line: PostLine, core: Core, given: Sequence[Core], is_carried: bool) -> bool:
    """Return whether a single D without an AT is a whole line, part of a list of orders, or called a guard.

    `is_carried` states whether the preceding line states an AT.
    """
    after = line.after(core)
    if line.is_quoted(core, None) and after.strip(' 」』"。.!、'):
        return False
    if line.begins_with(core):
        rest = _rest(line, core)
        if WHOLE_GUARD.fullmatch(rest) or (rest == "です" and is_carried):
            return True
    if not line.is_capital(core) or not AFTER_GUARD.match(after):
        return False
    before = line.text[max(0, line.start(core) - NEAR) : line.start(core)]
    return bool(GUARD_BEFORE.search(before)) or _is_joined(line, core, given)


def _rest(line: PostLine, core: Core) -> str:
    """Return the words after a core, without signs, remarks, quotations and comments."""
    inside = line.brackets.inside
    return "".join(
        line.tokens[at].text
        for at in range(core.end, line.comment)
        if inside[at] == inside[core.first] and line.tokens[at].kind not in ("sign", "open", "close", "unit")
    )


def _is_joined(line: PostLine, core: Core, given: Sequence[Core]) -> bool:
    """Return whether a single D is joined to another order by signs or `and`."""
    at = core.first
    while at > 0 and (line.tokens[at - 1].kind in ("sign", "slash") or line.tokens[at - 1].text in _AND):
        at -= 1
    if at < core.first and any(other.end == at for other in given):
        return True
    following = next((token for token in line.tokens[core.end : core.end + LISTED] if token.kind != "sign"), None)
    return line.begins_with(core) and following is not None and following.kind == "letter"


_AND = ("and", "then", "also", "plus", "と", "さらに", "そして", "加えて")
