# SPDX-License-Identifier: GPL-2.0-or-later
"""Exports of `perf report`, read as their consumers would.

	exports.py make PROG	a recording of PROG (with the functions of its symbol table) in perf.data
	exports.py totals FORMAT FILE
				of each event: name, samples, period ("-": the format has no such thing); a line each,
				sorted. Fails when the file contradicts itself.
	exports.py has FORMAT FILE NAME...
				is each of them the name of a function, or part of a stack, in it?
	exports.py schema SCHEMA FILE
				is FILE what the JSON schema says?
"""
import json
import os
import re
import struct
import subprocess
import sys
from collections import defaultdict

import pdata as p
from proto import decoded

HOSTILE = "</script><img onerror=1>"


def make(prog):
    at = {}
    for line in subprocess.run(["nm", prog], capture_output=True, check=True).stdout.decode().splitlines():
        found = re.match(r"(\w+) [tT] (.*)", line)
        if found:
            at[found[2]] = int(found[1], 16) + 1
    clock = ["IDENTIFIER", "IP", "TID", "TIME", "CPU", "PERIOD", "CALLCHAIN"]
    point = clock + ["RAW"]
    formats = {name: p.saying(number, 8) for name, number in (("sched_switch", 301), ("it", 300))}
    user, kernel = 2**64 - 512, 2**64 - 128
    main, f, g, h, bad = at["main"], at["f"], at["g"], at["h"], at[HOSTILE]
    chains = [[user, main], [user, f, main], [user, h, f, g, f, main], [user, bad, f, main], [user, g, f, main],
              [kernel, 0xffffffff81000010, user, g, main]]
    records = [p.comm(100, 100, HOSTILE), p.comm(100, 101, "a;b \"c\"\\\n\x1b"),
               p.mmap2(100, 0x400000, 0x100000, 0, os.path.abspath(prog))]
    for i in range(900):
        chain = chains[i * 7 % 6]
        tid, time, cpu = (100, 101)[i % 3 // 2], 10**9 + i * 10**6, i % 2
        values = {"TID": (100, tid), "TIME": time, "CPU": cpu, "CALLCHAIN": chain, "IP": chain[1]}
        records.append(p.sample(clock, IDENTIFIER=1, PERIOD=1000 + i, **values))
        if i % 10 == 0:
            who = ((100, 100), (0, 0), (100, 101), (0, 0))[i // 10 % 4]
            switch = {"TID": who, "CPU": 0, "TIME": time + 1, "CALLCHAIN": [kernel, 0xffffffff81000010]}
            records.append(p.sample(point, p.KERNEL, IDENTIFIER=2, PERIOD=1, IP=0xffffffff81000010,
                                    RAW=formats["sched_switch"][1]("x"), **switch))
        if i % 50 == 0:
            values["TIME"] += 2
            records.append(p.sample(point, IDENTIFIER=3, PERIOD=1, RAW=formats["it"][1]("y"), **values))
    attrs = [p.attr(1, 0, clock, flags=p.FREQ), p.attr(2, 301, point), p.attr(2, 300, point)]
    events = struct.pack("<II", len(attrs), len(attrs[0]))
    for i, name in enumerate(("cpu-clock", "sched:sched_switch", "say:it")):
        events += attrs[i] + struct.pack("<II", 1, len(p.text(name))) + p.text(name) + struct.pack("<Q", i + 1)
    p.write("perf.data", [(a, [i + 1]) for i, a in enumerate(attrs)], records)
    p.add_features("perf.data", [(1, p.tracing_data([
        ("sched", [formats["sched_switch"][0].replace("name: say", "name: sched_switch")]),
        ("say", [formats["it"][0].replace("name: say", "name: it")])])), (12, events)])


def one(fields, name, default=0):
    assert len(fields[name]) < 2
    return fields[name][0] if fields[name] else default


def read_pprof(path, sums, names):
    data = subprocess.run(["gzip", "-dc", path], capture_output=True, check=True).stdout
    all = decoded("pprof", "Profile", data)
    texts = all["strings"]
    assert texts[0] == "" and len(set(texts)) == len(texts)
    types = [texts[one(t, "what")] for t in all["types"]]
    for s in all["samples"]:
        assert len(s["values"]) == len(types)
        for place in s["places"]:
            assert one(all["places"][place - 1], "id") == place
        for i in range(0, len(types), 2):
            sums[types[i + 1]][0] += s["values"][i]
            sums[types[i + 1]][1] += s["values"][i + 1]
    for place in all["places"]:
        mapping = one(place, "mapping")
        assert not mapping or one(all["mappings"][mapping - 1], "limit") > one(place, "address")
        for line in place["lines"]:
            names.add(texts[one(all["functions"][one(line, "function") - 1], "name")])


def check_dictionary(dictionary):
    """Entry 0 of each table is empty; what refers to an entry refers to one that is there, and not to none of that kind."""
    tables = {name: dictionary[name] for name in ("mappings", "places", "functions", "links", "strings", "attributes", "stacks")}
    for name, table in tables.items():
        assert table and not (table[0] if name == "strings" else any(table[0].values())), name
        assert len(table) == len({repr(entry) for entry in table}) or name in ("mappings", "places", "functions"), name

    def within(table, *numbers):
        assert all(0 <= n < len(tables[table]) for n in numbers), (table, numbers)
    for mapping in tables["mappings"]:
        within("strings", one(mapping, "file"))
        within("attributes", *mapping["attributes"])
    for place in tables["places"][1:]:
        within("mappings", one(place, "mapping"))
        within("attributes", *place["attributes"])
        within("functions", *(one(line, "function") for line in place["lines"]))
        assert all(one(line, "function") for line in place["lines"])
        assert not one(place, "mapping") or one(place, "address") < one(tables["mappings"][one(place, "mapping")], "limit")
    for function in tables["functions"][1:]:
        within("strings", one(function, "name"), one(function, "system_name"), one(function, "file"))
        assert one(function, "name")
    for attribute in tables["attributes"][1:]:
        within("strings", one(attribute, "key"))
        assert one(attribute, "key") and attribute["value"]
    for stack in tables["stacks"][1:]:
        within("places", *stack["places"])
        assert all(stack["places"])
    return within


def read_otlp(path, sums, names):
    all = decoded("otlp", "Data", open(path, "rb").read())
    dictionary = one(all, "dictionary")
    texts = dictionary["strings"]
    within = check_dictionary(dictionary)
    assert one(one(one(all, "resources"), "scopes"), "scope")["name"] == ["perf"]
    for profile in one(one(all, "resources"), "scopes")["profiles"]:
        event = texts[one(one(profile, "period_type"), "what")]
        samples = texts[one(one(profile, "type"), "what")] == "samples"
        assert len(one(profile, "id", b"")) == 16
        within("strings", *(one(one(profile, t), k) for t in ("type", "period_type") for k in ("what", "unit")))
        for s in profile["samples"]:
            within("stacks", one(s, "stack"))
            within("attributes", *s["attributes"])
            assert len(s["values"]) == 1 and len(s["times"]) in (0, len(s["values"]))
            sums[event][not samples] += sum(s["values"])
            for place in dictionary["stacks"][one(s, "stack")]["places"]:
                for line in dictionary["places"][place]["lines"]:
                    names.add(texts[one(dictionary["functions"][one(line, "function")], "name")])
            for attribute in s["attributes"]:
                assert texts[one(dictionary["attributes"][attribute], "key")]
        sums[event][samples] = "-"


def read_perfetto(path, sums, names):
    counters, counted, samples, stacks = {}, defaultdict(int), defaultdict(int), {}
    for packet in decoded("perfetto", "Trace", open(path, "rb").read())["packets"]:
        for track in packet["track"]:
            if track["counter"]:
                counters[one(track, "uuid")] = one(track, "name")
        for event in packet["event"]:
            if one(event, "type") == 4:
                counted[one(event, "track")] += one(event, "value")
        for interned in packet["interned"]:
            texts = {one(t, "iid"): one(t, "text") for t in interned["functions"]}
            frames = {one(f, "iid"): texts[one(f, "function")] for f in interned["frames"]}
            stacks[one(packet, "sequence")] = {one(s, "iid"): [frames[f] for f in s["frames"]]
                                               for s in interned["stacks"]}
        for sample in packet["sample"]:
            samples[one(packet, "sequence")] += 1
            names.update(stacks[one(packet, "sequence")][one(sample, "stack")])
    for (track, name), (sequence, n) in zip(sorted(counters.items()), sorted(samples.items())):
        sums[name][:] = [n, counted[track]]


def read_speedscope(path, sums, names):
    all = json.load(open(path, encoding="utf-8"))
    frames = [f["name"] for f in all["shared"]["frames"]]
    both = defaultdict(lambda: [0, 0])
    for profile in all["profiles"]:
        event, who = profile["name"].split(", ", 1)
        assert len(profile["samples"]) == len(profile["weights"]) and profile["type"] == "sampled"
        assert profile["endValue"] == sum(profile["weights"])
        both[event][who == "all threads"] += profile["endValue"]
        for stack in profile["samples"]:
            names.update(frames[f] for f in stack)
    for event, (threads, everything) in both.items():
        assert threads == everything or not everything
        sums[event][:] = ["-", threads]


def check_table(table):
    for column in table.values():
        assert not isinstance(column, list) or len(column) == table["length"]


def read_gecko(path, sums, names):
    all = json.load(open(path, encoding="utf-8"))
    assert all["meta"]["preprocessedProfileVersion"] == 48
    categories = len(all["meta"]["categories"])
    for thread in all["threads"]:
        for table in ("samples", "markers", "stackTable", "frameTable", "funcTable", "resourceTable", "nativeSymbols"):
            check_table(thread[table])
        texts, stacks, samples, markers = (thread[k] for k in ("stringArray", "stackTable", "samples", "markers"))
        assert isinstance(thread["pid"], str) and samples["time"] == sorted(samples["time"])
        assert all_less(stacks["category"], categories) and all_less(thread["resourceTable"]["lib"], len(all["libs"]))
        frames, functions, resources = (thread[k] for k in ("frameTable", "funcTable", "resourceTable"))
        assert all_less(stacks["frame"], frames["length"]) and all_less(frames["func"], functions["length"])
        assert all_less(functions["name"], len(texts)) and all_less(resources["name"], len(texts))
        assert all_less(functions["resource"], resources["length"], -1)
        assert all_less(functions["fileName"], len(texts), None) and all_less(samples["stack"], stacks["length"], None)
        assert all_less(markers["category"], categories) and all_less(markers["name"], len(texts))
        assert len(texts) == len(set(texts)) and len(samples["weight"]) == samples["length"]
        for i, (prefix, frame) in enumerate(zip(stacks["prefix"], stacks["frame"])):
            assert prefix is None or prefix < i
            names.add(texts[thread["funcTable"]["name"][thread["frameTable"]["func"][frame]]])
        time = samples["weightType"] == "tracing-ms"
        assert time == ("threadCPUDelta" in samples) or not samples["length"]
        sums["cpu-clock"][0] += samples["length"]
        sums["cpu-clock"][1] += round(sum(w * 10**6 for w in samples["weight"]))
        for name in markers["name"]:
            sums[texts[name]][0] += 1
            sums[texts[name]][1] = "-"


def all_less(values, limit, *but):
    return all(v in but or 0 <= v < limit for v in values)


def read_chrome(path, sums, names):
    all = json.load(open(path, encoding="utf-8"))
    counted, frames = defaultdict(int), all["stackFrames"]
    for sample in all["samples"]:
        sums[sample["name"]][0] += 1
        sums[sample["name"]][1] += sample["weight"]
        frame = frames[sample["sf"]]
        while frame:
            names.add(frame["name"])
            frame = frames[frame["parent"]] if "parent" in frame else None
    ends = defaultdict(int)
    for event in all["traceEvents"]:
        assert event["ph"] in "MXiC"
        if event["ph"] == "i":
            assert event["sf"] in frames
            sums[event["name"]][0] += 1
            sums[event["name"]][1] += event["args"]["weight"]
        elif event["ph"] == "C":
            counted[event["name"]] += event["args"]["period"]
        elif event["ph"] == "X":
            assert event["ts"] >= ends[event["tid"]]
            ends[event["tid"]] = event["ts"] + event["dur"] - 0.001
    for event, n in counted.items():
        assert sums[event][1] == n


def read_callgrind(path, sums, names):
    text = subprocess.run(["callgrind_annotate", "--threshold=100", "--auto=no", path], capture_output=True,
                          check=True).stdout.decode()
    events = re.search(r"^Events shown: +(.*)$", text, re.M)[1].split()
    totals = re.sub(r"\([^)]*\)|,", "", re.search(r"^.*PROGRAM TOTALS", text, re.M)[0]).split()
    for name, total in zip(events, totals):
        event = name.removesuffix("_samples")
        sums[event][event == name] += int(total)
    names.update(re.findall(r"^.*?\S:(.*) \[.*?\]$", text, re.M))


def read_dot(path, sums, names):
    graph = json.loads(subprocess.run(["dot", "-Tdot_json", path], capture_output=True, check=True).stdout)
    event, total = re.match(r"(.*): (\d+) in all", graph["label"]).groups()
    sums[event][:] = ["-", int(total)]
    assert sum(int(n["self"]) for n in graph["objects"]) == int(total)
    for node in graph["objects"]:
        names.add(node["label"].split("\\n")[0])
        assert int(node["self"]) <= int(node["total"]) <= int(total)
    for edge in graph["edges"]:
        assert int(edge["total"]) <= min(int(graph["objects"][edge[k]]["total"]) for k in ("head", "tail"))


def read_ndjson(path, sums, names):
    head, frames = None, []
    for line in open(path, encoding="utf-8"):
        row = json.loads(line)
        if row["type"] == "recording":
            assert not head and row["version"] == 1
            head = row
        elif row["type"] == "frame":
            assert row["id"] == len(frames)
            frames.append(row["name"])
        else:
            assert row["stack"] == [frames[f] for f in row["frames"]]
            names.update(row["stack"])
            sums[row["event"]][0] += row["samples"]
            sums[row["event"]][1] += row["period"]
    assert {e["name"]: [e["samples"], e["period"]] for e in head["events"]
            if e["samples"]} == sums


READERS = {"pprof": read_pprof, "otlp": read_otlp, "perfetto": read_perfetto, "speedscope": read_speedscope,
           "gecko": read_gecko, "chrome-trace": read_chrome, "callgrind": read_callgrind, "dot": read_dot,
           "ndjson": read_ndjson}


def fits(schema, value, whole, where="it"):
    """As much of JSON schema as those of file formats use."""
    if "$ref" in schema:
        parts = schema["$ref"].split("/")[1:]
        schema = whole
        for part in parts:
            schema = schema[part]
    if "anyOf" in schema or "oneOf" in schema:
        problems = [fits(s, value, whole, where) for s in schema.get("anyOf", schema.get("oneOf"))]
        return None if None in problems else problems[0]
    kinds = {"object": dict, "array": list, "string": str, "number": (int, float), "integer": int, "boolean": bool,
             "null": type(None)}
    kind = schema.get("type")
    if kind and not any(isinstance(value, kinds[k]) for k in ([kind] if isinstance(kind, str) else kind)):
        return "%s is no %s" % (where, kind)
    if "enum" in schema and value not in schema["enum"] or "const" in schema and value != schema["const"]:
        return "%s is %r" % (where, value)
    if isinstance(value, dict):
        for name in schema.get("required", []):
            if name not in value:
                return "%s has no %s" % (where, name)
        for name, v in value.items():
            inner = schema.get("properties", {}).get(name)
            if inner is None and schema.get("additionalProperties") is False:
                return "%s has %s" % (where, name)
            problem = inner and fits(inner, v, whole, where + "." + name)
            if problem:
                return problem
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        for i, v in enumerate(value):
            problem = fits(schema["items"], v, whole, "%s[%d]" % (where, i))
            if problem:
                return problem
    return None


def main(what, *args):
    if what == "make":
        return make(*args)
    if what == "schema":
        schema = json.load(open(args[0], encoding="utf-8"))
        problem = fits(schema, json.load(open(args[1], encoding="utf-8")), schema)
        return problem and sys.exit(problem)
    sums, names = defaultdict(lambda: [0, 0]), set()
    READERS[args[0]](args[1], sums, names)
    if what == "totals":
        for event, (samples, period) in sorted(sums.items()):
            print(event, samples, period)
    for name in args[2:]:
        assert name in names, "no %s in %s" % (name, sorted(names))


main(*sys.argv[1:])
