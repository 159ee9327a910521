# SPDX-License-Identifier: GPL-2.0-or-later
"""Recordings of made-up tracepoint samples, the same on every machine.

	from tracefile import TraceFile
	t = TraceFile()
	t.event("sched:sched_wakeup", "char comm[16]; pid_t pid; int prio; int target_cpu", '"%s", REC->comm')
	t.comm(100, "prog")
	t.add("sched:sched_wakeup", 1000, cpu=0, pid=100, comm="other", prio=120, pid_=7, target_cpu=1)
	t.write("a.data")

A field whose name is that of an argument of add() takes a value with an underscore behind it. A declaration that begins
with __data_loc is a string of any length.
"""
import re
import struct

import pdata as p

SIZES = {"char": 1, "bool": 1, "u8": 1, "short": 2, "u16": 2, "int": 4, "u32": 4, "pid_t": 4, "enum": 4, "long": 8,
         "u64": 8, "size_t": 8}
UNSIGNED = re.compile(r"\b(unsigned|u8|u16|u32|u64|bool|size_t|enum|char)\b")
COMMON = (("unsigned short common_type", 0, 2, 0), ("unsigned char common_flags", 2, 1, 0),
          ("unsigned char common_preempt_count", 3, 1, 0), ("int common_pid", 4, 4, 1))


class Field:
    """One field: its declaration, and its place in the raw data."""

    def __init__(self, text, at):
        self.text = text
        self.dynamic = text.startswith("__data_loc")
        match = re.match(r"(.*?)(\w+)(?:\[(\d+)\])?$", text)
        self.name, self.count = match[2], int(match[3] or 1)
        self.signed = 0 if "*" in match[1] or self.dynamic else int(not UNSIGNED.search(match[1]))
        self.width = 4 if self.dynamic else 8 if "*" in match[1] else \
            next(SIZES[w] for w in reversed(match[1].split()) if w in SIZES)
        self.at = -(-at // self.width) * self.width
        self.end = self.at + self.width * self.count

    def line(self):
        return "\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;" % (self.text, self.at, self.end - self.at, self.signed)

    def put(self, raw, value):
        if self.dynamic:
            data = value.encode() + b"\0"
            struct.pack_into(p.order + "I", raw, self.at, len(raw) | len(data) << 16)
            raw += data
        elif isinstance(value, (bytes, str)):
            data = value if isinstance(value, bytes) else value.encode()
            raw[self.at:self.at + len(data)] = data
        else:
            for i, v in enumerate(value if isinstance(value, (list, tuple)) else [value]):
                at = self.at + i * self.width
                raw[at:at + self.width] = (v & ((1 << 8 * self.width) - 1)).to_bytes(self.width, "little" if p.order == "<" else "big")


class TraceFile:
    def __init__(self, fields=("IDENTIFIER", "IP", "TID", "TIME", "CPU", "PERIOD", "RAW"), flags=0):
        """flags: of the attrs, such as p.SAMPLE_ID_ALL"""
        self.fields, self.flags = fields, flags
        self.events = {}
        self.records = []

    def event(self, name, declared, fmt='""'):
        fields, at = [], 8
        for text in filter(None, (d.strip() for d in declared.split(";"))):
            fields.append(Field(text, at))
            at = fields[-1].end
        self.events[name] = (300 + len(self.events), fields, fmt)

    def comm(self, pid, name, tid=None):
        self.records.append(p.comm(pid, pid if tid is None else tid, name))

    def add(self, event, time, /, cpu=0, pid=0, tid=None, misc=p.KERNEL, sample=None, **values):
        number, fields, _ = self.events[event]
        raw = bytearray(max([8] + [f.end for f in fields]))
        tid = pid if tid is None else tid
        struct.pack_into(p.order + "HBBi", raw, 0, number, 0, 0, tid)
        for f in fields:
            value = values.pop(f.name + "_", None) if f.name + "_" in values else values.pop(f.name, None)
            if value is not None:
                f.put(raw, value)
        if values:
            raise KeyError("%s has no %s" % (event, ", ".join(values)))
        self.records.append(p.sample(self.fields, misc, IDENTIFIER=number, TID=(pid, tid), TIME=time, CPU=cpu, PERIOD=1,
                                     RAW=bytes(raw), **(sample or {})))

    def format(self, name):
        number, fields, fmt = self.events[name]
        lines = ["name: %s" % name.split(":")[1], "ID: %d" % number, "format:"]
        lines += ["\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;" % c for c in COMMON] + [""]
        return "\n".join(lines + [f.line() for f in fields] + ["", "print fmt: " + fmt, ""])

    def write(self, path, features=()):
        """features: (number, bytes) of the header besides the formats"""
        systems = {}
        for name in self.events:
            systems.setdefault(name.split(":")[0], []).append(self.format(name))
        # An event's time, processor and thread are in every record, as after perf record.
        attrs = [(p.attr(2, number, self.fields, 1, self.flags), [number]) for number, _, _ in self.events.values()]
        p.write(path, attrs, self.records)
        p.add_features(path, [(1, p.tracing_data(list(systems.items()))), *features])
