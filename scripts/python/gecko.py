# SPDX-License-Identifier: GPL-2.0-or-later
"""Samples as a profile for the Firefox Profiler, in the format that Firefox itself writes ("Gecko profile").

Wants: samples of any event; call chains (perf record -g) make it worth while.
Usage: perf script gecko [--save-only FILE] [--user-color COLOR] [--kernel-color COLOR]

Without --save-only, the profile is served to this machine only, and the browser opens profiler.firefox.com with it;
the page runs in the browser and fetches the profile from here, once.
"""
import argparse
import functools
import http.server
import json
import os
import secrets
import sys
import urllib.parse
import webbrowser

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from Standard import frames, write_file

VIEWER = "https://profiler.firefox.com"
USER, KERNEL = 0, 1
FORMAT_VERSION = 27
COLORS = ("transparent", "purple", "blue", "grey", "orange", "yellow", "green", "red", "lightblue", "lightgreen",
          "magenta", "brown", "darkgray")


class Table:
    """Rows that are there once; each is known by its number."""

    def __init__(self):
        self.rows = []
        self.numbers = {}

    def number(self, row):
        """Return the number of a row, which is added if it is new."""
        found = self.numbers.setdefault(row, len(self.rows))
        if found == len(self.rows):
            self.rows.append(row)
        return found


class Thread:
    """The samples of one thread, with its stacks as a tree: each stack is a frame on top of another stack."""

    def __init__(self, name, pid, tid):
        self.name, self.pid, self.tid = name, pid, tid
        self.strings, self.frames, self.stacks = Table(), Table(), Table()
        self.samples = []

    def add(self, ms, frames):
        """Add a sample: its time in ms since the machine was started, and (text, category) of its frames, outermost first."""
        stack = None
        for text, category in frames:
            frame = self.frames.number((self.strings.number(text), category))
            stack = self.stacks.number((stack, frame))
        self.samples.append([stack, ms, 0])

    def as_json(self, started):
        """Return it as the format wants it: tables with a schema that says which column is what, times since the first sample."""
        samples = [[stack, ms - started, late] for stack, ms, late in sorted(self.samples, key=lambda s: s[1])]
        return {
            "tid": self.tid, "pid": self.pid, "name": self.name, "processType": "default",
            "registerTime": 0, "unregisterTime": None,
            "markers": table(("name", "startTime", "endTime", "phase", "category", "data"), []),
            "samples": table(("stack", "time", "responsiveness"), samples),
            "frameTable": table(("location", "relevantForJS", "innerWindowID", "implementation", "line", "column",
                                 "category", "subcategory"),
                                [[text, False, 0, None, None, None, category, None]
                                 for text, category in self.frames.rows]),
            "stackTable": table(("prefix", "frame"), self.stacks.rows),
            "stringTable": self.strings.rows,
        }


def table(columns, rows):
    """Return rows with their schema."""
    return {"schema": {name: at for at, name in enumerate(columns)}, "data": rows}


def arguments():
    """Return the arguments; ends with a message when they are wrong."""
    parser = argparse.ArgumentParser(prog="gecko", description="Convert samples to a profile of the Firefox Profiler.")
    parser.add_argument("--user-color", default="yellow", choices=COLORS, help="colour of frames of user space")
    parser.add_argument("--kernel-color", default="orange", choices=COLORS, help="colour of frames of the kernel")
    parser.add_argument("--save-only", metavar="FILE", help="write the profile to this file, - is standard output")
    return parser.parse_args()


args = arguments()
threads = {}
started = None


def place(frame):
    """Return (text, category) of a frame."""
    name = "0x%x" % frame.address if frame.name == "[unknown]" else frame.name
    return "%s (in %s)" % (name, frame.dso), KERNEL if frame.kernel else USER


def process_event(event):
    """Take one sample."""
    global started
    sample = event["sample"]
    ms = sample["time"] / 1e6
    started = ms if started is None else min(started, ms)
    thread = threads.get(sample["tid"])
    if not thread:
        thread = threads[sample["tid"]] = Thread(event["comm"], sample["pid"], sample["tid"])
    thread.add(ms, [place(frame) for frame in frames(event)])


def profile():
    """Return the whole profile."""
    return {
        "meta": {
            "interval": 1, "processType": 0, "product": os.uname().nodename, "stackwalk": 1, "debug": 0, "gcpoison": 0,
            "asyncstack": 1, "startTime": started or 0, "shutdownTime": None, "version": FORMAT_VERSION,
            "presymbolicated": True, "markerSchema": [],
            "categories": [{"name": "User", "color": args.user_color, "subcategories": ["Other"]},
                           {"name": "Kernel", "color": args.kernel_color, "subcategories": ["Other"]}],
        },
        "libs": [], "threads": [t.as_json(started) for t in threads.values()], "processes": [], "pausedRanges": [],
    }


class OneFile(http.server.BaseHTTPRequestHandler):
    """Answers with the profile to whoever knows its name, which is random."""

    def __init__(self, name, data, *rest):
        self.name, self.data = name, data
        super().__init__(*rest)

    def do_GET(self):  # the name is http.server's
        """Send the profile."""
        known = self.path == self.name
        self.send_response(200 if known else 404)
        self.send_header("Access-Control-Allow-Origin", VIEWER)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        if known:
            self.wfile.write(self.data)
            self.server.done = True

    def log_message(self, *_):
        """Say nothing: standard error is for errors."""


def serve(data):
    """Serve the profile until the browser has it."""
    name = "/%s/profile.json" % secrets.token_hex(8)
    server = http.server.HTTPServer(("127.0.0.1", 0), functools.partial(OneFile, name, data))
    server.done = False
    url = "http://127.0.0.1:%d%s" % (server.server_port, name)
    page = "%s/from-url/%s" % (VIEWER, urllib.parse.quote(url, safe=""))
    print("The profile is at %s until it has been fetched; the page is\n%s" % (url, page), flush=True)
    webbrowser.open(page)
    while not server.done:
        server.handle_request()


def trace_end():
    """Write or serve what was gathered."""
    data = json.dumps(profile(), separators=(",", ":"))
    if args.save_only:
        write_file("gecko", args.save_only, data)
    else:
        serve(data.encode())
