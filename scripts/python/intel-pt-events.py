# SPDX-License-Identifier: GPL-2.0-or-later
"""The events of an Intel PT trace one by one: branches, power events, data that programs wrote, and switches of tasks.

Wants: an Intel PT event, which perf can decode; other samples are shown, too.
Usage: perf script intel-pt-events [--insn-trace | --src-trace] [--all-switch-events]

--insn-trace: instructions, with their bytes, and disassembled where libxed is installed. --src-trace: lines of source. A
switch to a task is shown before the first event after it, and with --all-switch-events each switch when it comes.
"""
import argparse
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

import perf_trace_context
from IntelPt import CAUSES, KINDS, decode, event_data
from Standard import place_text, start_of_line, time_text
from libxed import Disassembler, Missing
from perf_trace_context import perf_sample_insn, perf_sample_srccode, perf_set_itrace_options

# How the events that are no branches are shown.
TEXTS = {
    "ptwrite": "IP: {exact_ip} payload: {payload:#x} {letters}",
    "mwait": "hints: {hints:#x} extensions: {extensions:#x}",
    "pwre": "hw: {hw} cstate: {cstate} sub-cstate: {subcstate}",
    "exstop": "IP: {exact_ip}",
    "pwrx": "deepest cstate: {deepest_cstate} last cstate: {last_cstate} wake reason: {wake_reason:#x}",
    "cbr": "{cbr:3d}  freq: {mhz:4d} MHz  ({percent:3d}%)",
    "psb": "offset: {offset:#x}",
    "evt": " cfe: {cfe} IP: {ip} vector: {vector}{more}",
    "iflag": "IFLAG: {before}->{iflag} {way} branch",
}
NUMBERS = {name: number for number, (name, _, _) in KINDS.items()}
BYTES_WIDTH = 44  # of the longest instruction


def arguments():
    """Return the arguments; ends with a message when they are wrong."""
    parser = argparse.ArgumentParser(prog="intel-pt-events.py", usage="", add_help=False)
    parser.add_argument("--insn-trace", action="store_true")
    parser.add_argument("--src-trace", action="store_true")
    parser.add_argument("--all-switch-events", action="store_true")
    return parser.parse_args()


args = arguments()
switches = {}  # cpu -> the line of a switch that no event has followed yet


def letters(payload):
    """Return the text that a payload has, if it is one."""
    data = payload.to_bytes(8, "little").rstrip(b"\0")
    return data.decode("ascii") if data and all(0x20 <= byte < 0x7f for byte in data) else ""


def synthesized(name, raw):
    """Return the text of an event that is no branch."""
    _, fields = decode(NUMBERS[name], bytes(raw))
    if not fields:
        return "damaged"
    if name == "ptwrite":
        fields["letters"] = letters(fields["payload"])
    elif name == "evt":
        fields["cfe"] = CAUSES.get(fields["cfe"], fields["cfe"])
        fields["more"] = "".join(" %s: %#x" % item for item in event_data(bytes(raw), fields["count"]))
    elif name == "iflag":
        fields.update(before=1 - fields["iflag"], way="via" if fields["via_branch"] else "non")
    return TEXTS[name].format(**fields)


def place(event):
    """Return the address of an event, and its names."""
    return " %16x %s (%s) " % (event["sample"]["ip"], place_text(event), event.get("dso", "[unknown]"))


def loaded_disassembler():
    """Return what disassembles, or None with a message where that cannot be done."""
    try:
        return Disassembler()
    except Missing as e:
        print("intel-pt-events: instructions are shown as bytes only: %s" % e, file=sys.stderr)
        return None


disassembler = loaded_disassembler() if args.insn_trace else None


def instruction(event):
    """Return the bytes of the instruction, as far as they are known, and its text where there is a disassembler."""
    code = perf_sample_insn(perf_trace_context.perf_script_context) if args.insn_trace else None
    if not code:
        return ""
    shown = " ".join("%02x" % byte for byte in code)
    text = disassembler.text(code, event["sample"]["ip"]) if disassembler else None
    return "%-*s  %s" % (BYTES_WIDTH, shown, text) if text else shown


def process_event(event):
    """Print one sample."""
    line = switches.pop(event["sample"]["cpu"], None)
    if line:
        print(line)
    name, kind = event["ev_name"], event["ev_name"].split(":")[0]
    start = start_of_line(event)
    if kind in NUMBERS:
        print("%s  %8s  %21s %s%s" % (start, kind, "", synthesized(kind, event["raw_buf"]), place(event)))
    elif args.src_trace and name.startswith(("branches", "instructions")):
        print_source(start, event, event.get("dso", "") if name.startswith("branches") else "")
    elif name.startswith("instructions"):
        print("%s   %s%s" % (start, place(event), instruction(event)))
    else:
        print("%s  %8s  %21s%s" % (start, name, "", place(event)))


def print_source(start, event, otherwise):
    """Print a line of source, or another text where there is none."""
    file, number, text = perf_sample_srccode(perf_trace_context.perf_script_context)
    where = "%s:%u %s" % (file, number, text or "") if file and number else otherwise
    print("%s  %16x  %22s %s" % (start, event["sample"]["ip"], "", where))


def context_switch(time, cpu, pid, tid, other_pid, other_tid, _machine_pid, out, preempt, *_later):
    """Print a switch of tasks, or keep it until an event follows."""
    what = "Switch out " if out else "Switch In  "
    line = "%16s %5d/%-5d [%03u] %s %5d/%-5d  %s" % (what, pid, tid, cpu & 0xffffffff, time_text(time), other_pid, other_tid,
                                                     "preempt" if preempt else "")
    if args.all_switch_events:
        print(line)
    elif not out:
        switches[cpu] = line
    else:
        switches.pop(cpu, None)


def auxtrace_error(kind, code, cpu, pid, tid, ip, time, message, *_later):
    """Print an error in a trace."""
    print("%16s %5d/%-5d [%03u] %s  error type %u code %u: %s ip 0x%16x" %
          ("Trace error", pid, tid, cpu & 0xffffffff, time_text(time), kind, code, message, ip))


def trace_unhandled(_event, _context, fields):
    """Print a tracepoint."""
    print(" ".join("%s=%s" % item for item in sorted(fields.items())))


def trace_begin():
    """Say what follows, and how the trace is to be decoded."""
    if args.insn_trace or args.src_trace:
        perf_set_itrace_options(perf_trace_context.perf_script_context, "i0nsepwxI" if args.insn_trace else "i0nse")
    print("Intel PT Instruction Trace" if args.insn_trace else "Intel PT Source Trace" if args.src_trace else
          "Intel PT Branch Trace, Power Events, Event Trace and PTWRITE")


def trace_end():
    """Say that it is over."""
    print("End")
