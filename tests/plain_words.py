"""Find English that the style guide rules out, and check the list of sentences still to be rewritten.

    python -m tests.plain_words             # number of sentences left, by folder and rule
    python -m tests.plain_words PATH…       # the sentences left in these files or folders
    python -m tests.plain_words --update    # remove rewritten sentences from the list

`tests/plain_words.txt` lists the sentences that broke a rule when the rules were written. The list never grows. A
change to a page or a module also rewrites its listed sentences. New sentences have no exception.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "plain_words.txt"
SINCE = "a49aef4e"
"""The last commit whose subject was written before the rules."""
MAX_SUBJECT = 72
SHOWN = 100
"""Number of characters that identify a sentence in the list."""

CODE, PAGE = "docstring or comment", "data, message or docs"


class Rule(NamedTuple):
    """A phrase to avoid, with the recommended wording."""

    name: str
    pattern: re.Pattern[str]
    instead: str
    only: str = ""
    """Kind of text to which the rule applies, or "" for all."""


RULES = (
    Rule("what", re.compile(r"^What\b(?![^?]*\?$)"), "begin with a verb or a noun", CODE),
    Rule("he", re.compile(r"\b(?:[Hh]e|[Hh]is|[Hh]im|[Hh]imself)\b"), "they, their, the player"),
    Rule(
        "is no",
        re.compile(
            r"(?<![Tt]here )\b(?:(?:is|are|was|were) no\b(?! (?:longer|more|one)\b)|(?:is|are|has|have|had) none\b)"
        ),
        "is not a …; there is no …",
    ),
    Rule("mend", re.compile(r"\b(?:mend(?:s|ed|ing)?|reckon(?:s|ed|ing)?)\b", re.IGNORECASE), "fix; compute"),
    Rule("throw", re.compile(r"\b(?:throws?|threw|thrown|throwing)\b", re.IGNORECASE), "roll", PAGE),
    Rule("together", re.compile(r"^Together$"), "Total", PAGE),
    Rule("sooner", re.compile(r"\bsooner\b"), "faster; earlier"),
    Rule("whoever", re.compile(r"\bwhoever\b", re.IGNORECASE), "the player; a player who …"),
    Rule("somebody", re.compile(r"\b(?:somebody|nobody)\b", re.IGNORECASE), "a player; no player; the reader"),
    Rule("so many", re.compile(r"\bso (?:many|much)\b(?! (?:that|as|for))", re.IGNORECASE), "the number of …"),
    Rule(
        "put aside", re.compile(r"\b(?:puts? aside|looks? through|looked through|owed|owes|thereof)\b"), "scan; write"
    ),
    Rule(
        "held against",
        re.compile(r"\b(?:hold|holds|held|holding)\b[^.]{0,60}\bagainst\b", re.IGNORECASE),
        "check; verify; prove",
    ),
    Rule("wish", re.compile(r"\b[Ww]ish(?:es|ed)?\b"), "option"),
    Rule("slip", re.compile(r"\bslips? (?:of the (?:hand|pen)|in it)\b"), "typo"),
    Rule("tell", re.compile(r"\b(?:[Tt]ells?|[Tt]old)\b(?! apart)"), "show; list; report; describe"),
)
"""Phrases to avoid in every meaning."""

NAMES = {
    "told": "format_…, describe_… or report_…", "tell": "format_… or report_…", "said": "describe_…",
    "say": "tr() for translation, else describe_…", "Said": "LocalizedStr", "typed": "raw or user_input",
    "most": "max_…", "least": "min_…", "so_many": "count", "Streams": "RngStreams", "wish": "option",
    "wishes": "options", "asked": "requested", "book": "event", "Book": "EventRecord", "ledger": "event_record",
    "edition": "print_options", "How": "PrintOptions", "called": "label", "named": "by_name or find_…",
    "shown": "displayed or format_…", "standing": "position", "land": "operational_map", "own": "user_…",
    "theirs": "opponent_…", "mine": "user_…", "whose": "owner", "beside": "adjacent", "mend": "suggested_fix",
    "slip": "typo", "stakes": "ruling_impact", "if_any": "raise_if_any", "awaits": "to_move", "owed": "pending",
    "late": "lazy", "jail": "sandbox", "inmate": "sandbox_worker", "desk": "tournament_cli",
    "shelf": "content_type", "dry": "dry_run", "bare": "plain", "laid": "placed", "met": "previous_opponents",
    "clash": "charge_result", "harm": "storm_losses", "MOST": "MAX_…", "AHEAD": "QUEUED_…", "MANY": "a unit and use",
    "PATIENCE": "…_TIMEOUT_S", "LOOK": "a unit and use", "ANSWER": "a unit and use", "SOON": "a unit and use",
    "RARELY": "a unit and use",
}  # fmt: skip
"""Names with too many meanings, and the names to use instead."""


class Fault(NamedTuple):
    """A sentence or name that breaks a rule."""

    path: str
    rule: str
    text: str

    @property
    def key(self) -> tuple[str, str, str]:
        """Return the key of the fault in the list. A sentence may move to another file, but a name may not."""
        return self.path if self.rule == "name" else "", self.rule, self.text


def sentences(text: str) -> Iterator[str]:
    """Split prose into sentences, with line breaks replaced by spaces."""
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*[-*|#] ?)", text):
        flat = " ".join(paragraph.split())
        yield from (sentence for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z“`])", flat) if sentence)


def data_texts(path: Path) -> Iterator[str]:
    """Yield every English text of a data file."""
    content = tomllib.loads(path.read_text("utf-8"))
    if path.name == "messages.toml":
        yield from content.get("ours", {})
    else:
        yield from _english(content)


def _english(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("en"), str):
            yield value["en"]
        for inner in value.values():
            yield from _english(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _english(inner)


def page_texts(path: Path) -> Iterator[str]:
    """Yield every sentence of a documentation page, without code and without names in backquotes."""
    text = re.sub(r"^```.*?^```|^(?: {4}|\t).*?$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for sentence in sentences(text):
        yield re.sub(r"`[^`]*`", "``", sentence)


def code_texts(path: Path) -> Iterator[str]:
    """Yield every sentence of a module's docstrings and comments, without names in backquotes."""
    source = path.read_text("utf-8")
    found = [text for node in ast.walk(ast.parse(source)) for text in _docstrings(node)]
    found += _comments(source)
    yield from _without_code(found)


