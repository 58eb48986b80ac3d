"""How much memory a command may take."""

from __future__ import annotations

import argparse
import os
import re

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def read_size(text: str) -> int:
    """Return a number of bytes: 500MB, 2G, 1.5GiB (all in powers of 1024)."""
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.I)
    if match is None:
        raise ValueError(f"--memory-limit {text} is no size; give one such as 500MB or 2GB")
    size = int(float(match[1]) * _UNITS[match[2].upper()])
    if size < 1:
        raise ValueError(f"--memory-limit {text} is nothing; give a size such as 500MB")
    return size


def check_limit_acts(options: argparse.Namespace) -> None:
    """Refuse a limit beside what is read in memory item by item."""
    if options.memory_limit is None:
        return
    for name in ("memberships", "features", "groups"):
        if getattr(options, name, None):
            raise ValueError(
                f"--memory-limit would do nothing beside --{name}, which needs every item in "
                "memory; leave one of the two out"
            )


def memory_limit(options: argparse.Namespace) -> int:
    """Return the limit in bytes."""
    if options.memory_limit is not None:
        return read_size(options.memory_limit)
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):  # a system that does not tell
        return 4 << 30


def spoken(size: int) -> str:
    """Return a number of bytes as messages give it."""
    if size < 1 << 10:
        return f"{size} bytes"
    return f"{size >> 20} MB" if size >= 1 << 20 else f"{size >> 10} KB"
