"""Random documents, each side in a format of its own: the scores of the objects in memory."""

import json
import os
import tempfile
from pathlib import Path

from hypothesis import event, given, settings
from hypothesis import strategies as st

from partwise.coreference import score

EXAMPLES = int(os.environ.get("FORMAT_PAIRS_EXAMPLES", "100"))
WORDS = 9
MEASURES = ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea", "conll")
#: What a refusal may say: mentions of two kinds, ends that nothing proves, units of positions.
REFUSALS = ("are spans of tokens", "say ends=", "none can be the same")


@st.composite
def clusters(draw):
    """Return entities whose mentions do not cross: single tokens, and pairs of them."""
    starts = draw(st.lists(st.integers(0, WORDS - 1), min_size=1, max_size=5, unique=True))
    spans = [
        (at, at + 1)
        if at + 1 < WORDS and draw(st.booleans()) and at + 1 not in starts
        else (at, at)
        for at in starts
    ]
    entities = {}
    for span in spans:
        entities.setdefault(draw(st.integers(0, 2)), []).append(span)
    return list(entities.values())


def columns(entities):
    """Return the last column of CoNLL-2012 for each token."""
    cells = [[] for _ in range(WORDS)]
    for number, entity in enumerate(entities):
        for first, last in entity:
            if first == last:
                cells[first].append(f"({number})")
            else:
                cells[first].append(f"({number}")
                cells[last].insert(0, f"{number})")
    return ["|".join(cell) or "-" for cell in cells]


def conll(draw, documents, single):
    blank = draw(st.sampled_from(["", " "]))
    bare = single and draw(st.booleans())
    rows = []
    for (base, part), entities in documents.items():
        name = draw(st.sampled_from([f"({base}); part {part:03}", f"({base}); part {part}"]))
        tokens = [
            f"{base} {part} {at} w{at} {cell}" for at, cell in enumerate(columns(entities))
        ]
        bounds = [], [""]
        if not bare:
            bounds = [f"#{blank}begin document {name}"], ["", f"#{blank}end document"]
        rows += [*bounds[0], *tokens, *bounds[1]]
    return "conll", "\n".join(rows) + "\n", {}


def jsonlines(draw, documents, single):
    ends = draw(st.sampled_from(["inclusive", "exclusive"]))
    said = ends == "exclusive" or draw(st.booleans())
    field = draw(st.sampled_from(["clusters", "predicted_clusters", "gold"]))
    named = draw(st.sampled_from(["doc_key", "doc_id", "part_id", *["none"] * single]))
    words = draw(st.booleans())
    rows = []
    for (base, part), entities in documents.items():
        record = {
            "doc_key": {"doc_key": f"{base}_{part}"},
            "doc_id": {"doc_id": f"{base}_{part}"},
        }
        record = record.get(named, {"document_id": base, "part_id": part})
        record = {} if named == "none" else dict(record)
        if words:
            record["sentences"] = [[f"w{at}" for at in range(WORDS)]]
        beyond = ends == "exclusive"
        record[field] = [[[a, b + beyond] for a, b in entity] for entity in entities]
        rows.append(json.dumps(record))
    options = {"ends": ends} if said else {}
    if field == "gold":
        options["clusters"] = field
    return "jsonl", "\n".join(rows) + "\n", options


def table(draw, documents, single):
    comma = draw(st.booleans())
    column = draw(
        st.sampled_from(["document", "doc_id", "Doc", "docname", "part", *["none"] * single])
    )
    spans = draw(
        st.sampled_from(["first last", "start end", "start_token end_token", "mention"])
    )
    entity_column = draw(st.sampled_from(["entity", "cluster_id", "COREF"]))
    head = {"part": ["doc", "part"], "none": []}.get(column, [column])
    rows = [[*head, *spans.split(), entity_column]]
    for (base, part), entities in documents.items():
        name = {"part": [base, part], "none": []}.get(column, [f"{base}_{part}"])
        for number, entity in enumerate(entities):
            for first, last in entity:
                where = [f"{first}-{last}"] if spans == "mention" else [first, last]
                rows.append([*name, *where, f"e{number}"])
    separator = "," if comma else "\t"
    text = "\n".join(separator.join(map(str, row)) for row in rows) + "\n"
    return "csv" if comma else "tsv", text, {}


def corefud(draw, documents, single):
    named = not single or draw(st.booleans())
    rows = []
    for (base, part), entities in documents.items():
        rows.append(f"# newdoc id = {base}_{part}" if named else "# newdoc")
        rows.append("# global.Entity = eid-etype-head-other")
        cells = ["" for _ in range(WORDS)]
        for number, entity in enumerate(entities):
            for first, last in entity:
                if first == last:
                    cells[first] += f"(e{number}--1)"
                else:
                    cells[first] += f"(e{number}--1"
                    cells[last] = f"e{number})" + cells[last]
        for at, cell in enumerate(cells):
            misc = f"Entity={cell}" if cell else "_"
            rows.append("\t".join([str(at + 1), f"w{at}", *"______", "_", misc]))
        rows.append("")
    return "conllu", "\n".join(rows) + "\n", {}


def scorch(draw, documents, single):
    ((base, part), entities) = next(iter(documents.items()))
    record = {
        "type": "clusters",
        "clusters": {
            str(number): [f"{a}-{b}" for a, b in entity]
            for number, entity in enumerate(entities)
        },
    }
    if draw(st.booleans()):
        record["name"] = f"{base}_{part}"
    return "json", json.dumps(record), {}


@st.composite
def pairs(draw):
    """Return documents of both sides, and each as the text of a file with options."""
    single = draw(st.booleans())
    bases = draw(st.sampled_from([["x"], ["a/b/x", "y"], ["x_1", "z"]]))
    names = [(base, part) for base in bases for part in draw(st.sampled_from([(0,), (0, 1)]))]
    names = names[:1] if single else names
    sides, files = [], []
    for _ in range(2):
        documents = {name: draw(clusters()) for name in names}
        forms = [conll, jsonlines, table, corefud, *[scorch] * single]
        files.append(draw(st.sampled_from(forms))(draw, documents, single))
        sides.append({f"{base} {part}": listed for (base, part), listed in documents.items()})
    return sides, files


@settings(max_examples=EXAMPLES)
@given(pair=pairs())
def test_two_formats_score_as_in_memory(pair):
    sides, files = pair
    options = {}
    for at, (_, _, own) in enumerate(files):
        for name, value in own.items():
            options.setdefault(name, [None, None])[at] = value
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for stem, (ending, text, _) in zip(("gold", "system"), files, strict=True):
            paths.append(Path(folder, f"{stem}.{ending}"))
            paths[-1].write_text(text)
        try:
            scores = score(*paths, **{name: tuple(value) for name, value in options.items()})
        except ValueError as error:
            if not any(words in str(error) for words in REFUSALS):
                raise
            event("refused")
            return
    event("scored")
    wanted = score(*sides)
    for name in MEASURES:
        assert (scores[name].recall, scores[name].precision) == (
            *(wanted[name].recall, wanted[name].precision),
        )
