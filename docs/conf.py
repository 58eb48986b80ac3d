"""Sphinx: Markdown pages by hand, the catalogue and the reference from the code."""

import sys
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole

import partwise
from partwise.labels.policies import DEFAULTS as POLICIES

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import generated_pages  # noqa: E402  (beside this file)

project = "partwise"
release = version = partwise.__version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinxcontrib.bibtex",
    "mathml",
]
exclude_patterns = ["_build"]
nitpicky = True

html_math_renderer = "mathml"
myst_enable_extensions = ["dollarmath"]
bibtex_bibfiles = ["references.bib"]
bibtex_reference_style = "author_year"
myst_heading_anchors = 3
autodoc_typehints = "none"
autodoc_member_order = "bysource"
toc_object_entries = False
numpydoc_show_class_members = False

html_theme = "furo"
html_title = "partwise"
templates_path = ["_templates"]
html_static_path = ["_static"]
html_css_files = ["partwise.css"]
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False


def shorten_signature(
    app: Sphinx,
    what: str,
    name: str,
    obj: object,
    options: object,
    signature: str,
    result: str,
) -> tuple[str, str] | None:
    """Show the policies as ``**policies``, and no constructors of results."""
    if what == "class" and name != "partwise.Clustering":
        return "", result
    if not signature or name == "partwise.align":
        return None
    written = ", ".join(f"{key}={value!r}" for key, value in POLICIES.items())
    return signature.replace(written, "**policies"), result


def keep_bars(
    app: Sphinx,
    what: str,
    name: str,
    obj: object,
    options: object,
    lines: list[str],
) -> None:
    """Escape the bars of formulas such as ``|J|``, which would be substitutions."""
    example = False
    for i, line in enumerate(lines):
        example = bool(line) and (example or line.lstrip().startswith(">>>"))
        if not example:
            parts = line.split("``")
            parts[::2] = [part.replace("|", "\\|") for part in parts[::2]]
            lines[i] = "``".join(parts)


class PublicName(SphinxRole):
    """``pw``: a public name, with or without options, that leads to its entry."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the link, or plain code for a name that is not there."""
        target = f"partwise.{self.text.partition('(')[0]}"
        code = nodes.literal(self.rawtext, self.text)
        if not generated_pages.is_public(target):
            return [code], []
        wanted = {"refdomain": "py", "reftype": "obj", "reftarget": target}
        link = pending_xref(
            self.rawtext, code, refwarn=True, refdoc=self.env.docname, **wanted
        )
        self.set_source_info(link)
        return [link], []


def setup(app: Sphinx) -> None:
    """Write the generated pages before Sphinx looks for sources."""
    app.add_role("pw", PublicName())
    app.connect(
        "config-inited", lambda *_: generated_pages.write(HERE / "generated")
    )
    app.connect("autodoc-process-signature", shorten_signature)
    app.connect(
        "autodoc-process-docstring", keep_bars, priority=400
    )  # before numpydoc
