"""Recognise lines in a list of players that contain more than a name, such as results, pairs, points and remarks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

from generator.localization import tr
from generator.tournament.csv_files import accepted_headings, cell_words, column_name, means, plain, plain_words

_COUNT = "(?:[0-9０-９]{1,3}(?:[.,][05]|½)?|½)"
_SCORE = re.compile(
    rf"(?:^|[^\w½.,]){_COUNT}\s*[-‐–—−－:：]\s*{_COUNT}(?=$|[^\w½])|[○●◯]\s*[-–—－]?\s*[×✕●]|[×✕]\s*[-–—－]?\s*[○◯]"
)
"""Matches a score of two players, such as 2-1, 1 : 0, ½-½ or ○-×."""
_TIME = re.compile(
    r"^[\[(]?(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?\s*(?:[AP]M)?[\])]?\s|\s(?:[01]?[0-9]|2[0-3]):[0-5][0-9]\s*(?:[AP]M)?[)\]]?$",
    re.IGNORECASE,
)
"""Matches a time of day at the beginning or end of a line, as in a chat."""
_VERSUS = re.compile(
    r"\s(?:vs?\.?|versus|gegen|contre|contra|contro|beats?|bt\.?|defeats?|defeated)\s|\s対|対\s", re.IGNORECASE
)
_DASH = re.compile(r"\S\s+[-‐–—−－]+\s+\S")
"""Matches a dash with spaces around it, which does not occur in names. It separates two players, or a name and a
note.
"""
_COLON = re.compile(r"\w\s*(?::\s|：|[|｜；])\s*\S")
_POINTS = re.compile(r"^(.*\S)\s+[0-9]{1,4}(?:[.,][05]|½)?\s*(?:pts?\.?|points?|punkte|点|勝)?$", re.IGNORECASE)
_RATED = re.compile(r"^(.*\S)\s*[(（\[［][0-9]{3,4}[)）\]］]$")
"""Matches a name with a rating in brackets."""
_COUNT_LINE = re.compile(
    r"^(?:(?:以上|以下|計|合計|全部で|全|total|sum|in\s+all|all\s+in\s+all|zusammen|gesamt)[\s、:：の]*)?[0-9０-９]{1,3}\s*"
    r"(?:名(?:様)?|人|players?|people|persons?|entries|names|participants|Spieler|Teilnehmer|joueurs|jugadores)"
    r"(?:です|でした|となります|になります|でお願いします|のみ)?[。.!！]*$"
    r"|^(?:total|sum|計|合計|gesamt)\s*[:：]?\s*[0-9０-９]{1,3}$",
    re.IGNORECASE,
)
"""Matches a line that counts the players, such as `以上4名` or `4 players`."""
_NO_LETTERS = re.compile(r"^[\W_]+$")
_EMPTY_NUMBER = re.compile(r"^[(（\[#]?\s*[0-9０-９]{1,3}\s*[.)）:：、．\]]+[\W_]*$|^[①-⑳][\W_]*$")
"""Matches a number of a list without a name after it."""
_SENTENCE = re.compile(r"(?:です|ます|ました|でした|ません|ください|下さい)[。.!！♪〜～ー…]*$|。$")
"""Matches the end of a Japanese sentence, which does not end a name."""
_SENTENCE_PARTS = re.compile(
    r"[一-鿿ァ-ヺーA-Za-z0-9０-９](?:は|を|には|までに).+(?:から|まで|のみ|こと|予定|可|募集中|必須|厳守|各自|無料|円)$"
    r"|^[一-鿿ァ-ヺー]{2,}は[、\s]?[一-鿿ァ-ヺー0-9０-９]{2,}"
)
"""Matches a Japanese note that is not a whole sentence."""
_REMOVED = re.compile(r"^(?:[>＞|]|//|;|%)")
"""Matches the sign of a quotation or of a line that is switched off."""
_MARK = "[○◯〇●◎△▲×✕✖✗✘✓✔☑✅❌⭕❎?？]"
_ANSWERED = re.compile(rf"\S\s*{_MARK}+$|^{_MARK}+\s*\S|^x\s+\S|\S\s+x$")
"""Matches a mark before or after a name."""
_COMMENT = re.compile(r"\S\s+#\s*(?![0-9\s]+$)\S")
"""Matches a name and a comment as in YAML. The number in `Guest #2` is not a comment."""
_SEVERAL = re.compile(
    r"\S\s*(?:[+＋]\s*[1-9１-９]|[×✕]\s*[2-9２-９]|(?<=\s)x\s?[2-9]|[(（]?\s*[2-9２-９]\s*(?:名|人|players|people|persons)\s*[)）]?"
    r"|(?:他|ほか|外)\s*[0-9０-９]{1,2}\s*(?:名|人))$|\s[(（\[]?plus\s+(?:one|two|[1-9])[)）\]]?$"
    r"|\s[(（\[]?(?:and|with|plus|&|[+＋])\s*(?:an?\s+|[1-9]\s+|one\s+|two\s+)?(?:guest|friend|partner)s?[)）\]]?$",
    re.IGNORECASE,
)
"""Matches more than one player, such as `Ann +1`, `Ann ×2` or `田中 他1名`."""
_LISTED = re.compile(r"\S\s*[、，]\s*\S|[一-鿿]・[一-鿿]+・[一-鿿]")
"""Matches several names in a line."""
_JOINED = re.compile(
    r"\w[.)）’']?\s*[&＆+＋]\s*[^\W\d]|[^\W\d]{2}[.)）’']?\s*[/／]\s*[^\W\d]{2}"
    r"|[一-鿿々ァ-ヺーA-Za-zＡ-Ｚａ-ｚ](?:さん|くん|君|ちゃん)?(?:と|及び|および|\s+と\s+)[一-鿿ァ-ヺA-Za-zＡ-Ｚａ-ｚ]"
)
"""Matches two names with a sign or a Japanese particle between them, such as `Ann & Bob` or `田中と鈴木`.

