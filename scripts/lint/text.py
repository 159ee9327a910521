#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""text.py FILE...: every file carries its licence, ends in one newline, has no blanks at line ends,
no merge markers, no notes to self, and no path of somebody's machine."""
import re
import sys

bad = []
no_licence = re.compile(r"(^|/)(COPYING|VERSION)$|\.(data|bin|json|svg|expected|out|map)$|^tests/(data|fuzz/corpus)/")
words = [
    (re.compile("TO" + "DO|FIX" + "ME|X" + "XX:|NEEDS" + "WORK"), "a note to self"),
    (re.compile(r"(?<![\w.$}*-])/(work|home/\w|root|tmp/wt|tmp/land)\b(?!\.)"), "a path of somebody's machine"),
    (re.compile("^(<<<<<<<|>>>>>>>) "), "a merge marker"),
]
for path in sys.argv[1:]:
    if path.startswith("tests/fuzz/corpus/") or path.startswith("tests/data/"):
        continue
    try:
        text = open(path, encoding="utf-8").read()
    except UnicodeDecodeError:
        bad.append(f"{path}: not UTF-8 text")
        continue
    if not no_licence.search(path) and "SPDX-License-Identifier: GPL-2.0-or-later" not in \
            "\n".join(text.split("\n")[:3]):
        bad.append(f"{path}: no SPDX line at the top")
    if path == "COPYING":
        continue
    if text and (not text.endswith("\n") or text.endswith("\n\n")):
        bad.append(f"{path}: does not end in exactly one newline")
    for n, line in enumerate(text.split("\n"), 1):
        if line != line.rstrip():
            bad.append(f"{path}:{n}: blanks at the end of the line")
        for pattern, what in words:
            if pattern.search(line):
                bad.append(f"{path}:{n}: {what}: {line.strip()[:80]}")
print("\n".join(bad), end="\n" if bad else "")
sys.exit(1 if bad else 0)
