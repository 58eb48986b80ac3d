"""Other libraries' names and objects: what people call and hold elsewhere, answered here."""

from partwise.interop import sklearn

__all__ = ["sklearn"]
