"""Where templates run: they reach nothing but what they are given, and neither time nor memory without end.

Anyone may write a template, so each step that could grow without bounds (a pass of a loop, a call, an include, a
text put together, a sum) asks first: the clock is looked at, and what comes out is measured.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any

import jinja2
from jinja2 import filters, nodes, runtime
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing

from generator.errors import near

SECONDS = 5.0
"""A sheet is filled in a hundredth of a second; no template may take longer than this."""
MOST_TEXT = 500_000
"""Characters of a text; the longest sheet has some 50,000 with its tags."""
MOST_THINGS = 10_000
"""Items of a list or a range."""
_MOST_DIGITS = 4096
"""Binary digits of a number."""
_MOST_WIDTH = 999
"""How wide a format may pad a text."""

FILTERS = (
    "abs", "batch", "capitalize", "count", "d", "default", "dictsort", "e", "escape", "first", "float", "groupby",
    "int", "items", "join", "last", "length", "list", "lower", "map", "max", "min", "reject", "rejectattr",
    "replace", "round", "select", "selectattr", "slice", "sort", "string", "sum", "title", "trim", "truncate",
    "unique", "upper", "wordcount",
)  # fmt: skip
"""Jinja2's filters but those that make much of little, draw at random, or write what is no text of a sheet."""
METHODS: Mapping[type, tuple[str, ...]] = {
    str: ("capitalize", "endswith", "format", "lower", "startswith", "strip", "title", "upper"),
    dict: ("get", "items", "keys", "values"),
    list: ("count", "index"),
    tuple: ("count", "index"),
    int: (),
    float: ("is_integer",),
}
"""What a template may do with a value by a dot; its own keys come first."""


class UnknownError(jinja2.UndefinedError):
    """A name that a template uses stands for nothing; `accepted` are those that would, where that is known."""

    def __init__(self, message: str, name: str, accepted: list[str] | None) -> None:
        super().__init__(message)
        self.name, self.accepted = name, accepted

    def hint(self, known: Iterable[str]) -> str:
        """What may have been meant; `known` are the names on the sheet itself."""
        return near(self.name, sorted(known if self.accepted is None else self.accepted))


class _Unknown(jinja2.StrictUndefined):
    """A name that stands for nothing, and says so as soon as it is used."""

    __slots__ = ()

    def __init__(self, hint: str | None = None, obj: Any = missing, name: Any = None, exc: Any = None) -> None:
        accepted = None if obj is missing else _offered(obj)

        def error(message: str) -> Exception:
            return UnknownError(message, str(name), accepted)

        super().__init__(hint, obj, name, exc or error)  # type: ignore[arg-type] # jinja2 only calls it


def _offered(value: Any) -> list[str]:
    """What may stand behind a value's dot."""
    if isinstance(value, Mapping):
        return [key for key in value if isinstance(key, str)]
    return [method for kind, methods in METHODS.items() if isinstance(value, kind) for method in methods]


class _Clocked(CodeGenerator):
    """Every pass of a loop looks at the clock, and every `~` measures its text."""

    def visit_For(self, node: nodes.For, frame: Frame) -> None:  # noqa: N802 - overrides Jinja2's method
        tick = nodes.Call(nodes.EnvironmentAttribute("tick"), [], [], None, None, lineno=node.lineno)
        node.body.insert(0, nodes.ExprStmt(tick, lineno=node.lineno))
        super().visit_For(node, frame)

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802 - overrides Jinja2's method
        self.write("environment.joined((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")


