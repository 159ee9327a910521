#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compare what two perfs report of recordings, over many combinations of options.

report-matrix.py REFERENCE PERF COMBOS REASONS DOCUMENTATION STEP[:FIRST] FILE...

COMBOS: one combination per line. REASONS: tab-separated file glob, regular expression for the
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


def run(perf, path, combo, more=()):
    cmd = [perf, "report", "-f", "--stdio", "--kallsyms", "kallsyms", "-i", path, *combo.split(), *more]
    done = subprocess.run(cmd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          timeout=100, check=False)
    # The tip is chosen at random; memory that was never set calls a remainder inlined.
    text = re.sub(rb"(?m)^# \(Tip:.*\n", b"", done.stdout)
    return done.returncode, text.replace(b"--[...] (inlined)\n", b"--[...]\n")


def reasons_for(reasons, path):
    return [r for r in reasons if fnmatch.fnmatch(os.path.basename(path), r[0])]


def cell(args):
    reference, perf, path, combo, reasons = args
    want, got = run(reference, path, combo, ["--no-inline"]), run(perf, path, combo)
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
        jobs = [(reference, perf, path, combo, reasons_for(reasons, path)) for path in files for combo in combos]
        for path, combo, why in pool.map(cell, jobs):
            name = os.path.basename(path)
            count = counts.setdefault(name, [0, 0, 0])
            if why is None:
                count[0] += 1
            elif any(re.search(pattern, combo) for _, pattern, _ in reasons_for(reasons, path)):
                count[1] += 1
            else:
                count[2] += 1
                print(f"# {name}: report {combo}: {why}")
    for name, count in counts.items():
        print(f"# {name}: {sum(count)} combinations, {count[0]} equal, {count[1]} different for a reason")
        bad += count[2]
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
