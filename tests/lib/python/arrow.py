# SPDX-License-Identifier: GPL-2.0-or-later
"""Read Arrow files and streams by the specification, strictly, and compare them with other output.

	arrow.py rows FILE NDJSON	both say the same; prints how many rows there are
	arrow.py text FILE		the columns of `perf script -F comm,pid,tid,cpu,time,event,ip,sym --ns -G`
	arrow.py schema FILE		names and types, a column on each line
	arrow.py batches FILE		how many rows each batch has
	arrow.py lines FILE		comm, time, ip, symbol, symbols of the call chain; nothing for null
	arrow.py many FILE		make a recording with 70000 samples
"""
import json
import struct
import sys

import pdata as p

NAMES = {2: "int", 5: "utf8", 6: "bool", 12: "list", 13: "struct"}


class Table:
    """a table of FlatBuffers"""
    def __init__(self, data, at):
        self.data, self.at = data, at
        assert at % 4 == 0
        self.slots = at - self.get("i", at)
        assert 0 <= self.slots < len(data) and self.slots % 2 == 0
        self.size = self.get("H", self.slots)

    def get(self, fmt, at):
        assert at % struct.calcsize(fmt) == 0, (fmt, at)
        return struct.unpack_from("<" + fmt, self.data, at)[0]

    def place(self, i):
        offset = self.get("H", self.slots + 4 + 2 * i) if 4 + 2 * i < self.size else 0
        return self.at + offset if offset else None

    def number(self, i, fmt, default=0):
        return default if self.place(i) is None else self.get(fmt, self.place(i))

    def target(self, i):
        return self.place(i) + self.get("I", self.place(i))

    def table(self, i):
        return Table(self.data, self.target(i))

    def vector(self, i):
        at = self.target(i)
        return at + 4, self.get("I", at)

    def tables(self, i):
        at, nr = self.vector(i)
        return [Table(self.data, p + self.get("I", p)) for p in range(at, at + 4 * nr, 4)]

    def structs(self, i, fmt):
        at, nr = self.vector(i)
        assert at % 8 == 0
        size = struct.calcsize("<" + fmt)
        return [struct.unpack_from("<" + fmt, self.data, at + size * k) for k in range(nr)]

    def text(self, i):
        at, size = self.vector(i)
        assert self.data[at + size] == 0
        return self.data[at:at + size].decode()


def root(data):
    return Table(data, struct.unpack_from("<I", data)[0])


class Field:
    def __init__(self, t):
        self.name, self.kind = t.text(0), NAMES[t.number(2, "B")]
        assert t.number(1, "B") == 1
        self.bits = self.sign = self.dictionary = None
        if self.kind == "int":
            self.bits, self.sign = t.table(3).number(0, "i"), bool(t.table(3).number(1, "B"))
        if t.place(4) is not None:
            index = t.table(4).table(1)
            self.dictionary = t.table(4).number(0, "q")
            assert (index.number(0, "i"), index.number(1, "B")) == (32, 1)
        self.children = [Field(c) for c in t.tables(5)]

    def type(self):
        text = f"{'' if self.sign else 'u'}int{self.bits}" if self.kind == "int" else self.kind
        if self.children:
            text += "<" + ", ".join(f"{c.name}: {c.type()}" for c in self.children) + ">"
        return f"dictionary<{text}>" if self.dictionary is not None else text


