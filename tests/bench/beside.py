#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""beside.py PERF [-r REFERENCE] [-n RUNS] [NAME...]: each benchmark of `perf bench` beside that of the reference,
in turn, RUNS times each (5). A line for each: the median of both with their least and most, the ratio, and whether
our median lies within what the runs of the reference spread over (its least and most, and twice the standard error
of its mean).
Internals measure other code in both: for them the ratio is what counts."""
import argparse
import re
import statistics
import subprocess
import sys

# Name, arguments, the figure in the text, and whether more is better. The loops are short: a run takes about a second.
USECS = r"([\d.]+) usecs/op\n"
ROWS = [
    ("sched/messaging", "sched messaging -g 4", r"Total time: ([\d.]+)", False),
    ("sched/messaging-t", "sched messaging -t -g 4", r"Total time: ([\d.]+)", False),
    ("sched/pipe", "sched pipe -l 50000", USECS, False),
    ("sched/pipe-T", "sched pipe -T -l 50000", USECS, False),
    ("syscall/basic", "syscall basic -l 1000000", USECS, False),
    ("mem/memcpy", "mem memcpy -f default -s 16MB -l 50", r"([\d.]+) GB/sec", True),
    ("mem/memcpy-unrolled", "mem memcpy -f x86-64-unrolled -s 16MB -l 50", r"([\d.]+) GB/sec", True),
    ("mem/memcpy-movsq", "mem memcpy -f x86-64-movsq -s 16MB -l 50", r"([\d.]+) GB/sec", True),
    ("mem/memset", "mem memset -f default -s 16MB -l 50", r"([\d.]+) GB/sec", True),
    ("mem/memset-stosb", "mem memset -f x86-64-stosb -s 16MB -l 50", r"([\d.]+) GB/sec", True),
    ("mem/find_bit", "mem find_bit -i 3 -j 10000", r"2048 bits set of 2048 bits\n.*took: ([\d.]+)", False),
    ("numa/mem", "numa mem -p 1 -t 1 -P 64 -s 1", r"([\d.]+), GB/sec, +total-speed", True),
    ("numa/mem-zero", "numa mem -p 1 -t 1 -P 64 -s 1 -Z", r"([\d.]+), GB/sec, +total-speed", True),
    ("futex/hash", "futex hash -s -r 1", r"Averaged (\d+)", True),
    ("futex/wake", "-r 5 futex wake -s -t 32", r"Wokeup .* in ([\d.]+) ms", False),
    ("futex/wake-parallel", "-r 5 futex wake-parallel -s -t 32", r"threads\) in ([\d.]+) ms", False),
    ("futex/requeue", "-r 5 futex requeue -s -t 32", r"Requeued .* in ([\d.]+) ms", False),
    ("futex/lock-pi", "futex lock-pi -s -r 1", r"Averaged (\d+)", True),
    ("epoll/wait", "epoll wait -r 1", r"Averaged (\d+)", True),
    ("epoll/ctl", "epoll ctl -r 1", r"Averaged (\d+) ADD", True),
    ("breakpoint/thread", "-r 200 breakpoint thread", USECS, False),
    ("breakpoint/enable", "-r 2000 breakpoint enable -p 1", USECS, False),
    ("internals/synthesize", "internals synthesize -i 500", r"Average synthesis took: ([\d.]+)", False),
    ("internals/synthesize-data", "internals synthesize -i 500", r"Average data synthesis took: ([\d.]+)", False),
    ("internals/synthesize-mt", "internals synthesize -t -I 5", r"threads: 2\n.*took: ([\d.]+)", False),
    ("internals/kallsyms-parse", "internals kallsyms-parse -i 3", r"took: ([\d.]+) ms", False),
    ("internals/inject-build-id", "internals inject-build-id -i 5", r"build-id injection took: ([\d.]+)", False),
    ("internals/inject-all", "internals inject-build-id -i 5", r"build-id-all injection took: ([\d.]+)", False),
    ("internals/open-close", "internals evlist-open-close -i 100", r"took: ([\d.]+)", False),
]


def run(perf, arguments, figure):
    p = subprocess.run([perf, "bench", *arguments.split()], capture_output=True, text=True, timeout=300)
    m = re.search(figure, p.stdout)
    return float(m[1]) if m else None


def main():
    args = argparse.ArgumentParser()
    args.add_argument("perf")
    args.add_argument("-r", "--reference", default="/usr/bin/perf")
    args.add_argument("-n", "--runs", type=int, default=5)
    args.add_argument("names", nargs="*")
    a = args.parse_args()
    print(f"{'benchmark':28} {'ours':>12} {'least':>10} {'most':>10}   {'reference':>12} {'least':>10} {'most':>10}  ratio")
    for name, arguments, figure, more in ROWS:
        if a.names and not any(name.startswith(n) for n in a.names):
            continue
        both = {a.perf: [], a.reference: []}
        for _ in range(a.runs):
            for perf, values in both.items():
                values.append(run(perf, arguments, figure))
        ours, theirs = both[a.perf], both[a.reference]
        if None in ours or None in theirs:
            print(f"{name:28} did not run: {'ours' if None in ours else 'the reference'}")
            continue
        middle, ref, mean = statistics.median(ours), statistics.median(theirs), statistics.mean(theirs)
        error = statistics.stdev(theirs) / len(theirs) ** 0.5 if len(theirs) > 1 else 0
        within = min(*theirs, mean - 2 * error) <= middle <= max(*theirs, mean + 2 * error)
        faster = (middle > ref) == more
        word = "within" if within else "better" if faster else "worse"
        ratio = (middle / ref if more else ref / middle) if middle and ref else 0
        print(f"{name:28} {middle:12.4g} {min(ours):10.4g} {max(ours):10.4g}   {ref:12.4g} {min(theirs):10.4g} "
              f"{max(theirs):10.4g}  {ratio:5.2f} {word}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
