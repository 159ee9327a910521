# SPDX-License-Identifier: GPL-2.0-or-later
"""Follow packets through the network stack: how long each waits in queue, device, interrupt and socket.

Wants: net:net_dev_queue, net:net_dev_xmit, net:netif_receive_skb, net:netif_rx, napi:napi_poll, skb:consume_skb,
skb:kfree_skb, skb:skb_copy_datagram_iovec, irq:irq_handler_entry, _exit, irq:softirq_entry, _exit, _raise
Usage: perf script netdev-times [tx] [rx] [dev=NAME] [debug]

tx: a table of sent packets. rx: a chart of each run of the receiving softirq with the interrupts that led to it. Both
are shown when neither is named. dev: only devices with this in their name (interrupts, for rx). debug: how many packets
had not reached their end.
"""
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from Standard import time_of

NET_RX = 3  # the softirq's number, the same in all kernels
MOST_WAITING = 65536


class Options:
    """What the arguments ask for."""

    def __init__(self, words):
        self.tx = "tx" in words or "rx" not in words
        self.rx = "rx" in words or "tx" not in words
        self.debug = "debug" in words
        devices = [word[4:] for word in words if word.startswith("dev=")]
        self.device = devices[-1] if devices else ""


class Waiting:
    """Packets that wait for their next step, the newest first; the oldest are dropped when they become too many."""

    def __init__(self):
        self.packets = []
        self.overflow = 0

    def add(self, packet):
        """Add a packet."""
        self.packets.insert(0, packet)
        if len(self.packets) > MOST_WAITING:
            self.packets.pop()
            self.overflow += 1

    def take(self, skb):
        """Remove and return the newest packet with this address; None when there is none."""
        for at, packet in enumerate(self.packets):
            if packet.skb == skb:
                return self.packets.pop(at)
        return None

    def text(self):
        """Return how many are left, and how many were dropped."""
        return "remain:%d overflow:%d" % (len(self.packets), self.overflow)


class Sent:
    """A packet on its way out."""

    def __init__(self, now, fields):
        self.skb, self.length, self.device = fields["skbaddr"], fields["len"], fields["name"]
        self.queued, self.sent, self.freed = now, None, None

    def show(self):
        """Print the line of the packet."""
        print("%7s %5d %6d.%06dsec %12.3fmsec      %12.3fmsec" %
              (self.device, self.length, self.queued // 10**9, self.queued % 10**9 // 1000,
               (self.sent - self.queued) / 1e6, (self.freed - self.sent) / 1e6))


class Received:
    """A packet on its way in."""

    def __init__(self, now, fields):
        self.skb, self.length, self.time = fields["skbaddr"], fields["len"], now
        self.taken = None  # (time, pid, comm) of who copied or freed it

    def show(self, since, _last):
        """Print the part of the chart for the packet."""
        print("         |---netif_receive_skb(+%.3fmsec skb=%x len=%d)" % ((self.time - since) / 1e6, self.skb, self.length))
        if self.taken:
            time, pid, comm = self.taken
            print("         |            |\n         |      skb_copy_datagram_iovec(+%.3fmsec %d:%s)" %
                  ((time - since) / 1e6, pid, comm))
        print("         |")


class Poll:
    """The end of a poll of a device."""

    def __init__(self, now, fields):
        self.time, self.device = now, fields["dev_name"]

    def show(self, since, last):
        """Print the part of the chart for the poll."""
        print("  napi_poll_exit(+%.3fmsec %s)" % ((self.time - since) / 1e6, self.device))
        print("" if last else "         |")


class Interrupt:
    """An interrupt, with the packets (time, address) that it handed on."""

    def __init__(self, now, fields):
        self.time, self.number, self.name = now, fields["irq"], fields["name"]
        self.packets = []
        self.raised = False

    def show(self, since):
        """Print the part of the chart for the interrupt."""
        print("  irq_entry(+%.3fmsec irq=%d:%s)\n         |" % ((self.time - since) / 1e6, self.number, self.name))
        for time, skb in self.packets:
            print("         |---netif_rx(+%.3fmsec skb=%x)\n         |" % ((time - since) / 1e6, skb))


