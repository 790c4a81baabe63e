"""Prove claims with large counts. `make test` runs a seeded sample of each claim, and `make prove` runs all of them.

A part is a module of `tests/prove/parts/` with `prove() -> Iterator[Figure]`. The first line of its docstring
states the claim. `python -m tests.prove` runs all parts or the named ones, and writes docs/proof.md.
"""
