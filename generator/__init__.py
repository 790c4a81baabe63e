"""Muster generates wargame scenarios, checks that they are legal, and prints them."""

__version__ = "0.3.0"
