"""The split-merge framework: scores of clusters by their parts."""
