# SPDX-License-Identifier: GPL-2.0-or-later
"""How all pictures look, and how they are written: NAME.png and NAME.svg."""

import os
import re

import matplotlib

matplotlib.use("agg")
from matplotlib.figure import Figure  # noqa: E402 (after the backend)

# Inches. As wide as a phone, so that a page need not shrink its text.
WIDTH = 4.0
PNG_DPI = 200


def _colors():
    """The light colours of the page, by name: {"ink": "#1c2128"}."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "report.css")
    with open(path, encoding="utf-8") as css:
        light = css.read().split("}", 1)[0]
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", light))


COLORS = _colors()
MARKERS = {"base": "o", "cand": "D"}

matplotlib.rcParams.update({
    "font.family": ["DejaVu Sans"],
    "font.size": 8,
    "text.parse_math": False,  # a name may hold a dollar sign
    "text.color": COLORS["ink"],
    "axes.edgecolor": COLORS["rule"],
    "axes.facecolor": "none",
    "axes.labelcolor": COLORS["muted"],
    "axes.labelsize": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.formatter.use_mathtext": False,
    "grid.color": COLORS["rule"],
    "grid.linewidth": 0.6,
    "xtick.color": COLORS["muted"],
    "ytick.color": COLORS["muted"],
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "figure.facecolor": COLORS["paper"],
    "svg.fonttype": "none",
    "svg.hashsalt": "shootdown",
})


def shorten(text, length):
    return text if len(text) <= length else text[: length - 1] + "…"


def new_figure(title, subtitle, height, width=WIDTH):
    """A figure with its two lines of heading; the axes go below figure.top."""
    figure = Figure(figsize=(width, height))
    left = 0.1 / width
    title, subtitle = shorten(title, int(12 * width)), shorten(subtitle, int(16.5 * width))
    figure.text(left, 1 - 0.08 / height, title, va="top", weight="bold", size=9)
    figure.text(left, 1 - 0.27 / height, subtitle, va="top", color=COLORS["muted"], size=7.5)
    figure.top = 1 - 0.55 / height
    return figure


def _inlinable(svg, name):
    """SVG that a page can hold beside others: no prolog, no metadata, ids of its own."""
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"\s*<metadata>.*?</metadata>", "", svg, flags=re.S)
    # Its style sheet would hold for the whole page.
    svg = re.sub(r"\s*<defs>\s*<style.*?</style>\s*</defs>", "", svg, count=1, flags=re.S)
    svg = svg.replace("<svg", '<svg stroke-linejoin="round" stroke-linecap="butt"', 1)
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = re.sub(r'href="#', f'href="#{name}-', svg)
    return re.sub(r"url\(#", f"url(#{name}-", svg)


def save(figure, folder, name):
    path = os.path.join(folder, name)
    figure.savefig(path + ".png", dpi=PNG_DPI)
    figure.savefig(path + ".svg", metadata={"Date": None})
    with open(path + ".svg", encoding="utf-8") as file:
        svg = _inlinable(file.read(), name)
    with open(path + ".svg", "w", encoding="utf-8") as file:
        file.write(svg)
