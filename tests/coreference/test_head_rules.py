"""The head rules of Collins (1999, appendix A), a phrase or more for each category."""

import numpy as np
import pytest

from partwise.coreference import Tokens
from partwise.coreference.syntax.heads import HEAD_RULES, head_by_rules
from partwise.coreference.syntax.trees import phrase_marks, sentence_trees

pytestmark = pytest.mark.one_backend

#: The table as it is printed: category, direction, labels in their order.
PRINTED = """
ADJP left NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB
ADVP right RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN
CONJP right CC RB IN
FRAG right
INTJ left
LST right LS :
NAC left NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
PP right IN TO VBG VBN RP FW
PRN left
PRT right RP
QP left $ IN NNS NN JJ RB DT CD NCD QP JJR JJS
RRC right VP NP ADVP ADJP PP
S left TO IN VP S SBAR ADJP UCP NP
SBAR left WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG
SBARQ left SQ S SINV SBARQ FRAG
SINV left VBZ VBD VBP VB MD VP S SINV ADJP NP
SQ left VBZ VBD VBP VB MD VP SQ
UCP right
VP left TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP
WHADJP left CC WRB JJ ADJP
WHADVP right CC WRB
WHNP left WDT WP WP$ WHADJP WHPP WHNP
WHPP right IN TO FW
"""


def test_the_table_is_the_printed_one():
    printed = {}
    for line in PRINTED.strip().splitlines():
        category, direction, *labels = line.split()
        printed[category] = (direction, " ".join(labels))
    assert printed == HEAD_RULES


def head_of(text):
    """Return the head's word of a tree in brackets, "(NP (DT the) (NN dog))"."""
    words, tags, parse, opened = [], [], [], ""
    for token in text.replace("(", " (").replace(")", ") ").split():
        if token.startswith("("):
            label = token[1:]
            opened += f"({label}"
        else:
            word = token.rstrip(")")
            if word:
                words.append(word)
                tags.append(opened[opened.rindex("(") + 1 :])
                parse.append(opened[: opened.rindex("(")] + "*")
                opened = ""
            else:
                parse[-1] += ")"
            continue
    tokens = Tokens(words, np.zeros(len(words), dtype=np.int64), tags=tags, parse=parse)
    (tree,) = sentence_trees(phrase_marks(tokens, "d"))
    return words[head_by_rules(tokens, tree, range(len(words)))]


