"""All that a document of coreference holds, as plain values that can be compared."""

from itertools import pairwise


def spans_of(document):
    """Return the tokens of each mention, in the order of the document."""
    spans = document.mentions
    if spans.token_ends is None:
        return [tuple(range(a, b + 1)) for a, b in zip(spans.first, spans.last, strict=True)]
    return [tuple(spans.tokens[a:b].tolist()) for a, b in pairwise(spans.token_ends)]


def mentions_of(document):
    """Return (entity, tokens) of each mention, by which it is known."""
    entities = [str(document.entity_names[at]) for at in document.entity.tolist()]
    return list(zip(entities, spans_of(document), strict=True))


def details_of(document):
    """Return mentions with head, minimum span and attributes, sorted."""
    spans = document.mentions
    return sorted(
        (
            *mention,
            None if spans.head is None else int(spans.head[at]),
            None if spans.minimum is None else tuple(spans.minimum[at].tolist()),
            tuple(sorted((x, own[at]) for x, own in document.attributes.items() if own[at])),
        )
        for at, mention in enumerate(mentions_of(document))
    )


def listed(column):
    """Return a column as a list; None stays None."""
    return None if column is None else [x.item() if hasattr(x, "item") else x for x in column]


def tokens_of(document):
    """Return the columns of tokens."""
    tokens = document.tokens
    names = ("words", "sentence", "empty", "ids", "dependencies", "tags", "parse", "parents")
    columns = {name: listed(getattr(tokens, name)) for name in names}
    further = {name: list(values) for name, values in tokens.columns.items()}
    return {**columns, "columns": further, "lines": dict(tokens.lines)}


def relations_of(document):
    """Return what a document says of mentions beside identity."""
    references = document.references
    if references is None:
        return None
    mentions = mentions_of(references.markables)
    deixis = references.discourse_deixis
    return {
        "all": details_of(references.markables),
        "silent": sorted(mentions[at] for at in references.non_referring),
        "bridging": {mentions[a]: mentions[b] for a, b in references.bridging.items()},
        # two mentions may be the same, so that these are no mapping
        "relations": sorted(
            (mentions[a], mentions[b], kind) for (a, b), kind in references.relations.items()
        ),
        "deixis": None if deixis is None else details_of(deixis),
    }


def antecedents_of(document):
    """Return {entity: the entities that it is made of}."""
    names = [str(name) for name in document.entity_names]
    return {
        names[entity]: sorted(names[one] for one in made_of)
        for entity, made_of in document.antecedents.items()
    }


def content_of(document):
    """Return everything."""
    return {
        "name": (document.name, document.named),
        "mentions": details_of(document),
        "tokens": tokens_of(document),
        "antecedents": antecedents_of(document),
        "beside": relations_of(document),
    }
