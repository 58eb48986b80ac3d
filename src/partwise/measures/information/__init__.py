"""Measures of information: entropies, mutual information, V-measure, VI."""
