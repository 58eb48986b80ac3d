"""A small file of every format of coreference, and what is in it, written out by hand.

Each file has what its format can hold: the tests of the catalogue, of writing, and of damaged
files walk over these.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field


def _lines(*rows):
    return "\n".join(rows) + "\n"


@dataclass(frozen=True)
class Sample:
    """Files of one format.

    Attributes
    ----------
    format : str
        As ``read`` calls it.
    files : dict of str to str
        The first one is read, the others stand beside it.
    entities : list of dict
        Of each document: name of an entity to its mentions, each a tuple of its positions, or
        an id.
    options : dict
        What ``read`` has to be told.
    layout : str
        What is read by the reader of ``format``, and written under this name.
    """

    format: str
    files: dict[str, str]
    entities: list[dict]
    options: dict = field(default_factory=dict)
    layout: str = ""

    @property
    def name(self):
        return self.layout or self.format

    @property
    def main(self):
        return next(iter(self.files))


# Ann met her son . He left it .
WORDS = ["Ann", "met", "her", "son", ".", "He", "left", "it", "."]
SENTENCES = [WORDS[:5], WORDS[5:]]
TEXT = "Ann met her son .\nHe left it .\n"
PLAIN = {0: [(0,), (2,)], 1: [(2, 3), (5,)], 2: [(7,)]}

_COLUMNS = ["(0)", "-", "(0)|(1", "1)", "-", "(1)", "-", "(2)", "-"]


def _conll_2012():
    tags = ["NNP", "VBD", "PRP$", "NN", ".", "PRP", "VBD", "PRP", "."]
    parse = ["(TOP(S(NP*)", "(VP*", "(NP*", "*))", "*))"]
    parse += ["(TOP(S(NP*)", "(VP*", "(NP*)))", "*)"]
    rows = []
    for at, (word, cell) in enumerate(zip(WORDS, _COLUMNS, strict=True)):
        if at == 5:
            rows.append("")
        number = at if at < 5 else at - 5
        rows.append("\t".join(["d", "0", str(number), word, tags[at], parse[at], cell]))
    named = {str(entity): mentions for entity, mentions in PLAIN.items()}
    text = _lines("#begin document (d); part 000", *rows, "#end document")
    second = _lines(
        "#begin document (d); part 001", "d\t1\t0\tShe\tPRP\t(TOP*)\t(7)", "#end document"
    )
    return Sample("conll-2012", {"d.conll": text + second}, [named, {"7": [(0,)]}])


def _semeval():
    heads = [2, 0, 4, 2, 2, 2, 0, 2, 2]
    rows = []
    for at, (word, cell) in enumerate(zip(WORDS, _COLUMNS, strict=True)):
        if at == 5:
            rows.append("")
        number = at + 1 if at < 5 else at - 4
        cells = [str(number), word, word.lower(), "_", "POS", "_", "_", "_", str(heads[at])]
        rows.append("\t".join([*cells, cell]))
    named = {str(entity): mentions for entity, mentions in PLAIN.items()}
    text = _lines("#begin document d", *rows, "", "#end document d")
    second = _lines("#begin document e", "1\tx\tx\t_\tPOS\t_\t_\t_\t0\t_", "#end document e")
    return Sample("semeval-2010", {"d.txt": text + second}, [named, {}])


def _corefud():
    cells = {
        "1": "(e1-person-1-)",
        "3": "(e1-person-1-)(e2[1/2]-person-1-)",
        "5": "(e2[2/2])",
        "5.1": "(e2-person-1-)",
        "6": "(e3--1-)|SplitAnte=e1<e3,e2<e3|Bridge=e1<e3:part",
    }
    words = {
        "1": "Ann",
        "2": "met",
        "3": "her",
        "4": "big",
        "5": "son",
        "5.1": "_",
        "6": "they",
    }
    rows = []
    for number, word in words.items():
        entity = cells.get(number)
        misc = f"Entity={entity}" if entity else "_"
        heads = ("_", "_") if "." in number else ("0" if number == "2" else "2", "dep")
        dependencies = "2:nsubj" if "." in number else "_"
        rows.append("\t".join([number, word, "_", "_", "_", "_", *heads, dependencies, misc]))
    text = _lines(
        "# newdoc id = d",
        "# global.Entity = eid-etype-head-other",
        *rows,
        "",
        "# newdoc id = e",
        "1\tx" + "\t_" * 8,
        "",
    )
    named = {"e1": [(0,), (2,)], "e2": [(2, 4), (5,)], "e3": [(6,)]}
    return Sample("corefud", {"d.conllu": text}, [named, {}])


def _conll_ua():
    columns = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING"
    cells = {
        "1": ("(EntityID=1|MarkableID=m1|Min=1|SemType=dn|ElementOf=3)", "_"),
        "2": ("(EntityID=9-Pseudo|MarkableID=m9)", "_"),
        "3": ("(EntityID=1|MarkableID=m3|Min=3)(EntityID=2|MarkableID=m2|Min=5)", "_"),
        "5": ("(EntityID=2|MarkableID=m2)", "_"),
        "5.1": ("(EntityID=2|MarkableID=m4)", "_"),
        "6": ("(EntityID=3|MarkableID=m5)", "(MarkableID=m5|Rel=x|MentionAnchor=m1)"),
    }
    words = {"1": "Ann", "2": "it", "3": "her", "4": "big", "5": "son", "5.1": "_", "6": "they"}
    rows = [
        "\t".join([number, word, *"_" * 8, *cells.get(number, ("_", "_"))])
        for number, word in words.items()
    ]
    text = _lines(f"# global.columns = {columns}", "# newdoc id = d", *rows)
    text += _lines("", "# newdoc id = e", "1\tx" + "\t_" * 10)
    named = {"1": [(0,), (2,)], "2": [(2, 4), (5,)], "3": [(6,)]}
    return Sample("conll-ua", {"d.conllua": text}, [named, {}])


def _jsonlines():
    records = [
        {
            "doc_key": "d",
            "sentences": SENTENCES,
            "clusters": [[list((m[0], m[-1])) for m in x] for x in PLAIN.values()],
        },
        {"doc_key": "e", "sentences": [["x"]], "clusters": []},
    ]
    return Sample("jsonlines", {"d.jsonl": _lines(*map(json.dumps, records))}, [PLAIN, {}])


def _wl_coref():
    record = {
        "document_id": "d",
        "part_id": 0,
        "cased_words": WORDS,
        "sent_id": [0] * 5 + [1] * 4,
        "pos": ["PROPN", "VERB", "PRON", "NOUN", "PUNCT", "PRON", "VERB", "PRON", "PUNCT"],
        "head": [1, None, 3, 1, 1, 6, None, 6, 6],
        "span_clusters": [[[m[0], m[-1] + 1] for m in x] for x in PLAIN.values()],
    }
    other = {
        "document_id": "d",
        "part_id": 1,
        "cased_words": ["x"],
        "sent_id": [0],
        "pos": ["X"],
        "head": [None],
        "span_clusters": [],
    }
    text = _lines(json.dumps(record), json.dumps(other))
    return Sample("jsonlines", {"d.jsonlines": text}, [PLAIN, {}], layout="wl-coref")


def _fastcoref():
    text = "Ann met her son. He left it."
    clusters = [[[0, 3], [8, 11]], [[8, 15], [17, 19]], [[25, 27]]]
    strings = [[text[a:b] for a, b in cluster] for cluster in clusters]
    records = [
        {"text": text, "clusters": clusters, "clusters_strings": strings},
        {"text": "x", "clusters": [], "clusters_strings": []},
    ]
    spans = [[tuple(range(*mention)) for mention in cluster] for cluster in clusters]
    return Sample(
        "jsonlines",
        {"d.jsonlines": _lines(*map(json.dumps, records))},
        [dict(enumerate(spans)), {}],
        layout="fastcoref",
    )


def _preco():
    clusters = [[[0, 0, 1], [0, 2, 3]], [[0, 2, 4], [1, 0, 1]], [[1, 2, 3]]]
    record = {"id": "d", "sentences": SENTENCES, "mention_clusters": clusters}
    other = {"id": "e", "sentences": [["x"]], "mention_clusters": []}
    text = _lines(json.dumps(record), json.dumps(other))
    return Sample("jsonlines", {"d.jsonl": text}, [PLAIN, {}], layout="preco")


def _scico():
    mentions = [[0, 0, 8], [2, 2, 8], [2, 3, 4], [5, 5, 4], [7, 7, 5]]
    record = {
        "flatten_tokens": WORDS,
        "flatten_mentions": mentions,
        "tokens": [WORDS[:5], WORDS[5:]],
        "sentences": [[[0, 4]], [[0, 3]]],
        "doc_ids": ["a", "b"],
        "id": 3,
    }
    other = {"flatten_tokens": ["x"], "flatten_mentions": [], "id": 4}
    named = {8: PLAIN[0], 4: PLAIN[1], 5: PLAIN[2]}
    text = _lines(json.dumps(record), json.dumps(other))
    return Sample("jsonlines", {"d.jsonl": text}, [named, {}], layout="scico")


def _brat():
    text = "Ann met her big son. He left it."
    annotations = _lines(
        "T1\tPerson 0 3\tAnn",
        "T2\tPerson 8 11\ther",
        "T3\tPerson 8 11;16 19\ther son",
        "T4\tPerson 21 23\tHe",
        "T5\tThing 29 31\tit",
        "R1\tCoref Arg1:T2 Arg2:T1",
        "*\tCoref T3 T4",
    )
    entities = {
        0: [(0, 1, 2), (8, 9, 10)],
        1: [(8, 9, 10, 16, 17, 18), (21, 22)],
        2: [(29, 30)],
    }
    return Sample("brat", {"d.ann": annotations, "d.txt": text}, [entities])


def _litbank():
    annotations = _lines(
        "MENTION\tT1\t0\t0\t0\t0\tAnn\tPER\tPROP",
        "MENTION\tT2\t0\t2\t0\t2\ther\tPER\tPRON",
        "MENTION\tT3\t0\t2\t0\t3\ther son\tPER\tNOM",
        "MENTION\tT4\t1\t0\t1\t0\tHe\tPER\tPRON",
        "MENTION\tT5\t1\t2\t1\t2\tit\tVEH\tPRON",
        "COREF\tT1\tAnn-0",
        "COREF\tT2\tAnn-0",
        "COREF\tT3\tson-1",
        "COREF\tT4\tson-1",
        "COREF\tT5\tit-2",
    )
    names = ["Ann-0", "son-1", "it-2"]
    named = dict(zip(names, PLAIN.values(), strict=True))
    return Sample("litbank", {"d_brat.ann": annotations, "d_brat.txt": TEXT}, [named])


def _mmax():
    words = [f'<word id="word_{at}">{word}</word>' for at, word in enumerate(WORDS, 1)]
    level = [
        '<markables xmlns="www.eml.org/NameSpaces/coref">',
        '<markable id="markable_1" span="word_1" coref_set="set_1" min_ids="word_1"/>',
        '<markable id="markable_2" span="word_3" coref_set="set_1" min_ids="word_3"/>',
        '<markable id="markable_3" span="word_1,word_3..word_4" coref_set="set_2"'
        ' min_ids="word_4"/>',
        '<markable id="markable_4" span="word_6" coref_set="set_2" category="person"/>',
        '<markable id="markable_5" span="word_8" coref_set="empty"/>',
        "</markables>",
    ]
    sentences = [
        "<markables>",
        '<markable id="markable_1" span="word_1..word_5"/>',
        '<markable id="markable_2" span="word_6..word_9"/>',
        "</markables>",
    ]
    project = "<?xml version='1.0'?><mmax_project><words>d_words.xml</words></mmax_project>"
    files = {
        "markables/d_coref_level.xml": _lines(*level),
        "d.mmax": project,
        "Basedata/d_words.xml": _lines("<words>", *words, "</words>"),
        "markables/d_sentence_level.xml": _lines(*sentences),
    }
    entities = {
        "set_1": [(0,), (2,)],
        "set_2": [(0, 2, 3), (5,)],
        "markable_5 alone": [(7,)],
    }
    return Sample("mmax", files, [entities])


def _ecb_plus():
    tokens = [
        f'<token t_id="{at}" sentence="{0 if at < 6 else 1}" number="{at}">{word}</token>'
        for at, word in enumerate(WORDS, 1)
    ]
    text = _lines(
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<Document doc_name="d.xml" doc_id="7">',
        *tokens,
        "<Markables>",
        '<HUMAN_PART_PER m_id="20"><token_anchor t_id="1"/></HUMAN_PART_PER>',
        '<HUMAN_PART_PER m_id="21"><token_anchor t_id="3"/></HUMAN_PART_PER>',
        '<HUMAN_PART_PER m_id="22"><token_anchor t_id="1"/><token_anchor t_id="4"/>'
        "</HUMAN_PART_PER>",
        '<HUMAN_PART_PER m_id="23"><token_anchor t_id="6"/></HUMAN_PART_PER>',
        '<ACTION_OCCURRENCE m_id="24"><token_anchor t_id="7"/></ACTION_OCCURRENCE>',
        '<HUMAN_PART_PER m_id="30" instance_id="HUM1"/>',
        '<HUMAN_PART_PER m_id="31"/>',
        "</Markables>",
        "<Relations>",
        '<CROSS_DOC_COREF r_id="5" note="HUM1"><source m_id="20"/><source m_id="21"/>'
        '<target m_id="30"/></CROSS_DOC_COREF>',
        '<INTRA_DOC_COREF r_id="6"><source m_id="22"/><source m_id="23"/>'
        '<target m_id="31"/></INTRA_DOC_COREF>',
        "</Relations>",
        "</Document>",
    )
    entities = {"HUM1": [(0,), (2,)], "d.xml r6": [(0, 3), (5,)], "d.xml m24": [(6,)]}
    return Sample("ecb-plus", {"d.xml": text}, [entities])


def _tei():
    text = _lines(
        "<teiCorpus>",
        '<TEI xml:id="d"><text><s><rs ref="#a"><w>Ann</w></rs><w>met</w>',
        '<rs ref="#b"><rs ref="#a"><w>her</w></rs><w>son</w></rs><pc>.</pc></s>',
        '<s><rs ref="#b"><w>He</w></rs><w>left</w><rs ref="#a #b"><w>it</w></rs><pc>.</pc></s>',
        '</text></TEI><TEI xml:id="e"><text><s><w>x</w></s></text></TEI></teiCorpus>',
    )
    named = dict(zip(["#a", "#b", "#a #b"], PLAIN.values(), strict=True))
    return Sample("tei", {"d.xml": text}, [named, {}])


def _neleval():
    text = _lines(
        "d\t0\t2\tE1\t1.0\tPER",
        "d\t8\t10\tE1\t1.0\tPER",
        "d\t8\t14\tE2\t1.0\tPER",
        "d\t17\t18\tE2\t1.0\tPER",
        "d\t25\t26\tNIL1\t1.0\tTHING",
        "e\t0\t0\tE1\t1.0\tPER",
    )
    named = {
        "E1": [tuple(range(3)), (8, 9, 10)],
        "E2": [tuple(range(8, 15)), (17, 18)],
        "NIL1": [(25, 26)],
    }
    return Sample("neleval", {"d.tab": text}, [named, {"E1": [(0,)]}])


def _scorch():
    record = {"type": "clusters", "name": "d", "clusters": {"a": ["m1", 2], "b": ["m3"]}}
    entities = {"a": ["m1", 2], "b": ["m3"]}
    return Sample("scorch-json", {"d.json": _lines(json.dumps(record))}, [entities])


def _table():
    text = _lines(
        *("document,first,last,entity", "d,0,0,a", "d,2,2,a", "d,2,3,b", "d,5,5,b"),
        *("d,7,7,c", "e,7,7,c"),
    )
    named = {"a": [(0,), (2,)], "b": [(2, 3), (5,)], "c": [(7,)]}
    return Sample("table", {"d.csv": text}, [named, {"c": [(7,)]}])


SAMPLES = {
    sample.name: sample
    for sample in (
        _conll_2012(),
        _corefud(),
        _conll_ua(),
        _jsonlines(),
        _wl_coref(),
        _fastcoref(),
        _preco(),
        _scico(),
        _semeval(),
        _brat(),
        _litbank(),
        _mmax(),
        _ecb_plus(),
        _tei(),
        _neleval(),
        _scorch(),
        _table(),
    )
}


def put(sample, folder, data=None):
    """Write the files of a sample, the first one with other bytes; return what is read.

    Of MMAX the first file is a level, and the project is what is read.
    """
    for name, text in sample.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if data is None or name != sample.main else data)
    return folder / ("d.mmax" if sample.format == "mmax" else sample.main)


def mentions_of(document):
    """Return {entity: mentions}, each mention a tuple of its positions, or its id."""
    found = {name: [] for name in document.entity_names}
    spans = document.mentions
    for row, entity in enumerate(document.entity.tolist()):
        if not hasattr(spans, "first"):
            mention = spans[row]
        elif spans.tokens is None:
            mention = tuple(range(int(spans.first[row]), int(spans.last[row]) + 1))
        else:
            low, high = spans.token_ends[row : row + 2]
            mention = tuple(spans.tokens[low:high].tolist())
        found[document.entity_names[entity]].append(mention)
    return found
