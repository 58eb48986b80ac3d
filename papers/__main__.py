"""``python -m papers``: the papers' experiments, as tables and figures."""

import sys

from papers.cli import main

if __name__ == "__main__":
    sys.exit(main())
