# SPDX-License-Identifier: GPL-2.0-or-later
"""Recordings with made-up samples of this kernel's tracepoints, and what two programs print of them.

	tracepoints.py OURS REFERENCE [SYSTEM...]

Each tracepoint has samples whose fields are 0, small, single bits and random. Lines that differ are shown, and the exit
status is 1, unless Documentation/differences.md has the reason: excused() says which. REFERENCE is another perf, or
libtraceevent.so.1, which prints the same records from the formats of this kernel.
"""
import ctypes
import os
import random
import re
import struct
import subprocess
import sys

import pdata as p

ROOT = "/sys/kernel/tracing/events/"
FIELDS = ["IDENTIFIER", "IP", "TID", "TIME", "CPU", "PERIOD", "RAW"]
MODES = ["zero", "small", "small", "small", "bit", "bit", "random", "random"]
WORDS = [b"name", b"x", b"", b"two words", b"a/b-c.d"]
WIDTHS = [("long", 8), ("u64", 8), ("u32", 4), ("u16", 2), ("short", 2), ("int", 4), ("pid_t", 4)]


def content(path):
    with open(path, "rb") as f:
        return f.read()


def fields_of(fmt):
    found = re.findall(r"field:(.*?);\s*offset:(\d+);\s*size:(\d+);", fmt.decode())
    return [(decl, int(offset), int(size)) for decl, offset, size in found]


def dynamic(decl, rng):
    if "char" in decl:
        return rng.choice(WORDS) + b"\0"
    width = next((n for word, n in WIDTHS if word in decl), 1)
    return bytes(rng.getrandbits(8) for _ in range(width * rng.randrange(1, 4)))


def fill(size, mode, rng):
    value = 1 << rng.randrange(8 * size)
    if mode == "small":
        value = rng.choice([0, 1, 2, 3, 4, 5, 7, 8, 16, 17, 64, 100, 255, 256, -1, 1000])
        value &= 0x7f if size == 1 else (1 << 8 * size) - 1
    return value.to_bytes(size, "little")


def payload(fields, number, mode, rng):
    end = max(offset + size for _, offset, size in fields)
    raw = bytearray(rng.getrandbits(8) if mode == "random" else 0 for _ in range(end))
    tail = b""
    for decl, offset, size in fields:
        if decl.startswith(("__data_loc", "__rel_loc")):
            data = dynamic(decl, rng)
            at = end + len(tail) - (offset + size if decl.startswith("__rel") else 0)
            raw[offset:offset + 4] = struct.pack("<I", at | len(data) << 16)
            tail += data
        elif mode in ("small", "bit") and size in (1, 2, 4, 8):
            raw[offset:offset + size] = fill(size, mode, rng)
        elif "[" in decl and "char" in decl:
            data = b"text of it"[:size - 1] + b"\0"
            raw[offset:offset + len(data)] = data
    raw[0:2] = struct.pack("<H", number & 0xffff)
    return bytes(raw) + tail


def tracing_data(system, events):
    out = bytes([23, 8, 68]) + b"tracing" + b"0.6\0" + bytes([0, 8]) + struct.pack("<I", 4096)
    for name in ("header_page", "header_event"):
        data = content(ROOT + name)
        out += name.encode() + b"\0" + struct.pack("<Q", len(data)) + data
    out += struct.pack("<II", 0, 1) + system.encode() + b"\0" + struct.pack("<I", len(events))
    for _, _, fmt in events:
        out += struct.pack("<Q", len(fmt)) + fmt
    return out + struct.pack("<IIQ", 0, 0, 0)


def make(path, system, names):
    """A recording of samples of all tracepoints of a system, with TRACING_DATA and EVENT_DESC."""
    rng = random.Random(system)
    events = [(name, int(content(ROOT + system + "/" + name + "/id")), content(ROOT + system + "/" + name + "/format"))
              for name in names]
    attrs, records, desc = [], [p.comm(100, 100, "prog")], struct.pack("<II", len(events), 128)
    for i, (name, number, fmt) in enumerate(events):
        attrs.append((p.attr(2, number, FIELDS, 1), [i + 1]))
        text = p.text(system + ":" + name)
        desc += attrs[-1][0] + struct.pack("<II", 1, len(text)) + text + struct.pack("<Q", i + 1)
        for mode in MODES:
            records.append(p.sample(FIELDS, misc=p.KERNEL, IDENTIFIER=i + 1, IP=0xffffffff81000000, TID=(100, 100),
                                    TIME=10**9 + len(records), PERIOD=1, RAW=payload(fields_of(fmt), number, mode, rng)))
    p.write(path, attrs, records)
    p.add_features(path, [(1, tracing_data(system, events)), (12, desc)])


class Record(ctypes.Structure):
    """struct tep_record"""
    _fields_ = [("ts", ctypes.c_ulonglong), ("offset", ctypes.c_ulonglong), ("missed", ctypes.c_longlong),
                ("record_size", ctypes.c_int), ("size", ctypes.c_int), ("data", ctypes.c_char_p), ("cpu", ctypes.c_int),
                ("ref_count", ctypes.c_int), ("locked", ctypes.c_int), ("priv", ctypes.c_void_p)]


