"""Run the benchmarks: `python -m bench` (see `bench.parts`).

Worker processes import this module when they start, and their start is timed. It therefore imports nothing unless
it is run as the command.
"""

import sys

if __name__ == "__main__":
    from bench.parts import main

    sys.exit(main())
