"""Formulas as MathML, which browsers draw by themselves: nothing is fetched to read a page."""

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator


def visit_math(translator: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in a line of text."""
    translator.body.append(convert(node.astext(), display="inline"))
    raise nodes.SkipNode


def visit_displayed_math(
    translator: HTML5Translator, node: nodes.math_block
) -> None:
    """Write a formula that has lines of its own."""
    formula = convert(node.astext(), display="block")
    translator.body.append(f'<div class="math">{formula}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Draw formulas in this way."""
    app.add_html_math_renderer(
        "mathml", (visit_math, None), (visit_displayed_math, None)
    )
    return {"parallel_read_safe": True, "parallel_write_safe": True}
