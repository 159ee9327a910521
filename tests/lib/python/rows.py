# SPDX-License-Identifier: GPL-2.0-or-later
"""What rows of samples hold (perf script --ndjson, --csv), and the pairs in them.

	rows.py same NDJSON CSV			both say the same; prints how many rows there are
	rows.py pairs NDJSON START END KEY	the figures of `perf report --pair`, computed another way
	rows.py text START END <SCRIPT		the same of `perf script --ns -F tid,time,event`, by tid
	rows.py hostile FILE			make a recording with names that nobody wants
"""
import csv
import json
import sys

import pdata as p

HOSTILE = ["</script><img src=x onerror=alert(1)>", 'a"b', "two\nlines\r\n", "x,y;z", "=1+1", "'--", "\u00fc\u20ac", "tab\there"]


def cell(v):
    """a value of NDJSON as CSV has it; None: cannot be compared"""
    if v is None:
        return ""
    if isinstance(v, list):
        return " ".join(map(str, v)) if all(isinstance(i, int) for i in v) else None
    return None if isinstance(v, dict) else str(v)


def same(ndjson, table):
    with open(ndjson, encoding="utf-8", newline="\n") as f, open(table, encoding="utf-8", newline="") as g:
        rows = csv.reader(g, strict=True)
        head = next(rows)
        number = 0
        for number, (line, row) in enumerate(zip(f, rows, strict=True), 1):
            sample = json.loads(line)
            assert len(row) == len(head), row
            values = {k: v for k, v in zip(head, row) if v}
            members = {k: v for k, v in sample.items() if k != "fields"}
            members.update(("fields." + k, v) for k, v in sample.get("fields", {}).items())
            for k, v in members.items():
                want = cell(v)
                got = values.pop(k, "")
                assert want is None or got == want, (k, got, want)
            assert not values, values
    print(number)


def figures(events):
    """events: (is it a start, key, time)..., in order"""
    opened, found, starts, alone = {}, [], 0, 0
    for start, key, time in events:
        if start:
            starts += 1
            opened[key] = time
        elif key in opened:
            found.append(time - opened.pop(key))
        else:
            alone += 1
    print(len(found), sum(found), starts - len(found), alone)


def of_rows(path, start, end, keys):
    def key(sample, names):
        return tuple(sample["fields"].get(n, sample.get(n)) for n in names)
    names = [k.split("=") for k in keys.split(",")]
    for line in open(path, encoding="utf-8"):
        sample = json.loads(line)
        if sample["event"] == end:
            yield False, key(sample, [n[-1] for n in names]), sample["time"]
        if sample["event"] == start:
            yield True, key(sample, [n[0] for n in names]), sample["time"]


def of_text(lines, start, end):
    for line in lines:
        tid, time, event = line.split()
        sec, ns = time.rstrip(":").split(".")
        if event.rstrip(":") in (start, end):
            yield event.rstrip(":") == start, tid, int(sec) * 10**9 + int(ns)


def hostile(path):
    fields = ["IP", "TID", "TIME"]
    records = []
    for i, name in enumerate(HOSTILE):
        records += [p.comm(100 + i, 100 + i, name), p.mmap2(100 + i, 0x400000, 0x1000, 0, "/bin/" + name),
                    p.sample(fields, IP=0x400010, TID=(100 + i, 100 + i), TIME=10**9 + i)]
    p.write(path, [(p.attr(1, 0, fields), [1])], records)


def check_hostile(path):
    seen = [json.loads(line) for line in open(path, encoding="utf-8", newline="\n")]
    assert [s["comm"] for s in seen] == HOSTILE, seen
    assert [s["dso"] for s in seen] == ["/bin/" + name for name in HOSTILE], seen


if __name__ == "__main__":
    what, args = sys.argv[1], sys.argv[2:]
    if what == "same":
        same(*args)
    elif what == "pairs":
        figures(of_rows(*args))
    elif what == "text":
        figures(of_text(sys.stdin, *args))
    elif what == "hostile":
        hostile(*args)
    else:
        check_hostile(*args)
