#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""rooms.py BUILD: the room rule of util/ROOMS, by includes and by linking, and what rooms may not do.

A room includes only rooms named on its line. Its archive needs only symbols of the rooms it can
reach, and nothing of the builtins or perf.c. Rooms neither print nor exit, and hold no
mutable data: no object of theirs has a symbol in .data, .bss or thread-local storage.
Rooms arch and ui stand at the root, with folders of their own; all others are folders of util/.
Exceptions, with their reason, are in scripts/lint/ALLOW.
"""
import glob
import os
import re
import sys

from objects import Objects

build = sys.argv[1]
AT_ROOT = ("arch", "ui")
bad = []
allowed = {}
for line in open("util/ROOMS"):
    if line[0] != "#" and ":" in line:
        room, rest = line.split(":")
        allowed[room.strip()] = rest.split()

exceptions = set()
for line in open("scripts/lint/ALLOW"):
    if line.strip() and line[0] != "#":
        check, subject, _reason = line.split(None, 2)
        exceptions.add((check, subject))


def folder(room):
    return room if room in AT_ROOT else f"util/{room}"


def sources(room, ext):
    return sorted(glob.glob(f"{folder(room)}/*.{ext}") + (glob.glob(f"{room}/*/*.{ext}") if room in AT_ROOT else []))


def closure(room):
    seen, pending = {room}, [room]
    while pending:
        for r in allowed.get(pending.pop(), []):
            if r not in seen:
                seen.add(r)
                pending.append(r)
    return seen


# The table itself: each room stands below those it uses, so there is no circle.
order = list(allowed)
for room in order:
    for r in allowed[room]:
        if r not in allowed:
            bad.append(f"util/ROOMS: {room} names {r}, which is no room")
        elif order.index(r) >= order.index(room):
            bad.append(f"util/ROOMS: {room} must stand below {r}, which it uses")
for path in glob.glob("util/*"):
    name = os.path.basename(path)
    if os.path.isdir(path) and name not in allowed:
        bad.append(f"{path}: a folder that is no room of util/ROOMS")
    if os.path.isfile(path) and name.endswith((".c", ".h")):
        bad.append(f"{path}: a loose file, every file lives in a room")

# What util/README.md tells newcomers of it: the same rooms, and headers that are there.
told = {}
for line in open("util/README.md", encoding="utf-8"):
    m = re.match(r"\| `(\w+)` \| .* \| ([\w ]+) \| (.*)\|$", line)
    if m:
        told[m[1]] = [r for r in m[2].split() if r != "libc"]
        for header in re.findall(r"`([^`]+)`", m[3]):
            if not os.path.exists(f"{folder(m[1])}/{header}"):
                bad.append(f"util/README.md: {m[1]} has no {header}")
for room in order:
    if told.get(room) != allowed[room]:
        bad.append(f"util/README.md: says of {room} that it may use {told.get(room)}, not {allowed[room]}")

# By includes.
for room in order:
    for path in sources(room, "[ch]"):
        first = None
        for n, line in enumerate(open(path, encoding="utf-8"), 1):
            m = re.match(r'\s*#\s*include\s+([<"])([^">]+)[">]', line)
            if not m:
                continue
            first = first or m[0].split()[-1]
            if m[1] == "<":
                continue
            target = m[2].split("/")[0] if "/" in m[2] else None
            if target in allowed:
                if (target != room and target not in allowed[room] and
                        ("includes", f"{path}:{m[2]}") not in exceptions):
                    bad.append(f"{path}:{n}: room {room} may not include {target} ({m[2]})")
                elif target != room and m[2].endswith("-internal.h"):
                    bad.append(f"{path}:{n}: {m[2]} is private to {target}")
            elif m[2] not in ("build-features.h", "perf-version.h", "perf-paths.h"):
                bad.append(f"{path}:{n}: include \"{m[2]}\" is not written as room/file.h")
        # base/compat.h, or a header that starts with it: never one of the system's.
        if path.endswith(".c") and first and first.startswith("<"):
            bad.append(f"{path}: base/compat.h is not the first include")


# By linking: who defines what, and who needs it.
objects = Objects(build)
room_of = {}
for room in order:
    members = {}
    for path in sources(room, "c"):
        # An archive names its members without their folders.
        other = members.setdefault(os.path.basename(path), path)
        if other != path:
            bad.append(f"{path}: {other} has the same name, which a room cannot have twice")
        room_of[path] = room
defined = {}
for source in objects.sources:
    for sym in objects.defined[source]:
        if source in room_of:
            defined[sym] = room_of[source]
        elif not source.startswith("tests/"):
            defined.setdefault(sym, "the programs above the rooms")

speaks = {"printf", "puts", "putchar", "perror", "stdout", "stderr", "exit", "_exit", "_Exit", "abort",
          "vprintf", "quick_exit", "err", "errx", "warn", "warnx", "psignal"}
banned = {"strcpy", "strcat", "stpcpy", "sprintf", "vsprintf", "strtok", "gets", "atoi", "atol", "atoll",
          "rand", "srand", "alloca", "tmpnam", "mktemp", "system", "popen"}
for source in objects.sources:
    room = room_of.get(source)
    reach = closure(room) if room else ()
    for sym in sorted(objects.needed[source]):
        home = defined.get(sym)
        if room and home and home not in reach:
            bad.append(f"{source}: needs {sym} of {home}, which {room} does not reach")
        if room and sym in speaks and ("speaks", f"{source}:{sym}") not in exceptions:
            bad.append(f"{source}: calls {sym}; rooms neither print nor exit")
        if sym in banned and ("banned", f"{source}:{sym}") not in exceptions:
            bad.append(f"{source}: calls {sym}, which is banned")

# No large circle: files that need each other can only be read together.
CIRCLE = 5


def circles(needs):
    """The sets of nodes of which each reaches each other (Tarjan's algorithm)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in needs.get(node, ()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            cut = stack.index(node)
            found.append(stack[cut:])
            del stack[cut:]

    for node in list(needs):
        if node not in index:
            visit(node)
    return found


for room in order:
    files = [source for source in objects.sources if room_of.get(source) == room]
    home = {sym: source for source in files for sym in objects.defined[source]}
    needs = {}
    for source in files:
        others = {home[sym] for sym in objects.needed[source] if sym in home} - {source}
        if others:
            needs[source] = others
    for circle in circles(needs):
        if len(circle) > CIRCLE and ("circle", folder(room)) not in exceptions:
            names = " ".join(sorted(os.path.basename(source)[:-2] for source in circle))
            bad.append(f"{folder(room)}: {len(circle)} files need each other, at most {CIRCLE}: {names}")

# No mutable data.
for source, section, name in objects.mutable_data([s for s in objects.sources if s in room_of]):
    if ("global", f"{source}:{name}") not in exceptions:
        bad.append(f"{source}: mutable data {name} in {section}")

print("\n".join(bad), end="\n" if bad else "")
sys.exit(1 if bad else 0)
