"""``partwise`` and ``python -m partwise``: the command line."""

import sys


def main() -> int:
    """Run the command line and return the exit code, 130 for an interrupt while it starts."""
    try:
        from partwise.cli import main as run
    except KeyboardInterrupt:
        return 130  # INTERRUPTED of partwise.cli, which is not there yet
    return run()


if __name__ == "__main__":
    sys.exit(main())
