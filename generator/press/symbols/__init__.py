"""Drawings by name: what the theme calls a pattern, a weapon or a badge is a function in here.

Everything is drawn on a hex with a hexside of `SIDE` millimetres around (0, 0) and scaled where it is used.
"""
