# SPDX-License-Identifier: GPL-2.0-or-later
"""The same I/O as kernels of different versions record it.

	block-kernels.py FILE LAYOUT [big] [lost]

LAYOUT: 3.10 (completions have "errors", letters of operations take 8 bytes, accounting is not traced), 6.18. big: of a
big-endian machine. lost: events were, while a request was on its way.
"""
import sys

import pdata as p
import tracefile

US = 10**3
LOOP, DISK, PART, DM = 7 << 20, 8 << 20, (8 << 20) + 1, 253 << 20

if "big" in sys.argv:
    p.big_endian()
old = sys.argv[2] == "3.10"
letters = "char rwbs[%d]" % (8 if old else 10)
tracefile.SIZES["dev_t"], tracefile.SIZES["sector_t"] = 4, 8
tracefile.UNSIGNED = tracefile.re.compile(tracefile.UNSIGNED.pattern[:-3] + r"|dev_t|sector_t)\b")
t = tracefile.TraceFile(flags=p.SAMPLE_ID_ALL)
place = "dev_t dev; sector_t sector; unsigned int nr_sector; "
for name in ("bio_queue", "bio_backmerge", "bio_frontmerge", "getrq"):
    t.event("block:block_" + name, place + letters + "; char comm[16]")
t.event("block:block_split", "dev_t dev; sector_t sector; sector_t new_sector; " + letters + "; char comm[16]")
for name in ("rq_insert", "rq_issue", "rq_merge") + (() if old else ("io_start", "io_done")):
    t.event("block:block_" + name, place + "unsigned int bytes; " + letters + "; char comm[16]")
error = "errors" if old else "error"
t.event("block:block_rq_complete", place + "int " + error + "; " + letters)
t.event("block:block_rq_requeue", place + letters)
t.event("block:block_bio_complete", place + "int error; " + letters)


def add(name, us, dev, sector, sectors, rwbs, pid=100, **values):
    if name in ("bio_queue", "bio_backmerge", "bio_frontmerge", "getrq", "rq_insert", "rq_issue", "rq_merge", "io_start"):
        values["comm_"] = "writer" if pid == 100 else "kworker/0:1H"
    if name in ("rq_insert", "rq_issue", "rq_merge", "io_start"):
        values["bytes"] = sectors * 512
    if name == "rq_complete":
        values[error] = values.pop("fault", 0)
    t.add("block:block_" + name, 10**9 + us * US, cpu=0, pid=pid, dev=dev, sector=sector, nr_sector=sectors, rwbs=rwbs, **values)


def start(us, *args):
    if not old:
        add("io_start", us, *args)


# a write that two others join, at its end and at its beginning
add("bio_queue", 0, LOOP, 100, 8, "W")
add("getrq", 1, LOOP, 100, 8, "W")
start(1, LOOP, 100, 8, "W")
add("bio_queue", 2, LOOP, 108, 8, "W")
add("bio_backmerge", 3, LOOP, 108, 8, "W")
add("bio_queue", 4, LOOP, 92, 8, "W")
add("bio_frontmerge", 5, LOOP, 92, 8, "W")
add("rq_insert", 10, LOOP, 92, 24, "W")
add("rq_issue", 30, LOOP, 92, 24, "W", 7)
add("rq_complete", 130, LOOP, 92, 24, "W", 7)
# a write through the cache of a device that cannot do that: its data, then a flush, then its end
add("bio_queue", 200, LOOP, 8, 8, "WFS")
add("getrq", 201, LOOP, 8, 8, "WFS")
start(201, LOOP, 8, 8, "WFS")
add("rq_issue", 205, LOOP, 8, 8, "WS")
add("rq_complete", 255, LOOP, 8, 8, "WS", 7)
add("rq_issue", 260, LOOP, 0, 0, "FF", 7)
add("rq_complete", 560, LOOP, 2**64 - 1, 0, "FF", 7)
add("rq_complete", 561, LOOP, 16 if old else 8, 0, "WS", 7)
# an empty write waits for a flush that somebody else's serves
add("bio_queue", 600, LOOP, 0, 0, "FWS")
add("getrq", 602, LOOP, 0, 0, "FWS")
start(602, LOOP, 0, 0, "FWS")
add("rq_issue", 610, LOOP, 0, 0, "FF", 7)
add("rq_complete", 1010, LOOP, 2**64 - 1, 0, "FF", 7)
add("rq_complete", 1012, LOOP, 0, 0, "WS", 7)
# a read of a partition, which is split; its second part fails after it was given back once
add("bio_queue", 1100, PART, 5000, 16, "R")
t.add("block:block_split", 10**9 + 1101 * US, cpu=0, pid=100, dev=PART, sector=5000, new_sector=5008, rwbs="R", comm_="writer")
add("getrq", 1102, PART, 5000, 8, "R")
start(1102, DISK, 5000, 8, "R")
add("rq_insert", 1103, DISK, 5000, 8, "R")
add("getrq", 1104, PART, 5008, 8, "R")
start(1104, DISK, 5008, 8, "R")
add("rq_insert", 1105, DISK, 5008, 8, "R")
add("rq_issue", 1110, DISK, 5000, 8, "R")
add("rq_issue", 1111, DISK, 5008, 8, "R")
add("rq_requeue", 1112, DISK, 5008, 8, "R")
add("rq_issue", 1120, DISK, 5008, 8, "R")
add("rq_complete", 1150, DISK, 5000, 8, "R", 7)
add("rq_complete", 1200, DISK, 5008, 8, "R", 7, fault=-5)
# a request completes in two parts; another one swallows its neighbour
add("rq_insert", 1300, DISK, 6000, 16, "R")
add("rq_issue", 1310, DISK, 6000, 16, "R")
add("rq_complete", 1330, DISK, 6000, 8, "R", 7)
add("rq_complete", 1350, DISK, 6008, 8, "R", 7)
add("rq_insert", 1400, DISK, 7000, 8, "RA")
add("rq_insert", 1401, DISK, 7008, 8, "RA")
add("rq_merge", 1402, DISK, 7008, 8, "RA")
add("rq_issue", 1410, DISK, 7000, 16, "RA")
add("rq_complete", 1440, DISK, 7000, 16, "RA", 7)
# a device without requests, and a completion of what began before the recording
add("bio_queue", 1500, DM, 64, 8, "D")
add("bio_complete", 1540, DM, 64, 8, "D", 7, error=0)
add("rq_complete", 1600, DISK, 9000, 8, "W", 7)
if "lost" in sys.argv:
    add("rq_issue", 1700, DISK, 9100, 8, "W")
    t.records.append(p.record(2, 0, p.pack("QQ", 300, 17) + p.pack("IIQIIQ", 100, 100, 10**9 + 1710 * US, 0, 0, 300)))
    add("rq_complete", 1720, DISK, 9100, 8, "W", 7)
release = p.text(sys.argv[2] + ".0")
t.write(sys.argv[1], [(4, p.pack("I", len(release)) + release)])
