#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compare what two perfs tell of recordings, over many combinations of options.

matrix.py COMMAND REFERENCE PERF COMBOS REASONS DOCUMENTATION STEP[:FIRST] FILE...

COMMAND: report, script, or diff, for which a FILE is two with a "+" between. COMBOS: one combination per
line. In it @comm, @dso, @sym, @pid, @tid, @ip and @event are some of those the file has, @other is an event
from the middle of its list, @t1 and @t2 are times of samples. REASONS: tab-separated file glob, regular expression for the
combination, and words of DOCUMENTATION where the reason stands. Where the expression ends with
s/WHAT/INSTEAD/ (behind a space, or alone for all combinations), that is done to the text of the reference
before it is compared. STEP: every how many lines are run, from line FIRST on.
Each cell runs both once. Prints the count of equal ones; fails for differences without a reason.
"""
import concurrent.futures
import fnmatch
import os
import re
import subprocess
import sys


def output_of(cmd):
    # Without a signal for a pipe that is closed: an addr2line that has ended would end the reference.
    done = subprocess.run(cmd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=100,
                          restore_signals=False, check=False)
    return done.returncode, done.stdout


def ask(perf, command, path, *options):
    cmd = [perf, command, "-f", "-i", path, *options]
    if command != "evlist":
        cmd += ["--kallsyms", "kallsyms"]
    return output_of(cmd)[1].decode(errors="replace").splitlines()


def facts(perf, path):
    """What stands for the words with "@": names in the second row, times a quarter from both ends."""
    found = {}
    for key in ("comm", "dso", "sym", "pid"):
        rows = ask(perf, "report", path, "--stdio", "-q", "--no-children", "-g", "none", "-t~", "-s", key)
        rows = [re.sub(r"^\[.\] ", "", row.split("~", 1)[1].strip()) for row in rows if "~" in row] or ["none"]
        found["@" + key] = rows[min(1, len(rows) - 1)].split(":")[0] if key == "pid" else rows[min(1, len(rows) - 1)]
    tids = ask(perf, "script", path, "-F", "tid") or ["1"]
    ips = ask(perf, "script", path, "-G", "-F", "ip") or ["400000"]
    times = [t.strip().rstrip(":") for t in ask(perf, "script", path, "-F", "time")] or ["1.0"]
    found["@tid"], found["@ip"] = tids[len(tids) // 2].strip(), ips[len(ips) // 2].strip()
    found["@t1"], found["@t2"] = times[len(times) // 4], times[len(times) * 3 // 4]
    events = [e.strip() for e in ask(perf, "evlist", path) if e[0] != "#"] or ["none"]
    found["@event"], found["@other"] = events[0], events[len(events) // 2]
    return found


def fill(combo, found):
    words = combo.split()
    for name, value in found.items():
        words = [word.replace(name, value) for word in words]
    return words


def report(perf, path, words, reference):
    more = ["--no-inline"] if reference or "--inline" not in words else []
    code, text = output_of([perf, "report", "-f", "--stdio", "--kallsyms", "kallsyms", "-i", path, *words, *more])
    # The tip is chosen at random; memory that was never set calls a remainder inlined.
    text = re.sub(rb"(?m)^# \(Tip:.*\n", b"", text)
    return code, text.replace(b"--[...] (inlined)\n", b"--[...]\n")


def script(perf, path, words, _):
    # The reference has inlined functions in chains of recorded stacks alone.
    more = ["--no-inline"] if "--inline" not in words else []
    return output_of([perf, "script", "-f", "--kallsyms", "kallsyms", "-i", path, *words, *more])


def diff(perf, path, words, _):
    return output_of([perf, "diff", "-f", "--kallsyms", "kallsyms", *words, *path.split("+")])


def without_plt(want, got):
    """Both without the lines with entries of PLTs and code compiled at run time, which only we name."""
    ours = re.compile(rb"@plt|/jitted-[0-9]+-[0-9]+\.so")
    if not ours.search(got[1]):
        return want, got
    want_lines, got_lines = want[1].split(b"\n"), got[1].split(b"\n")
    drop = {nr for nr, line in enumerate(got_lines) if ours.search(line)}
    keep = lambda lines: b"\n".join(line for nr, line in enumerate(lines) if nr not in drop)
    return (want[0], keep(want_lines)), (got[0], keep(got_lines))


def reasons_for(reasons, path):
    return [r for r in reasons if any(fnmatch.fnmatch(os.path.basename(p), r[0]) for p in path.split("+"))]


def substitution(pattern):
    """A pattern's (combinations, what, instead), or None if it has no substitution."""
    found = re.fullmatch(r"(?:(.*) )?s/([^/]*)/([^/]*)/", pattern)
    return found and (found[1] or "", found[2].encode(), found[3].encode())


def excused(want, combo, reasons):
    """The reference's text with the substitutions for this combination."""
    for _, pattern, _ in reasons:
        change = substitution(pattern)
        if change and re.search(change[0], combo):
            want = (want[0], re.sub(change[1], change[2], want[1]))
    return want


def cell(args):
    run, reference, perf, path, combo, words, reasons = args
    want, got = run(reference, path, words, True), run(perf, path, words, False)
    if want != got and run is script:
        want, got = without_plt(want, got)
    if want != got:
        want = excused(want, combo, reasons)
    if want == got:
        return path, combo, None
    for a, b in zip(want[1].split(b"\n") + [b"(end)"], got[1].split(b"\n") + [b"(end)"]):
        if a != b:
            return path, combo, f"exit {want[0]}, here {got[0]}\n#   - {a[:150]}\n#   + {b[:150]}"
    return path, combo, f"exit {want[0]}, here {got[0]}"


def has_reason(combo, reasons):
    return any(not substitution(pattern) and re.search(pattern, combo) for _, pattern, _ in reasons)


def main():
    command, reference, perf, combos, reasons, documentation, step, *files = sys.argv[1:]
    run = {"report": report, "script": script, "diff": diff}[command]
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
            mine = reasons_for(reasons, path)
            jobs += [(run, reference, perf, path, combo, fill(combo, found), mine) for combo in combos]
        for path, combo, why in pool.map(cell, jobs):
            name = os.path.basename(path)
            count = counts.setdefault(name, [0, 0, 0])
            if why is None:
                count[0] += 1
            elif has_reason(combo, reasons_for(reasons, path)):
                count[1] += 1
            else:
                count[2] += 1
                print(f"# {name}: {command} {combo}: {why}")
    for name, count in counts.items():
        print(f"# {name}: {sum(count)} combinations, {count[0]} equal, {count[1]} different for a reason")
        bad += count[2]
    return bad > 0 or not counts


if __name__ == "__main__":
    sys.exit(main())
