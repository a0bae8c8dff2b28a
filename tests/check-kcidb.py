#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Refuses what KCIDB's I/O schema 5.0 refuses, of the parts that we write.

Usage: check-kcidb.py FILE   prints how many checkouts, builds and tests there are.

Written from the schema's own rules: keys, types, patterns, no null anywhere. Beyond
it: every id is used once, and every reference leads to something.
"""

import json
import re
import sys

STATUSES = {"FAIL", "ERROR", "MISS", "PASS", "DONE", "SKIP"}
ORIGIN = r"[a-z0-9_]+"
ID = ORIGIN + r":.+"
TEXT = r"[^\0]*"
NUMBER = (int, float)

# For each kind of object its keys: whether needed, and a pattern, type or check.
CHECKOUT = {"id": (True, ID), "origin": (True, ORIGIN),
            "git_commit_hash": (False, "[0-9a-f]{40}"), "git_commit_name": (False, TEXT),
            "comment": (False, TEXT), "misc": (False, dict)}
BUILD = {"id": (True, ID), "origin": (True, ORIGIN), "checkout_id": (True, ID),
         "architecture": (False, "[a-z0-9_]*"), "comment": (False, TEXT),
         "status": (False, STATUSES), "misc": (False, dict)}
TEST = {"id": (True, ID), "origin": (True, ORIGIN), "build_id": (True, ID),
        "path": (False, r"([a-zA-Z0-9_-]+(\.[a-zA-Z0-9_-]+)*)?"), "comment": (False, TEXT),
        "status": (False, STATUSES), "waived": (False, bool),
        "environment": (False, {"comment": (False, TEXT), "misc": (False, dict)}),
        "number": (False, {"value": (True, NUMBER), "unit": (False, TEXT)}),
        "misc": (False, dict)}
TOP = {"version": (True, {"major": (True, {5}), "minor": (False, {0})}),
       "checkouts": (False, list), "builds": (False, list), "tests": (False, list)}


def wrong(where, what):
    sys.exit(f"{where}: {what}")


def check_value(where, value, rule):
    if isinstance(rule, str):
        if not isinstance(value, str) or not re.fullmatch(rule, value, re.DOTALL):
            wrong(where, f"{value!r} is not {rule}")
    elif isinstance(rule, dict):
        check_object(where, value, rule)
    elif isinstance(rule, set):
        if isinstance(value, bool) or value not in rule:
            wrong(where, f"{value!r} is none of {sorted(rule)}")
    elif not isinstance(value, rule) or (rule is not bool and isinstance(value, bool)):
        wrong(where, f"{value!r} has the wrong type")


def check_object(where, value, rules):
    if not isinstance(value, dict):
        wrong(where, "no object")
    for key, (needed, rule) in rules.items():
        if key in value:
            check_value(f"{where}.{key}", value[key], rule)
        elif needed:
            wrong(where, f"no {key}")
    for key in value.keys() - rules.keys():
        wrong(where, f"{key} is not in the schema")


def check_no_null(where, value):
    if value is None:
        wrong(where, "null")
    for key, one in value.items() if isinstance(value, dict) else \
            enumerate(value) if isinstance(value, list) else ():
        check_no_null(f"{where}.{key}", one)


def once(pairs):
    if len(dict(pairs)) != len(pairs):
        wrong("JSON", "a key twice")
    return dict(pairs)


def no_constant(name):
    wrong("JSON", f"{name} is no JSON")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file, object_pairs_hook=once, parse_constant=no_constant)
    check_object("report", report, TOP)
    check_no_null("report", report)
    ids = {None}
    for kind, rules, parent in (("checkouts", CHECKOUT, None), ("builds", BUILD, "checkout_id"),
                                ("tests", TEST, "build_id")):
        above, ids = ids, set()
        for i, one in enumerate(report.get(kind, [])):
            check_object(f"{kind}[{i}]", one, rules)
            if one["id"] in ids or not one["id"].startswith(one["origin"] + ":"):
                wrong(f"{kind}[{i}]", f"{one['id']} is there twice, or of another origin")
            if one.get(parent) not in above:
                wrong(f"{kind}[{i}]", f"{one.get(parent)} is not there")
            if "number" in one and one.get("status") in ("MISS", "SKIP", None):
                wrong(f"{kind}[{i}]", "a number of what did not run")
            ids.add(one["id"])
    print(*(f"{len(report.get(kind, []))} {kind}" for kind in ("checkouts", "builds", "tests")))


if __name__ == "__main__":
    main()
