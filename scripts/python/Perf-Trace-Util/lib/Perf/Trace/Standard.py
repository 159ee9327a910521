# SPDX-License-Identifier: GPL-2.0-or-later
"""What the scripts that come with perf share: their arguments, and their tables."""
import collections
import contextlib
import sys
import threading
import typing

SECOND = 10**9  # ns


def words(usage, most, least=0):
    """Return the arguments of the script. It ends with a message when their number is wrong."""
    given = sys.argv[1:]
    if not least <= len(given) <= most:
        sys.exit("perf script -s %s\n" % usage)
    return given


def number(usage, text):
    """Return an argument as a number of at least 1. The script ends with a message when it is none."""
    if text.isdecimal() and int(text) > 0:
        return int(text)
    sys.exit("%s is not a number above 0\nperf script -s %s\n" % (text, usage))


@contextlib.contextmanager
def writing(script, path):
    """End the script with a message when what is done in this context fails to write a file."""
    try:
        yield
    except OSError as e:
        sys.exit("%s: cannot write %s: %s" % (script, path, e.strerror))


def write_file(script, path, text):
    """Write a text to a file, or to standard output when that is "-"; the script ends with a message when it fails."""
    if path == "-":
        sys.stdout.write(text)
        return
    # Names of programs and functions may be any bytes.
    with writing(script, path), open(path, "w", encoding="utf-8", errors="replace") as f:
        f.write(text)


def time_of(fields):
    """Return the time of an event in nanoseconds, from the fields that trace_unhandled() gets."""
    return fields["common_s"] * SECOND + fields["common_ns"]


def start_of_line(event, cpu_digits=3):
    """Return the task, processor and time of what process_event() gets, as `perf script` prints them."""
    s = event["sample"]
    return "%16s %5u/%-5u [%0*u] %s" % (event["comm"], s["pid"], s["tid"], cpu_digits, s["cpu"] & 0xffffffff,
                                        time_text(s["time"]))


def time_text(ns):
    """Return a time as `perf script` prints it, as seconds with nine digits behind them."""
    return "%9u.%09u" % divmod(ns, SECOND)


def place_text(event):
    """Return the function of what process_event() gets, with the distance from its start."""
    return event.get("symbol", "[unknown]") + ("+%#x" % event["symoff"] if "symoff" in event else "")


class Tasks:
    """The tasks that an argument names: those with this pid or comm, or all when there is none."""

    def __init__(self, text=None):
        self.text = text
        self.pid = int(text) if text and text.isdecimal() else None

    def has(self, comm, pid):
        """Say whether a task is one of them."""
        return self.text is None or (comm == self.text if self.pid is None else pid == self.pid)

    def suffix(self):
        """Return what is put behind a title: " for COMM" when a comm is named."""
        return " for %s" % self.text if self.text is not None and self.pid is None else ""


def table_head(title, columns):
    """Print a title and the heads of columns. columns: (text, width, dashes); a negative width is that of numbers."""
    formats = "  ".join("%%%ds" % -width for _, width, _ in columns)
    print("\n%s:\n" % title)
    print(formats % tuple(text for text, _, _ in columns))
    print(formats % tuple("-" * dashes for _, _, dashes in columns))


def most_first(counts):
    """Return the (key, count) of a dictionary: the largest count first, then the largest key."""
    return sorted(counts.items(), key=lambda item: (item[1], item[0]), reverse=True)


class Refresher:
    """Calls a function every few seconds, in a thread of its own."""

    def __init__(self, seconds, show):
        self.seconds, self.show = seconds, show
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        """Call the function until the end."""
        while not self.ended.wait(self.seconds):
            self.show()

    def begin(self):
        """Begin to call it."""
        self.thread.start()

    def end(self):
        """End that: afterwards it is not running."""
        self.ended.set()
        self.thread.join()


class UnhandledEvents:
    """Numbers of events that a script has no use for."""

    def __init__(self):
        self.counts = collections.Counter()

    def add(self, event):
        """Count one; its name is that of the function which would handle it."""
        self.counts[event] += 1

    def show(self, between="::"):
        """Print the table, if there are any. between: what is put between the names of subsystem and event"""
        if self.counts:
            table_head("unhandled events", (("event", 40, 40), ("count", -10, 11)))
            for event, count in most_first(self.counts):
                print("%-40s  %10d" % (event.replace("__", between, 1), count))


def in_kernel(address, dso):
    """Say whether an address is the kernel's: by its upper half, or by its object where addresses have 32 bits."""
    return bool(dso) and (bool(address >> 63) or dso.startswith(("[kernel", "[guest.kernel")))


class Frame(typing.NamedTuple):
    """A frame of a call chain: its function or "[unknown]", and whether that is the kernel's."""

    name: str
    kernel: bool
    address: int
    dso: str


def frame_of(name, address, dso):
    """Return a frame."""
    return Frame(name or "[unknown]", in_kernel(address, dso), address, dso or "[unknown]")


def frames(event):
    """Return the frames of what process_event() gets, outermost first."""
    chain = event.get("callchain")
    if not chain:
        return [frame_of(event.get("symbol"), event["sample"]["ip"], event.get("dso"))]
    return [frame_of(f["sym"]["name"] if "sym" in f else None, f["ip"], f.get("dso")) for f in reversed(chain)]
