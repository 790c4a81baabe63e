"""Muster draws wargame scenarios, proves them legal, and prints them.

Muster: draws wargame scenarios, proves them legal, and prints them.

What others import for nothing, and how to be spared it: starting takes a third of a kit's time. This itself imports
nothing: while it does, nobody minds yet that the process may be told to end.
"""

import os
import sys

TYPE_CHECKING = False  # typing's own takes longer to import than all else here
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any
else:
    ModuleType = type(sys)

__version__ = "0.2.0"


class _Later(ModuleType):
    """Stands in a module's place until something in it is asked for that is not known already."""

    def __getattr__(self, name: str) -> "Any":
        from importlib import import_module

        if name == "__path__":
            # Importing something known from it asks whether it is a package; what lies in one is found there.
            package, _, inner = self.__name__.rpartition(".")
            return [f"{folder}{os.sep}{inner}" for folder in import_module(package).__path__]
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        vars(self).update(vars(import_module(self.__name__)))
        try:
            return vars(self)[name]
        except KeyError:
            return getattr(sys.modules[self.__name__], name)


def put_off(name: str, **known: object) -> None:
    """Have a module read only once something in it is asked for: what imports it may never do so.

    What is `known` of it is told at once. Its package may be imported already, or later.
    """
    if name not in sys.modules:
        later = sys.modules[name] = _Later(name)
        vars(later).update(known)
        package, _, inner = name.rpartition(".")
        if package in sys.modules:
            setattr(sys.modules[package], inner, later)
