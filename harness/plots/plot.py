#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Draws the figures that shootdown report describes in a file of JSON.

Usage: plot.py FIGURES FOLDER   writes NAME.svg and NAME.png for each of them.

Nothing is computed here but where things go: every number, mean and interval
comes with the file.
"""

import glob
import json
import math
import os
import sys

try:
    import style
    import sweep
except ImportError as error:
    sys.exit(f"no pictures: {error.name} is missing: apt install python3-matplotlib")

from matplotlib.patches import Rectangle  # noqa: E402 (after the check)
from matplotlib.ticker import MaxNLocator  # noqa: E402

C = style.COLORS


def number(value, digits=3):
    """Short, and never 1e+03."""
    size = abs(value)
    if size >= 1000:
        return f"{value:,.0f}".replace(",", "\u202f")
    if size == 0 or size >= 0.0001:
        return f"{value:.{digits}g}"
    return f"{value:.1e}"


def fit_y(axes, values):
    """From 0, unless all values are close together far from it."""
    low, high = min(values), max(values)
    if low <= 0.5 * high:
        low, high = min(low, 0), max(high, 0)
    room = 0.08 * (high - low) or 0.05 * abs(high) or 1
    axes.set_ylim(low - room, high + room)
    axes.yaxis.set_major_locator(MaxNLocator(5))
    # Close together, they differ only in their last digits.
    digits = 3 if low <= 0 else 2 + max(1, math.ceil(math.log10(high / (high - low or high))))
    axes.yaxis.set_major_formatter(lambda value, _: number(value, digits))


def apart(heights, axes, share=0.09):
    """The heights of labels, pushed apart where they would lie on each other."""
    low, high = axes.get_ylim()
    least = share * (high - low)
    placed = list(heights)
    order = sorted(range(len(placed)), key=lambda i: placed[i])
    for below, above in zip(order, order[1:]):
        if placed[above] - placed[below] < least:
            middle = (placed[above] + placed[below]) / 2
            placed[below], placed[above] = middle - least / 2, middle + least / 2
    return placed


def draw_arm(axes, arm, places, shift):
    color, marker = C[arm["role"]], style.MARKERS[arm["role"]]
    xs = [places[boot] + shift for boot, _ in arm["samples"]]
    axes.plot(xs, [value for _, value in arm["samples"]], marker, ms=4, mew=0.9,
              mec=color, mfc=C["paper"] if arm["role"] == "base" else color, alpha=0.85,
              zorder=3)
    for boot, value in arm["boots"]:
        x = places[boot] + shift
        axes.plot([x - 0.13, x + 0.13], [value, value], color=color, lw=1.6, zorder=2)


def draw_interval(axes, interval, x):
    low, high, middle = interval["low"], interval["high"], interval["middle"]
    axes.plot([x, x], [low, high], color=C["cand"], lw=2, solid_capstyle="butt", zorder=2)
    for end in (low, high):
        axes.plot([x - 0.12, x + 0.12], [end, end], color=C["cand"], lw=1.2, zorder=2)
    axes.plot([x], [middle], style.MARKERS["cand"], ms=5.5, color=C["cand"], zorder=3)


def draw_dots(spec):
    figure = style.new_figure(spec["title"], spec["subtitle"], 2.45)
    axes = figure.add_axes((0.13, 0.17, 0.66, figure.top - 0.17))
    arms = spec["arms"]
    boots = sorted({boot for arm in arms for boot, _ in arm["samples"]})
    places = {boot: i for i, boot in enumerate(boots)}
    end = len(boots) - 0.5
    values = [value for arm in arms for _, value in arm["samples"]]
    interval = spec.get("interval")
    if interval:
        values += [interval["low"], interval["high"]]
    fit_y(axes, values)
    for arm in arms:
        shift = 0 if len(arms) == 1 else -0.17 if arm["role"] == "base" else 0.17
        draw_arm(axes, arm, places, shift)
        level = arm["level"]
        axes.axhline(level, color=C[arm["role"]], lw=0.8, ls=(0, (4, 3)), zorder=1)
    if interval:
        axes.axvline(end, color=C["rule"], lw=0.8)
        draw_interval(axes, interval, end + 0.5)
    axes.set_xlim(-0.5, end + (1 if interval else 0))
    step = max(1, -(-len(boots) // 12))
    axes.set_xticks(range(0, len(boots), step), [str(boot) for boot in boots[::step]])
    axes.set_xlabel(spec["x_label"])
    heights = apart([arm["level"] for arm in arms], axes, 0.2)
    for arm, y in zip(arms, heights):
        axes.annotate(f"{style.shorten(arm['name'], 13)}\n{number(arm['level'])}", (1.02, y),
                      xycoords=("axes fraction", "data"), color=C[arm["role"]],
                      va="center", annotation_clip=False)
    return figure


def draw_heat(spec):
    """Rows of cells whose colour is as strong as their value, on any paper."""
    rows, cpus = spec["rows"], spec["cpus"]
    top = max(max(row["values"]) for row in rows) or 1
    row_in, width = 0.2, 7.2
    height = 0.55 + 0.42 + row_in * len(rows)
    figure = style.new_figure(spec["title"], spec["subtitle"], height, width)
    axes = figure.add_axes((0.3, 0.42 / height, 0.69, row_in * len(rows) / height))
    for y, row in enumerate(rows):
        for x, value in enumerate(row["values"]):
            axes.add_patch(Rectangle((x + 0.02, y + 0.06), 0.96, 0.88, lw=0,
                                     facecolor=C[row["role"]],
                                     alpha=0.04 + 0.5 * value / top))
            if len(cpus) <= 16:
                axes.text(x + 0.5, y + 0.53, number(value), ha="center", va="center",
                          size=7)
        axes.text(-0.15, y + 0.53, row["label"], ha="right", va="center", size=7.5,
                  color=C[row["role"]])
    axes.set(xlim=(0, len(cpus)), ylim=(len(rows), 0), yticks=[])
    step = max(1, -(-len(cpus) // 32))
    axes.set_xticks([x + 0.5 for x in range(0, len(cpus), step)], cpus[::step])
    axes.set_xlabel("CPU")
    nodes = spec["nodes"]
    edges = [x for x in range(1, len(nodes)) if nodes[x] != nodes[x - 1]]
    for x in edges if len(edges) < 16 else ():  # more: their CPUs take turns
        axes.axvline(x, color=C["muted"], lw=0.6)
    axes.grid(False)
    axes.spines[:].set_visible(False)
    return figure


def draw_bars(spec):
    """For each item a line of text, and below it a bar for each arm."""
    items, bar_in = spec["items"], 0.11
    names = {arm["role"]: arm["name"] for arm in spec["arms"]}
    item_in = 0.24 + bar_in * len(names)
    height = 0.55 + 0.08 + item_in * len(items)
    figure = style.new_figure(spec["title"], spec["subtitle"], height)
    axes = figure.add_axes((0.025, 0.06 / height, 0.95, item_in * len(items) / height))
    top = max(item[role] for item in items for role in names) or 1
    for i, item in enumerate(items):
        y = i * item_in
        axes.text(0, y + 0.2, item["name"], va="bottom", size=7.5)
        for j, role in enumerate(names):
            at = y + 0.22 + j * bar_in
            axes.barh(at + bar_in / 2, item[role], bar_in * 0.82, color=C[role])
            text = number(item[role])
            axes.annotate(f"{text} {style.shorten(names[role], 12)}" if i == 0 else text,
                          (item[role], at + bar_in / 2), xytext=(3, 0), va="center",
                          textcoords="offset points", color=C[role], size=7)
    # Room for the number and the name that stand behind the longest bar.
    axes.set(xlim=(0, 1.45 * top), ylim=(item_in * len(items), 0), xticks=[], yticks=[])
    axes.grid(False)
    axes.spines[:].set_visible(False)
    return figure


def draw_nights(spec):
    """A point for each night; where a level moved, a line, and both levels."""
    figure = style.new_figure(spec["title"], spec["subtitle"], 2.45)
    axes = figure.add_axes((0.13, 0.14, 0.83, figure.top - 0.14))
    nights = spec["nights"]
    days = [night["day"] for night in nights]
    known = [(night["day"], night["y"]) for night in nights if night["y"] is not None]
    again = [(night["day"], night["again"]) for night in nights if night["again"] is not None]
    axes.axhline(0, color=C["muted"], lw=0.8)
    axes.plot([day for day, _ in known], [y for _, y in known], "o", ms=2.8, mew=0,
              color=C["cand"])
    axes.plot([day for day, _ in again], [y for _, y in again], "o", ms=5, mew=0.9,
              mec=C["cand"], mfc="none")
    for change in spec["changes"]:
        color = C[change["color"]]
        first = days[change["first"]]
        axes.axvline(first - 0.5, color=color, lw=1, ls=(0, (4, 3)))
        if change["before"] is not None:
            axes.plot([days[max(0, change["good"] - 19)], days[change["good"]]],
                      [change["before"]] * 2, color=color, lw=1.6, alpha=0.6)
        if change["after"] is not None:
            axes.plot([first, days[change["end"]]], [change["after"]] * 2, color=color, lw=1.6)
    room = 0.03 * (days[-1] - days[0]) or 1
    axes.set_xlim(days[0] - room, days[-1] + room)
    ends = sorted({0, len(days) // 2, len(days) - 1})
    axes.set_xticks([days[i] for i in ends], [nights[i]["date"] for i in ends])
    axes.get_xticklabels()[0].set_ha("left")
    axes.get_xticklabels()[-1].set_ha("right" if len(ends) > 1 else "center")
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.yaxis.set_major_formatter(lambda value, _: f"+{number(value)}" if value > 0
                                   else number(value))
    return figure


KINDS = {"dots": draw_dots, "heat": draw_heat, "bars": draw_bars, "nights": draw_nights,
         "sweep": sweep.draw}


def main():
    if len(sys.argv) != 3:
        sys.exit("Usage: plot.py FIGURES FOLDER")
    with open(sys.argv[1], encoding="utf-8") as file:
        figures = json.load(file)["figures"]
    for old in glob.glob(os.path.join(glob.escape(sys.argv[2]), "*.svg")) + glob.glob(
            os.path.join(glob.escape(sys.argv[2]), "*.png")):
        os.unlink(old)
    for spec in figures:
        style.save(KINDS[spec["kind"]](spec), sys.argv[2], spec["name"])


if __name__ == "__main__":
    main()
