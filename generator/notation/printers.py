"""The deviations of printers, which users measure on a calibration page, and the user's file of printers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec

from generator.errors import Problem, WrongUsageError, near
from generator.localization import tr
from generator.notation import text
from generator.notation.text import clean_name, visible
from generator.notation.toml import Source
from generator.store.folders import config_folder, is_file
from generator.store.write import write

LIMITS = {"dx": (-10.0, 10.0), "dy": (-10.0, 10.0), "scale": (95.0, 105.0), "rotate": (-2.0, 2.0)}
"""The minimum and maximum accepted values. Other values result from misreading the calibration page."""
_HEAD = "# Printers, as `muster printer set` wrote them down.\n"


def _within(name: str) -> msgspec.Meta:
    low, high = LIMITS[name]
    return msgspec.Meta(ge=low, le=high)


class Printer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The measured offset of a printer. All values are measured from the front, with a light behind the sheet."""

    dx: Annotated[float, _within("dx")] = 0.0
    """The distance by which the back is shifted to the right, in mm."""
    dy: Annotated[float, _within("dy")] = 0.0
    """The distance by which the back is shifted up, in mm."""
    scale: Annotated[float, _within("scale")] = 100.0
    """The measured length, in mm, of the 100 mm line on the printed sheet."""
    rotate: Annotated[float, _within("rotate")] = 0.0
    """The angle by which the back is turned anticlockwise, in degrees."""

    @property
    def moves(self) -> bool:
        """Whether backs must be moved or rotated to match their fronts."""
        return bool(self.dx or self.dy or self.rotate)

    @property
    def grown(self) -> float:
        """The factor by which pages are enlarged to correct the scale."""
        return 100.0 / self.scale

    def values(self) -> dict[str, float]:
        """Return the values by name."""
        return {name: float(getattr(self, name)) for name in self.__struct_fields__}

    def __str__(self) -> str:
        """Return the form that `printer` reads, such as `dx=0.3,scale=99.6`, without default values."""
        return ",".join(f"{name}={value:g}" for name, value in self.values().items() if value != getattr(TRUE, name))


TRUE = Printer()
"""A printer without deviations."""
PRINTERS = dict[str, Printer]
"""The type of the user's file, which contains printers by name."""


def printer(text: str) -> Printer:
    """Return a saved printer by name, or a printer given as `dx=0.3,dy=-0.2,scale=99.6,rotate=0.1`."""
    return _spelt(text) if "=" in text else find_printer(text)


def _spelt(text: str) -> Printer:
    values: dict[str, float] = {}
    for part in text.split(","):
        name, _, number = part.partition("=")
        try:
            values[name.strip()] = float(number)
        except ValueError:
            raise WrongUsageError(tr("--printer: {number!r} is not a number", number=visible(number)[:40])) from None
    return printer_of(values)


def printer_of(values: Mapping[str, float]) -> Printer:
    """Return the printer with these values.

    Raises:
        WrongUsageError: If a name is unknown or a value is out of range.
    """
    if strange := [name for name in values if name not in TRUE.__struct_fields__]:
        hint = near(strange[0], TRUE.__struct_fields__)
        raise WrongUsageError(
            tr("{strange!r} is not a setting of a printer", strange=visible(strange[0])[:40]), hint=hint
        )
    WrongUsageError.raise_if_any(
        Problem(
            tr("the printer's {name} cannot be {value:g}", name=name, value=value),
            hint=tr("give a value from {least:g} to {most:g}", least=low, most=high),
        )
        for name, value in values.items()
        for low, high in [LIMITS[name]]
        if not low <= value <= high
    )
    return Printer(**values)


def printers_path() -> Path:
    """Return the path of the user's file of printers."""
    return config_folder() / "printers.toml"


def printers() -> dict[str, Printer]:
    """Return the user's printers by name.

    Raises:
        DataError: If their file is invalid.
    """
    if not is_file(printers_path()):
        return {}
    source = Source.open(printers_path())
    return source.read(PRINTERS)


def find_printer(name: str) -> Printer:
    """Return the printer saved under a name.

    Raises:
        WrongUsageError: If there is no such printer. The error suggests the most similar name.
    """
    known = printers()
    if name not in known:
        hint = near(name, known) or tr("start with `muster printer calibrate`")
        raise WrongUsageError(tr("there is no printer named {name!r}", name=visible(name)[:40]), hint=hint)
    return known[name]


def save(name: str, of: Printer) -> Path:
    """Save a printer under a name, which replaces an existing one, and return the path of the file."""
    plain = clean_name(name, tr("the printer's name"))
    if set(plain) & set("=,"):
        raise WrongUsageError(tr("the printer's name must not contain = or ,"))
    return _write({**printers(), plain: of})


def remove(name: str) -> Path:
    """Remove a printer and return the path of the file.

    Raises:
        WrongUsageError: If there is no such printer.
    """
    find_printer(name)
    return _write({known: of for known, of in printers().items() if known != name})


def _write(table: Mapping[str, Printer]) -> Path:
    blocks = (
        "\n".join([f"\n[{text.key(name)}]", *(f"{key} = {value!r}" for key, value in of.values().items())])
        for name, of in table.items()
    )
    write(printers_path(), (_HEAD + "\n".join(blocks) + "\n").encode())
    return printers_path()
