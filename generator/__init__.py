"""Muster draws wargame scenarios, proves them legal, and prints them.

Muster: draws wargame scenarios, proves them legal, and prints them.
"""

from __future__ import annotations

__version__ = "0.2.0"
