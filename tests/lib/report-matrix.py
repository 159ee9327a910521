#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compare what two perfs report of recordings, over many combinations of options.

A FILE with a "+" in its name is two: their `perf diff`.

report-matrix.py REFERENCE PERF COMBOS REASONS DOCUMENTATION STEP[:FIRST] FILE...

COMBOS: one combination per line. In it @comm, @dso, @sym, @pid, @tid and @event are some of those
the file has, @t1 and @t2 times of samples. REASONS: tab-separated file glob, regular expression for the
combination, and words of DOCUMENTATION where the reason stands. Where the expression begins with
s/ it is s/WHAT/INSTEAD/, done to the text of the reference before it is compared. STEP: every how many lines are run, from line FIRST on.
Each cell runs both once. Prints the count of equal ones; fails for differences without a reason.
"""
import concurrent.futures
import fnmatch
import os
import re
import subprocess
import sys


def ask(perf, command, path, *options):
    cmd = [perf, command, "-f", "-i", path, *options]
    if command != "evlist":
        cmd += ["--kallsyms", "kallsyms"]
    return subprocess.run(cmd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=100,
                          check=False).stdout.decode(errors="replace").splitlines()


def facts(perf, path):
    """What stands for the words with "@": names in the second row, times a quarter from both ends."""
    found = {}
    for key in ("comm", "dso", "sym", "pid"):
        rows = ask(perf, "report", path, "--stdio", "-q", "--no-children", "-g", "none", "-t~", "-s", key)
        rows = [re.sub(r"^\[.\] ", "", row.split("~", 1)[1].strip()) for row in rows if "~" in row] or ["none"]
        found["@" + key] = rows[min(1, len(rows) - 1)].split(":")[0] if key == "pid" else rows[min(1, len(rows) - 1)]
    tids = ask(perf, "script", path, "-F", "tid") or ["1"]
    times = [t.strip().rstrip(":") for t in ask(perf, "script", path, "-F", "time")] or ["1.0"]
    found["@tid"] = tids[len(tids) // 2].strip()
    found["@t1"], found["@t2"] = times[len(times) // 4], times[len(times) * 3 // 4]
    events = [e.strip() for e in ask(perf, "evlist", path)[:1]]
    found["@event"] = events[0] if events else "none"
    return found


def fill(combo, found):
    words = combo.split()
    for name, value in found.items():
        words = [word.replace(name, value) for word in words]
    return words


def run(perf, path, words, more=()):
    if "+" in path:
        cmd = [perf, "diff", "-f", "--kallsyms", "kallsyms", *words, *path.split("+")]
    else:
        cmd = [perf, "report", "-f", "--stdio", "--kallsyms", "kallsyms", "-i", path, *words, *more]
    done = subprocess.run(cmd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          timeout=100, check=False)
    # The tip is chosen at random; memory that was never set calls a remainder inlined.
    text = re.sub(rb"(?m)^# \(Tip:.*\n", b"", done.stdout)
    return done.returncode, text.replace(b"--[...] (inlined)\n", b"--[...]\n")


def reasons_for(reasons, path):
    return [r for r in reasons if any(fnmatch.fnmatch(os.path.basename(p), r[0]) for p in path.split("+"))]


def cell(args):
    reference, perf, path, combo, words, reasons = args
    want, got = run(reference, path, words, ["--no-inline"]), run(perf, path, words)
    for _, change, _ in reasons:
        if change.startswith("s/") and want != got:
            _, what, instead, _ = change.encode().split(b"/")
            want = (want[0], re.sub(what, instead, want[1]))
    if want == got:
        return path, combo, None
    for a, b in zip(want[1].split(b"\n") + [b"(end)"], got[1].split(b"\n") + [b"(end)"]):
        if a != b:
            return path, combo, f"exit {want[0]}, here {got[0]}\n#   - {a[:150]}\n#   + {b[:150]}"
    return path, combo, f"exit {want[0]}, here {got[0]}"


def main():
    reference, perf, combos, reasons, documentation, step, *files = sys.argv[1:]
    step, _, first = step.partition(":")
    with open(combos, encoding="utf-8") as f:
        combos = [line.rstrip("\n") for line in f if not line.startswith("#")][int(first or 0) :: int(step)]
    with open(reasons, encoding="utf-8") as f:
        reasons = [line.rstrip("\n").split("\t") for line in f if line.strip() and line[0] != "#"]
    with open(documentation, encoding="utf-8") as f:
        documentation = " ".join(f.read().split())
    bad = sum(words not in documentation for _, _, words in reasons)
    for _, _, words in reasons:
        if words not in documentation:
            print(f"# not in the documentation: {words}")
    counts = {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = []
        for path in files:
            found = facts(reference, path.split("+", maxsplit=1)[0])
            jobs += [(reference, perf, path, combo, fill(combo, found), reasons_for(reasons, path)) for combo in combos]
        for path, combo, why in pool.map(cell, jobs):
            name = os.path.basename(path)
            count = counts.setdefault(name, [0, 0, 0])
            if why is None:
                count[0] += 1
            elif any(re.search(pattern, combo) for _, pattern, _ in reasons_for(reasons, path)):
                count[1] += 1
            else:
                count[2] += 1
                print(f"# {name}: {'diff' if '+' in path else 'report'} {combo}: {why}")
    for name, count in counts.items():
        print(f"# {name}: {sum(count)} combinations, {count[0]} equal, {count[1]} different for a reason")
        bad += count[2]
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
