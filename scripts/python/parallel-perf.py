#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Run `perf script` on parts of a recording at the same time, each of which has its share of the time.

Usage: python3 parallel-perf.py [-j JOBS] [-n PARTS] [-o FOLDER] [--dry-run] -- perf script [OPTION...]

The output of each part is in FOLDER/part-NNN/output.txt; one behind the other they are what a single run prints, except
for scripts that sum up. A part that failed has its messages in FOLDER/part-NNN/errors.txt.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

SECOND = 10**9


def fail(message):
    """End with a message."""
    sys.exit("parallel-perf: " + message)


def arguments():
    """Return the arguments; ends with a message when they are wrong."""
    parser = argparse.ArgumentParser(prog="parallel-perf.py", description="Run perf script on parts of a recording.")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), help="how many run at the same time")
    parser.add_argument("-n", "--nr", type=int, help="number of parts (default: four for each job)")
    parser.add_argument("-o", "--output-dir", default="parallel-perf-output", help="folder, which must not exist")
    parser.add_argument("--dry-run", action="store_true", help="show the commands and run nothing")
    parser.add_argument("command", nargs="+", help="perf script, with its options")
    given = parser.parse_args()
    if given.jobs < 1 or given.nr is not None and given.nr < 1:
        parser.error("there must be at least one job and one part")
    if given.command[1:2] != ["script"]:
        parser.error("the command must be perf script")
    return given


def nanoseconds(text):
    """Return a time such as 12.000345 in ns."""
    whole, _, part = text.partition(".")
    return int(whole) * SECOND + int(part.ljust(9, "0")[:9])


def input_options(command):
    """Return the options of a command that name its recording."""
    for at, word in enumerate(command):
        if word in ("-i", "--input"):
            return command[at:at + 2]
        if word.startswith(("--input=", "-i")):
            return [word]
    return []


def time_range(command):
    """Return the times of the first and the last sample in ns."""
    perf, recording = command[0], input_options(command)
    try:
        head = subprocess.run([perf, "script", *recording, "--header-only"], stdout=subprocess.PIPE,
                              universal_newlines=True, check=False)
        if head.returncode:
            fail("%s cannot read the recording" % perf)
        found = re.findall(r"^# time of (?:first|last) sample : (\S+)$", head.stdout, re.M)
        if len(found) != 2:
            lines = subprocess.run([perf, "script", *recording, "--ns", "-F", "time"], stdout=subprocess.PIPE,
                                   universal_newlines=True, check=False).stdout.split()
            found = [text.rstrip(":") for text in (lines[:1] + lines[-1:])]
    except OSError as e:
        fail("cannot run %s: %s" % (perf, e.strerror))
    if len(found) != 2:
        fail("the recording has no samples with a time")
    return [nanoseconds(text) for text in found]


def spans(first, last, parts):
    """Return the arguments of --time of all parts. The first one has no start and the last one no end."""
    def text(ns):
        return "%d.%09d" % divmod(ns, SECOND)

    edges = [first + (last - first) * at // parts for at in range(1, parts)]
    edges = sorted(set(edge for edge in edges if edge > first))
    starts = [""] + [text(edge) for edge in edges]
    ends = [text(edge - 1) for edge in edges] + [""]
    return [start + "," + end for start, end in zip(starts, ends)]


def command_of(command, span):
    """Return the command of a part."""
    return command[:2] + (["--time", span] if span != "," else []) + command[2:]


def run(folder, command):
    """Run one part. Return its exit status."""
    os.makedirs(folder)
    with open(os.path.join(folder, "output.txt"), "wb") as out, open(os.path.join(folder, "errors.txt"), "wb") as err:
        return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, check=False).returncode


def main():
    """Run all parts."""
    args = arguments()
    commands = [command_of(args.command, span) for span in spans(*time_range(args.command), args.nr or 4 * args.jobs)]
    if args.dry_run:
        for command in commands:
            print(" ".join(command))
        return
    try:
        os.makedirs(args.output_dir)
    except OSError as e:
        fail("cannot create %s: %s" % (args.output_dir, e.strerror))
    folders = [os.path.join(args.output_dir, "part-%03d" % at) for at in range(len(commands))]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        statuses = list(pool.map(run, folders, commands))
    for folder, status in zip(folders, statuses):
        if status:
            print("%s: exit status %d, see %s/errors.txt" % (folder, status, folder), file=sys.stderr)
    sys.exit(1 if any(statuses) else 0)


if __name__ == "__main__":
    main()
