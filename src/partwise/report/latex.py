"""Tables in LaTeX, for ``booktabs``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_ESCAPED = {
    **{sign: "\\" + sign for sign in "&%$#_{}"},
    **{"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"},
    **{"\N{MINUS SIGN}": "$-$", "\N{EN DASH}": "--", "\N{HORIZONTAL ELLIPSIS}": r"\dots{}"},
}
#: What the head of a column says of its values.
ARROWS = {"higher": r"$\uparrow$", "lower": r"$\downarrow$"}


def escaped(text: str) -> str:
    """Return plain text as LaTeX shows it; line breaks become blanks."""
    signs = (_ESCAPED.get(sign, sign) for sign in " ".join(text.split()))
    return "".join(signs)


def cell(text: str, *, bold: bool = False, mark: str = "") -> str:
    """Return a cell that is already LaTeX, in bold, with a raised mark."""
    inner = rf"\textbf{{{text}}}" if bold else text
    return rf"{inner}$^{{\mathrm{{{mark}}}}}$" if mark else inner


def tabular(
    alignment: str,
    head: Iterable[Sequence[str] | str],
    body: Iterable[Sequence[str]],
    *,
    notes: Sequence[str] = (),
    caption: str | None = None,
    label: str | None = None,
) -> str:
    r"""Return a ``tabular``, inside a ``table`` where there is a caption or a label.

    Parameters
    ----------
    alignment : str
        Such as "lrr".
    head, body : iterable of sequences of str
        Lines of cells that are already LaTeX; a string in ``head`` is a line of rules.
    notes : sequence of str
        Plain text below the table.
    caption, label : str, optional
        Plain text of the caption; the key for ``\ref``.
    """
    lines = [rf"\begin{{tabular}}{{{alignment}}}", r"\toprule"]
    for cells in head:
        lines.append(cells if isinstance(cells, str) else " & ".join(cells) + r" \\")
    lines.append(r"\midrule")
    lines += [" & ".join(cells) + r" \\" for cells in body]
    lines.append(r"\bottomrule")
    for note in notes:
        spread = rf"\multicolumn{{{len(alignment)}}}{{l}}"
        lines.append(rf"{spread}{{\footnotesize {escaped(note)}}} \\")
    lines.append(r"\end{tabular}")
    if caption is None and label is None:
        return "\n".join(lines)
    above = [r"\begin{table}", r"\centering"]
    if caption is not None:
        above.append(rf"\caption{{{escaped(caption)}}}")
    if label is not None:
        above.append(rf"\label{{{label}}}")
    return "\n".join([*above, *lines, r"\end{table}"])
