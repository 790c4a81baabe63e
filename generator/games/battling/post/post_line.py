"""Represent a plain line of a post with its tokens, brackets and sentences, and check the words around an order."""

from __future__ import annotations

from collections.abc import Sequence

from generator.games.battling.post.cores import Core, groups
from generator.games.battling.post.mentions import HEX, Mention, Sentences, Target
from generator.games.battling.post.phrases import (
    ABOUT_AFTER,
    ABOUT_BEFORE,
    ACKNOWLEDGED,
    ASKS_AFTER,
    ASKS_BEFORE,
    BUT_AFTER,
    CONDITION_BEFORE,
    HYPOTHETICAL_AFTER,
    HYPOTHETICAL_BEFORE,
    LATER_AFTER,
    NOT_DUE_BEFORE,
    OTHERS_ORDER_BEFORE,
    PAST_AFTER,
    PAST_BEFORE,
    POLITE,
    QUOTED_REPLY_AFTER,
    QUOTED_REPLY_BEFORE,
    RECEIVED_AFTER,
    REPLACED_BEFORE,
    REPLACES,
    REQUEST_AFTER,
    RESULT_AFTER,
    RETRACTED_AFTER,
    RETRACTED_BEFORE,
    WOULD_LIKE_BEFORE,
    announces_correction,
)
from generator.games.battling.post.tokens import QUOTES, tokenize
from generator.games.battling.post.vocabulary import Vocabulary

NEAR = 40
"""The number of characters next to an order in which words about it are searched."""
MAX_SENTENCE = 400
"""The maximum number of characters of a sentence that are searched on either side of an order."""
MARKS = ' :.,、。!・*-→●■"「『(['
"""Signs that may precede the first order of a line."""


