"""What costs most: the costs of mentions are what B-cubed lacks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coreference_definitions import entities_by_label, numerators, sides
from partwise.coreference import score
from partwise.coreference.scores.worst import worst_of

partitions = st.lists(st.integers(0, 4), max_size=9).map(entities_by_label)
documents = st.lists(st.tuples(partitions, partitions), min_size=1, max_size=3)


@given(documents)
def test_costs_add_up_to_what_b_cubed_lacks(pairs):
    worst = worst_of(score(*sides(pairs)), count=100)
    for turn, listed, lost in ((1, worst.key, 0), (-1, worst.response, 1)):
        parts = [numerators(*pair[::turn], "bcub") for pair in pairs]
        lacking = float(sum(below - above for above, below in parts))
        assert worst.missed[lost] == pytest.approx(lacking, abs=1e-12)
        assert sum(one.cost for one in listed) == pytest.approx(lacking, abs=1e-12)
        assert [one.cost for one in listed] == sorted((x.cost for x in listed), reverse=True)
    for one in worst.mentions:
        pair = pairs[int(one.mention.document[1:])]
        mention = int(one.mention.text)
        entities = [next((set(x) for x in side if mention in x), set()) for side in pair]
        together = len(entities[0] & entities[1])
        assert (one.together, one.key_size, one.response_size) == (
            together,
            *map(len, entities),
        )
        wanted = sum(1 - together / len(entity) for entity in entities if entity)
        assert one.cost == pytest.approx(wanted)
        for name, entity in zip((one.key_entity, one.response_entity), entities, strict=True):
            assert (name is None) == (not entity)
    both = sum(one.cost for one in worst.mentions)
    assert both == pytest.approx(sum(worst.missed), abs=1e-12)
