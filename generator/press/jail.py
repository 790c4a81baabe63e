"""Where prints are made that anyone's templates have a part in: a process of their own, which can be ended.

A template is a program, and so is what it has the layout do. Neither is trusted to end, or to be content with little
memory, or to leave the interpreter whole: the process has limits, and its parent a clock. What it is given is pickled
by us; what it gives back is plain data, which is looked through. `generator.press.guard` is its outside, and
`generator.press.inmate` its inside.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from generator.press.messages import Limits
from generator.press.progress import Progress
from generator.press.type import fonts

if TYPE_CHECKING:
    from generator.press.edition import Edition

T = TypeVar("T")
LIMITS = Limits()


def confined(edition: Edition, kind: type[T], work: Callable[..., T], *given: Any, progress: Progress) -> T:
    """What `work(*given, progress)` makes: here, or in the jail where the edition has templates of a person's own.

    `work` is a function of a module; what it makes is of a kind that msgspec reads. Errors are those of `work`, and
    DataError naming the template that took too long or too much, or that the process did not survive.
    """
    if not edition.templates:
        return work(*given, progress)
    from generator.press.guard import Guard

    guard = Guard(edition.templates, LIMITS, progress)
    try:
        return msgspec.convert(guard.made(pickle.dumps((LIMITS, fonts.at_hand(), work, given))), kind)
    finally:
        guard.end()
