"""The catalogue of formats: complete, true of a file of each format, and the guide's table."""

from pathlib import Path

import pytest

from coreference_format_files import SAMPLES, mentions_of, put
from partwise.coreference import read
from partwise.coreference.formats import READERS, WRITABLE
from partwise.coreference.formats.catalogue import CATALOGUE, read_as, table_of_formats

pytestmark = pytest.mark.one_backend

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "coreference.md"


def test_the_catalogue_has_every_format_and_a_file_of_each():
    assert {read_as(name) for name in CATALOGUE} == set(READERS)
    assert set(CATALOGUE) == set(SAMPLES)
    written = {name for name, entry in CATALOGUE.items() if not entry.not_written}
    assert written == set(WRITABLE)


def test_the_guide_has_the_table_of_the_catalogue():
    assert "\n".join(table_of_formats()) in GUIDE.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_of_each_format_is_read_and_holds_what_the_catalogue_says(tmp_path, name):
    sample, entry = SAMPLES[name], CATALOGUE[name]
    documents = read(put(sample, tmp_path), **sample.options)
    assert documents.format == sample.format == read_as(name)
    assert [mentions_of(document) for document in documents] == sample.entities
    first = documents.documents[0]
    tokens, spans = first.tokens, first.mentions
    references = first.references
    found = {
        "words": tokens is not None,
        "singletons": any(len(mentions) == 1 for mentions in mentions_of(first).values()),
        "gaps": getattr(spans, "token_ends", None) is not None,
        "zeros": tokens is not None and tokens.empty is not None and bool(tokens.empty.any()),
        "split_antecedents": bool(first.antecedents),
        "bridging": references is not None and bool(references.bridging),
        "types": bool(first.attributes),
        "documents": len(documents) > 1,
    }
    assert found == {what: getattr(entry, what) for what in found}


@pytest.mark.parametrize("name", sorted({*CATALOGUE} - {*READERS}))
def test_a_format_that_is_read_under_another_name_says_which(tmp_path, name):
    with pytest.raises(ValueError, match=f"files of {name} are read as 'jsonlines'"):
        read(put(SAMPLES[name], tmp_path), name)
