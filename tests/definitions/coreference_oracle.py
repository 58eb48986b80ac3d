BOUNDS = {}


def comparisons(number):
    return []
