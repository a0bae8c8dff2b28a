#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Draws sweep.json, which shootdown sweep writes (see results/README.md).

Usage: sweep.py FILE FOLDER   writes FOLDER/sweep.png and FOLDER/sweep.svg

All numbers come from the file; this computes places on paper only.
"""

import json
import math
import sys
import textwrap

try:
    import style
except ImportError as error:
    sys.exit(f"{error.name} is missing: install the package python3-matplotlib")

from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

WIDTH = 6.4
C = style.COLORS
SIZES = {"font.size": 9, "axes.labelsize": 9, "xtick.labelsize": 9, "ytick.labelsize": 9,
         "axes.grid": False}


def number(value, _=None):
    """Short, and without an exponent where people count."""
    if value and (abs(value) >= 1e6 or abs(value) < 1e-3):
        return f"{value:.2g}"
    return f"{value:,.0f}".replace(",", "\u202f") if abs(value) >= 1000 else f"{value:.3g}"


def goes_far(xs):
    """Whether doublings say more than steps: 1, 2, 4, 8, or 100 to 10000."""
    powers = all(math.log2(x).is_integer() for x in xs)
    return max(xs) >= (4 if powers else 32) * min(xs)


class Axis:
    """Where a point lies: by its value, on a scale of doublings if its values go far."""

    def __init__(self, sweep):
        points = sweep["points"]
        self.labels = [point["label"] for point in points]
        if not sweep["ordered"]:
            self.places = list(range(len(points)))
            return
        xs = [point["x"] for point in points]
        above = [x for x in xs if x > 0]
        if min(xs) >= 0 and above and goes_far(above):
            # 0 has no logarithm: it stands one doubling before the first.
            first = math.log2(min(above))
            self.places = [math.log2(x) if x > 0 else first - 1 for x in xs]
        else:
            self.places = xs

    def apply(self, axes):
        room = 0.05 * (max(self.places) - min(self.places)) or 0.5
        axes.set_xlim(min(self.places) - room, max(self.places) + room)
        axes.set_xticks(self.places, self.labels)


def values_of(sweep, axis, side):
    pairs = [(place, point[side]["value"])
             for place, point in zip(axis.places, sweep["points"])
             if point[side] and point[side]["value"] is not None]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def draw_side(axes, sweep, axis, side):
    color, marker = C[side], style.MARKERS[side]
    places, values = values_of(sweep, axis, side)
    for place, point in zip(axis.places, sweep["points"]):
        dots = point[side]["dots"] if point[side] else []
        axes.plot([place] * len(dots), dots, marker, ms=3, mew=0, color=color, alpha=0.35)
    axes.plot(places, values, "-" if sweep["ordered"] else "", color=color, lw=1.8,
              marker=marker, ms=5, mec=C["paper"], mew=0.8, clip_on=False, zorder=3)
    return (places[-1], values[-1]) if values else None


def label_ends(axes, sweep, ends):
    """The name of each line at its end, moved apart where they would overlap."""
    low, high = axes.get_ylim()
    least = 0.08 * (high - low)
    placed = []
    for side, (place, value) in sorted(ends.items(), key=lambda end: end[1][1]):
        height = max(value, placed[-1] + least) if placed else value
        placed.append(height)
        axes.annotate(sweep[side], (place, height), xytext=(9, 0), weight="bold",
                      textcoords="offset points", va="center", color=C[side],
                      annotation_clip=False)


def mark_crossover(axes, sweep, axis):
    crossover = sweep["crossover"]
    if crossover["kind"] not in ("from", "everywhere"):
        return
    right = axes.get_xlim()[1]
    left = axes.get_xlim()[0]
    if crossover["kind"] == "from":
        left = axis.places[[point["x"] for point in sweep["points"]].index(crossover["x"])]
        axes.axvline(left, color=C["good"], lw=1, ls=(0, (4, 3)), zorder=1)
    axes.axvspan(left, right, color=C["good-wash"], lw=0, zorder=0)


def name_crossover(axes, sweep, axis):
    crossover = sweep["crossover"]
    if crossover["kind"] != "from":
        return
    i = [point["x"] for point in sweep["points"]].index(crossover["x"])
    axes.annotate(f"{sweep['cand']} better from {crossover['label']}", (axis.places[i], 1),
                  xycoords=("data", "axes fraction"), xytext=(0, 4), size=8,
                  textcoords="offset points", color=C["good"],
                  ha="right" if i == len(sweep["points"]) - 1 else "left")


def draw_values(axes, sweep, axis):
    sides = ["base", "cand"] if sweep["cand"] else ["base"]
    ends = {}
    for side in sides:
        end = draw_side(axes, sweep, axis, side)
        if end:
            ends[side] = end
    axes.set_ylim(bottom=0)
    axes.set_ylabel(sweep["unit"])
    axes.yaxis.set_major_formatter(number)
    axes.grid(axis="y")
    if sweep["cand"]:
        label_ends(axes, sweep, ends)


def draw_ratio(axes, sweep, axis):
    color, marker = C["cand"], style.MARKERS["cand"]
    known = [(place, point) for place, point in zip(axis.places, sweep["points"])
             if point["ratio"] is not None]
    axes.axhline(1, color=C["muted"], lw=1)
    for place, point in known:
        if point["ratio_low"] is not None:
            axes.plot([place, place], [point["ratio_low"], point["ratio_high"]],
                      color=color, lw=2, alpha=0.5, solid_capstyle="butt")
    ratios = [point["ratio"] for _, point in known]
    axes.plot([place for place, _ in known], ratios, "-" if sweep["ordered"] else "",
              marker=marker, ms=5, mec=C["paper"], mew=0.8, color=color, lw=1.2)
    fit_ratio(axes, ratios, [point["ratio_low"] or point["ratio"] for _, point in known])
    for place, point in known:
        label = axes.annotate(number(point["ratio"]), (place, point["ratio"]), xytext=(6, 6),
                              textcoords="offset points", va="center", size=8, color=color,
                              annotation_clip=False)
        label.set_path_effects([withStroke(linewidth=2.5, foreground=C["paper"])])
    axes.set_ylabel(f"{sweep['cand']} / {sweep['base']}")
    axes.grid(axis="y")


def fit_ratio(axes, ratios, lows):
    """Logarithmic, with 1 in sight; an interval that goes far is cut, not followed."""
    low = max(min(lows), min(ratios) / 5, 1e-9) / 1.2
    axes.set_yscale("log", base=2 if low > 0.1 else 10)
    axes.set_ylim(min(low, 0.8), max(ratios + [1]) * 1.6)
    axes.yaxis.set_major_formatter(number)
    axes.yaxis.set_minor_formatter(lambda value, _: "")


def how_many(sweep):
    counts, unit = set(), "samples"
    for point in sweep["points"]:
        for side in ("base", "cand"):
            if not point[side] or point[side]["value"] is None:
                continue
            if sweep["cand"] or point[side]["boots"] > 1:
                unit = "boots"
                counts.add(point[side]["boots"])
            else:
                counts.add(len(point[side]["dots"]))
    if not counts:
        return "no values"
    n = str(min(counts)) if len(counts) == 1 else f"{min(counts)} to {max(counts)}"
    if n == "1":
        unit = unit[:-1]
    return f"n = {n} {unit} a point"


def heading(figure, sweep, height):
    left = 0.14 / WIDTH
    figure.text(left, 1 - 0.12 / height, f"{sweep['metric']} of {sweep['what']}", va="top",
                weight="bold", size=11)
    figure.text(left, 1 - 0.36 / height, f"{sweep['machine']}\n{how_many(sweep)}", va="top",
                color=C["muted"], size=8.5, linespacing=1.4)
    text = sweep["crossover"]["text"]
    if text:
        figure.text(left, 0.1 / height, textwrap.fill(text, 98), va="bottom", size=8.5)


def draw(sweep):
    with rc_context(SIZES):
        return draw_sized(sweep)


def draw_sized(sweep):
    axis = Axis(sweep)
    with_ratio = any(point["ratio"] is not None for point in sweep["points"])
    height = 5.4 if with_ratio else 3.9
    figure = Figure(figsize=(WIDTH, height))
    heading(figure, sweep, height)
    longest = max(len(sweep[side] or "") for side in ("base", "cand"))
    rows = figure.subplots(
        2 if with_ratio else 1, 1, sharex=True, squeeze=False,
        gridspec_kw={"height_ratios": [3, 2] if with_ratio else [1], "hspace": 0.12,
                     "left": 0.86 / WIDTH, "top": 1 - 0.86 / height,
                     "bottom": (0.98 if sweep["crossover"]["text"] else 0.6) / height,
                     "right": 1 - (0.2 + 0.09 * longest * bool(sweep["cand"])) / WIDTH})[:, 0]
    draw_values(rows[0], sweep, axis)
    rows[0].tick_params(labelbottom=not with_ratio)
    if with_ratio:
        draw_ratio(rows[1], sweep, axis)
    axis.apply(rows[-1])
    for axes in rows:
        axes.tick_params(which="both", length=0)
        mark_crossover(axes, sweep, axis)
    name_crossover(rows[0], sweep, axis)
    rows[-1].set_xlabel(sweep["param"])
    return figure


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: sweep.py FILE FOLDER")
    with open(sys.argv[1], encoding="utf-8") as file:
        sweep = json.load(file)
    if sweep["schema"] != "shootdown-sweep-1":
        sys.exit(f"{sys.argv[1]}: schema {sweep['schema']} is not known")
    style.save(draw(sweep), sys.argv[2], "sweep")


if __name__ == "__main__":
    main()