def _docstrings(node: ast.AST) -> Iterator[str]:
    """Yield the docstrings below a node, including those of constants and fields."""
    body = getattr(node, "body", None)
    for statement in body if isinstance(body, list) else ():
        value = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value


def _comments(source: str) -> list[str]:
    """Return each comment, joined with its continuation lines."""
    found: list[str] = []
    last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            text = token.string.lstrip("#: ")
            if token.start[0] == last + 1 and token.line.lstrip().startswith("#"):
                found[-1] += f" {text}"
            else:
                found.append(text)
            last = token.start[0]
    return found


TOML_PARTS = re.compile(r'"{3}.*?"{3}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|(?P<comment>#[^\n]*)', re.DOTALL)
"""The strings and comments of a TOML file. A `#` in a string does not begin a comment."""
TEMPLATE_COMMENTS = re.compile(r"\{#-?(.*?)-?#\}|^[ ]*/\*+(.*?)\*/|^[ ]*//(.*?)$", re.DOTALL | re.MULTILINE)
"""The comments of Jinja templates, scripts and style sheets."""
KEY_ROW = re.compile(r"^# ?[^\s#].*?\s{2,}(?=\S)")
"""The first column of a row in a comment that describes keys, with the spaces after it."""


def toml_comments(path: Path) -> Iterator[str]:
    """Yield every sentence of a TOML file's comments, without the keys that they describe."""
    source = path.read_text("utf-8")
    paragraphs: list[str] = []
    next_line = -1
    for part in TOML_PARTS.finditer(source):
        text = part["comment"]
        if not text:
            continue
        start = source.rfind("\n", 0, part.start()) + 1
        is_whole_line = not source[start : part.start()].strip()
        is_row = bool(KEY_ROW.match(text))
        words = KEY_ROW.sub("", text).lstrip("#: ")
        if is_whole_line and start == next_line and words and not is_row and paragraphs[-1]:
            paragraphs[-1] += f" {words}"
        else:
            paragraphs.append(words)
        next_line = part.end() + 1 if is_whole_line else -1
    yield from _without_code(paragraphs)


def template_comments(path: Path) -> Iterator[str]:
    """Yield every sentence of the comments in a template, a script or a style sheet."""
    found = TEMPLATE_COMMENTS.finditer(path.read_text("utf-8"))
    texts = (next(text for text in match.groups() if text is not None) for match in found)
    yield from _without_code(re.sub(r"^\s*\*|@\w+[^\n]*", "", text, flags=re.MULTILINE) for text in texts)


