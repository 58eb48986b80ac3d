"""Scores of Universal Anaphora: split antecedents, bridging, what refers to nothing."""
