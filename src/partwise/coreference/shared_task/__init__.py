"""A shared task: many submissions to one key, ranked and compared with each other."""