def _without_code(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        for sentence in sentences(text):
            yield re.sub(r"`[^`]*`|\S+\.toml\b", "``", sentence)


def names_defined(path: Path) -> set[str]:
    """Return the names that a module gives to its functions, classes, arguments, fields and constants."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def texts() -> Iterator[tuple[Path, str, str]]:
    """Yield the file, the kind and the content of every English text in the project."""
    for path in sorted((ROOT / "data").rglob("*.toml")):
        yield from ((path, PAGE, text) for text in data_texts(path))
    for path in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]):
        if not path.name.endswith(".ja.md"):
            yield from ((path, PAGE, text) for text in page_texts(path))
    for path in modules():
        yield from ((path, CODE, text) for text in code_texts(path))
    for path in sorted((ROOT / "data").rglob("*.toml")):
        yield from ((path, CODE, text) for text in toml_comments(path))
    for path in sorted((ROOT / "templates").rglob("*.*")):
        if path.suffix in (".xml", ".html", ".js", ".css"):
            yield from ((path, CODE, text) for text in template_comments(path))


def modules() -> list[Path]:
    """Return every module of the project except this one, which quotes the phrases to avoid."""
    folders = ("generator", "tests", "bench", "docs")
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")) if path != Path(__file__)]


@cache
def faults() -> list[Fault]:
    """Return every sentence and name that currently breaks a rule."""
    found = []
    for path, kind, text in texts():
        where = path.relative_to(ROOT).as_posix()
        flat = " ".join(text.split())[:SHOWN].rstrip()
        found += [Fault(where, rule.name, flat) for rule in RULES if breaks(rule, kind, text)]
    for path in modules():
        where = path.relative_to(ROOT).as_posix()
        found += [Fault(where, "name", name) for name in sorted(names_defined(path) & NAMES.keys())]
    return found


def breaks(rule: Rule, kind: str, text: str) -> bool:
    """Return whether a text of the given kind breaks the rule."""
    return rule.only in ("", kind) and bool(rule.pattern.search(text))


def subjects() -> list[str]:
    """Return the subjects of the commits since the rules were written, or [] if the history is not available."""
    known = subprocess.run(
        ["git", "cat-file", "-e", f"{SINCE}^{{commit}}"], cwd=ROOT, capture_output=True, check=False
    )
    if known.returncode:
        return []
    command = ["git", "log", "--no-merges", "--format=%s", f"{SINCE}..HEAD"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def good_subject(subject: str) -> bool:
    """Return whether a subject is short enough and has the form `area: what changed` or `Revert "…"`."""
    formed = re.match(r'[\w./ ,-]{2,30}: [^A-Z\s]|[\w./ ,-]{2,30}: [A-Z]{2}|Revert "', subject)
    return len(subject) <= MAX_SUBJECT and bool(formed)


def listed() -> list[Fault]:
    """Return the faults excused by the list."""
    lines = LIST.read_text("utf-8").splitlines() if LIST.exists() else []
    return [Fault(*line.split("\t")) for line in lines if line and not line.startswith("#")]


def first_length() -> int:
    """Return the number of entries with which the list began."""
    found = re.search(r"^# first: ([0-9]+)$", LIST.read_text("utf-8"), re.MULTILINE)
    assert found, f"{LIST} has lost its first line"
    return int(found[1])


def new(today: Sequence[Fault], excused: Sequence[Fault]) -> list[Fault]:
    """Return the faults that the list does not excuse."""
    left = Counter(fault.key for fault in excused)
    found = []
    for fault in today:
        if left[fault.key]:
            left[fault.key] -= 1
        else:
            found.append(fault)
    return found


def write(today: Sequence[Fault], first: int) -> None:
    """Write the sorted list, in which each sentence has one line."""
    lines = ["\t".join(fault) for fault in sorted(today)]
    LIST.write_text(
        f"# Sentences and names still to be rewritten (tests/plain_words.py).\n# first: {first}\n", "utf-8"
    )
    with LIST.open("a", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)


def main(given: Sequence[str]) -> int:
    """Print the remaining faults, or update the list."""
    today = faults()
    if given == ["--first"] and not LIST.exists():
        write(today, len(today))
        return 0
    excused = listed()
    for fault in (surplus := new(today, excused)):
        print(f"{fault.path}: {fault.rule}: {fault.text}")  # noqa: T201
    if given == ["--update"] and not surplus:
        write(today, first_length())
    elif given and given[0] != "--update":
        for fault in today:
            if any(fault.path == path.rstrip("/") or fault.path.startswith(path.rstrip("/") + "/") for path in given):
                print(f"{fault.path}: {fault.rule}: {fault.text}")  # noqa: T201
    else:
        for (folder, rule), count in sorted(Counter((f.path.partition("/")[0], f.rule) for f in today).items()):
            print(f"{folder:16} {rule:14} {count:5}")  # noqa: T201
    print(f"{len(today)} of {first_length()} left, {len(surplus)} new")  # noqa: T201
    return 1 if surplus else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
