"""The inputs of the border cases, as files and calls."""

import json


def lines(*rows):
    return "\n".join(rows) + "\n"


def conll(name, *cells, begin="#begin document", end="#end document", words=None):
    """Return a CoNLL-2012 document: one cell of the last column for each token."""
    words = words or [f"w{at}" for at in range(len(cells))]
    rows = [
        f"{name} 0 {at} {word} {cell}"
        for at, (word, cell) in enumerate(zip(words, cells, strict=True))
    ]
    return lines(f"{begin} {name}", *rows, "", end)


def conllu(*tokens, name=" id = d", fields="eid-etype-head-other"):
    """Return a CoNLL-U document; a token is (id, word, dependencies, entity)."""
    rows = []
    for number, word, dependencies, entity in tokens:
        misc = f"Entity={entity}" if entity else "_"
        rows.append(f"{number}\t{word}\t_\t_\t_\t_\t0\troot\t{dependencies}\t{misc}")
    return lines(f"# newdoc{name}", f"# global.Entity = {fields}", *rows, "")


def zeros(first, second):
    return conllu(
        ("1", "a", "0:root", ""),
        ("1.1", "_", *first),
        ("1.2", "_", *second),
        ("2", "b", "1:x", "(e1--1-)"),
        ("3", "c", "1:x", "(e2--1-)"),
    )


def record(**fields):
    return json.dumps(fields) + "\n"


CCTV = "bc/cctv/00/cctv_0005"
JILL = ("Jack", "and", "Jill", "saw", "him", ".")
ALL_ONE = dict.fromkeys(("b_cubed", "ceaf_m", "ceaf_e", "lea"), 1.0)
ANN = (("1", "Do", "_", ""), ("2", "n't", "_", ""), ("3", "tell", "_", ""))
SHE = (("Ann", "(e1--1)"), ("she", "(e1--1)"))


def table(*rows):
    return lines(*("\t".join(map(str, row)) for row in rows))


def topics(entities):
    """Return a table with a topic, a document, a mention and an entity in each row."""
    rows = [
        (mention[:1], mention[:2], mention, number)
        for number, entity in enumerate(entities)
        for mention in entity.split()
    ]
    return table(("topic", "document", "mention", "entity"), *rows)


