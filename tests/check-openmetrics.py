#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads OpenMetrics text by the strict parser of Prometheus' client.

Usage: check-openmetrics.py FILE   prints each family with its number of samples.
"""

import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families

with open(sys.argv[1], encoding="utf-8", newline="") as file:
    for family in text_string_to_metric_families(file.read()):
        seen = {(one.name, tuple(sorted(one.labels.items()))) for one in family.samples}
        if len(seen) != len(family.samples):
            sys.exit(f"{family.name}: a sample is there twice")
        print(family.name, family.type, len(family.samples))
