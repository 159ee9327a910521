# SPDX-License-Identifier: GPL-2.0-or-later
# blktrace-messages.py DIR ORDER: files of blktrace of two CPUs, with messages between their events; ORDER is < or >
import os
import struct
import sys

MAGIC, NOTIFY, CGROUP, WRITE, SYNC = 0x65617407, 1 << 26, 1 << 8, 1 << 17, 1 << 19
QUEUE, COMPLETE = 1, 8
PROCESS, MESSAGE = 0, 2
folder, order = sys.argv[1:]


def record(sequence, time, sector, size, action, pid, cpu, payload=b""):
    return struct.pack(order + "IIQQIIIIIHH", MAGIC, sequence, time, sector, size, action, pid,
                       7 << 20, cpu, 0, len(payload)) + payload


def message(time, cpu, text, group=None):
    where = b"" if group is None else struct.pack(order + "Q", group)
    return record(0, time, 0, 0, MESSAGE | NOTIFY | (CGROUP if where else 0), 0, cpu, where + text)


os.makedirs(folder)
with open(folder + "/loop0.blktrace.0", "wb") as f:
    f.write(record(0, 1000, 0, 0, PROCESS | NOTIFY, 100, 0, b"writer".ljust(16, b"\0")))
    f.write(record(1, 1000, 8, 4096, QUEUE | WRITE | SYNC, 100, 0))
    f.write(message(1500, 0, b"bfq100S add_request 1"))
    f.write(message(3000, 0, b"of a group", 77))
    f.write(message(4000, 0, b"bad \x1b[31m\ntext\0behind"))
    f.write(record(2, 5000, 8, 4096, COMPLETE | WRITE | SYNC, 0, 0))
with open(folder + "/loop0.blktrace.1", "wb") as f:
    f.write(message(2000, 1, b"hello from a user"))
    f.write(message(6000, 1, b""))
