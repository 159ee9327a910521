# SPDX-License-Identifier: GPL-2.0-or-later
"""A script for perf script -s: it writes samples as CSV to standard output, as users do who want a table."""
import csv
import sys

write = csv.writer(sys.stdout).writerow
write(["time", "event", "comm", "pid", "tid", "cpu", "period", "ip", "sym", "dso"])


def process_event(e):
    s = e["sample"]
    write([s["time"], e["ev_name"], e["comm"], s["pid"], s["tid"], s["cpu"], s["period"], s["ip"], e.get("symbol", ""),
           e.get("dso", "")])


# Tracepoints do not reach process_event: each has the function that a generated script has for it.


def raw_syscalls__sys_enter(event_name, context, common_cpu, common_secs, common_nsecs, common_pid, common_comm,
                            common_callchain, id, args, perf_sample_dict):
    s = perf_sample_dict["sample"]
    write([s["time"], event_name, common_comm, s["pid"], common_pid, common_cpu, id, args.hex()])


def raw_syscalls__sys_exit(event_name, context, common_cpu, common_secs, common_nsecs, common_pid, common_comm,
                           common_callchain, id, ret, perf_sample_dict):
    s = perf_sample_dict["sample"]
    write([s["time"], event_name, common_comm, s["pid"], common_pid, common_cpu, id, ret])
