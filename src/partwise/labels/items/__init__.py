"""Item ids: columns of them, and which item of one side is which of the other."""
