#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""sizes.py FILE...: functions of at most 80 lines (over 100 fails), files of at most 800, lines of at
most 100 columns. Functions between 80 and 100 lines are only told."""
import re
import sys

hard = []
soft = []


def judge(where, what, n, limit, end):
    if n > end:
        hard.append(f"{where}: {what} is {n} lines long, at most {limit}")
    elif n > limit:
        soft.append(f"{where}: {what} is {n} lines long, better {limit} (hard limit {end})")


for path in sys.argv[1:]:
    lines = open(path, encoding="utf-8").read().split("\n")
    judge(path, "file", len(lines) - 1, 800, 800)
    start = None
    name = "?"
    for n, line in enumerate(lines, 1):
        if len(line.expandtabs(8)) > 100 and '"' not in line and "http" not in line:
            hard.append(f"{path}:{n}: over 100 columns")
        m = re.match(r"[A-Za-z_].*?(\w+)\(", line)
        if m and start is None:
            name = m[1]
        if line == "{":
            start = n
        elif line.startswith("}") and start is not None:
            judge(f"{path}:{start}", name + "()", n - start + 1, 80, 100)
            start = None
for line in soft:
    print("note:", line)
for line in hard:
    print(line)
sys.exit(1 if hard else 0)
