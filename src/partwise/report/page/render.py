"""A page as text: templates, their style and script, and how much a listing may take."""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from partwise.report.page.parts import LABEL, Figures, Listing, Section, cut
from partwise.report.whole_files import write_whole_text

#: Bytes of HTML that the lines of all listings of a page take together.
LISTED_BYTES = 2_000_000


@dataclass(frozen=True, repr=False)
class ReportPage:
    """A page of HTML that holds everything it needs: text, pictures, style and script.

    Attributes
    ----------
    title : str
    html : str
        The page. It asks no other place for anything.
    """

    title: str
    html: str

    def save(self, path: str | Path) -> None:
        """Write the page into a file, as UTF-8; one that is there is replaced.

        Parameters
        ----------
        path : str or Path

        Raises
        ------
        OSError
            The file cannot be written.
        """
        write_whole_text(path, self.html)

    def __str__(self) -> str:
        return self.html

    def __repr__(self) -> str:
        size = len(self.html.encode()) / 1000
        return f"ReportPage({cut(self.title, 60)!r}, {size:,.0f} kB)"

    def _repr_html_(self) -> str:
        return (
            f'<iframe title="{html.escape(self.title)}" srcdoc="{html.escape(self.html)}" '
            'style="width: 100%; height: 40em; border: 1px solid #999"></iframe>'
        )


def rendered(
    title: str,
    sections: Sequence[Section],
    *,
    subtitle: str = "",
    figures: Figures | None = None,
) -> ReportPage:
    """Return the page of some sections.

    Parameters
    ----------
    title : str
    sections : sequence of Section
    subtitle : str
        What was compared, in a sentence.
    figures : Figures, optional
        What stands above all sections.
    """
    environment, markup = _environment()
    style, script = _text("page.css"), _text("page.js")
    listings = sum(isinstance(part, Listing) for one in sections for part in one.parts)
    room = LISTED_BYTES // max(listings, 1)
    line = environment.get_template("entry.html")

    def lines_of(listing: Listing) -> list[Any]:
        """Return the first lines of a listing, as many as the page has room for."""
        lines, taken = [], 0
        for entry in listing.entries:
            text = markup(line.render(entry=entry, listing=listing))
            taken += len(text.encode())
            if taken > room:
                break
            lines.append(text)
        return lines

    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    shown = cut(" ".join(title.split()), 2 * LABEL)
    text = environment.get_template("page.html").render(
        title=shown,
        subtitle=cut(subtitle),
        figures=figures,
        sections=sections,
        style=markup(style),
        script=markup(script),
        script_digest=digest,
        lines_of=lines_of,
        markup=markup,
        version=version("partwise"),
    )
    return ReportPage(shown, text)


@cache
def _environment() -> tuple[Any, Any]:
    """Return what fills the templates, and what marks text that needs no escape."""
    try:
        import jinja2
        from markupsafe import Markup
    except ImportError as error:
        raise ModuleNotFoundError(
            "a report page needs jinja2: pip install 'partwise[report]'", name="jinja2"
        ) from error
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_text),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["cut"] = cut
    environment.globals["longest"] = LABEL
    return environment, Markup


def _text(name: str) -> str:
    """Return a file of the templates."""
    return (files("partwise.report.page") / "templates" / name).read_text("utf-8")
