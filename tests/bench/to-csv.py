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
