# SPDX-License-Identifier: GPL-2.0-or-later
"""Recordings made up by shell tests: records and attrs from values, no features. Little-endian, until big_endian().

	import pdata as p
	fields = ["IP", "TID", "TIME", "DATA_SRC"]
	p.write("a.data", [(p.attr(4, 0x1cd, fields), [1])], [
	    p.comm(100, 100, "prog"), p.mmap2(100, 0x400000, 0x1000, 0, "/bin/prog"),
	    p.sample(fields, IP=0x400010, TID=(100, 100), TIME=5, DATA_SRC=2)])
"""
import struct

# As they follow each other in a sample; the number is the bit of sample_type.
FIELDS = [("IDENTIFIER", 16), ("IP", 0), ("TID", 1), ("TIME", 2), ("ADDR", 3), ("ID", 6), ("STREAM_ID", 9),
          ("CPU", 7), ("PERIOD", 8), ("READ", 4), ("CALLCHAIN", 5), ("RAW", 10), ("BRANCH_STACK", 11),
          ("REGS_USER", 12), ("STACK_USER", 13), ("WEIGHT", 14), ("WEIGHT_STRUCT", 24), ("DATA_SRC", 15),
          ("TRANSACTION", 17), ("REGS_INTR", 18), ("PHYS_ADDR", 19), ("CGROUP", 21), ("DATA_PAGE_SIZE", 22),
          ("CODE_PAGE_SIZE", 23), ("AUX", 20)]
KERNEL, USER = 1, 2
FREQ, SAMPLE_ID_ALL = 1 << 10, 1 << 18
order = "<"


def big_endian():
    """What is made from now on is of a machine of the other byte order."""
    global order
    order = ">"


def pack(form, *values):
    return struct.pack(order + form, *values)


def unpack_from(form, data, at):
    return struct.unpack_from(order + form, data, at)


def bits_of(flags):
    """Bit-fields begin at the other end of a word there."""
    return flags if order == "<" else int("{:064b}".format(flags)[::-1], 2)


