#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""rooms.py BUILD: the room rule of util/ROOMS, by includes and by linking, and what rooms may not do.

A room includes only rooms named on its line. Its archive needs only symbols of the rooms it can
reach, and nothing of the builtins or perf.c. Rooms neither print nor exit, and hold no
mutable data: no object of theirs has a symbol in .data, .bss or thread-local storage.
Room arch stands at the root, with a folder for each processor; all others are folders of util/.
Exceptions, with their reason, are in scripts/lint/ALLOW.
"""
import glob
import os
import re
import subprocess
import sys

build = sys.argv[1]
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


# Rooms that were cut out of commands and still include and print what commands do: the debt is named in
# ALLOW, and only these rules are not asked of them yet.
unfinished = {subject for check, subject in exceptions if check == "unfinished"}


def folder(room):
    return "arch" if room == "arch" else f"util/{room}"


def sources(room, ext):
    return sorted(glob.glob(f"{folder(room)}/*.{ext}") + (glob.glob(f"arch/*/*.{ext}") if room == "arch" else []))


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


def nm(path, *flags):
    out = subprocess.run(["nm", *flags, path], capture_output=True, text=True, check=True).stdout
    member = ""
    for line in out.splitlines():
        if line.endswith(":"):
            member = line[:-1]
            continue
        words = line.split()
        if len(words) >= 2:
            yield member, words[-1], words[-2]


# By linking: who defines what, and who needs it.
archives = {r: f"{build}/{folder(r)}/lib{r}.a" for r in order}
archives = {r: path for r, path in archives.items() if os.path.exists(path)}
# An archive names its members without their folders, so a room has no two files of the same name.
file_of = {}
for room in order:
    for path in sources(room, "c"):
        member = os.path.basename(path)[:-2] + ".o"
        if (room, member) in file_of:
            bad.append(f"{path}: {file_of[room, member]} has the same name, which a room cannot have twice")
        file_of[room, member] = path
defined = {}
for room, path in archives.items():
    for _member, sym, _kind in nm(path, "--defined-only", "-g"):
        defined[sym] = room
for path in glob.glob(f"{build}/*.o") + glob.glob(f"{build}/cmd/*/*.o"):
    for _member, sym, _kind in nm(path, "--defined-only", "-g"):
        defined.setdefault(sym, "the programs above the rooms")

speaks = {"printf", "puts", "putchar", "perror", "stdout", "stderr", "exit", "_exit", "_Exit", "abort",
          "vprintf", "quick_exit", "err", "errx", "warn", "warnx", "psignal"}
banned = {"strcpy", "strcat", "stpcpy", "sprintf", "vsprintf", "strtok", "gets", "atoi", "atol", "atoll",
          "rand", "srand", "alloca", "tmpnam", "mktemp", "system", "popen"}
for room, path in archives.items():
    reach = closure(room)
    for member, sym, _kind in nm(path, "-u"):
        where = file_of.get((room, member), f"{folder(room)}/{member}")
        home = defined.get(sym)
        if home and home not in reach:
            bad.append(f"{where}: needs {sym} of {home}, which {room} does not reach")
        if sym in speaks and ("speaks", f"{where}:{sym}") not in exceptions:
            bad.append(f"{where}: calls {sym}; rooms neither print nor exit")
for path in glob.glob(f"{build}/**/*.o", recursive=True):
    src = os.path.relpath(path, build)[:-2] + ".c"
    if not os.path.exists(src):
        continue
    for _member, sym, _kind in nm(path, "-u"):
        if sym in banned and ("banned", f"{src}:{sym}") not in exceptions:
            bad.append(f"{src}: calls {sym}, which is banned")

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


for room, path in archives.items():
    home = {sym: member for member, sym, _kind in nm(path, "--defined-only", "-g")}
    needs = {}
    for member, sym, _kind in nm(path, "-u"):
        if home.get(sym, member) != member:
            needs.setdefault(member, set()).add(home[sym])
    for circle in circles(needs):
        if len(circle) > CIRCLE and ("circle", folder(room)) not in exceptions:
            names = " ".join(sorted(m[:-2] for m in circle))
            bad.append(f"{folder(room)}: {len(circle)} files need each other, at most {CIRCLE}: {names}")

# No mutable data.
for room, path in archives.items():
    out = subprocess.run(["objdump", "-t", path], capture_output=True, text=True, check=True).stdout
    member = ""
    for line in out.splitlines():
        m = re.match(r"(\S+)\.o:\s+file format", line)
        if m:
            member = m[1]
        m = re.match(r"[0-9a-f]+ (.{7}) (\S+)\s+([0-9a-f]+) (?:\.hidden )?(.*)$", line)
        if not m or int(m[3], 16) == 0:
            continue
        section, name = m[2], m[4].strip()
        mutable = section == "*COM*" or re.match(r"\.(data|bss|tdata|tbss)(\.|$)", section)
        if not mutable or section.startswith(".data.rel.ro") or name.startswith("__"):
            continue
        where = file_of.get((room, member + ".o"), f"{folder(room)}/{member}.o")
        if ("global", f"{where}:{name}") not in exceptions:
            bad.append(f"{where}: mutable data {name} in {section}")

bad = [line for line in bad if not any(line.startswith(f"util/{room}/") for room in unfinished)]
print("\n".join(bad), end="\n" if bad else "")
sys.exit(1 if bad else 0)
