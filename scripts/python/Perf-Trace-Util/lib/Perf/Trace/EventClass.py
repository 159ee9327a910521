# SPDX-License-Identifier: GPL-2.0-or-later
"""Samples as objects, by what their raw data are: Intel's PEBS records, or anything else."""
import struct

EVTYPE_GENERIC = 0
EVTYPE_PEBS = 1
EVTYPE_PEBS_LL = 2
EVTYPE_IBS = 3

PEBS_SIZE = 144
PEBS_LL_SIZE = 176


def create_event(name, comm, dso, symbol, raw_buf):
    """Return an object of the class that fits the size of the raw data."""
    kind = {PEBS_SIZE: PebsEvent, PEBS_LL_SIZE: PebsNHM}.get(len(raw_buf), PerfEvent)
    return kind(name, comm, dso, symbol, raw_buf)


class PerfEvent:
    """Any sample. The class counts its objects."""

    event_num = 0

    def __init__(self, name, comm, dso, symbol, raw_buf, ev_type=EVTYPE_GENERIC):
        self.name = name
        self.comm = comm
        self.dso = dso
        self.symbol = symbol
        self.raw_buf = raw_buf
        self.ev_type = ev_type
        PerfEvent.event_num += 1

    def show(self):
        """Print it in one line."""
        print("PMU event: name=%12s, symbol=%24s, comm=%8s, dso=%12s" % (self.name, self.symbol, self.comm, self.dso))


class PebsEvent(PerfEvent):
    """A sample with the registers that the processor wrote."""

    pebs_num = 0

    def __init__(self, name, comm, dso, symbol, raw_buf, ev_type=EVTYPE_PEBS):
        super().__init__(name, comm, dso, symbol, raw_buf, ev_type)
        (self.flags, self.ip, self.ax, self.bx, self.cx, self.dx, self.si, self.di, self.bp,
         self.sp) = struct.unpack("=10Q", raw_buf[:80])
        PebsEvent.pebs_num += 1


class PebsNHM(PebsEvent):
    """A sample with the address, source and latency of its data, too."""

    pebs_nhm_num = 0

    def __init__(self, name, comm, dso, symbol, raw_buf, ev_type=EVTYPE_PEBS_LL):
        super().__init__(name, comm, dso, symbol, raw_buf, ev_type)
        self.status, self.dla, self.dse, self.lat = struct.unpack("=4Q", raw_buf[PEBS_SIZE:PEBS_LL_SIZE])
        PebsNHM.pebs_nhm_num += 1
