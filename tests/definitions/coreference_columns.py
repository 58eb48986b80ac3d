"""CoNLL files read line by line, and mentions compared by ==: slow definitions for tests."""

import re

import numpy as np


def read_conll(text):
    """Return (name, [(first, last, entity)], entities) of documents; the text has no faults."""
    documents = []
    for line in text.splitlines():
        if line.startswith("#begin document"):
            token, mentions, open_ = 0, [], {}
            documents.append((line.removeprefix("#begin document").strip(), mentions))
        elif line and not line.startswith("#"):
            for begin, entity, end in re.findall(r"(\(?)(\d+)(\)?)", line.split("\t")[-1]):
                if begin:
                    mentions.append([token, token, entity])
                    if not end:
                        open_.setdefault(entity, []).append(mentions[-1])
                else:
                    open_[entity].pop()[1] = token
            token += 1
    return [
        (name, [tuple(x) for x in mentions], list(dict.fromkeys(e for _, _, e in mentions)))
        for name, mentions in documents
    ]


def numbered(*sides):
    """Return the same documents with text for each mention, the same for equal mentions."""
    seen = []

    def text_of(mention):
        for number, other in enumerate(seen):
            # NumPy compares a number with the parts of a tuple, in an array
            if mention is other or (np.ndim(equal := mention == other) == 0 and equal):
                return f"m{number}"
        seen.append(mention)
        return f"m{len(seen) - 1}"

    return [
        {
            name: [[text_of(x) for x in entity] for entity in entities]
            for name, entities in side.items()
        }
        for side in sides
    ]
