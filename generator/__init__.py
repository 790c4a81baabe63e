"""Muster draws wargame scenarios, proves them legal, and prints them."""

__version__ = "0.2.0"
