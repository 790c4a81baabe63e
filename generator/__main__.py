"""`python -m generator` is `muster`."""

from generator.cli import main

main()
