# SPDX-License-Identifier: GPL-2.0-or-later
"""The code between the branches of an ARM CoreSight trace, with its lines of source, and disassembled by objdump.

Wants: branches of a trace that perf can decode, whose samples have the address where each branch comes from and goes to.
Usage: perf script -s arm-cs-trace-disasm.py -- [-d OBJDUMP] [-k VMLINUX] [-v]

The code that runs after a branch goes from its target to the next branch of the same processor.
"""
import optparse
import os
import re
import struct
import subprocess
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

import perf_trace_context
from Standard import place_text, start_of_line
from perf_trace_context import perf_sample_srccode

INSTRUCTION = 4  # bytes
KERNEL = "[kernel.kallsyms]"
LOAD, EXECUTE, PAGE = 1, 1, 4096


def arguments():
    """Return the options; ends with a message when they are wrong."""
    parser = optparse.OptionParser()
    parser.add_option("-k", "--vmlinux", dest="vmlinux_name", help="Set path to vmlinux file")
    parser.add_option("-d", "--objdump", dest="objdump_name", help="Set path to objdump executable file")
    parser.add_option("-v", "--verbose", action="store_true", help="Enable debugging log")
    options, rest = parser.parse_args()
    if rest:
        parser.error("unexpected argument: %s" % rest[0])
    return options


options = arguments()
targets = {}  # cpu -> where the last branch went to
shown = None  # the last line of source
listings = {}  # (file, from, to) -> lines of objdump


def file_of(event):
    """Return the file of the object that an event is in, or None."""
    if event["dso"] == KERNEL:
        return options.vmlinux_name
    build_id = event.get("dso_bid")
    if build_id:
        cached = os.path.join(os.path.expanduser("~/.debug/.build-id"), build_id[:2], build_id[2:], "elf")
        if os.path.exists(cached):
            return cached
    return event["dso"] if os.path.exists(event["dso"]) else None


def code_address(path):
    """Return the address in a file of 64 bits at which its code begins, as the kernel maps it."""
    with open(path, "rb") as f:
        head = f.read(64)
        if head[:6] != b"\x7fELF\x02\x01":
            return 0
        offset, size, count = struct.unpack_from("<Q", head, 32)[0], *struct.unpack_from("<HH", head, 54)
        f.seek(offset)
        for at in range(count):
            kind, flags, _, address = struct.unpack_from("<IIQQ", f.read(size))
            if kind == LOAD and flags & EXECUTE:
                return address & ~(PAGE - 1)
    return 0


def disassembly(path, start, stop):
    """Return the lines of objdump for the code between two addresses of a file."""
    key = path, start, stop
    if key not in listings:
        command = [options.objdump_name, "-d", "-z", "--start-address=%#x" % start, "--stop-address=%#x" % stop, path]
        try:
            listings[key] = subprocess.run(command, stdout=subprocess.PIPE, universal_newlines=True, errors="replace",
                                           check=False).stdout.splitlines()
        except OSError as e:
            sys.exit("arm-cs-trace-disasm: cannot run %s: %s" % (options.objdump_name, e.strerror))
    return listings[key]


def show_disassembly(event, start, stop):
    """Print the code, with addresses as the process had them."""
    path = file_of(event)
    if not path:
        print("Failed to find dso %s for address range [ 0x%x .. 0x%x ]" % (event["dso"], start, stop))
        return
    shift = 0 if event["dso"] == KERNEL else event["dso_map_start"] - code_address(path)
    for line in disassembly(path, start - shift, stop - shift) if start < stop else ():
        match = re.match(r"\s*([0-9a-f]+):(\s.*)", line)
        if match:
            print("\t%x:%s" % (int(match[1], 16) + shift, match[2]))


def show_line(event):
    """Print who was where, and the line of source, unless that is the last one again."""
    global shown
    file, number, text = perf_sample_srccode(perf_trace_context.perf_script_context)
    source = ""
    if file and number and (file, number) != shown:
        # Of a long path the end is shown.
        source = "%-40s %4d %s" % (file if len(file) <= 40 else "..." + file[-37:], number, text or "")
    shown = file, number
    print("%s  %-40s %s" % (start_of_line(event, 4), place_text(event), source.rstrip("\n")))


def process_event(event):
    """Take one sample: a branch ends the code that the branch before it began."""
    s = event["sample"]
    if options.verbose:
        print("Event type: %s" % event["ev_name"])
        print("Sample = { cpu: %04d addr: 0x%016x phys_addr: 0x%016x ip: 0x%016x pid: %d tid: %d period: %d time: %d }" %
              (s["cpu"], s["addr"], s["phys_addr"], s["ip"], s["pid"], s["tid"], s["period"], s["time"]))
    if "branches" not in event["ev_name"] or not event.get("dso_map_start"):
        return
    start, stop = targets.get(s["cpu"]), s["ip"] + INSTRUCTION
    targets[s["cpu"]] = s["addr"]
    if start is None:
        return
    low, high = event["dso_map_start"], event["dso_map_end"]
    for what, address in (("Start", start), ("Stop", stop)):
        if not low <= address <= high:
            print("%s address 0x%x is out of range [ 0x%x .. 0x%x ] for dso %s" % (what, address, low, high, event["dso"]))
            return
    if options.objdump_name:
        show_disassembly(event, start, stop)
    show_line(event)


def trace_begin():
    """Say what follows."""
    print("ARM CoreSight Trace Data Assembler Dump")


def trace_end():
    """Say that it is over."""
    print("End")
