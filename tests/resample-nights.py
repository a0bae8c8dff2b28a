#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes the nights of one machine from a result that was really measured.

Usage: resample-nights.py RESULT FOLDER NIGHTS SEED [WORKLOAD METRIC NIGHT FACTOR]

Each night has both kernels, and both once more as after a suspect, with six boots
each: a boot is one of RESULT's, drawn with replacement (of a result of one boot,
every fourth of its samples stands for a boot). So nothing differs between the
kernels, but that from NIGHT on METRIC of WORKLOAD is FACTOR times as high in
tonight's. Night N of any machine has the same commit.
"""

import copy
import datetime
import hashlib
import json
import os
import random
import sys

BOOTS = 6
BEGIN = datetime.date(2024, 1, 1)


def units(run):
    """The samples that belong together: of a boot, else of a fourth."""
    places = range(len(run["work"]))
    boots = sorted(set(run["samples"]["boot"]))
    if len(boots) > 1:
        return [[i for i in places if run["samples"]["boot"][i] == boot] for boot in boots]
    timed = [i for i in places if not run["samples"]["warmup"][i]]
    size = len(timed) // 4
    return [timed[i:i + size] for i in range(0, 4 * size, size)]


def drawn_run(run, rng, factors):
    """A run of new boots from those of run."""
    parts = units(run)
    drawn = [(boot, i) for boot in range(1, BOOTS + 1) for i in rng.choice(parts)]
    new = copy.deepcopy(run)
    new["samples"] = {
        "block": [boot for boot, _ in drawn],
        "boot": [boot for boot, _ in drawn],
        "process": [run["samples"]["process"][i] for _, i in drawn],
        "iteration": list(range(len(drawn))),
        "warmup": [run["samples"]["warmup"][i] for _, i in drawn],
    }
    new["work"] = [run["work"][i] for _, i in drawn]
    for metric, old in zip(new["metrics"], run["metrics"]):
        factor = factors.get((run["workload"], metric["name"]), 1)
        metric["values"] = [old["values"][i] if factor == 1 else round(factor * old["values"][i])
                            for _, i in drawn]
        for column in ("enabled_ns", "running_ns"):
            if column in old:
                metric[column] = [old[column][i] for _, i in drawn]
    return new


def write(path, result, rng, kernel, factors):
    result = dict(result, runs=[drawn_run(run, rng, factors) for run in result["runs"]])
    result["subject"] = dict(result["subject"], kernel_release=f"6.12.0-{kernel}",
                             commit=hashlib.sha1(kernel.encode()).hexdigest())
    with open(path, "w", encoding="utf-8") as file:
        json.dump(result, file)


def main():
    if len(sys.argv) not in (5, 9):
        sys.exit(__doc__.split("\n\n")[1])
    source, folder, nights, seed = sys.argv[1:5]
    change = sys.argv[5:]
    with open(source, encoding="utf-8") as file:
        result = json.load(file)
    rng = random.Random(f"{seed} {os.path.basename(source)}")
    for night in range(1, int(nights) + 1):
        date = BEGIN + datetime.timedelta(days=night - 1)
        path = os.path.join(folder, date.isoformat())
        factors = {}
        if change and night >= int(change[2]):
            factors = {(change[0], change[1]): float(change[3])}
        os.makedirs(path)
        for suffix in ("", "-confirm"):
            write(os.path.join(path, f"reference{suffix}.json"), result, rng, "pinned", {})
            write(os.path.join(path, f"tonight{suffix}.json"), result, rng,
                  f"night{night}", factors)


if __name__ == "__main__":
    main()