class PostLine:
    """A plain line with its tokens."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self.text = text
        self.tokens = tokenize(text, vocabulary)
        self.brackets = groups(self.tokens)
        self.sentences = Sentences(text)
        self.comment = next((at for at, token in enumerate(self.tokens) if token.kind == "comment"), len(self.tokens))
        """The index of the token with which a comment begins, or the number of tokens if there is no comment."""
        self.corrects = bool(announces_correction(text))
        """Whether the words of the line announce a correction."""

    def start(self, core: Core) -> int:
        """Return the position at which a core begins."""
        return self.tokens[core.first].start

    def end(self, core: Core) -> int:
        """Return the position after a core."""
        return self.tokens[core.end - 1].end

    def after(self, core: Core) -> str:
        """Return the text after a core."""
        return self.text[self.end(core) :]

    def is_capital(self, core: Core) -> bool:
        """Return whether the letter of a core is a capital letter."""
        return self.text[self.start(core)].isupper()

    def begins_with(self, core: Core) -> bool:
        """Return whether only signs precede a core."""
        return not self.text[: self.start(core)].strip(MARKS)

    def between(self, target: Target | None, core: Core) -> str:
        """Return the text between an AT and its order."""
        return self.text[self.tokens[target.mentions[-1].first].end : self.start(core)] if target else ""

    def sentence(self, core: Core) -> tuple[int, int]:
        """Return the start and end of a core's sentence, at most `MAX_SENTENCE` characters away."""
        number, ends = self.sentences.of(self.tokens[core.first]), self.sentences.ends
        start = ends[number - 1] if number else 0
        end = ends[number] if number < len(ends) else len(self.text)
        return max(start, self.start(core) - MAX_SENTENCE), min(end, self.end(core) + MAX_SENTENCE)

    def is_question(self, core: Core) -> bool:
        """Return whether a core's sentence ends with a question mark."""
        return self.text[: self.sentence(core)[1]].endswith("?")

    def quotation(self, core: Core) -> int:
        """Return the index of the quotation mark that opens the quotation around a core, or -1."""
        opening = self.brackets.inside[core.first]
        return opening if opening >= 0 and self.tokens[opening].text in QUOTES else -1

    def is_hypothetical(self, core: Core) -> bool:
        """Return whether a sentence only considers an order, as in `if I had played F / 1108`."""
        if self.corrects:
            return False
        start, end = self.sentence(core)
        words = self.text[start : self.start(core)]
        if WOULD_LIKE_BEFORE.search(words) and BUT_AFTER.search(self.text, self.end(core), end):
            return True
        before = HYPOTHETICAL_BEFORE.search(POLITE.sub("", words))
        return bool(before or HYPOTHETICAL_AFTER.search(self.text, self.end(core), end))

    def is_conditional(self, core: Core) -> bool:
        """Return whether words before an order in its sentence state a condition, as in `otherwise W / 2 / 0908`."""
        start = self.sentence(core)[0]
        return bool(CONDITION_BEFORE.search(POLITE.sub("", self.text[start : self.start(core)])))

    def is_retracted(self, core: Core) -> bool:
        """Return whether an order was given up or is for a later turn, as in `I was going to F / 1108`."""
        before = self.text[max(0, self.start(core) - NEAR) : self.start(core)]
        after = self.after(core)
        return bool(RETRACTED_AFTER.match(after) or LATER_AFTER.match(after) or RETRACTED_BEFORE.search(before))

    def is_replaced(self, core: Core) -> bool:
        """Return whether a single D in the line replaces an order, as in `D instead of F / 1108`."""
        before = self.text[max(0, self.start(core) - NEAR) : self.start(core)]
        return bool(REPLACED_BEFORE.search(before) or REPLACES.match(self.after(core).lstrip()))

    def is_about(self, core: Core, target: Target | None) -> bool:
        """Return whether the words around an order talk about it, as in `your F / 1108 was`."""
        if self.is_hypothetical(core) or self.is_retracted(core) or self.asks(core) or self.acknowledges(core):
            return True
        after = self.after(core)[:NEAR]
        if PAST_AFTER.match(after) and PAST_BEFORE.search(self.text, self.sentence(core)[0], self.start(core)):
            return True
        stated = target is not None and target.is_direct and target.rank >= HEX
        if stated and self.between(target, core).lstrip()[:1] == ":":
            return bool(ABOUT_AFTER.match(after)) and not self.corrects
        replaced = self.corrects or REPLACES.match(after.lstrip())
        named_behind = target is not None and target.mentions[0].first >= core.end
        if ABOUT_AFTER.match(after) and not replaced and not named_behind:
            return True
        start = self.start(core)
        sentence_start = max(self.sentence(core)[0], start - NEAR)
        if not stated and (RESULT_AFTER.match(after) or PAST_BEFORE.search(self.text, sentence_start, start)):
            return True
        return bool(ABOUT_BEFORE.search(self.text[max(0, start - NEAR) : start]))

    def asks(self, core: Core) -> bool:
        """Return whether a sentence asks whether an order is possible, as in `Can #1 F / 1108 from here?`."""
        if ASKS_AFTER.match(self.after(core)):
            return True
        start, end = self.sentence(core)
        return self.text[start:end].rstrip().endswith("?") and bool(ASKS_BEFORE.match(self.text, start))

    def acknowledges(self, core: Core) -> bool:
        """Return whether a sentence repeats the other side's orders, as in `Your #2: D, #3: D noted.`."""
        start, end = self.sentence(core)
        before = OTHERS_ORDER_BEFORE.search(self.text, start, self.start(core))
        return bool(before and ACKNOWLEDGED.search(self.text, self.end(core), end))

    def is_quoted_reply(self, core: Core) -> bool:
        """Return whether the words around a reply show that it belongs to another game or is an example."""
        start, end = self.sentence(core)
        before, after = self.text[start : self.start(core)], self.text[self.end(core) : end]
        return bool(QUOTED_REPLY_BEFORE.search(before) or QUOTED_REPLY_AFTER.match(after))

    def is_past_reply(self, core: Core) -> bool:
        """Return whether words before a reply say that it was or would be one, as in `last time 1108 / 1 / H`."""
        before = self.text[self.sentence(core)[0] : self.start(core)]
        return bool(NOT_DUE_BEFORE.search(POLITE.sub("", before)))

    def is_remark(self, core: Core, before: Sequence[Mention] = (), given: Sequence[Core] = ()) -> bool:
        """Return whether an order is in round brackets that are a remark, and is not the order of their sentence.

        `before` are the mentions before the order that have no order yet, and `given` are the orders before it.
        """
        opening = outer = self.brackets.inside[core.first]
        while outer >= 0 and self.brackets.inside[outer] >= 0:
            outer = self.brackets.inside[outer]
        is_first = not any(token.kind not in ("sign", "open", "close") for token in self.tokens[: max(outer, 0)])
        if outer >= 0 and self.tokens[outer].text == "(" and is_first:
            return True
        if opening < 0 or self.tokens[opening].text != "(":
            return False
        has_order = any(other.end <= opening for other in given)
        return has_order and not any(mention.rank >= HEX for mention in before)

    def is_quoted(self, core: Core, target: Target | None) -> bool:
        """Return whether quotation marks around an order make it a quotation."""
        opening = self.quotation(core)
        if opening < 0:
            return False
        closing = self.brackets.closing[opening]
        end = self.tokens[closing].start if closing < len(self.tokens) else len(self.text)
        if REQUEST_AFTER.match(self.text[end:]):
            return False
        if target is None:
            return True
        if target.mentions[0].first > closing:
            return False
        if target.mentions[-1].first > opening:
            return bool(self.text[end + 1 :].strip(" 。.!、"))
        return bool(RECEIVED_AFTER.match(self.text[end:]))
