#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""suites.py: each room of util/ROOMS is checked by a suite of `perf test`, and suites name only rooms.

The last argument of each TEST_SUITE() in tests/suites/*.c names the rooms that the suite checks. A suite that
suites.c does not list is never run, so what it names does not count.
"""
import glob
import re
import sys

rooms = {line.split(":")[0].strip() for line in open("util/ROOMS", encoding="utf-8") if line[0] != "#" and ":" in line}
listed = set(re.findall(r"&(\w+)", open("tests/suites/suites.c", encoding="utf-8").read()))
bad = []
named = set()
for path in sorted(glob.glob("tests/suites/*.c")):
    text = open(path, encoding="utf-8").read()
    for suite, rest in re.findall(r"^TEST_SUITE\((\w+),(.*?)\);$", text, re.S | re.M):
        # The title and the rooms are texts, and each may be written in several pieces.
        words = re.fullmatch(r'\s*(?:"(?:[^"\\]|\\.)*"\s*)+,\s*\w+,((?:\s*"[^"]*")+)\s*', rest)
        if not words:
            bad.append(f"{path}: {suite} does not name its rooms as a text")
            continue
        if suite not in listed:
            bad.append(f"{path}: {suite} is not in the table of tests/suites/suites.c")
            continue
        for room in "".join(re.findall(r'"([^"]*)"', words[1])).split():
            named.add(room)
            if room not in rooms:
                bad.append(f"{path}: {suite} names {room}, which is no room of util/ROOMS")
for room in sorted(rooms - named):
    bad.append(f"util/ROOMS: {room} is checked by no suite of tests/suites")

print("\n".join(bad), end="\n" if bad else "")
sys.exit(1 if bad else 0)
