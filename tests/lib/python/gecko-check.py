#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""gecko-check.py FILE SAMPLES: a profile as Firefox writes it is what its viewer can read.

The format is that of docs-developer/ and src/types/ of the viewer, github.com/firefox-devtools/profiler."""
import json
import sys

# Versions that the viewer brings up to date; the first one without the column "optimizations".
FIRST, LAST = 27, 30
COLORS = {"transparent", "purple", "green", "orange", "yellow", "lightblue", "blue", "brown", "magenta", "red", "lightred",
          "darkgrey", "grey", "lightgreen", "darkgray"}
COLUMNS = {"markers": {"name", "startTime", "endTime", "phase", "category", "data"}, "samples": {"stack", "time", "responsiveness"},
           "frameTable": {"location", "relevantForJS", "innerWindowID", "implementation", "line", "column", "category", "subcategory"},
           "stackTable": {"prefix", "frame"}}


def column(table, name):
    """The values of a column; missing ones at the end of rows are None."""
    at = table["schema"][name]
    return [row[at] if at < len(row) else None for row in table["data"]]


def check_meta(meta):
    assert FIRST <= meta["version"] <= LAST and meta["presymbolicated"] is True, meta
    for name in "interval", "startTime", "processType", "stackwalk":
        assert isinstance(meta[name], (int, float)) and meta[name] >= 0, name
    assert meta["interval"] > 0 and isinstance(meta["product"], str) and meta["shutdownTime"] is None
    assert isinstance(meta["markerSchema"], list)
    for category in meta["categories"]:
        assert isinstance(category["name"], str) and category["color"] in COLORS, category
        assert category["subcategories"] and all(isinstance(s, str) for s in category["subcategories"])


def check_table(name, table):
    schema = table["schema"]
    assert set(schema) == COLUMNS[name], (name, schema)
    assert sorted(schema.values()) == list(range(len(schema))), (name, schema)
    assert all(isinstance(row, list) and len(row) <= len(schema) for row in table["data"]), name


def all_below(values, limit, *but):
    return all(v in but or type(v) is int and 0 <= v < limit for v in values)


def check_thread(thread, meta):
    for name in COLUMNS:
        check_table(name, thread[name])
    assert type(thread["pid"]) is int and type(thread["tid"]) is int and isinstance(thread["name"], str)
    assert isinstance(thread["registerTime"], (int, float)) and isinstance(thread["processType"], str) and "unregisterTime" in thread
    strings, frames, stacks, samples = (thread[k] for k in ("stringTable", "frameTable", "stackTable", "samples"))
    assert all(isinstance(s, str) for s in strings) and len(set(strings)) == len(strings)
    assert all_below(column(frames, "location"), len(strings)) and all_below(column(frames, "category"), len(meta["categories"]))
    assert all_below(column(frames, "implementation"), len(strings), None)
    for category, sub in zip(column(frames, "category"), column(frames, "subcategory")):
        assert all_below([sub], len(meta["categories"][category]["subcategories"]), None)
    assert all_below(column(stacks, "frame"), len(frames["data"]))
    assert all(all_below([prefix], i, None) for i, prefix in enumerate(column(stacks, "prefix"))), "a stack is not on an earlier one"
    assert all_below(column(samples, "stack"), len(stacks["data"]), None)
    times = column(samples, "time")
    assert all(isinstance(t, (int, float)) and t >= 0 for t in times) and times == sorted(times), times
    return times


def main(path, wanted):
    with open(path, encoding="utf-8") as f:
        profile = json.load(f, parse_constant=lambda word: sys.exit(f"{word} is not in JSON"))
    check_meta(profile["meta"])
    assert all(isinstance(profile[name], list) for name in ("libs", "threads", "processes", "pausedRanges"))
    times = [t for thread in profile["threads"] for t in check_thread(thread, profile["meta"])]
    assert len(times) == int(wanted), len(times)
    assert not times or min(times) == 0, "times count from the first sample"


main(*sys.argv[1:])
