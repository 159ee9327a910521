# SPDX-License-Identifier: GPL-2.0-or-later
"""What is done to locks, as different kernels record it, and the kallsyms of that kernel.

	lock-kernels.py FILE KALLSYMS waits|lockdep [big] [lost]

waits: contention_begin and contention_end, with call chains and cgroups. lockdep: the events of a kernel with LOCKDEP.
big: of a big-endian machine. lost: some events are, in the middle of a wait.
"""
import sys

import pdata as p
import tracefile

S = 10**9
CHAIN_KERNEL = 2**64 - 128
TEXT = 0xffffffff81000000
ASKER, OTHER, ABOVE, SLOW, LOCKED, DATA = TEXT + 0x1010, TEXT + 0x1120, TEXT + 0x1230, TEXT + 0x2010, TEXT + 0x2105, TEXT + 0x9000
SYMBOLS = ((0, "T", "_text"), (0x1000, "t", "asker"), (0x1100, "t", "other_asker"), (0x1200, "t", "far_above"), (0x2000, "T", "__lock_text_start"),
           (0x2000, "T", "slow_way"), (0x2100, "T", "_raw_take"), (0x3000, "T", "__lock_text_end"), (0x8000, "D", "_sdata"), (0x9000, "D", "the_lock"),
           (0x9100, "D", "_edata"))
SPIN, READ, WRITE, PERCPU, MUTEX = 1, 2, 4, 16, 32
TRY = 1

if "big" in sys.argv:
    p.big_endian()
with open(sys.argv[2], "w") as f:
    f.writelines("%x %s %s\n" % (TEXT + at, kind, name) for at, kind, name in SYMBOLS)
waits = sys.argv[3] == "waits"
t = tracefile.TraceFile(("IDENTIFIER", "IP", "TID", "TIME", "CPU", "PERIOD", "RAW") + (("CALLCHAIN", "CGROUP") if waits else ()), flags=p.SAMPLE_ID_ALL)


def trailer(time):
    return p.pack("IIQIIQ", 100, 100, time, 0, 0, 300)


if waits:
    t.event("lock:contention_begin", "void * lock_addr; unsigned int flags")
    t.event("lock:contention_end", "void * lock_addr; int ret")
    kernel = p.pack("IIQQQ", 0xffffffff, 0, TEXT, 0x10000, TEXT) + p.text("[kernel.kallsyms]_text")
    t.records.append(p.record(1, 1, kernel + trailer(0)))
    for number, path in ((7, "/"), (8, "/app"), (9, "/app/part"), (10, "/apple")):
        t.records.append(p.record(19, 0, p.pack("Q", number) + p.text(path) + trailer(0)))
else:
    t.event("lock:lock_acquire", "void * lockdep_addr; __data_loc char[] name; unsigned int flags")
    for name in ("acquired", "contended", "release"):
        t.event("lock:lock_" + name, "void * lockdep_addr; __data_loc char[] name")
t.records += [p.record(3, 0, p.pack("II", tid, tid) + p.text(name) + trailer(0)) for tid, name in ((100, "first"), (101, "a,b"))]


def wait(at, ns, address, flags, tid, chain, cgroup, end=True):
    more = {"CALLCHAIN": [CHAIN_KERNEL] + chain, "CGROUP": cgroup}
    t.add("lock:contention_begin", at, tid % 2, tid, sample=more, lock_addr=address, flags=flags)
    if end:
        t.add("lock:contention_end", at + ns, 1, tid, sample={"CALLCHAIN": [], "CGROUP": cgroup}, lock_addr=address, ret=0)


def lock(event, at, tid, address=0x10, name="first_lock", **values):
    t.add("lock:lock_" + event, at, tid % 2, tid, lockdep_addr=address, name=name, **values)


if waits:
    wait(1 * S, 2500, DATA, SPIN, 100, [SLOW, LOCKED, ASKER, ABOVE], 7)
    wait(2 * S, 500, DATA, SPIN, 101, [SLOW, ASKER], 8)
    wait(3 * S, 3 * S, 0x20, WRITE, 101, [LOCKED, OTHER, ABOVE], 9)
    wait(7 * S, 90 * S, 0x20, READ, 100, [OTHER], 10)
    # It spins, and then it sleeps: that is one wait.
    wait(100 * S, 0, 0x30, MUTEX | SPIN, 100, [SLOW, ASKER], 7, end=False)
    wait(100 * S + 1000, 3 * 10**6 - 1000, 0x30, MUTEX, 100, [SLOW, ASKER], 7)
    wait(101 * S, 0, 0x40, PERCPU | READ, 101, [SLOW], 8)
    if "lost" in sys.argv:
        wait(102 * S, 0, 0x50, MUTEX, 101, [SLOW, ASKER], 8, end=False)
        t.records.append(p.record(2, 0, p.pack("QQ", 300, 17) + p.pack("IIQIIQ", 101, 101, 102 * S + 1, 0, 1, 300)))
        t.add("lock:contention_end", 103 * S, 1, 101, sample={"CALLCHAIN": [], "CGROUP": 8}, lock_addr=0x50, ret=0)
    wait(104 * S, 0, 0x60, MUTEX, 100, [SLOW, ASKER], 7, end=False)
else:
    lock("acquire", 1 * S, 100, flags=0)
    lock("acquired", 1 * S + 10, 100)
    lock("acquire", 1 * S + 20, 101, flags=0)
    lock("contended", 1 * S + 30, 101)
    lock("release", 1 * S + 100, 100)
    lock("acquired", 1 * S + 130, 101)
    lock("release", 1 * S + 140, 101)
    lock("acquire", 2 * S, 100, 0x18, "first_lock", flags=TRY)
    lock("release", 2 * S + 5, 100, 0x18)
    # Readers may take it twice, and may have to wait.
    lock("acquire", 3 * S, 100, 0x20, "a_read_lock_with_a_long_name", flags=READ)
    lock("acquire", 3 * S + 1, 100, 0x20, "a_read_lock_with_a_long_name", flags=READ)
    lock("contended", 3 * S + 2, 100, 0x20, "a_read_lock_with_a_long_name")
    lock("acquired", 3 * S + 3002, 100, 0x20, "a_read_lock_with_a_long_name")
    lock("release", 3 * S + 4000, 100, 0x20, "a_read_lock_with_a_long_name")
    lock("release", 3 * S + 4001, 100, 0x20, "a_read_lock_with_a_long_name")
    # What began before is left out, and what cannot be is counted.
    lock("release", 4 * S, 101, 0x30, "begun_before")
    lock("acquire", 5 * S, 101, 0x40, "taken_twice", flags=0)
    lock("acquired", 5 * S + 1, 101, 0x40, "taken_twice")
    lock("acquired", 5 * S + 2, 101, 0x40, "taken_twice")
t.write(sys.argv[1])
