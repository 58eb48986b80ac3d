"""``python -m partwise``: the command line."""

import sys

from partwise.cli import main

if __name__ == "__main__":
    sys.exit(main())