@pytest.mark.parametrize(
    ("text", "head"),
    [
        # noun phrases: a possessive mark at the end
        ("(NP (NNP Ann) (POS 's))", "'s"),
        ("(NP (NP (NNP Ann) (POS 's)) (JJ old) (NN dog))", "dog"),
        # from the right: nouns, NX, POS, JJR
        ("(NP (DT the) (NN stock) (NN market) (NN crash))", "crash"),
        ("(NP (NN vice) (NN president) (CD two))", "president"),
        ("(NP (DT the) (JJR better))", "better"),
        ("(NP (NN dogs) (JJR more))", "more"),
        ("(NP (JJ new) (NX (NN oil) (NNS prices)))", "prices"),
        ("(NP (NML (NNP New) (NNP York)) (JJ based))", "York"),
        ("(NP (NP (DT the) (NN man)) (NN tax))", "tax"),
        # else the first NP from the left
        ("(NP (NP (DT the) (NN man)) (PP (IN in) (NP (NN black))))", "man"),
        ("(NP (NP (NNP Ann)) (, ,) (NP (DT the) (NN boss)))", "Ann"),
        # else from the right $, ADJP, PRN
        ("(NP ($ $) (CD 38))", "$"),
        ("(NP (DT the) (ADJP (RBS most) (JJ important)) (CD two))", "important"),
        # else from the right CD
        ("(NP (JJ last) (CD five) (JJ odd))", "five"),
        # else from the right JJ, JJS, RB, QP
        ("(NP (DT the) (JJ poor) (RB there))", "there"),
        ("(NP (DT the) (JJS best) (DT all))", "best"),
        ("(NP (DT the) (QP (IN about) (CD ten)))", "about"),
        # else the last word, which no phrase behind it is
        ("(NP (DT that))", "that"),
        ("(NP (DT those) (SBAR (WHNP (WP who)) (S (VP (VBD came)))))", "those"),
        ("(NP (PRP it) (PP (IN of) (NP (NN gold))))", "it"),
        ("(NP (PP (IN from) (NP (NN home))))", "from"),
        # coordination: the part before the conjunction
        ("(NP (NNS cats) (CC and) (NNS dogs))", "cats"),
        ("(NP (NNS cats) (, ,) (NNS cows) (CC and) (NNS dogs))", "cows"),
        ("(NP (CC both) (NNS dogs))", "dogs"),
        ("(NP (NNS cats) (CONJP (RB as) (RB well) (IN as)) (NNS dogs))", "cats"),
        ("(VP (VB buy) (CC or) (VB sell))", "buy"),
        # labels with a function
        ("(S (SBAR-ADV (IN if) (S (VP (VBN seen)))) (VP-x (VB go)))", "go"),
        # the others: the order of labels goes before the direction
        ("(ADJP (RB very) (JJ old) (NNS years))", "years"),
        ("(ADJP (JJ big) (CC and) (JJ old))", "big"),
        ("(ADVP (RB much) (RBR more) (RB often))", "often"),
        ("(ADVP (NP (DT a) (NN year)) (IN ago))", "ago"),
        ("(CONJP (RB as) (RB well) (IN as))", "well"),
        ("(FRAG (NP (NN home)) (ADVP (RB alone)))", "alone"),
        ("(INTJ (UH oh) (NP (NNP Ann)))", "oh"),
        ("(LST (LS 1) (: -))", "1"),
        ("(NAC (NNP Wayne) (NNP County))", "Wayne"),
        ("(NAC (JJ old) (NN house))", "house"),
        ("(PP (IN out) (IN of) (NP (NN town)))", "of"),
        ("(PP (VBG including) (NP (NNP Ann)))", "including"),
        ("(PRN (-LRB- -LRB-) (NP (NNP Ann)) (ADVP (RB there)))", "Ann"),
        ("(PRT (RP up))", "up"),
        ("(QP (RB about) (CD ten) (NNS dozens))", "dozens"),
        ("(QP (CD ten) (CC or) (CD twenty))", "ten"),
        ("(RRC (ADVP (RB now)) (VP (VBN gone)))", "gone"),
        ("(S (NP (PRP he)) (VP (VBD left)) (. .))", "left"),
        ("(S (ADJP (JJ glad)) (NP (PRP he)))", "glad"),
        ("(SBAR (IN that) (S (NP (PRP he)) (VP (VBD left))))", "that"),
        ("(SBAR (S (NP (PRP he)) (VP (VBD left))) (WHNP (WP who)))", "who"),
        ("(SBARQ (WHNP (WP who)) (SQ (VBD left)))", "left"),
        ("(SINV (VP (VBN gone)) (VBZ is) (NP (PRP he)))", "is"),
        ("(SQ (MD can) (NP (PRP he)) (VP (VB go)))", "can"),
        ("(SQ (NP (PRP he)) (VP (VB go)) (SQ (VBZ is)))", "go"),
        ("(UCP (JJ old) (CC and) (NP (NN gold)))", "old"),
        ("(VP (MD will) (VP (VB go)))", "will"),
        ("(VP (VB go) (TO to))", "to"),
        ("(VP (ADVP (RB now)) (NN start))", "start"),
        ("(WHADJP (WRB how) (JJ old))", "how"),
        ("(WHADVP (WRB how) (RB often))", "how"),
        ("(WHNP (WP$ whose) (WP what) (NN dog))", "what"),
        ("(WHNP (WHADJP (WRB how) (JJ many)) (NNS dogs))", "how"),
        ("(WHPP (IN for) (WHNP (WP whom)))", "for"),
        # categories without a rule: the last part
        ("(X (NN dog) (SYM x))", "x"),
    ],
)
def test_heads(text, head):
    assert head_of(text) == head
