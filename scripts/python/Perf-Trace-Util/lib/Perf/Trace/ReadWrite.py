# SPDX-License-Identifier: GPL-2.0-or-later
"""What threads read and write: the events syscalls:sys_enter_read, sys_exit_read and the same of write, summed up."""
import collections

from Standard import UnhandledEvents


class Calls:
    """The calls of one kind that a thread has made."""

    def __init__(self):
        self.comm = None
        self.count = self.requested = self.done = 0
        self.errors = collections.Counter()

    def end(self, ret):
        """A call has returned. One that did nothing counts as failed."""
        if ret > 0:
            self.done += ret
        else:
            self.errors[ret] += 1


class Traffic:
    """The reads and writes of all threads."""

    def __init__(self):
        self.unhandled = UnhandledEvents()
        self.forget()

    def forget(self):
        """Begin anew."""
        self.threads = {"read": {}, "write": {}}

    def take(self, event, fields):
        """Take one event; its fields by name, as kernels differ in what else there is."""
        for kind, threads in self.threads.items():
            if event not in ("syscalls__sys_enter_" + kind, "syscalls__sys_exit_" + kind):
                continue
            tid = fields["common_pid"]
            calls = threads.get(tid) or threads.setdefault(tid, Calls())
            calls.comm = fields["common_comm"]
            if "ret" in fields:
                calls.end(fields["ret"])
            else:
                calls.count += 1
                calls.requested += fields["count"]
            return
        self.unhandled.add(event)

    def most_read(self):
        """Return (thread, its reads), those who got the most first."""
        return sorted(self.threads["read"].items(), key=lambda item: -item[1].done)

    def most_written(self):
        """Return (thread, its writes), those who asked for the most first."""
        return sorted(self.threads["write"].items(), key=lambda item: -item[1].requested)

    def failures(self, kind):
        """Return (thread, its name, error, how often), the most frequent first."""
        rows = [(tid, calls.comm, error, count) for tid, calls in self.threads[kind].items()
                for error, count in calls.errors.items()]
        return sorted(rows, key=lambda row: -row[3])
