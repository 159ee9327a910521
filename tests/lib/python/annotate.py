# SPDX-License-Identifier: GPL-2.0-or-later
"""Looks at what perf annotate --json writes.

	annotate.py same JSON TEXT		counts and texts are those of --stdio --group --no-source
	annotate.py sound JSON			members fit each other and the program's instructions
	annotate.py sums JSON FUNCTION		sums by inlined callee, compared with those of the instructions
	annotate.py text JSON FUNCTION TEXT	--inlined has the same numbers
	annotate.py alike JSON JSON		the same instructions, whoever disassembled them
	annotate.py errors JSON			a line for each function without code
	annotate.py names JSON			the names of the functions
"""
import json
import os
import re
import sys


def load(path):
    with open(path) as f:
        out = json.load(f)
    assert out["format"] == "perf-annotate" and out["version"] == 1, out["format"]
    return out


def function(out, name):
    return next(f for f in out["functions"] if f["name"] == name)


def by_event(counts, key):
    return {c["event"]: c[key] for c in counts}


def text_functions(path):
    """[[address, percentages, text]..] of each function that --stdio wrote."""
    out = []
    with open(path) as f:
        for line in f:
            if line.startswith(" Percent"):
                out.append([])
            found = re.match(r"((?: +[\d.]+)+) :\s+([0-9a-f]+):\s+(.*)", line)
            if found:
                out[-1].append((int(found[2], 16), [float(p) for p in found[1].split()], found[3].rstrip()))
    return out


def same(path, text):
    out, written = load(path), text_functions(text)
    assert written and len(written) == len(out["functions"]), (len(written), len(out["functions"]))
    for f, lines in zip(out["functions"], written):
        assert len(f["instructions"]) == len(lines), f["name"]
        for insn, (address, percents, line) in zip(f["instructions"], lines):
            assert int(insn["address"], 16) == address and insn["text"] == line, (insn, address, line)
            have = by_event(insn["counts"], "percent")
            for event, percent in enumerate(percents):
                assert abs(have.get(event, 0) - percent) <= 0.0051, (f["name"], insn, percents)


def sound(path):
    out = load(path)
    assert [e["name"] for e in out["events"]] == ["cpu-clock:u", "page-faults:u"], out["events"]
    inner = function(out, "inner")
    for f in out["functions"]:
        for event, samples in by_event(f["counts"], "samples").items():
            assert sum(by_event(i["counts"], "samples").get(event, 0) for i in f["instructions"]) == samples, f["name"]
        at = {i["address"] for i in f["instructions"]}
        ends = [int(i["address"], 16) for i in f["instructions"][1:]] + [int(f["end"], 16)]
        for insn, end in zip(f["instructions"], ends):
            assert len(insn["bytes"]) == 2 * (end - int(insn["address"], 16)), insn
            flow = insn.get("flow", {})
            assert flow.get("inside", False) == (flow.get("kind") == "jump" and flow.get("target") in at), insn
    jumps = sum(i.get("jumps", 0) for i in inner["instructions"])
    assert jumps == sum("inside" in i.get("flow", {}) for i in inner["instructions"]) and jumps, jumps
    source = {(os.path.basename(s["file"]), s["line"]): (s["indent"], s["text"]) for s in inner["source"]}
    assert source["prog.c", 6] == (8, "x = x * 3 ^ x >> 7;"), source
    places = {i["source"]["line"] for i in inner["instructions"]}
    assert places <= {line for _, line in source} and 6 in places, places


def inlined_sums(f):
    """Of each inlined function [total, self], by event, as its instructions have them."""
    out = {}
    for insn in f["instructions"]:
        chain = [call["function"] for call in insn.get("inlined", [])]
        for event, samples in by_event(insn["counts"], "samples").items():
            for name in set(chain):
                sums = out.setdefault(name, [{}, {}])
                sums[0][event] = sums[0].get(event, 0) + samples
                if name == chain[0]:
                    sums[1][event] = sums[1].get(event, 0) + samples
    return out


def sums(path, name):
    f = function(load(path), name)
    want = inlined_sums(f)
    assert {c["function"] for c in f["inlined"]} == set(want), (f["inlined"], want)
    for c in sorted(f["inlined"], key=lambda c: c["function"]):
        assert [by_event(c[key], "samples") for key in ("total", "self")] == want[c["function"]], (c, want)
        assert c["function"] != "step" or c["total"][0]["percent"] > 80, c
        print(c["function"], "total and self are sums of its instructions")
    for c in sorted(f["inlined"], key=lambda c: c["function"]):
        place = c["called_at"]
        print(f"{c['function']} is called at {os.path.basename(place['file'])}:{place['line']}" +
              (f" and {c['calls'] - 1} other place" if c["calls"] == 2 else ""))


def text(path, name, written):
    with open(written) as f:
        lines = [line for line in f if line.startswith("inlined:")]
    callees = function(load(path), name)["inlined"]
    assert len(lines) == len(callees) > 0, lines
    for line, c in zip(lines, callees):
        found = re.match(r"inlined: *([\d.]+)%, itself *([\d.]+)%  (\w+), called at prog.c:(\d+)", line)
        total, own = (by_event(c[key], "percent").get(0, 0) for key in ("total", "self"))
        assert found[3] == c["function"] and int(found[4]) == c["called_at"]["line"], line
        assert abs(float(found[1]) - total) <= 0.0051 and abs(float(found[2]) - own) <= 0.0051, (line, c)


def alike(path, other):
    for a, b in zip(load(path)["functions"], load(other)["functions"], strict=True):
        for key in "name", "object", "path", "counts", "start", "end", "inlined":
            assert a[key] == b[key], (a["name"], key, a[key], b[key])
        for x, y in zip(a["instructions"], b["instructions"], strict=True):
            for key in "address", "bytes", "counts", "source", "inlined", "flow":
                assert x.get(key) == y.get(key), (key, x, y)


def errors(path):
    for f in load(path)["functions"]:
        assert "error" in f and "instructions" not in f, f
        print(f["name"] + ": " + f["error"])


def names(path):
    for f in load(path)["functions"]:
        print(f["name"])


globals()[sys.argv[1]](*sys.argv[2:])