def feature_byte(bit):
    """The place in the header of the byte with a bit of the set of features, which is an array of words."""
    return 72 + (bit // 8 if order == "<" else bit // 64 * 8 + 7 - bit % 64 // 8)


def record(kind, misc, body):
    body += bytes(-len(body) % 8)
    return pack("IHH", kind, misc, 8 + len(body)) + body


def text(s):
    s = s.encode() + b"\0"
    return s + bytes(-len(s) % 8)


def mmap2(pid, start, length, pgoff, name, misc=USER):
    return record(10, misc, pack("IIQQQIIQQII", pid, pid, start, length, pgoff, 8, 1, 123, 0, 5, 2) + text(name))


def comm(pid, tid, name, misc=0):
    return record(3, misc, pack("II", pid, tid) + text(name))


def attr(kind, config, fields, period=1000, flags=0, branch=0, regs_user=0, regs_intr=0, bp_type=0, more=(), read=0):
    """more: words that later kernels have behind it; all attrs of a file have as many"""
    bits = sum(1 << bit for name, bit in FIELDS if name in fields)
    return pack("IIQQQQQIIQQQQIiQIHHIIQ", kind, 128 + 8 * len(more), config, period, bits, read, bits_of(flags), 0, bp_type, 0, 0, branch,
                       regs_user, 0, 0, regs_intr, 0, 0, 0, 0, 0, 0) + pack("%dQ" % len(more), *more)


def value(name, v):
    if name == "TID":
        return pack("II", *(v or (0, 0)))
    if name == "CPU":
        return pack("II", v, 0)
    if name == "CALLCHAIN":
        return pack("%dQ" % (1 + len(v)), len(v), *v)
    if name == "RAW":
        raw = pack("I", len(v)) + v
        return raw + bytes(-len(raw) % 8)
    if name == "BRANCH_STACK" and isinstance(v, tuple):  # ([(from, to, flags)...], [counters of each])
        return value(name, v[0]) + pack("%dQ" % len(v[1]), *v[1])
    if name == "BRANCH_STACK":  # (from, to, flags)...
        return pack("Q", len(v)) + b"".join(pack("QQQ", *e) for e in v)
    if name in ("REGS_USER", "REGS_INTR"):  # (abi, values)
        return pack("Q", v[0]) + b"".join(pack("Q", r) for r in v[1])
    if name == "STACK_USER" and v:  # (bytes, how many of them count)
        return pack("Q", len(v[0])) + v[0] + pack("Q", v[1])
    if name == "READ" and v:  # words
        return pack("%dQ" % len(v), *v)
    return pack("Q", v)


def sample(fields, misc=USER, **values):
    return record(9, misc, b"".join(value(name, values.get(name, 0)) for name, _ in FIELDS if name in fields))


def tracing_data(formats):
    """formats: (system, [text as in the file format of an event])...: the body of feature 1"""
    def sized(s):
        return pack("Q", len(s)) + s.encode()
    page = "".join("\tfield: %s;\toffset:%d;\tsize:%d;\tsigned:%d;\n" % f for f in (
        ("u64 timestamp", 0, 8, 0), ("local_t commit", 8, 8, 1), ("int overwrite", 8, 1, 1), ("char data", 16, 4080, 1)))
    body = b"\x17\x08\x44tracing0.6\0" + (b"\0" if order == "<" else b"\1") + b"\x08" + pack("I", 4096)
    body += b"header_page\0" + sized(page) + b"header_event\0" + sized("") + pack("II", 0, len(formats))
    for system, texts in formats:
        body += system.encode() + b"\0" + pack("I", len(texts)) + b"".join(sized(t) for t in texts)
    return body + pack("IIQ", 0, 0, 0)


def saying(number, size):
    """An event of tracefs: its format, when all it has is a text of @size bytes; and the raw data that says one."""
    text = "name: say\nID: %d\nformat:\n" % number
    for kind, at, n in (("unsigned short common_type", 0, 2), ("unsigned char common_flags", 2, 1),
                        ("unsigned char common_preempt_count", 3, 1), ("int common_pid", 4, 4), ("", 0, 0),
                        ("char text[%d]" % size, 8, size)):
        text += "\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;\n" % (kind, at, n, kind[0] != "u") if kind else "\n"
    return (text + '\nprint fmt: "%s", REC->text\n',
            lambda s: pack("HBBI", number, 0, 0, 1) + s.encode().ljust(size, b"\0"))


def write(path, attrs, records):
    """attrs: (attr, ids)..."""
    at, ids, entries = 104, b"", b""
    for a, numbers in attrs:
        entries += a + pack("QQ", at + len(ids), 8 * len(numbers))
        ids += pack("%dQ" % len(numbers), *numbers)
    data = b"".join(records)
    head = (b"PERFILE2" if order == "<" else b"2ELIFREP") + pack("QQQQQQQQ", 104, 16 + len(attrs[0][0]), at + len(ids), len(entries),
                                     at + len(ids) + len(entries), len(data), 0, 0) + bytes(32)
    with open(path, "wb") as f:
        f.write(head + ids + entries + data)


def add_features(path, features):
    """Sections behind the data of a file that has none: (bit, bytes)... in the order of their bits."""
    with open(path, "rb") as f:
        b = bytearray(f.read())
    at = len(b) + 16 * len(features)
    table, body = b"", b""
    for bit, data in features:
        table += pack("QQ", at + len(body), len(data))
        body += data
        b[feature_byte(bit)] |= 1 << bit % 8
    with open(path, "wb") as f:
        f.write(bytes(b) + table + body)


def two_nodes(machine, events, attrs):
    """Features of a recording on two nodes of two CPUs each: the machine, names of its events, whose ids count from 1, and
    where memory is: of blocks of 128 MB, the first 8 are of node 0, the next 8 of node 1."""
    def string(s):
        s = s.encode() + b"\0"
        s += bytes(-len(s) % 64)
        return pack("I", len(s)) + s

    topology = pack("I", 2) + string("0-1") + string("2-3") + pack("I", 4) + b"".join(string(str(i)) for i in range(4)) + \
        b"".join(pack("II", i, i // 2) for i in range(4))
    numa = pack("I", 2) + b"".join(pack("IQQ", n, 1 << 20, 1 << 19) + string("%d-%d" % (2 * n, 2 * n + 1)) for n in range(2))
    memory = pack("QQQ", 1, 1 << 27, 2) + b"".join(pack("QQQQ", n, 64, 64, 0xff << 8 * n) for n in range(2))
    desc = pack("II", len(events), len(attrs[0])) + b"".join(
        a + pack("I", 1) + string(n) + pack("Q", 1 + i) for i, (a, n) in enumerate(zip(attrs, events)))
    return [(6, string(machine)), (7, pack("II", 4, 4)), (12, desc), (13, topology), (14, numa), (22, memory)]


def drop_feature(path, bit):
    """The same file without one of its features."""
    with open(path, "rb") as f:
        b = bytearray(f.read())
    bits = int.from_bytes(b[72:104], "little")
    at = sum(unpack_from("QQ", b, 40))
    gone = at + 16 * bin(bits & ((1 << bit) - 1)).count("1")
    end = at + 16 * bin(bits).count("1")
    b[gone:end - 16] = b[gone + 16:end]
    b[72:104] = (bits & ~(1 << bit)).to_bytes(32, "little")
    with open(path, "wb") as f:
        f.write(b)
