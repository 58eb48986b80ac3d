"""Files of labels: text tables, NumPy arrays, compressed or not."""
