# SPDX-License-Identifier: GPL-2.0-or-later
"""The same allocations as kernels of different versions record them.

	kmem-kernels.py FILE LAYOUT [big] [lost] [back]

LAYOUT: 3.10 (events of their own for allocations on a node; pages by address), 3.10-32 (whose longs have 32 bits), 6.18
(node in all events; pages by number). big: of a big-endian machine. lost: some events are. back: at last, time runs back.
"""
import sys

import pdata as p
import tracefile

MS = 10**6
GFP = '"gfp_flags=%s", (REC->gfp_flags) ? __print_flags(REC->gfp_flags, "|", ' \
      '{0xcc0UL, "GFP_KERNEL"}, {0x800UL, "GFP_NOWAIT"}, {0x100UL, "__GFP_ZERO"}, {0x4000UL, "__GFP_NEW_THING"}) : "none"'
SITE_A, SITE_B = 0x10001000, 0x10002000

if "big" in sys.argv:
    p.big_endian()
old, longs = sys.argv[2] != "6.18", 4 if sys.argv[2] == "3.10-32" else 8
tracefile.SIZES["long"] = tracefile.SIZES["size_t"] = longs
t = tracefile.TraceFile(flags=p.SAMPLE_ID_ALL)
alloc = "unsigned long call_site; unsigned long ptr; size_t bytes_req; size_t bytes_alloc; unsigned long gfp_flags"
for name in ("kmalloc", "kmem_cache_alloc"):
    t.event("kmem:" + name, alloc + ("" if old else "; int node"))
    if old:
        t.event("kmem:" + name + "_node", alloc + "; int node")
for name in ("kfree", "kmem_cache_free"):
    t.event("kmem:" + name, "unsigned long call_site; unsigned long ptr")
page = "unsigned long " + ("page" if old else "pfn")
t.event("kmem:mm_page_alloc", page + "; unsigned int order; unsigned long gfp_flags; int migratetype", GFP)
t.event("kmem:mm_page_free", page + "; unsigned int order")


def add(name, at, cpu, **values):
    t.add("kmem:" + name, 10**9 + int(at * MS), cpu=cpu, pid=100, **values)


def allocate(name, at, cpu, site, ptr, requested, allocated, node=None):
    more = {} if old and node is None else {"node": -1 if node is None else node}
    add(name + ("_node" if old and node is not None else ""), at, cpu, call_site=site, ptr=ptr, bytes_req=requested,
        bytes_alloc=allocated, gfp_flags=0xcc0, **more)


def pages(name, at, number, order, **values):
    where = {"page": 0 if number is None else 0x1000 + number} if old else {"pfn": -1 if number is None else number}
    add(name, at, 0, order=order, **where, **values)


allocate("kmalloc", 1, 0, SITE_A, 0x10, 20, 32)
allocate("kmalloc", 2, 1, SITE_B, 0x20, 100, 128, 0)
allocate("kmem_cache_alloc", 3, 0, SITE_A, 0x30, 64, 64)
allocate("kmem_cache_alloc", 4, 1, SITE_B, 0x40, 192, 192, 0)
add("kfree", 5, 1, call_site=SITE_A, ptr=0x10)
add("kmem_cache_free", 6, 1, call_site=SITE_A, ptr=0x40)
add("kfree", 7, 1, call_site=SITE_A, ptr=0x999)
add("kfree", 7, 1, call_site=SITE_A, ptr=0)
pages("mm_page_alloc", 8, 5, 0, gfp_flags=0xdc0, migratetype=1)
pages("mm_page_alloc", 8.1, 16, 2, gfp_flags=0x4cc0, migratetype=0)
pages("mm_page_alloc", 8.2, None, 3, gfp_flags=0x800, migratetype=0)
pages("mm_page_alloc", 8.3, 9, 0, gfp_flags=0xdc0, migratetype=1)
pages("mm_page_free", 9, 5, 0)
pages("mm_page_free", 9.1, 7, 1)
if "lost" in sys.argv:
    t.records.append(p.record(2, 0, p.pack("QQ", 300, 17) + p.pack("IIQIIQ", 100, 100, 10**9 + 10 * MS, 0, 0, 300)))
if "back" in sys.argv:
    add("kfree", 20, 1, call_site=SITE_A, ptr=0x999)
    t.records += [p.record(68, 0, b""), p.record(68, 0, b"")]
    add("kfree", 18, 1, call_site=SITE_A, ptr=0x999)
release = p.text(sys.argv[2].split("-")[0] + ".0")
t.write(sys.argv[1], [(4, p.pack("I", len(release)) + release)])
