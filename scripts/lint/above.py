#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""above.py BUILD: the rules for what stands above the rooms: perf.c, builtin-*.c and cmd/.

- cmd/x includes only its own headers, cmd/common and rooms; cmd/common includes no other command.
- builtin.h declares commands only, and nothing but perf.c calls a function of a builtin-*.c.
- Mutable data at file scope exists only in builtin-*.c, where options write their values.
- A builtin-*.c has at most 400 lines. A command has at most 1200 lines in all: its builtin and cmd/<command>/.
- No folder of sources has more than 40 files.
Exceptions, with their reason, are in scripts/lint/ALLOW.
"""
import collections
import glob
import os
import re
import sys

from objects import Objects

BUILTIN_LINES = 400
COMMAND_LINES = 1200
FOLDER_FILES = 40

build = sys.argv[1]
bad = []
exceptions = set()
for line in open("scripts/lint/ALLOW"):
    if line.strip() and line[0] != "#":
        check, subject, _reason = line.split(None, 2)
        exceptions.add((check, subject))


def lines_of(path):
    return open(path, encoding="utf-8").read().count("\n")


# Who includes what.
for path in sorted(glob.glob("cmd/*/*.[ch]")):
    own = path.split("/")[1]
    for n, line in enumerate(open(path, encoding="utf-8"), 1):
        m = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        if not m:
            continue
        if m[1] == "builtin.h":
            bad.append(f"{path}:{n}: builtin.h is for builtins and perf.c")
        words = m[1].split("/")
        if words[0] == "cmd" and words[1] not in (own, "common") and ("includes", f"{path}:{m[1]}") not in exceptions:
            bad.append(f"{path}:{n}: cmd/{own} may not include cmd/{words[1]} ({m[1]})")
for line in open("builtin.h", encoding="utf-8"):
    if re.match(r"[a-z].*\(", line) and not re.match(r"int cmd_\w+\(int argc, const char \*\*argv\);", line):
        name = re.search(r"(\w+)\(", line)[1]
        if ("calls", f"builtin.h:{name}") not in exceptions:
            bad.append(f"builtin.h: declares more than commands: {line.strip()}")

# Who calls a builtin.
objects = Objects(build)
builtins = [source for source in objects.sources if source.startswith("builtin-")]
of_builtin = {sym: source for source in builtins for sym in objects.defined[source]}
for source in objects.sources:
    if source.startswith(("builtin-", "cmd/", "util/")):
        for sym in sorted(objects.needed[source]):
            if of_builtin.get(sym, source) != source and ("calls", f"{source}:{sym}") not in exceptions:
                bad.append(f"{source}: calls {sym}() of a builtin")

# Mutable data.
for source, section, name in objects.mutable_data([s for s in objects.sources if s.startswith(("cmd/", "perf.c"))]):
    name = re.sub(r"\.\d+$", "", name)
    if ("global", f"{source}:{name}") not in exceptions:
        bad.append(f"{source}: mutable data {name} in {section}")

# Sizes.
of_command = collections.Counter()
for path in glob.glob("builtin-*.c"):
    n = lines_of(path)
    of_command[re.match(r"builtin-(.*)\.c", path)[1]] += n
    if n > BUILTIN_LINES and ("lines", path) not in exceptions:
        bad.append(f"{path}: {n} lines, at most {BUILTIN_LINES}: what is long goes to cmd/ or a room")
for path in glob.glob("cmd/*/*.[ch]"):
    if not path.startswith("cmd/common/"):
        of_command[path.split("/")[1]] += lines_of(path)
for command, n in sorted(of_command.items()):
    if n > COMMAND_LINES and ("lines", f"perf-{command}") not in exceptions:
        bad.append(f"perf {command}: {n} lines above the rooms, at most {COMMAND_LINES}: its engine belongs to a room")
in_folder = collections.Counter()
for top in ("util", "cmd", "arch", "ui", "tests", "scripts"):
    for folder, _dirs, files in os.walk(top):
        in_folder[folder] = sum(f.endswith((".c", ".h", ".py", ".sh", ".js")) for f in files)
for folder, n in sorted(in_folder.items()):
    if n > FOLDER_FILES and ("files", folder) not in exceptions:
        bad.append(f"{folder}: {n} files, at most {FOLDER_FILES}")

total = sum(of_command.values()) + sum(lines_of(p) for p in glob.glob("cmd/common/*.[ch]") + ["perf.c"])
print(f"note: {total} lines above the rooms")
print("\n".join(bad), end="\n" if bad else "")
sys.exit(1 if bad else 0)
