# SPDX-License-Identifier: GPL-2.0-or-later
"""Recordings for the scripts that come with perf, as their events would be after known work.

	standard-scripts.py NAME...

Each NAME is that of a function below; it writes NAME.data.
"""
import os
import struct
import sys

import pdata as p
from tracefile import TraceFile

VECTORS = '"vec=%u [action=%s]", REC->vec, __print_symbolic(REC->vec, { 0, "HI" }, { 1, "TIMER" }, { 3, "NET_RX" })'
REASONS = '"reason: %s", __print_symbolic(REC->reason, { 2, "NOT_SPECIFIED" }, { 3, "NO_SOCKET" })'


class Clocked(TraceFile):
    """A recording whose events follow each other."""

    def __init__(self, *args):
        super().__init__(*args)
        self.now = 10**9

    def after(self, ns, event, **values):
        """Add an event some time after the one before it."""
        self.now += ns
        self.add(event, self.now, **values)


def calls():
    """System calls: prog (pid 100, threads 100 and 101) calls 1 seven times, 0 and 257 twice; other calls 1 once."""
    t = Clocked()
    t.event("raw_syscalls:sys_enter", "long id; unsigned long args[6]")
    t.event("raw_syscalls:sys_exit", "long id; long ret")
    t.comm(100, "prog")
    t.comm(100, "prog", tid=101)
    t.comm(200, "other one")
    for tid, id, ret in [(100, 1, 5)] * 5 + [(101, 1, -4)] * 2 + [(100, 0, 0)] * 2 + [(101, 257, -2), (100, 257, -13)] + \
            [(200, 1, -2), (100, 257, -2), (100, 257, -2), (100, 3, -4000)]:
        pid = 200 if tid == 200 else 100
        t.after(1000, "raw_syscalls:sys_enter", pid=pid, tid=tid, id=id, args=[1, 2, 3])
        t.after(500, "raw_syscalls:sys_exit", pid=pid, tid=tid, id=id, ret=ret)
    return t


def futex():
    """Two threads wait for a lock, one thrice and one once; a wake that is no wait; a wait without an end."""
    t = Clocked()
    enter, leave = "syscalls:sys_enter_futex", "syscalls:sys_exit_futex"
    t.event(enter, "int __syscall_nr; u32 * uaddr; int op; u32 val; void * utime; u32 * uaddr2; u32 val3")
    t.event(leave, "int __syscall_nr; long ret")
    t.comm(100, "locker")
    t.comm(100, "second", tid=101)
    for tid, uaddr, op, ns in ((100, 0x7000, 128, 1000), (101, 0x7000, 0, 700), (100, 0x7000, 128, 3000), (100, 0x7000, 129, 9),
                               (100, 0x7000, 384, 2000), (101, 0x8000, 128, 50)):
        t.after(10, enter, pid=100, tid=tid, __syscall_nr=202, uaddr=uaddr, op=op)
        t.after(ns, leave, pid=100, tid=tid, __syscall_nr=202)
    t.after(10, enter, pid=100, tid=101, uaddr=0x9000, op=128)
    return t