#: By case: files, options, and either wanted scores {measure: (recall, precision) or F1} or
#: words that the refusal says.
CASES = {
    "C101": (
        {
            "k.conllu": zeros(("1:nsubj", "(e1--1-)"), ("1:obj", "(e2--1-)")),
            "r.conllu": zeros(("1:obj", "(e2--1-)"), ("1:nsubj", "(e1--1-)")),
        },
        ["--convention", "corefud-1.2"],
        {"muc": 1.0, "b_cubed": 1.0},
    ),
    "C102": (
        {
            "c2.conll": lines(
                "# begin document (0001); part 000",
                "",
                "0001\t0\tA\t(0)",
                "0001\t0\tB\t(1)",
                "# end document",
            )
        },
        [],
        {**ALL_ONE, "blanc": 1.0, "muc": 0.0},
    ),
    "C103": (
        {
            name: record(name="X", type="clusters", clusters={"0": ["a", "b"]})
            for name in ("gold.json", "sys.json")
        },
        ["--convention", "scorch"],
        {**ALL_ONE, "muc": 1.0, "blanc": 1.0},
    ),
    "C105": (
        {
            "key.conll": conll(f"({CCTV}); part 000", "(0)", "-", "(0)", "-", words="abcd"),
            "r.jsonl": record(
                doc_key=f"{CCTV}_0", sentences=[list("abcd")], clusters=[[[0, 0], [2, 2]]]
            ),
        },
        [],
        {**ALL_ONE, "muc": 1.0},
    ),
    "C106": (
        {
            "e2e.jsonl": record(
                doc_key="d",
                sentences=[list("abcd")],
                clusters=[[[0, 0], [2, 2]]],
                predicted_clusters=[[[0, 0], [2, 2], [3, 3]]],
            )
        },
        [],
        {"muc": (1.0, 0.5)},
    ),
    "C107": (
        {
            "ek.conll": conll("d", "(0)", "-", "(1)", "-", "(0)", "-", words=JILL),
            "wl.jsonl": record(
                document_id="d", tokens=JILL, clusters=[[[0, 1], [4, 5]], [[2, 3]]]
            ),
        },
        ["--ends", "exclusive"],
        {**ALL_ONE, "muc": 1.0},
    ),
    "C108": (
        {
            "key.conll": conll(
                "d",
                *("(0)", "-", "(1)", "-", "(0)", "(1)"),
                words=("Washington", "met", "Obama", "and", "he", "him"),
            ),
            "r.jsonl": record(
                doc_key="d",
                sentences=[
                    [
                        "[CLS]",
                        "Wash",
                        "##ington",
                        "met",
                        "O",
                        "##bama",
                        "and",
                        "he",
                        "him",
                        "[SEP]",
                    ],
                ],
                subtoken_map=[0, 0, 0, 1, 2, 2, 3, 4, 5, 5],
                predicted_clusters=[[[1, 2], [7, 7]], [[4, 5], [8, 8]]],
            ),
        },
        [],
        {**ALL_ONE, "muc": 1.0},
    ),
    "C109": (
        {
            "k.conllu": conllu(
                *ANN, *((str(4 + at), word, "_", cell) for at, (word, cell) in enumerate(SHE))
            ),
            "r.conllu": conllu(
                ("1", "Don't", "_", ""),
                ("2", "tell", "_", ""),
                *((str(3 + at), word, "_", cell) for at, (word, cell) in enumerate(SHE)),
            ),
        },
        ["--convention", "corefud-1.2"],
        ["document 'd' has 5 words in the key, 4 in the response", "corefud-1.2 refuses"],
    ),
    "C112": (
        {
            "u.CONLLUA": lines(
                "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC "
                "IDENTITY",
                "# newdoc id = d",
                "1\ta" + "\t_" * 8 + "\t(EntityID=1|MarkableID=markable_1)",
                "2\tb" + "\t_" * 8 + "\t(EntityID=1|MarkableID=markable_2)",
            )
        },
        [],
        {**ALL_ONE, "muc": 1.0},
    ),
    "C113": (
        {
            "b.ann": lines(
                "T1\tPER 0 3\tJoe", "T2\tPER 10 12\the", "R1\tCoreference Arg1:T2 Arg2:T1\t"
            )
        },
        [],
        {**ALL_ONE, "muc": 1.0},
    ),
    "C114": (
        {
            "p.jsonl": record(
                id="t0",
                sentences=[["Tom", "met", "Ann"], ["He", "left"]],
                mention_clusters=[[[0, 0, 1], [1, 0, 1]], [[0, 2, 3]]],
            ),
            "k.conll": conll(
                "t0", "(0)", "-", "(1)", "(0)", "-", words=("Tom", "met", "Ann", "He", "left")
            ),
        },
        [],
        {**ALL_ONE, "muc": 1.0},
    ),
    "C115": (
        {
            "f.jsonl": record(
                text="Tom met Ann. He left.",
                clusters=[[[0, 3], [13, 15]]],
                clusters_strings=[["Tom", "He"]],
            )
        },
        [],
        {**ALL_ONE, "muc": 1.0},
    ),
    "C117": (
        {
            "b.tsv": table(
                ("COREF", "start_token", "end_token", "prop", "cat", "text"),
                (0, 0, 0, "PROP", "PER", "Joe"),
                (0, 2, 2, "PRON", "PER", "he"),
            )
        },
        [],
        {**ALL_ONE, "muc": 1.0},
    ),
    "C118": (
        {
            "hf.conll": lines(
                f"{CCTV}  0  0  Thank  VBP  (TOP(S(VP*  thank  01  1  Xu_li  *  (V*)  *  -",
                f"{CCTV}  0  1  you  PRP  (NP*)  -  -  -  Xu_li  *  (ARG1*)  *  (116)",
                f"{CCTV}  0  2  everyone  NN  (NP*)  -  -  -  Xu_li  *  (ARG0*)  *  (116)",
                f"{CCTV}  0  3  for  IN  (PP*  -  -  -  Xu_li  *  (ARG2*  *  -",
                f"{CCTV}  0  4  watching  VBG  (S(VP*))))  watch  01  1  Xu_li  *)  *  -",
                f"{CCTV}  0  5  .  .  *))  -  -  -  Xu_li  *  *  *  -",
            )
        },
        [],
        {**ALL_ONE, "muc": 1.0},
    ),
    "C120": (
        {"n.conllu": conllu(("1", "a", "_", "(e1--1)"), ("2", "b", "_", "(e1--1)"), name="")},
        [],
        {**ALL_ONE, "muc": 1.0},
    ),
    "C123": (
        {
            "k.tsv": topics(["1ax 1bx", "1ay 1by", "2ax 2bx 2by", "2ay"]),
            "r.tsv": topics(["1ax 1bx 1by 2ax", "1ay", "2ay", "2bx 2by"]),
        },
        ["--cross-document"],
        {"muc": (2 / 4, 2 / 4), "b_cubed": (17 / 24, 11 / 16)},
    ),
    "C127": (
        {"ca.conll": lines("#begin document (a); part 000", "a 0 0 x (2", "#end document")},
        [],
        ["ca.conll:2: document '(a); part 000': entity '2' is opened at token 0 and never"],
    ),
    "C129": (
        {"k.tsv": table(("d1", 0, 5, "E1")), "r.tsv": table(("d2", 0, 5, "E1"))},
        [],
        ["the response lacks document 'd1'", "--missing-documents empty"],
    ),
    "C130": (
        {"x.conll": conll("d", "(484)|(484)", "(484)")},
        [],
        ["document 'd': the mention (0, 0) is in entity '484' and again", "--repeats first"],
    ),
    "C134": (
        {
            "s.jsonl": record(
                id="t1", flatten_tokens=["a", "b"], flatten_mentions=[[0, 0, 5], [1, 1, 5]]
            )
        },
        [],
        {**ALL_ONE, "muc": 1.0},
    ),
}
#: Cases that are no files, or that have a test elsewhere.
ELSEWHERE = {
    "C111": "a Python object: test_border_cases.test_mention_to_entity",
    "C122": "the text of scorer.pl: test_border_cases.test_blanks_behind_names",
    "C124": "reading: test_border_cases.test_right_before",
    "C125": "reading: test_border_cases.test_right_before",
    "C126": "reading: test_border_cases.test_right_before",
    "C128": "test_border_cases.test_right_before",
    "C131": "files that are not stored; right before",
    "C133": "test_border_cases.test_right_before",
    "C135": "files that are not stored; test_conventions runs the tool where it is installed",
}