class Run:
    """One run of the receiving softirq on a processor, with what led to it and what it did."""

    def __init__(self, now):
        self.time = now
        self.cpu = 0
        self.interrupts = []
        self.steps = []

    def show(self):
        """Print the chart of the run."""
        since = self.interrupts[0].time
        print("%d.%06dsec cpu=%d" % (since // 10**9, since % 10**9 // 1000, self.cpu))
        for interrupt in self.interrupts:
            interrupt.show(since)
        print("  softirq_entry(+%.3fmsec)\n         |" % ((self.time - since) / 1e6))
        for step in self.steps:
            step.show(since, step is self.steps[-1])


class Processor:
    """What goes on on one processor."""

    def __init__(self):
        self.interrupts = []
        self.run = None


options = Options(sys.argv[1:])
processors = {}
in_queue, in_device, in_socket = Waiting(), Waiting(), Waiting()
sent = []
runs = []


def queue(now, fields):
    """A packet is queued."""
    in_queue.add(Sent(now, fields))


def transmit(now, fields):
    """A packet goes to the device, which may refuse it."""
    packet = in_queue.take(fields["skbaddr"]) if fields["rc"] == 0 else None
    if packet:
        packet.sent = now
        in_device.add(packet)


def finish(now, fields):
    """Take note that a sent packet is freed. Say whether there was one."""
    packet = in_device.take(fields["skbaddr"])
    if packet:
        packet.freed = now
        sent.append(packet)
    return bool(packet)


def drop(now, fields):
    """A packet is freed before its time, or by the device, or by who received it."""
    if not in_queue.take(fields["skbaddr"]) and not finish(now, fields):
        deliver(now, fields)


def consume(now, fields):
    """A packet is freed at the end of its way."""
    if not finish(now, fields):
        in_socket.take(fields["skbaddr"])


def deliver(now, fields):
    """A packet comes to the task that it was for."""
    packet = in_socket.take(fields["skbaddr"])
    if packet:
        packet.taken = now, fields["common_pid"], fields["common_comm"]


def processor(fields):
    """Return the processor of an event."""
    return processors.setdefault(fields["common_cpu"], Processor())


def interrupt_begins(now, fields):
    """An interrupt begins."""
    processor(fields).interrupts.append(Interrupt(now, fields))


def interrupt_ends(_now, fields):
    """Forget an interrupt that had nothing to do with packets."""
    interrupts = processor(fields).interrupts
    for at in range(len(interrupts) - 1, -1, -1):
        if interrupts[at].number == fields["irq"]:
            if not interrupts[at].packets and not interrupts[at].raised:
                del interrupts[at]
            return


def hand_on(now, fields):
    """An interrupt hands a packet on."""
    for interrupt in processor(fields).interrupts[-1:]:
        interrupt.packets.append((now, fields["skbaddr"]))


def raise_softirq(_now, fields):
    """An interrupt asks for the softirq."""
    if fields["vec"] == NET_RX:
        for interrupt in processor(fields).interrupts[-1:]:
            interrupt.raised = True


def softirq_begins(now, fields):
    """The receiving softirq begins."""
    if fields["vec"] == NET_RX:
        processor(fields).run = Run(now)


def softirq_ends(_now, fields):
    """The receiving softirq ends. What no interrupt led to is not shown."""
    if fields["vec"] != NET_RX:
        return
    p = processor(fields)
    if p.run and p.interrupts:
        p.run.cpu, p.run.interrupts = fields["common_cpu"], p.interrupts
        runs.append(p.run)
    p.run, p.interrupts = None, []


def poll(now, fields):
    """The softirq has polled a device."""
    run = processor(fields).run
    if run:
        run.steps.append(Poll(now, fields))


def receive(now, fields):
    """The softirq receives a packet."""
    run = processor(fields).run
    if run:
        packet = Received(now, fields)
        run.steps.append(packet)
        in_socket.add(packet)


HANDLERS = {
    "irq__irq_handler_entry": interrupt_begins,
    "irq__irq_handler_exit": interrupt_ends,
    "irq__softirq_raise": raise_softirq,
    "irq__softirq_entry": softirq_begins,
    "irq__softirq_exit": softirq_ends,
    "napi__napi_poll": poll,
    "net__netif_rx": hand_on,
    "net__netif_receive_skb": receive,
    "net__net_dev_queue": queue,
    "net__net_dev_xmit": transmit,
    "skb__kfree_skb": drop,
    "skb__consume_skb": consume,
    "skb__skb_copy_datagram_iovec": deliver,
}


def trace_unhandled(event, _context, fields):
    """Take one event; its fields by name, as kernels differ in what else there is."""
    handler = HANDLERS.get(event)
    if handler:
        handler(time_of(fields), fields)


def show_runs():
    """Print the charts of received packets."""
    for run in runs:
        if any(options.device in interrupt.name for interrupt in run.interrupts):
            run.show()


def show_sent():
    """Print the table of sent packets."""
    print("   dev    len      Qdisc               netdevice             free")
    for packet in sent:
        if options.device in packet.device:
            packet.show()


def trace_end():
    """Print what was asked for."""
    if options.rx:
        show_runs()
    if options.tx:
        show_sent()
    if options.debug:
        print("debug buffer status\n----------------------------")
        for what, waiting in (("xmit Qdisc", in_queue), ("xmit netdevice", in_device), ("receive", in_socket)):
            print("%s:%s" % (what, waiting.text()))
