"""Big counts: what `make test` shows by a seeded sample, `make prove` shows whole.

A part is a module of `tests/prove/parts/` with `prove() -> Iterator[Figure]`; its docstring's first line says what it
proves. `python -m tests.prove` runs all parts or those named, and writes docs/proof.md.
"""
