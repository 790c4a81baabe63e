"""Kit ids: what stands on the pages of a sealed round in the place of the code, and gives nothing of it away."""

from __future__ import annotations

import secrets
from hashlib import blake2b

from generator.draw.codes import SYMBOLS

_HALF = 4


def new_secret() -> str:
    """A secret that nobody can guess: 128 bits in hexadecimal."""
    return secrets.token_hex(16)


def kit_id(secret: str, code: str) -> str:
    """The id of the kit of that code in a round of that secret, such as `7KQ2-M9FX`: no code is so short."""
    number = int.from_bytes(blake2b(code.encode(), key=secret.encode(), digest_size=8).digest(), "big")
    symbols = "".join(SYMBOLS[number >> 5 * i & 31] for i in range(2 * _HALF))
    return f"{symbols[:_HALF]}-{symbols[_HALF:]}"


def scenario_file(stamp: str) -> str:
    """What the scenario's file is called in its round's folder, by what stands on the pages."""
    return f"scenario-{stamp.rstrip('+')}.toml"
