"""Drawings inside of a page: SVG without names that clash, PNG where that is long."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Callable
from typing import Any

from partwise.report.page.parts import Paragraphs, Picture

#: Bytes of SVG from which a picture is stored as PNG.
MOST_SVG = 300_000
#: Dots an inch of a PNG, and of one that would be long otherwise.
_DOTS = (144, 96, 72)
#: Pixels for each point of a picture: small text of pictures is read on a page, too.
_SCALE = 1.25 * 4 / 3
_MOST_PNG = 300_000
_NO_METADATA = {"Creator": None, "Date": None, "Format": None, "Type": None}
_FAMILY = re.compile(r"(font: [^;'\"]*?px )[^;\"]*")


def picture_of(
    draw: Callable[[], Any], *, key: str, caption: str, description: str
) -> Picture | Paragraphs:
    """Return a drawing as a part of a page; a sentence where it cannot be drawn.

    Parameters
    ----------
    draw : callable
        Returns the axes, or raises ValueError with the reason why there is nothing to draw.
    key : str
        Put in front of names inside the SVG, which are shared by the whole page.
    caption, description : str
    """
    try:
        axes = draw()
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        return Paragraphs([f"{caption}: not drawn, as pictures need matplotlib; {_WAY_OUT}"])
    except ValueError as reason:
        return Paragraphs([f"{caption}: {reason}."])
    svg = _svg(axes.figure, key)
    if len(svg.encode()) <= MOST_SVG:
        return Picture(caption, description, svg=svg)
    return Picture(caption, description, png=_png(axes.figure))


_WAY_OUT = "pip install 'partwise[plot]' brings it."


def _svg(figure: Any, key: str) -> str:
    """Return a figure as an element of SVG with text as text."""
    from matplotlib import rc_context

    stream = io.StringIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": key}):
        figure.savefig(
            stream,
            format="svg",
            transparent=True,
            bbox_inches="tight",
            metadata=_NO_METADATA,
        )
    text = stream.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"<style type=\"text/css\">.*?</style>\s*", "", text, flags=re.DOTALL)
    head, body = text.split(">", 1)
    size = re.search(r'viewBox="[^"]*"', head)
    assert size is not None
    return f'<svg {size[0]}{_width(head)} aria-hidden="true">{_own_names(_fonts(body), key)}'


def _width(head: str) -> str:
    """Return a style that shows the picture in its own size, or smaller."""
    width = re.search(r'width="([\d.]+)pt"', head)
    return f' style="width: {_SCALE * float(width[1]):.0f}px"' if width else ""


def _fonts(body: str) -> str:
    """Return SVG whose text is in the fonts of the page."""
    return _FAMILY.sub(lambda match: f"{match[1]}system-ui, sans-serif", body)


def _own_names(body: str, key: str) -> str:
    """Return SVG with the names that are referred to, each with ``key`` in front."""
    used = set(re.findall(r'url\(#([^)"]+)\)', body)) | set(
        re.findall(r'href="#([^"]+)"', body)
    )

    def named(match: re.Match[str]) -> str:
        return f' id="{key}-{match[1]}"' if match[1] in used else ""

    body = re.sub(r' id="([^"]*)"', named, body)
    body = re.sub(r"url\(#", f"url(#{key}-", body)
    return re.sub(r'(xlink:)?href="#', f'href="#{key}-', body)


def _png(figure: Any) -> str:
    """Return a figure as PNG in base64, of fewer dots where it would be long."""
    data = b""
    for dots in _DOTS:
        stream = io.BytesIO()
        figure.savefig(stream, format="png", dpi=dots, bbox_inches="tight", transparent=True)
        data = stream.getvalue()
        if len(data) <= _MOST_PNG:
            break
    return base64.b64encode(data).decode("ascii")
