#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""options-vs-docs.py PERF: each option of each command is described in Documentation/perf-CMD.txt, and
the page describes no other; each command has a page, and each page a command.

The options come from the tables themselves: `perf CMD --list-opts` (long names) and `--list-opts=table`
(short ones). In a page an option is a labelled line ending in `::`, such as `-o <file>::`,
`--output=<file>::` or both on one line with a comma."""
import glob
import os
import re
import subprocess
import sys

perf = sys.argv[1]
bad = []
env = dict(os.environ, LC_ALL="C", PAGER="cat", TERM="dumb", COLUMNS="200")


def run(*args):
    p = subprocess.run([perf, *args], capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL,
                       timeout=20)
    return p.stdout + p.stderr


def listed_verbs(*cmd):
    return subprocess.run([perf, *cmd, "--list-cmds"], capture_output=True, text=True, env=env,
                          stdin=subprocess.DEVNULL, timeout=20).stdout.split()


# Verbs that are named as a command and have options beside those of that command.
OWN_VERBS = {
    "bench": [f"{c} {b}" for c in listed_verbs("bench") if c != "all" for b in listed_verbs("bench", c) if b != "all"],
    "block": ["record", "parse", "live"],
    "c2c": ["record", "report"],
    "daemon": ["start", "signal", "status"],
    "ftrace": ["trace", "latency", "profile", "probes"],
    "kmem": ["record"],
    "kvm": ["stat report", "stat live"],
    "kwork": ["report", "latency", "timehist", "top"],
    "lock": ["record", "report", "info", "contention"],
    "mem": ["record", "report"],
    "timechart": ["record"],
}


def verbs(cmd):
    """The verbs of a command that have options of their own, not those of another command."""
    return [v for v in listed_verbs(cmd) if v not in commands]


def table_options(*cmd):
    names = set(re.findall(r"--[a-z0-9][\w-]*", run(*cmd, "--list-opts")))
    for line in run(*cmd, "--list-opts=table").split("\n"):
        m = re.match(r"(\w)\t", line)  # those that help does not show, too
        if m:
            names.add("-" + m[1])
    return names


def page_options(path):
    names = set()
    for line in open(path, encoding="utf-8"):
        line = line.rstrip()
        # "// options of: perf-record.txt": what that page describes goes for this command, too
        m = re.match(r"// options of: (\S+)$", line)
        if m:
            names |= page_options(os.path.join(os.path.dirname(path), m[1]))
        if not line.startswith("-") or not line.endswith("::"):
            continue
        for word in re.split(r",\s+", line[:-2]):
            m = re.match(r"(--[a-z0-9][\w-]*|-\w)", word.strip())
            if m:
                names.add(m[1])
    return names


listed = subprocess.run([perf, "--list-cmds"], capture_output=True, text=True, env=env, timeout=20).stdout
commands = [c for c in listed.split() if re.fullmatch(r"[a-z0-9][a-z0-9-]*", c)]
if not commands:
    bad.append("perf --list-cmds printed nothing")
for cmd in commands:
    page = f"Documentation/perf-{cmd}.txt"
    if not os.path.exists(page):
        bad.append(f"{page}: missing, perf has a command {cmd}")
        continue
    have, told = table_options(cmd), page_options(page)
    with_options = verbs(cmd) if cmd == "sched" else OWN_VERBS.get(cmd, [])
    have = have.union(*(table_options(cmd, *verb.split()) for verb in with_options))
    for name in sorted(have - told):
        bad.append(f"{page}: {name} is not described")
    for name in sorted(told - have):
        if name.startswith("--no-") and "--" + name[5:] in have:
            continue
        if name in ("-h", "--help"):
            continue
        bad.append(f"{page}: {name} is described, but perf {cmd} has no such option")
for page in glob.glob("Documentation/perf-*.txt"):
    cmd = os.path.basename(page)[5:-4]
    # perf-COMMAND-SUBJECT is about a part of a command, and perf-python about the module of that name.
    if cmd != "python" and cmd not in commands and not any(cmd.startswith(c + "-") for c in commands):
        bad.append(f"{page}: perf has no command {cmd}")
print("\n".join(bad), end="\n" if bad else "")
sys.exit(1 if bad else 0)
