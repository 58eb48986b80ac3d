"""Rows of numbers that go with the items: features, memberships."""
