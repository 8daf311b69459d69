"""`python -m solvers.cli` is the `solve` command."""

import sys

from solvers.cli import main

if __name__ == "__main__":
    sys.exit(main())