class Body:
    """what a batch consists of, taken one after the other"""
    def __init__(self, batch, body, dictionaries):
        self.body, self.dictionaries = body, dictionaries
        self.rows = batch.number(0, "q")
        self.nodes = iter(batch.structs(1, "qq"))
        self.buffers = iter(batch.structs(2, "qq"))

    def buffer(self):
        at, size = next(self.buffers)
        assert at % 8 == 0 and at + size <= len(self.body)
        return self.body[at:at + size]

    def bits(self, nr):
        data = self.buffer()
        return [data[i // 8] >> i % 8 & 1 for i in range(nr)] if len(data) else [1] * nr

    def numbers(self, nr, fmt):
        data = self.buffer()
        assert len(data) == nr * struct.calcsize(fmt)
        return data.cast(fmt).tolist()

    def ends(self, nr):
        ends = self.numbers(nr + 1, "i")
        assert ends[0] == 0 and ends == sorted(ends)
        return ends

    def values(self, f, nr):
        if f.dictionary is not None:
            names = self.dictionaries[f.dictionary]
            return [names[i] if names else None for i in self.numbers(nr, "i")]
        if f.kind == "int":
            code = {8: "b", 32: "i", 64: "q"}[f.bits]
            return self.numbers(nr, code if f.sign else code.upper())
        if f.kind == "bool":
            return [bool(b) for b in self.bits(nr)]
        if f.kind == "utf8":
            ends, text = self.ends(nr), bytes(self.buffer())
            assert len(text) == ends[-1]
            return [text[a:b].decode() for a, b in zip(ends, ends[1:])]
        if f.kind == "list":
            ends = self.ends(nr)
            items = self.column(f.children[0], ends[-1])
            return [items[a:b] for a, b in zip(ends, ends[1:])]
        columns = {c.name: self.column(c, nr) for c in f.children}
        return [{k: v[i] for k, v in columns.items()} for i in range(nr)]

    def column(self, f, nr):
        rows, nulls = next(self.nodes)
        assert rows == nr
        valid = self.bits(nr)
        assert nr - sum(valid) == nulls, (f.name, nr, sum(valid), nulls)
        return [v if ok else None for v, ok in zip(self.values(f, nr), valid)]

    def end(self):
        assert not list(self.nodes) and not list(self.buffers)


def message(data, at):
    """the message at an offset: (table, body, its end)"""
    mark, size = struct.unpack_from("<II", data, at)
    assert at % 8 == 0 and mark == 0xffffffff and size % 8 == 0
    m = root(data[at + 8:at + 8 + size])
    assert m.number(0, "h") == 4
    end = at + 8 + size + m.number(3, "q")
    assert end % 8 == 0
    return m, memoryview(data)[at + 8 + size:end], end


def names_of(m, body):
    """the id and the names of a dictionary"""
    text = Field.__new__(Field)
    text.kind, text.dictionary, text.children, text.name = "utf8", None, [], "names"
    d = m.table(2)
    assert not d.number(2, "B")
    b = Body(d.table(1), body, {})
    names = b.column(text, b.rows)
    assert len(set(names)) == len(names) and None not in names
    return d.number(0, "q"), names


class Rows:
    """what files and streams have in common: fields, and batches"""
    def batch(self, m, body):
        b = Body(m.table(2), body, self.dictionaries)
        columns = {f.name: b.column(f, b.rows) for f in self.fields}
        b.end()
        return b.rows, columns

    def rows(self):
        for nr, columns in self.batches():
            for i in range(nr):
                yield {k: v[i] for k, v in columns.items()}


class Stream(Rows):
    """a stream: dictionaries come before the batches that need them, and only grow"""
    def __init__(self, data):
        self.data, self.dictionaries = data, {}
        first, _, self.begin = message(data, 0)
        assert first.number(1, "B") == 1
        self.fields = [Field(f) for f in first.table(2).tables(1)]

    def batches(self):
        at = self.begin
        while self.data[at:at + 8] != b"\xff\xff\xff\xff\0\0\0\0":
            m, body, at = message(self.data, at)
            if m.number(1, "B") == 3:
                yield self.batch(m, body)
                continue
            assert m.number(1, "B") == 2
            key, names = names_of(m, body)
            before = self.dictionaries.get(key)
            assert before is None or (names[:len(before)] == before and len(names) > len(before))
            self.dictionaries[key] = names
        assert at + 8 == len(self.data)


class File(Rows):
    def __init__(self, data):
        self.data = data
        assert data[:8] == b"ARROW1\0\0" and data[-6:] == b"ARROW1"
        size = struct.unpack_from("<i", data, len(data) - 10)[0]
        begin = len(data) - 10 - size
        self.footer = root(data[begin:begin + size])
        assert self.footer.number(0, "h") == 4
        self.fields = [Field(f) for f in self.footer.table(1).tables(1)]
        self.walk(begin)
        self.dictionaries = {}
        self.dictionaries.update(names_of(m, body) for m, body in self.blocks(2, 2))

    def walk(self, begin):
        """all messages, one after the other, are those that the footer lists"""
        first, _, at = message(self.data, 8)
        assert first.number(1, "B") == 1
        assert [Field(f).type() for f in first.table(2).tables(1)] == [f.type() for f in self.fields]
        seen = []
        while self.data[at:at + 8] != b"\xff\xff\xff\xff\0\0\0\0":
            seen.append(at)
            at = message(self.data, at)[2]
        assert at + 8 == begin
        assert seen == sorted(b[0] for i in (2, 3) for b in self.footer.structs(i, "qiiq"))

    def blocks(self, slot, header):
        for at, head, _, size in self.footer.structs(slot, "qiiq"):
            m, body, end = message(self.data, at)
            assert m.number(1, "B") == header and len(body) == size and at + head + size == end
            yield m, body

    def batches(self):
        return (self.batch(m, body) for m, body in self.blocks(3, 3))


def table(path):
    with open(path, "rb") as f:
        data = f.read()
    return File(data) if data.startswith(b"ARROW1") else Stream(data)


def plain(v):
    """a value of NDJSON as a column has it"""
    if isinstance(v, str) and v.startswith("0x"):
        return int(v, 16)
    return None if v == -1 else v


def frame(f):
    return f["ip"], f.get("sym"), f.get("symoff"), f.get("dso"), f.get("inlined", False)


def same(name, got, want):
    if name == "callchain":
        want = [{k: plain(v) if k == "ip" else v for k, v in f.items()} for f in want]
        return [frame(f) for f in got] == [frame(f) for f in want]
    if name.startswith("fields.") and want == -1:
        return got == -1
    return isinstance(want, dict) or got == (plain(want) if want != "" else got or None)


def compare(path, ndjson):
    nr = 0
    with open(ndjson, encoding="utf-8", newline="\n") as f:
        for nr, (row, line) in enumerate(zip(table(path).rows(), f, strict=True), 1):
            sample = json.loads(line)
            fields = {"fields." + k: v for k, v in sample.pop("fields", {}).items()}
            for k, want in {**sample, **fields}.items():
                typed = [row.pop(n) for n in list(row) if n == k or n.startswith(k + ":")]
                assert any(same(k, got, want) for got in typed), (k, typed, want)
            assert all(v is None for v in row.values()), row
    print(nr)


def text(path):
    for row in table(path).rows():
        print(f"{row['comm']} {row['pid']}/{row['tid']} [{row['cpu']:03d}] "
              f"{row['time'] // 10**9}.{row['time'] % 10**9:09d}: {row['event']}: {row['ip']:x} {row['sym'] or '[unknown]'}")


def lines(path):
    for row in table(path).rows():
        chain = ",".join(f["sym"] or "" for f in row["callchain"])
        print(row["comm"], row["time"], row["ip"], row["sym"] or "", chain)


def many(path):
    fields = ["IP", "TID", "TIME"]
    sample = p.sample(fields, IP=0x400010, TID=(100, 100), TIME=10**9)
    p.write(path, [(p.attr(1, 0, fields), [1])], [p.comm(100, 100, "one")] + [sample] * 70000)


if __name__ == "__main__":
    what, args = sys.argv[1], sys.argv[2:]
    if what == "rows":
        compare(*args)
    elif what == "text":
        text(*args)
    elif what in ("lines", "many"):
        globals()[what](*args)
    elif what == "schema":
        print("\n".join(f"{f.name} {f.type()}" for f in table(*args).fields))
    else:
        print(" ".join(str(nr) for nr, _ in table(*args).batches()))
