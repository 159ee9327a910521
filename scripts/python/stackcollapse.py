# SPDX-License-Identifier: GPL-2.0-or-later
"""Each different stack on one line, with the number of its samples, as flamegraph.pl and others want them.

	COMM;OUTERMOST;...;INNERMOST COUNT

Wants: samples of any event; call chains (perf record -g) make it worth while.
Usage: perf script stackcollapse [--include-tid] [--include-pid] [--no-comm] [--tidy-java] [--kernel]
"""
import collections
import optparse
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from Standard import frames


def arguments():
    """Return the options; ends with a message when they are wrong."""
    parser = optparse.OptionParser()
    parser.add_option("--include-tid", action="store_true", help="include thread id in stack")
    parser.add_option("--include-pid", action="store_true", help="include process id in stack")
    parser.add_option("--no-comm", dest="comm", action="store_false", default=True,
                      help="do not separate stacks according to comm")
    parser.add_option("--tidy-java", action="store_true", help="beautify Java signatures")
    parser.add_option("--kernel", action="store_true", help="annotate kernel functions with _[k]")
    options, rest = parser.parse_args()
    if rest:
        parser.error("unexpected command line argument")
    if options.include_tid and not options.comm:
        parser.error("requesting tid but not comm is invalid")
    if options.include_pid and not options.comm:
        parser.error("requesting pid but not comm is invalid")
    return options


options = arguments()
counts = collections.Counter()


def tidy(name):
    """Return a name without the arguments and brackets that Java's have."""
    name = name.split("(")[0].replace("<", "").replace(">", "")
    return name[1:] if name.startswith("L") else name


def text_of(frame):
    """Return a frame as it is written: semicolons stand between frames, so there are none in names."""
    name = frame.name.replace(";", ":")
    if options.tidy_java:
        name = tidy(name)
    return name + "_[k]" if frame.kernel and options.kernel else name


def task(event):
    """Return the name of the thread, with the numbers that are wanted."""
    numbers = [str(event["sample"][key]) for key, wanted in
               (("pid", options.include_pid), ("tid", options.include_tid)) if wanted]
    comm = event["comm"].replace(" ", "_").replace(";", ":")
    return "-".join([comm] + ["/".join(numbers)] * bool(numbers))


def process_event(event):
    """Count the stack of one sample."""
    stack = [text_of(frame) for frame in frames(event)]
    counts[";".join([task(event)] * options.comm + stack)] += 1


def trace_end():
    """Print the stacks."""
    for stack, count in sorted(counts.items()):
        print("%s %d" % (stack, count))