A single letter next to a slash is an initial.
"""
_GAP = re.compile(r"\S\s{2,}\S")
"""Matches a gap that is wider than the space in a name."""
_DOUBLE_SPACE = re.compile(r"[^\W\d_一-鿿ぁ-ヿ][^\s一-鿿ぁ-ヿ]*  [^\W\d_一-鿿ぁ-ヿ][^\s一-鿿ぁ-ヿ]*")
"""Matches two words with two spaces between them, which are usually a typing error."""
_HAN_WORDS = re.compile(r"(?:[一-鿿々ぁ-ゖ]+\s+){2,}[一-鿿々ぁ-ゖ]+|[一-鿿々]{4,}\s+[一-鿿々]{4,}")
"""Matches Japanese names with spaces between them: three words, or two words that are longer than parts of a name."""
_IN_BRACKETS = re.compile(r"[(（\[［][^()（）\[\]［］]*[)）\]］]")
_BRACKETED = re.compile(
    r"^\s*(?:【[^【】]*】|\[[^\[\]]*\]|［[^［］]*］|<[^<>]*>|＜[^＜＞]*＞|《[^《》]*》|[(（][^()（）]*[)）])\s*$"
)
_TEAM_LINE = re.compile(r"^(?:team\s|チーム)", re.IGNORECASE)
_LABEL = re.compile("第?(?:[a-z]|[0-9]{1,2}|[ivx]{1,4}|[一二三四五六七八九十]{1,2})")
"""Matches the letter or number of a group in a title such as `Group A` or `第1組`, without spaces and case."""
_TITLE_SIGNS = " \t\u3000:：【】[]［］()（）<>＜＞《》〈〉「」『』■□◆◇●○▼▽▲△↓⇓→⇒▶►*＊#＃※=＝~～〜-–—―─━_・•.。!！|/\\"
"""Characters around a title."""
_TITLE_COUNT = re.compile(r"[\s:(]*[0-9]{1,3}\s*(?:名|人|件|players?|people|persons?|entries)?\s*\)?$", re.IGNORECASE)
"""Matches the number of players at the end of a title."""
_NOTE_SIGN = re.compile(r"\s*(?:[※＊]|\*(?!\*)|注[)）:：]|[(（]注[)）])\s*\S.*(?<![*＊※])$")
"""Matches the sign of a note below a list."""
_MIN_SENTENCE_WORDS, _MAX_SENTENCE_CHARS = 4, 300
_SOME_ROUNDS = re.compile(
    r"\b(?:from|until|till|after|before|miss(?:es)?|skips?|only|not)\s+(?:in\s+)?(?:r|rd\.?|round)\s?[0-9]"
    r"|\b(?:r|rd\.?|round)\s?[0-9]\s*(?:on(?:wards?)?\b|only\b|\+)",
    re.IGNORECASE,
)
"""Matches a remark that a player does not play every round, such as `R2 on` or `until round 3`."""
_STRUCK = re.compile(r"~~((?:(?!~~).)+)~~")
_BREAK = re.compile(r"\s*[\r\n\u2028]\s*")
_NOTE = re.compile(
    r"[(（\[［【]([^()（）\[\]［］【】]+)[)）\]］】]\s*$|\s(?:[-–—*]+|#)\s*(\S.*)$|[,、：:]\s*(\S.*)$"
    r"|(?:[-=]+>|[→⇒＝※…]|\.\.\.+|‥)\s*(\S.*)$|(?:さん|くん|君|様|ちゃん|氏)\s*(\S.*)$"
)
"""Matches a note after a name, in brackets or after a sign or a form of address."""
_NOTE_BEFORE = re.compile(r"^\s*[(（\[［【<＜]([^()（）\[\]［］【】<>＜＞]+)[)）\]］】>＞]\s*[^\s)）\]］】>＞]")
"""Matches a note in brackets before a name."""
_ROUNDS_AFTER = re.compile(
    r"\s(?:r|rd\.?|round)\s?[2-9]$|\s(?:r\s?[0-9]+|[0-9]+\s?(?:r|ラウンド|回戦|戦目?|日目))(?:から|まで|のみ|だけ|以降|より)",
    re.IGNORECASE,
)
"""Matches the rounds that a player plays, at the end of a name, such as `R2` or `2回戦から`."""


def without_double_spaces(names: Sequence[str]) -> list[str]:
    """Return names in which two spaces between the two words of a name are one space, if few lines have such a gap.

    If most lines have a gap, they are a table without headings.
    """
    if 2 * sum(bool(_GAP.search(name)) for name in names) >= max(2, len(names)):
        return list(names)
    return [name.replace("  ", " ") if _DOUBLE_SPACE.fullmatch(name) else name for name in names]


def line_fault(name: str, headed: bool) -> tuple[str, str] | None:
    """Return the reason that a line is not a name and a hint, or None if it may be a name.

    Below a heading for names, only scores of two players are rejected, so that any name can be listed.
    """
    hint = tr(
        "list only players, one per line; give pairings with --pairings and results with muster tournament results"
    )
    if not headed and _TIME.search(name):
        return tr("“{text}” contains a time of day", text=name[:60]), tr("keep only the names, one per line")
    if "~~" in name and not is_struck_out(name):
        return tr("only a part of “{text}” is struck out", text=name.replace("~~", "")[:60].strip()), tr(
            "delete the part that is struck out, or the marks around it"
        )
    score = _SCORE.search(name)
    between = score and name[: score.start()].strip() and name[score.end() :].strip()
    if score and (not headed or between or _DASH.search(name) or _VERSUS.search(name)):
        return tr("“{text}” contains a score", text=name[:60]), hint
    if _COUNT_LINE.match(name) or (name and (_NO_LETTERS.match(name) or means(name, cell_words().unsure))):
        if means(name, cell_words().bye):
            return None  # The caller reports that the name is missing.
        return tr("“{text}” is not a name", text=name[:60]), tr("delete this line, or write the player's name")
    if headed and _is_marked(name) and not is_gone(name):
        return tr("“{text}” looks like a name and a mark", text=name[:60]), tr(
            "keep only the name, and write the mark into a column such as {column}", column=column_name("status")
        )
    if headed or is_section_title(name):
        return None
    if is_vacancy(name):
        return tr("“{text}” is not a name", text=name[:60]), tr("delete this line, or write the player's name")
    if _EMPTY_NUMBER.match(name):
        return tr("“{text}” is a number without a name", text=name[:60]), tr(
            "delete this line, or write the player's name"
        )
    if begins_with_note_sign(name) or has_note_label(name):
        return tr("“{text}” looks like a note, not a name", text=name[:60]), tr(
            "delete this line; if the whole line is a name, begin the list with the line {named}", named="name"
        )
    if _REMOVED.match(name):
        return tr("“{text}” begins with a sign that is not part of a name", text=name[:60]), tr(
            "delete the sign, or the whole line if this player does not take part"
        )
    if _VERSUS.search(name):
        return tr("“{text}” looks like the names of two players", text=name[:60]), hint
    alone = tr("keep only the name; if the whole line is a name, begin the list with the line {named}", named="name")
    if (_GAP.search(name) and not is_gone(name)) or _HAN_WORDS.fullmatch(name):
        message = tr("“{text}” looks like more than one player", text=" ".join(name[:60].split()))
        return message, tr(
            "write each player on a separate line; if the lines have columns, begin the list with a line of headings "
            "and separate the columns with commas or tabs; if the whole line is a name, begin the list with the line "
            "{named}",
            named="name",
        )
    if _DASH.search(name) and not is_gone(name):
        return tr("“{text}” looks like two names, or a name and a remark", text=name[:60]), alone
    if _COLON.search(name) and not is_gone(name):
        return tr("“{text}” looks like a name and a remark", text=name[:60]), alone
    if _SEVERAL.search(name) or _LISTED.search(name) or _is_joined(name):
        several = tr(
            "write each player on a separate line; if the whole line is a name, begin the list with the line {named}",
            named="name",
        )
        return tr("“{text}” looks like more than one player", text=name[:60]), several
    if _COMMENT.search(name) and not is_gone(name):
        return tr("“{text}” looks like two names, or a name and a remark", text=name[:60]), alone
    if _ANSWERED.search(name):
        return tr("“{text}” looks like a name and a mark", text=name[:60]), alone
    if is_sentence(name) or has_word(name, cell_words().courtesies):
        return tr("“{text}” looks like a sentence, not a name", text=name[:60]), alone
    return None


def _is_marked(name: str) -> bool:
    """Return whether a name in a column has a mark before or after it that is not part of a name."""
    return bool(_ANSWERED.search(name)) and not name.endswith("x")


def _is_joined(name: str) -> bool:
    """Return whether a line has a word or a sign between the names of two players, such as `Ann and Bob`.

    `José Ortega y Gasset` is one player. A slash in brackets is not between names, as in `Ann (she/her)`.
    """
    if _JOINED.search(_IN_BRACKETS.sub("", name)):
        return True
    words, known = (name.casefold() if name.isupper() else name).split(), cell_words()
    return any(
        word in known.joins or (word in known.joins_surnames and (before == 1 or len(words) - before > 2))
        for before, word in enumerate(words[1:-1], 1)
    )


def section_fault(names: Sequence[str], name: str) -> bool:
    """Return whether a line looks like the title of a part of a list, such as `【Red】` or `Waiting list`."""
    if is_section_title(name):
        return True
    signs = (_BRACKETED.match, _TEAM_LINE.match, is_labelled_group)
    return any(sign(name) and not all(map(sign, names)) for sign in signs)


def is_section_title(text: str) -> bool:
    """Return whether a text is the title of players who do not play yet or any more, such as `Cancelled (2):`.

    Signs around the title, a count, and words such as “players” or 一覧 make no difference.
    """
    sections = plain_words(cell_words().sections)
    title = _TITLE_COUNT.sub("", unicodedata.normalize("NFKC", text).strip(_TITLE_SIGNS)).strip(_TITLE_SIGNS)
    if plain(title) in sections:
        return True
    words = re.split(r"[^\w'-]+", title.casefold())
    rest = [word for word in words if word not in cell_words().around_sections]
    stem = plain(title)
    for word in _wide_words_around():
        stem = stem.removeprefix(word).removesuffix(word)
    return (rest != words and plain("".join(rest)) in sections) or stem in sections


@cache
def _wide_words_around() -> list[str]:
    """Return the words without spaces around them that may surround the title of a section, longest first."""
    words = (word for word in map(plain, cell_words().around_sections) if not word.isascii())
    return sorted(words, key=len, reverse=True)


def begins_with_note_sign(text: str) -> bool:
    """Return whether a text begins with the sign of a note, as in `※鈴木さんは2回戦から`."""
    return bool(_NOTE_SIGN.match(text))


def has_note_label(text: str) -> bool:
    """Return whether a text begins with the label of a note, as in `Note: …` or `備考：…`."""
    label, colon, note = re.sub("[：]", ":", text).partition(":")
    return bool(colon and note.strip()) and means(label.strip(_TITLE_SIGNS), cell_words().note_labels)


def is_vacancy(text: str) -> bool:
    """Return whether a text means that a place is free, or that the list ends, such as `（空き）`, 募集中 or 以上."""
    return means(text.strip(_TITLE_SIGNS), cell_words().vacancies)


def is_sentence(text: str) -> bool:
    """Return whether a text is a Japanese sentence, or has at least four English words in lower case.

    One of the English words must be one that does not occur in names.
    """
    if len(text) > _MAX_SENTENCE_CHARS:
        return False
    text = _IN_BRACKETS.sub("", text).strip()  # A remark in brackets may be a sentence.
    words = [word.strip('.,;:!?()"“”') for word in text.replace("’", "'").split()]
    if _SENTENCE.search(text) or _SENTENCE_PARTS.search(text):
        return True
    is_lower = len(words) >= _MIN_SENTENCE_WORDS and all(word == word.lower() for word in words[1:])
    return is_lower and any(word.lower() in cell_words().sentence_words for word in words)


def is_labelled_group(text: str) -> bool:
    """Return whether a text is a word for a group with a letter or number, such as `Group A` or `第1組`."""
    title = plain(text)
    return any(
        title != rest and _LABEL.fullmatch(rest)
        for word in map(plain, cell_words().groups)
        for rest in (title.removeprefix(word), title.removesuffix(word))
    )


def are_answered(names: Sequence[str]) -> bool:
    """Return whether every line ends with an answer such as yes or no."""
    words = cell_words()
    answers = (*(word for word in (*words.yes, *words.no) if len(word) > 1), *words.unsure)
    ends = [name.split()[-1] if len(name.split()) > 1 else "" for name in names]
    return len(names) > 1 and all(end and means(end, answers) for end in ends)


def are_standings(names: Sequence[str]) -> bool:
    """Return whether every line is a name and a number, such as points.

    Lines such as “Guest 1” and “Guest 2” are not.
    """
    found = [_POINTS.match(name) or _RATED.match(name) for name in names]
    before = {match[1].casefold() for match in found if match}
    return len(names) > 1 and all(found) and len(before) == len(names)


def is_struck_out(name: str) -> bool:
    """Return whether a line goes through a whole name, as in `~~Ann~~`."""
    return bool(_STRUCK.fullmatch(name.strip()))


def struck_out(name: str) -> str:
    """Return a name with a line through it, as in `~~Ann~~`."""
    return f"~~{name.replace('~~', '')}~~"


def without_line_through(name: str) -> str:
    """Return a name without the line through it."""
    found = _STRUCK.fullmatch(name.strip())
    return found[1] if found else name


def lines_fault(name: str, full_names: bool) -> tuple[str, str] | None:
    """Return the reason that a cell with several lines is not a single name and a hint, or None if it may be one.

    The two parts of a name may be on two lines if they have no spaces, and `full_names` is true: most other names of
    the list have two parts. A remark in brackets may be on a line of its own.
    """
    parts = [part for part in _BREAK.split(name.strip()) if not _BRACKETED.match(part)]
    if len(parts) < 2 or (full_names and len(parts) == 2 and not any(re.search(r"\s", part) for part in parts)):
        return None
    text = " / ".join(parts)[:60]
    return tr("“{text}” has several lines in one cell", text=text), tr(
        "write each player in a separate row, and each name on one line"
    )


def has_break(name: str) -> bool:
    """Return whether a cell has several lines."""
    return bool(_BREAK.search(name.strip()))


def on_one_line(text: str) -> str:
    """Return the text of a cell with spaces instead of line breaks."""
    return _BREAK.sub(" ", text)


def is_gone(name: str) -> bool:
    """Return whether a note after a name, or a line through the name, means that the player is absent."""
    notes = [found for found in (_NOTE.search(name), _NOTE_BEFORE.search(name)) if found]
    if is_struck_out(name) or any(_note_says_gone(next(filter(None, note.groups()))) for note in notes):
        return True
    text = unicodedata.normalize("NFKC", name)
    words, known = text.split(), cell_words()
    if len(words) > 1 and (means(words[-1], known.gone) or _ROUNDS_AFTER.search(text)):
        return True
    return (len(words) > 1 and any(map(_is_gone_word, (words[0], words[-1])))) or text.endswith(known.gone_ends)


def _is_gone_word(word: str) -> bool:
    """Return whether a word before or after a name is a remark that the player does not, or may not, play.

    A word with only its first letter in upper case may be a name.
    """
    known = cell_words()
    if not word.isascii() and not word.islower():
        return means(word, (*known.gone, *known.gone_words, *known.comes_later)) or any(
            word.endswith(later) for later in known.comes_later if not later.isascii()
        )
    return (word.islower() or word.isupper()) and means(word.strip("*!.:"), known.gone_words)


def _note_says_gone(note: str) -> bool:
    """Return whether a note after a name means that the player does not play, or may not play."""
    known = cell_words()
    return says_gone(note) or means(note, (*known.gone_notes, *known.unsure)) or note.endswith("のみ")


def says_gone(remark: str) -> bool:
    """Return whether a remark means that a player does not play or comes later, such as “dropped out” or 遅刻."""
    known = cell_words()
    if means(remark, accepted_headings("absent")) or _SOME_ROUNDS.search(remark):
        return True
    return has_word(remark, (*known.gone, *known.comes_later))


def has_word(text: str, known: Sequence[str]) -> bool:
    """Return whether a text contains one of these words."""
    words = " ".join(text.casefold().replace("’", "'").split())
    return any(
        re.search(rf"(?:^|\W){re.escape(word)}(?:\W|$)" if _is_alphabetic(word) else re.escape(word), words)
        for word in map(str.casefold, known)
    )


def _is_alphabetic(word: str) -> bool:
    """Return whether the script of a word separates words. If so, “dropped” must not match within “eavesdropped”."""
    return not any("\u3040" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7a3" for c in word)
