"""`python -m bench`: see `bench.parts`.

Processes that work for a part begin with this module, and are timed: it imports nothing where it is not the command.
"""

import sys

if __name__ == "__main__":
    from bench.parts import main

    sys.exit(main())