class Sandbox(ImmutableSandboxedEnvironment):
    """An environment whose templates end; SecurityError where one would not."""

    code_generator_class = _Clocked
    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(self, **options: Any) -> None:
        super().__init__(undefined=_Unknown, autoescape=True, auto_reload=False, **options)
        self.filters = {name: self.filters[name] for name in FILTERS}
        self.filters |= {"batch": _batch, "slice": _slice, "join": _join, "replace": _replace}
        self.globals = {"range": _range, "namespace": self.globals["namespace"], "dict": dict}
        self.end = 0.0

    def begin(self) -> None:
        """Give the template that comes next its time."""
        self.end = time.monotonic() + SECONDS

    def tick(self) -> None:
        """Look at the clock."""
        if time.monotonic() > self.end:
            raise SecurityError(f"takes longer than {SECONDS:g} seconds")

    def concat(self, parts: Iterable[str]) -> str:
        """A text from its parts: a block, a macro, the whole."""
        made, length = [], 0
        for part in parts:
            made.append(part)
            length += len(part)
            if length > MOST_TEXT:
                raise _too_long()
        return "".join(made)

    def joined(self, parts: tuple[Any, ...]) -> str:
        """What stands between `~`."""
        made = runtime.markup_join(parts)
        if len(made) > MOST_TEXT:
            raise _too_long()
        return made

    def get_template(self, name: Any, parent: str | None = None, globals: Any = None) -> jinja2.Template:  # noqa: A002 - Jinja2's name
        """As Jinja2 asks, for includes and imports too."""
        self.tick()
        return super().get_template(name, parent, globals)

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """As Jinja2 asks; the first two arguments are the context and what is called."""
        self.tick()
        return super().call(*args, **kwargs)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """A mapping's own key comes before its methods: `w.items` is the word, not dict.items."""
        if isinstance(obj, Mapping) and attribute in obj:
            return obj[attribute]
        for kind, methods in METHODS.items():
            if isinstance(obj, kind) and attribute not in methods:
                return self.undefined(obj=obj, name=attribute)
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """By number or key alone: a method is no item."""
        try:
            return obj[argument]
        except (TypeError, LookupError):
            return self.undefined(obj=obj, name=argument)

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """As Jinja2 asks; a format that pads a text to no end is refused."""
        wrapped: Callable[..., str] | None = super().wrap_str_format(value)
        if wrapped and _padded(value.__self__):
            raise SecurityError(f"a format pads to more than {_MOST_WIDTH} places")
        return wrapped

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """As Jinja2 asks: sums, products, powers and `%` whose result is of a bearable size."""
        if _unbearable(operator, left, right):
            raise SecurityError(f"{operator} makes more than a sheet can hold")
        return super().call_binop(context, operator, left, right)


def _unbearable(operator: str, left: Any, right: Any) -> bool:
    if isinstance(left, int) and isinstance(right, int):
        digits = left.bit_length()
        longest = digits * right if operator == "**" else digits + right.bit_length()
        return bool(longest > _MOST_DIGITS and operator in ("*", "**"))
    if operator == "%":
        return isinstance(left, str)  # what it does for a text, format does
    sizes = [len(side) for side in (left, right) if hasattr(side, "__len__")]
    times = [side for side in (left, right) if isinstance(side, int)]
    most = MOST_TEXT if isinstance(left, str) or isinstance(right, str) else MOST_THINGS
    return bool(sizes) and (sum(sizes) if operator == "+" else sizes[0] * max(chain(times, [1]))) > most


def _padded(text: str) -> bool:
    """Whether a format names a width of four figures, or takes one from a value."""
    return bool(re.search(r"[:!][^{}]*(\d{4}|\{)", text))


def _too_long() -> SecurityError:
    return SecurityError(f"makes a text of more than {MOST_TEXT:,} characters")


def _too_many() -> SecurityError:
    return SecurityError(f"makes a list of more than {MOST_THINGS:,} items")


def _range(*bounds: int) -> range:
    found = range(*bounds)
    if len(found) > MOST_THINGS:
        raise _too_many()
    return found


def _batch(value: Iterable[Any], linecount: int, fill_with: Any = None) -> Any:
    if linecount > MOST_THINGS:
        raise _too_many()
    return filters.do_batch(value, linecount, fill_with)


def _slice(value: Any, slices: int, fill_with: Any = None) -> Any:
    if slices > MOST_THINGS:
        raise _too_many()
    return filters.sync_do_slice(value, slices, fill_with)


@jinja2.pass_eval_context
def _join(context: Any, value: Iterable[Any], d: str = "", attribute: Any = None) -> str:
    items = list(value)
    if len(items) * len(d) > MOST_TEXT:
        raise _too_long()
    made = filters.sync_do_join(context, items, d, attribute)
    if len(made) > MOST_TEXT:
        raise _too_long()
    return made


@jinja2.pass_eval_context
def _replace(context: Any, s: str, old: str, new: str, count: int | None = None) -> str:
    if len(s) + s.count(old) * len(new) > MOST_TEXT:
        raise _too_long()
    return filters.do_replace(context, s, old, new, count)