def compaction():
    """Three threads compact thrice, each longer than the one before; an end without a beginning."""
    t = Clocked()
    prefix = "compaction:mm_compaction_"
    zone = "unsigned long zone_start; unsigned long migrate_pfn; unsigned long free_pfn; unsigned long zone_end; bool sync"
    pages = "unsigned long start_pfn; unsigned long end_pfn; unsigned long nr_scanned; unsigned long nr_taken"
    t.event(prefix + "begin", zone)
    t.event(prefix + "end", zone + "; int status")
    t.event(prefix + "migratepages", "unsigned long nr_migrated; unsigned long nr_failed")
    t.event(prefix + "isolate_freepages", pages)
    t.event(prefix + "isolate_migratepages", pages)
    for pid, comm in ((100, "kcompactd0"), (200, "browser"), (300, "other")):
        t.comm(pid, comm)
    for turn in range(3):
        for pid in (100, 200, 300):
            t.after(1000, prefix + "begin", pid=pid)
            for k in range(2 + turn):
                t.after(700, prefix + "isolate_migratepages", pid=pid, nr_scanned=32 + k, nr_taken=7)
                t.after(555, prefix + "isolate_freepages", pid=pid, nr_scanned=64, nr_taken=8 + pid // 100)
                t.after(333, prefix + "migratepages", pid=pid, nr_migrated=6, nr_failed=k)
            t.after(pid * 10, prefix + "end", pid=pid, status=1)
    t.after(5, prefix + "end", pid=300)
    t.after(5, prefix + "begin", pid=300)
    return t


def net_file(recent):
    """The events of the network: of kernels of before 5.17, or today's, which have more fields."""
    t = Clocked()
    packet = "void * skbaddr; unsigned int len; __data_loc char[] name"
    # The words for a vector are known from the first softirq_entry on.
    for e in ("entry", "exit", "raise"):
        t.event("irq:softirq_" + e, "unsigned int vec", VECTORS)
    t.event("irq:irq_handler_entry", "int irq; __data_loc char[] name")
    t.event("irq:irq_handler_exit", "int irq; int ret")
    t.event("napi:napi_poll", "struct napi_struct * napi; __data_loc char[] dev_name; int work; int budget")
    t.event("net:net_dev_queue", packet)
    t.event("net:net_dev_xmit", "void * skbaddr; unsigned int len; int rc; __data_loc char[] name")
    t.event("net:netif_receive_skb", packet)
    t.event("net:netif_rx", packet)
    t.event("skb:consume_skb", "void * skbaddr" + "; void * location" * recent)
    t.event("skb:kfree_skb", "void * skbaddr; void * location; " + "void * rx_sk; " * recent + "unsigned short protocol" +
            "; int reason" * recent, REASONS if recent else '""')
    t.event("skb:skb_copy_datagram_iovec", "const void * skbaddr; int len")
    t.comm(50, "sender")
    t.comm(60, "reader")
    return t


def send(t):
    """Four packets sent, the last one dropped by the device; one that is sent again; one dropped in the queue."""
    for i in range(4):
        skb, name = 0xffff888000001000 + i * 256, "eth%d" % (i % 2)
        t.after(1000 + i * 7, "net:net_dev_queue", pid=50, skbaddr=skb, len=100 + i, name=name)
        t.after(2000, "net:net_dev_xmit", pid=50, skbaddr=skb, len=100 + i, rc=0, name=name)
        if i < 3:
            t.after(3000, "skb:consume_skb", pid=50, skbaddr=skb)
        else:
            t.after(900, "skb:kfree_skb", pid=50, skbaddr=skb, location=0x1000100, protocol=2048)
    skb = 0xffff888000009000
    t.after(10, "net:net_dev_queue", pid=50, skbaddr=skb, len=9, name="lo")
    for rc in (16, 0):
        t.after(20, "net:net_dev_xmit", pid=50, skbaddr=skb, len=9, rc=rc, name="lo")
    t.after(10, "net:net_dev_queue", pid=50, skbaddr=skb + 256, len=10, name="lo")
    t.after(900, "skb:kfree_skb", pid=50, skbaddr=skb + 256, location=0x1000100, protocol=2048)


def receive(t, i):
    """An interrupt of device i, and the softirq that receives two packets of it."""
    skb, name = 0xffff888000011000 + i * 256, "eth%d" % i
    t.after(5000, "irq:irq_handler_entry", cpu=1, irq=24 + i, name=name + "-rx")
    t.after(500, "irq:softirq_raise", cpu=1, vec=3)
    t.after(700, "irq:irq_handler_exit", cpu=1, irq=24 + i, ret=1)
    t.after(800, "irq:softirq_entry", cpu=1, vec=3)
    for more in (0, 64):
        t.after(600, "net:netif_receive_skb", cpu=1, skbaddr=skb + more, len=60 + i + more, name=name)
    t.after(650, "napi:napi_poll", cpu=1, dev_name=name, work=2, budget=64)
    t.after(800, "irq:softirq_exit", cpu=1, vec=3)
    t.after(9000, "skb:skb_copy_datagram_iovec", pid=60, skbaddr=skb, len=60 + i)
    if i == 1:
        t.after(9000, "skb:kfree_skb", pid=60, skbaddr=skb + 64, location=0x1000200, protocol=2048)


def net(recent):
    """Packets sent and received, an interrupt that has nothing to do with them, and one that hands a packet on."""
    t = net_file(recent)
    for e in ("entry", "exit"):
        t.after(10, "irq:softirq_" + e, vec=1)
    send(t)
    for i in range(3):
        receive(t, i)
    t.after(5000, "irq:irq_handler_entry", irq=9, name="acpi")
    t.after(700, "irq:irq_handler_exit", irq=9, ret=1)
    t.after(5000, "irq:irq_handler_entry", irq=30, name="veth")
    t.after(500, "net:netif_rx", skbaddr=0xffff888000030000, len=77, name="veth0")
    t.after(700, "irq:irq_handler_exit", irq=30, ret=1)
    t.after(800, "irq:softirq_entry", vec=3)
    t.after(650, "napi:napi_poll", dev_name="", work=1, budget=64)
    t.after(600, "net:netif_receive_skb", skbaddr=0xffff888000030000, len=77, name="veth0")
    t.after(800, "irq:softirq_exit", vec=3)
    t.after(800, "irq:softirq_entry", vec=3)
    t.after(600, "net:netif_receive_skb", skbaddr=0xffff888000040000, len=77, name="eth0")
    return t


def kmalloc(recent):
    """Events with words: allocations, of kernels of before 6.1 or today's, softirqs, and others."""
    t = Clocked()
    flags = '"gfp_flags=%s", (REC->gfp_flags) ? __print_flags(REC->gfp_flags, "|", {1, "A"}, {2, "B"}, {16, "C"}) : "none"'
    t.event("irq:softirq_entry", "unsigned int vec", VECTORS)
    t.event("kmem:kmalloc", "unsigned long call_site; const void * ptr; size_t bytes_req; size_t bytes_alloc; unsigned long "
            "gfp_flags" + "; int node" * recent, flags)
    t.event("kmem:kfree", "unsigned long call_site; const void * ptr")
    t.comm(7, "prog")
    for i, gfp in enumerate((0, 1, 3, 0x13)):
        t.after(1000, "kmem:kmalloc", pid=7, cpu=i % 2, call_site=0xffffffff81000000 + i, ptr=0xffff888000000000 + i,
                bytes_req=i, bytes_alloc=8 * i, gfp_flags=gfp)
        t.after(5, "irq:softirq_entry", cpu=1, vec=i)
        t.after(7, "kmem:kfree", pid=7, cpu=1)
    return t


def hcalls():
    """Calls of a hypervisor, on two processors, one inside another, and one that began before."""
    t = Clocked()
    t.event("powerpc:hcall_entry", "unsigned long opcode")
    t.event("powerpc:hcall_exit", "unsigned long opcode; long retval")
    for cpu, opcode, ns in ((0, 8, 100), (1, 8, 300), (0, 8, 250), (0, 0xe0, 5000), (0, 0x9999, 70), (0, 4, 3)):
        t.after(1000, "powerpc:hcall_entry", cpu=cpu, opcode=opcode)
        t.after(ns, "powerpc:hcall_exit", cpu=cpu, opcode=opcode, retval=-2)
    t.after(5, "powerpc:hcall_exit", opcode=0xe0)
    for step in ((50, "entry", 0xe0), (10, "entry", 8), (10, "exit", 8), (10, "exit", 0xe0)):
        t.after(step[0], "powerpc:hcall_" + step[1], opcode=step[2])
    return t


def sched():
    """CPU 0 runs a (pid 1) for 3 of 8 us, and b (pid 2), which then moves to CPU 1 and runs there."""
    t = Clocked()
    t.event("sched:sched_switch", "char prev_comm[16]; pid_t prev_pid; int prev_prio; long prev_state; char next_comm[16]; "
            "pid_t next_pid; int next_prio")
    t.event("sched:sched_wakeup", "char comm[16]; pid_t pid; int prio; int target_cpu")
    t.event("sched:sched_migrate_task", "__data_loc char[] comm; pid_t pid; int prio; int orig_cpu; int dest_cpu")

    def switch(cpu, before, state, after):
        t.after(1000, "sched:sched_switch", cpu=cpu, prev_comm="ab"[before - 1] if before else "swapper", prev_pid=before,
                prev_state=state, next_comm="ab"[after - 1] if after else "swapper", next_pid=after)

    t.after(0, "sched:sched_wakeup", pid_=1, comm_="a", target_cpu=0)
    switch(0, 0, 0, 1)
    t.after(1000, "sched:sched_wakeup", pid_=2, comm_="b", target_cpu=0)
    switch(0, 1, 1, 2)
    switch(0, 2, 0x100, 0)
    t.after(1000, "sched:sched_migrate_task", pid_=2, comm_="b", orig_cpu=0, dest_cpu=1)
    switch(1, 0, 0, 2)
    switch(1, 2, 1, 0)
    t.after(1000, "sched:sched_wakeup", pid_=1, comm_="a", target_cpu=0)
    return t


def runs():
    """Runs of three threads, two of them of process 10: (time in ns, processor, who leaves, who comes). One switch is lost."""
    t = Clocked()
    t.event("sched:sched_switch", "char prev_comm[16]; pid_t prev_pid; int prev_prio; long prev_state; char next_comm[16]; "
            "pid_t next_pid; int next_prio")
    names = {0: "swapper", 10: "a", 11: "a:2", 20: "b;c"}
    for pid, tid in ((10, 10), (10, 11), (20, 20)):
        t.comm(pid, names[tid], tid=tid)
    for time, cpu, leaves, comes in ((0, 0, 0, 10), (500000, 0, 10, 0), (600000, 1, 0, 11), (1600250, 1, 11, 20),
                                     (1700000, 0, 0, 10), (1800500, 1, 20, 0), (3700000, 0, 10, 0), (4000000, 0, 0, 10),
                                     (4100000, 0, 20, 0), (4200000, 0, 0, 10)):
        t.now = 10**9 + time
        t.after(0, "sched:sched_switch", pid=10 if leaves == 11 else leaves, tid=leaves, cpu=cpu, prev_comm=names[leaves],
                prev_pid=leaves, prev_state=1, next_comm=names[comes], next_pid=comes)
    return t


def rw(recent):
    """Reads and writes of three processes, one of them with two threads: (thread, call, descriptor, bytes, result)."""
    t = Clocked()
    for call in ("read", "write"):
        more = "; __data_loc char[] contents" if recent and call == "write" else ""
        t.event("syscalls:sys_enter_" + call, "int __syscall_nr; unsigned int fd; char * buf; size_t count" + more)
        t.event("syscalls:sys_exit_" + call, "int __syscall_nr; long ret")
    t.event("sched:sched_switch", "int prev_pid")
    t.comm(10, "a")
    t.comm(10, "a", tid=11)
    t.comm(20, "bb")
    t.comm(30, "c c")
    for tid, call, fd, count, ret in (
            (10, "read", 3, 100, 50), (10, "read", 3, 100, 100), (20, "read", 4, 1000, 1000), (20, "read", 4, 1000, -11),
            (20, "read", 4, 1000, -4), (20, "read", 4, 1000, -11), (20, "read", 4, 1000, -4), (20, "read", 4, 1000, -11), (10, "read", 5, 7, 0), (30, "write", 1, 5, 5),
            (30, "write", 1, 5, -32), (10, "write", 2, 50, 50), (10, "write", 2, 60, 20), (11, "read", 3, 10, 10),
            (11, "write", 7, 10, 10), (10, "write", 7, 500, 500), (30, "write", 1, 5, -32), (30, "write", 1, 5, -28)):
        pid = tid // 10 * 10
        t.after(1000, "syscalls:sys_enter_" + call, pid=pid, tid=tid, fd=fd, count=count)
        t.after(1000, "syscalls:sys_exit_" + call, pid=pid, tid=tid, ret=ret)
    t.after(1000, "sched:sched_switch", pid=10)
    return t


def wakeups(recent):
    """Wakeups for two processors, and the switches after them: 500, 320, 700 and 100 ns later."""
    t = Clocked()
    t.event("sched:sched_wakeup", "char comm[16]; pid_t pid; int prio; " + "int success; " * (not recent) + "int target_cpu")
    t.event("sched:sched_switch", "char prev_comm[16]; pid_t prev_pid; int prev_prio; long prev_state; char next_comm[16]; "
            "pid_t next_pid; int next_prio")
    for ns, event, cpu in ((10, "wakeup", 0), (500, "switch", 0), (10, "wakeup", 1), (20, "wakeup", 0), (300, "switch", 1),
                           (400, "switch", 0), (10, "switch", 0), (5, "wakeup", 1), (5, "wakeup", 1), (100, "switch", 1),
                           (50, "switch", 1)):
        values = {"target_cpu": cpu} if event == "wakeup" else {"cpu": cpu}
        t.after(ns, "sched:sched_" + event, **values)
    return t


def works():
    """Works that two processors queue into two workqueues, and one that was queued before."""
    t = Clocked()
    t.event("workqueue:workqueue_queue_work", "void * work; void * function; __data_loc char[] workqueue; int req_cpu; int cpu")
    t.event("workqueue:workqueue_execute_start", "void * work; void * function")
    for cpu, work, name in ((0, 16, "events"), (1, 32, "kblockd"), (0, 16, "events")):
        t.after(10, "workqueue:workqueue_queue_work", cpu=cpu, work=work, workqueue=name)
        t.after(10, "workqueue:workqueue_execute_start", cpu=cpu, work=work)
    t.after(10, "workqueue:workqueue_queue_work", cpu=1, work=16, workqueue="events")
    t.after(10, "workqueue:workqueue_execute_start", cpu=1, work=64)
    return t


class Samples:
    """Samples with raw data as the hardware of Intel writes them, and with others."""

    def write(self, path):
        """Write the recording."""
        fields = ["IP", "TID", "TIME", "CPU", "PERIOD", "RAW"]
        records = [p.comm(100, 100, "prog"), p.comm(200, 200, "other"), p.mmap2(100, 0x400000, 0x100000, 0, "/bin/prog"),
                   p.mmap2(200, 0x400000, 0x100000, 0, "/bin/other")]
        for i in range(40):
            pid = 100 if i % 3 else 200
            raw = struct.pack("<10Q", *range(i, i + 10)) + bytes(64)
            raw += struct.pack("<4Q", i % 4, 0x1000, i % 9 * 2 + 0x100 * (i % 5 == 0), (1, 3, 10, 50, 200, 1000, 0)[i % 7])
            raw = {9: raw[:144], 8: b"text"}.get(i % 10, raw)
            records.append(p.sample(fields, IP=0x400010, TID=(pid, pid), TIME=10**9 + i, PERIOD=1, RAW=raw))
        p.write(path, [(p.attr(4, 0x1cd, fields, 1), [1])], records)


class Trace:
    """What the decoder of a trace by Intel PT makes of packets that are no branches, and some of those that are."""

    names = ("ptwrite", "mwait", "pwre", "exstop", "pwrx", "cbr", "psb", "evt", "iflag", "branches", "instructions")
    events = (("ptwrite", "<IQ", 1, 0xdeadbeef), ("ptwrite", "<IQ", 0, 0x6f6c6c6548), ("mwait", "<IQ", 0, 0x12 | 1 << 32),
              ("pwre", "<IQ", 0, 1 << 7 | 3 << 8 | 5 << 12), ("exstop", "<I", 1), ("pwrx", "<IQ", 0, 3 | 2 << 4 | 4 << 8),
              ("cbr", "<III", 12 | 24 << 16, 1200000, 0), ("psb", "<IQ", 0, 0x1234), ("evt", "<I", 3 | 1 << 7 | 14 << 8),
              ("iflag", "<IQ", 1, 5), ("iflag", "<IQ", 2, 5), ("branches", "<I", 0), ("instructions", "<I", 0))

    def write(self, path):
        """Write the recording, with the names of events."""
        fields = ["IDENTIFIER", "IP", "TID", "TIME", "CPU", "PERIOD", "RAW", "ADDR"]
        records = [p.comm(100, 100, "prog"), p.mmap2(100, 0x400000, 0x100000, 0, "/bin/prog")]
        for i, (name, form, *values) in enumerate(self.events):
            records.append(p.sample(fields, IDENTIFIER=self.names.index(name) + 1, IP=0x401000 + i, TID=(100, 100),
                                    TIME=10**9 + 1000 * i, PERIOD=1, RAW=struct.pack(form, *values), ADDR=0x402000))
        attrs = [(p.attr(1 << 31 if i < 9 else 4, i, fields, 1), [i + 1]) for i in range(len(self.names))]
        named = struct.pack("<II", len(attrs), len(attrs[0][0]))
        for (attr, ids), name in zip(attrs, self.names):
            named += attr + struct.pack("<II", 1, 64) + name.encode().ljust(64, b"\0") + struct.pack("<Q", *ids)
        p.write(path, attrs, records)
        p.add_features(path, [(12, named)])


class Memory:
    """Samples of which one in four has the address of memory that the environment names."""

    def write(self, path):
        """Write the recording."""
        fields = ["IP", "TID", "TIME", "CPU", "PERIOD", "PHYS_ADDR"]
        phys = int(os.environ.get("MEMORY_AT", "0"), 16)
        p.write(path, [(p.attr(4, 0x1cd, fields, 1), [1])], [
            p.sample(fields, IP=0x400010, TID=(100, 100), TIME=10**9 + i, PERIOD=1, PHYS_ADDR=phys * (i % 4 == 0))
            for i in range(40)])


class Stacks:
    """Call chains of two threads, whose functions have the names that a compiler at run time gave them: map.txt."""

    names = ["Lorg/foo/Bar;::method", "Lorg/foo/Bar;.call(Ljava/lang/String;I)V", "plain(int, char*)", "x;y",
             "ns::f<int, std::pair<a;b> >", "LFoo$Bar;::<init>", "</script>", "L::x"]
    pid = int(os.environ.get("STACKS_PID", "2000000777"))  # one that no process has

    def write(self, path):
        """Write the recording and the names."""
        fields = ["IP", "TID", "TIME", "CPU", "PERIOD", "CALLCHAIN"]
        base, size = 0x10000, 256
        with open("map.txt", "w", encoding="utf-8") as f:
            f.writelines("%x %x %s\n" % (base + i * size, size, name) for i, name in enumerate(self.names))
        records = [p.comm(self.pid, self.pid, "my prog"), p.comm(self.pid, self.pid + 1, "thread"),
                   p.mmap2(self.pid, base, 0x10000, 0, "//anon")]
        for i in range(len(self.names)):
            for n in range(1 + i % 2):
                ip = base + i * size + 4
                records.append(p.sample(fields, IP=ip, TID=(self.pid, self.pid + i % 2), TIME=10**9 + 1000 * (2 * i + n), PERIOD=5,
                                        CALLCHAIN=[(1 << 64) - 512, ip, base + 4, base + 3 * size + 4]))
        p.write(path, [(p.attr(1, 0, fields, 1), [1])], records)


FILES = {"calls": calls, "futex": futex, "compaction": compaction, "net-old": lambda: net(False), "net": lambda: net(True),
         "kmalloc-old": lambda: kmalloc(False), "kmalloc": lambda: kmalloc(True), "hcalls": hcalls, "sched": sched,
         "runs": runs,
         "rw-old": lambda: rw(False), "rw": lambda: rw(True), "wakeups-old": lambda: wakeups(False),
         "wakeups": lambda: wakeups(True), "works": works, "samples": Samples, "memory": Memory, "trace": Trace, "stacks": Stacks}
for wanted in sys.argv[1:]:
    FILES[wanted]().write(wanted + ".data")
