"""Printed pages of Blind Faith."""
