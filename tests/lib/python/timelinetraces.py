# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the traces of perf timechart --pftrace and --ctf of the recording that timelinepage.py makes.

	timelinetraces.py pftrace FILE	tracks and what is on them, one line for each track
	timelinetraces.py ctf TEXT	one line for each kind of event in the text that babeltrace2 prints

It fails when slices overlap or do not end, and when an arrow has one end or leads back in time.
"""
import re
import sys
from collections import Counter, defaultdict

from proto import decoded

BEGIN, END, INSTANT, VALUE = 1, 2, 3, 4


def one(message, name, otherwise=None):
    assert len(message[name]) <= 1, name
    return message[name][0] if message[name] else otherwise


def track_name(track):
    for kind, who in (("process", "pid"), ("thread", "tid")):
        if track[kind]:
            return "%s %d %s" % (kind, one(track[kind][0], who), one(track[kind][0], "name", ""))
    return ("values " if track["counter"] else "track ") + one(track, "name")


def pftrace(path):
    packets = decoded("perfetto", "Trace", open(path, "rb").read())["packets"]
    names, tracks, events, arrows = {}, {}, defaultdict(list), defaultdict(list)
    for packet in packets:
        for interned in packet["interned"]:
            names.update((one(t, "iid"), one(t, "text")) for t in interned["events"])
        for track in packet["track"]:
            assert one(track, "uuid") not in tracks
            tracks[one(track, "uuid")] = track_name(track)
            assert one(track, "parent", 0) in (0, *tracks)
    for packet in packets:
        for event in packet["event"]:
            number = one(event, "name_number")
            assert number is None or one(packet, "flags") == 2
            name = names[number] if number else one(event, "name")
            track, time = tracks[one(event, "track")], one(packet, "time")
            events[track].append((time, one(event, "type"), name, one(event, "value")))
            for end in ("arrow_from", "arrow_to"):
                arrows[one(event, end)] += [(end, time, track)] if event[end] else []
    del arrows[None]
    for ends in arrows.values():
        assert [e[0] for e in ends] == ["arrow_from", "arrow_to"] and ends[0][1] <= ends[1][1], ends
    for track in tracks.values():
        sums, begun, last = Counter(), None, 0
        for time, kind, name, value in sorted(events[track], key=lambda e: e[0]):
            assert time >= last
            if kind == BEGIN:
                assert begun is None, (track, time)
                begun = time, name
            elif kind == END:
                sums[begun[1]] += time - begun[0]
                begun = None
            else:
                sums[name if kind == INSTANT else "value"] += value or 1
        assert begun is None
        print(track + ":", ", ".join("%s %d" % s for s in sorted(sums.items())))
    for (waker, woken), nr in sorted(Counter((e[0][2], e[1][2]) for e in arrows.values()).items()):
        print("%s => %s: %d" % (waker, woken, nr))


def ctf(path):
    seen, last = Counter(), ""
    for line in open(path, encoding="utf-8"):
        time, event, cpu, fields = re.match(r"\[([\d:.]+)\] \(.*?\) (\S+): { cpu_id = (\d+) }, { (.*) }$", line).groups()
        assert time >= last
        last = time
        value = dict(re.findall(r"(\w+) = (\"(?:[^\"\\]|\\.)*\"|-?\d+)", fields))
        assert event != "sched:sched_switch" or value["prev_comm"] != value["next_comm"]
        what = [value[k] for k in ("prev_pid", "prev_state", "next_pid", "pid", "target_cpu", "parent_pid", "child_pid", "irq",
                                   "name", "request", "nr", "vcpu_id", "exit_reason") if k in value]
        seen["%s on %s: %s" % (event, cpu, " ".join(what))] += 1
    for what, nr in sorted(seen.items()):
        print(what, "x", nr)


{"pftrace": pftrace, "ctf": ctf}[sys.argv[1]](sys.argv[2])
