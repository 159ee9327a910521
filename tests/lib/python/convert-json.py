#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compare `perf data convert --to-json` files.

usage: convert-json.py subset OURS REFERENCE   all that the reference says stands in ours, in order
       convert-json.py count FILE              samples in it
       convert-json.py events FILE             "COUNT NAME" of its events, sorted"""
import collections
import json
import sys


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def fail(*words):
    print(*words)
    sys.exit(1)


def check_sample(n, ours, ref):
    """The members of the reference, with their values, first and in the same order."""
    keys = list(ref)
    if list(ours)[:len(keys)] != keys:
        fail("sample", n, "keys", list(ours), "for", keys)
    for key in keys:
        # threads that are gone are one to the reference: it has the process of the first for all
        if key == "pid" and ours["tid"] == -1:
            continue
        if key != "callchain" and ours[key] != ref[key]:
            fail("sample", n, key, ours[key], "for", ref[key])
    if len(ours["callchain"]) != len(ref["callchain"]):
        fail("sample", n, "frames", len(ours["callchain"]), "for", len(ref["callchain"]))
    for a, b in zip(ours["callchain"], ref["callchain"]):
        for key in b:
            # the reference names functions of any vdso by that of the machine it runs on
            if (key, b.get("dso")) == ("symbol", "[vdso]") and key not in a:
                continue
            if a.get(key) != b[key]:
                fail("sample", n, "frame", a, "for", b)


def subset(ours, ref):
    for key, value in ref["headers"].items():
        if ours["headers"].get(key) != value:
            fail("header", key, ours["headers"].get(key), "for", value)
    if list(ours["headers"]) != list(ref["headers"]):
        fail("headers", list(ours["headers"]), "for", list(ref["headers"]))
    if len(ours["samples"]) != len(ref["samples"]):
        fail("samples", len(ours["samples"]), "for", len(ref["samples"]))
    for n, (a, b) in enumerate(zip(ours["samples"], ref["samples"])):
        check_sample(n, a, b)


def main():
    what, data = sys.argv[1], load(sys.argv[2])
    if data["linux-perf-json-version"] != 1:
        fail("version", data["linux-perf-json-version"])
    if what == "subset":
        subset(data, load(sys.argv[3]))
    elif what == "count":
        print(len(data["samples"]))
    else:
        counts = collections.Counter(s["event"] for s in data["samples"])
        for name in sorted(counts):
            print(counts[name], name)


main()
