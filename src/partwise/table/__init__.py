"""The table of two clusterings: aligned, counted (the meet), taken apart (the join)."""