class Seq(ctypes.Structure):
    """struct trace_seq"""
    _fields_ = [("buffer", ctypes.c_void_p), ("buffer_size", ctypes.c_uint), ("len", ctypes.c_uint),
                ("readpos", ctypes.c_uint), ("state", ctypes.c_int)]


def by_library(library, system, names):
    """What the library prints of the samples that make() makes."""
    lib = ctypes.CDLL(library)
    lib.tep_alloc.restype = ctypes.c_void_p
    lib.tep_set_loglevel(0)
    tep, seq = ctypes.c_void_p(lib.tep_alloc()), Seq()
    lib.tep_set_long_size(tep, ctypes.sizeof(ctypes.c_long))
    lib.trace_seq_init(ctypes.byref(seq))
    out, rng = [], random.Random(system)
    for name in names:
        number, fmt = int(content(ROOT + system + "/" + name + "/id")), content(ROOT + system + "/" + name + "/format")
        lib.tep_parse_event(tep, fmt, ctypes.c_ulong(len(fmt)), system.encode())
        for mode in MODES:
            raw = payload(fields_of(fmt), number, mode, rng)
            # Offsets that lead out of the record are ours to bear.
            record = Record(size=len(raw), record_size=len(raw), data=raw + bytes(4 << 16))
            lib.trace_seq_reset(ctypes.byref(seq))
            lib.tep_print_event(tep, ctypes.byref(seq), ctypes.byref(record), b"%s", b"INFO")
            text = ctypes.string_at(seq.buffer, seq.len).split(b"\0")[0].decode("latin1")
            out += (system + ":" + name + ": " + text).split("\n")
    lib.tep_free(tep)
    return out + [""]


def stays(path):
    """Whether it is the format of an event of the kernel. Probes of other tests come and go."""
    try:
        return b"__probe_" not in content(path)
    except OSError:
        return False


def names_of(system):
    return sorted(n for n in os.listdir(ROOT + system) if stays(ROOT + system + "/" + n + "/format"))


def printed(program, path):
    run = subprocess.run([program, "script", "-f", "-F", "event,trace", "-i", path], stdin=subprocess.DEVNULL,
                         capture_output=True, timeout=60, check=False)
    return run.stdout.decode("latin1").split("\n")


# Why these differ: `a & (b | c)`, nested ?:, comparisons, single characters of ?:; reading beyond a field; control bytes.
KNOWN = """timer:timer_start btrfs:raid56_read btrfs:raid56_write kvm:kvm_nested_vmenter kvm:kvm_wait_lapic_expire
    sock:sock_send_length sock:sock_recv_length kmem:mm_page_alloc_extfrag sched:sched_skip_cpuset_numa tcp:tcp_ao_handshake_failure
    tcp:tcp_hash_ao_required tcp:tcp_hash_bad_header tcp:tcp_hash_md5_mismatch tcp:tcp_hash_md5_required
    tcp:tcp_hash_md5_unexpected kvm:kvm_emulate_insn kyber:kyber_latency ras:arm_event neigh:neigh_update""".split()


# Of the library alone: a precision below 0 is none; masks are whole longs.
LIBRARY = ["%.*s", "ipi:ipi_send_cpumask"]


def excused(ref, library):
    if library and any(what in ref for what in LIBRARY):
        return True
    name = ref.strip().split(": ")[0]
    if "[FAILED TO PARSE]" in ref or name in KNOWN or name.startswith("neigh:neigh_"):
        return True
    # The size of a size_t; names of negative numbers, which the others take for -1.
    return re.search(rb"%[-0-9]*z|{ *-[0-9]", content(ROOT + name.replace(":", "/") + "/format"))


def main():
    ours, reference, systems = sys.argv[1], sys.argv[2], sys.argv[3:]
    total = bad = explained = 0
    for system in systems or sorted(os.listdir(ROOT)):
        if not os.path.isdir(ROOT + system) or system in ("ftrace", "ras"):  # the reference crashes on ras
            continue
        names = names_of(system)
        if not names:
            continue
        make("made.data", system, names)
        our = printed(ours, "made.data")
        if ".so" in reference:
            ref, our = by_library(reference, system, names), [line.lstrip() for line in our]
        else:
            ref = printed(reference, "made.data")
        total += len(ref) - 1
        if len(ref) != len(our):
            print("%s: %d lines, the reference %d" % (system, len(our), len(ref)))
            bad += 1
        for r, o in zip(ref, our):
            if r != o and excused(r, ".so" in reference):
                explained += 1
            elif r != o:
                bad += 1
                print("-%r\n+%r" % (r, o))
    print("%d texts, %d differ for known reasons, %d for others" % (total, explained, bad))
    sys.exit(1 if bad or total < 100 else 0)


main()
