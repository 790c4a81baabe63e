"""Operational maps: drawn and random ones, and what their ground asks of those who march."""
