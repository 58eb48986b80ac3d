"""Phrases and dependencies under mentions: minimum spans, heads, verbs."""
