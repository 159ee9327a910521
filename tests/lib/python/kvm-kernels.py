# SPDX-License-Identifier: GPL-2.0-or-later
"""What guests do, as the kernels of different machines record it.

	kvm-kernels.py FILE x86|svm|arm64|s390|powerpc|riscv|loongarch [big] [lost] [words] [bare]

big: of a big-endian machine. lost: some events are, while a guest is left. words: the print format names the reasons.
bare: without the names of machine and processor.
"""
import sys

import pdata as p
import tracefile

US = 1000
ENTRY = {"x86": ("kvm:kvm_entry", "unsigned int vcpu_id; unsigned long rip"),
         "arm64": ("kvm:kvm_entry", "unsigned long vcpu_pc"),
         "s390": ("kvm:kvm_s390_sie_enter", "int id; unsigned long pswmask; unsigned long pswaddr; int cpuflags"),
         "powerpc": ("kvm_hv:kvm_guest_enter", "int vcpu_id; unsigned long pc"),
         "riscv": ("kvm:kvm_entry", "unsigned long pc"),
         "loongarch": ("kvm:kvm_enter", "unsigned int vcpu_id; unsigned long pc")}
EXIT = {"x86": ("kvm:kvm_exit", "unsigned int exit_reason; unsigned long guest_rip; u32 isa; u64 info1; unsigned int vcpu_id"),
        "arm64": ("kvm:kvm_exit", "int ret; unsigned int esr_ec; unsigned long vcpu_pc"),
        "s390": ("kvm:kvm_s390_sie_exit", "int id; unsigned long pswmask; unsigned long pswaddr; u8 icptcode"),
        "powerpc": ("kvm_hv:kvm_guest_exit", "int vcpu_id; int trap; unsigned long pc"),
        "riscv": ("kvm:kvm_exit", "unsigned long sepc; unsigned long scause"),
        "loongarch": ("kvm:kvm_exit", "unsigned long pc; unsigned int reason")}
CPUID = {"x86": "GenuineIntel,6,85,7", "svm": "AuthenticAMD,23,49,0", "s390": "IBM,3906,704,M03,3.6,002f"}
ARCH = {"x86": "x86_64", "svm": "x86_64", "arm64": "aarch64", "s390": "s390x", "powerpc": "ppc64le", "riscv": "riscv64", "loongarch": "loongarch64"}

kind = sys.argv[2]
machine = "x86" if kind == "svm" else kind
if "big" in sys.argv:
    p.big_endian()
t = tracefile.TraceFile(flags=p.SAMPLE_ID_ALL)
fmt = '"reason %s", __print_symbolic(REC->exit_reason & 0xffff, { 30, "IO_INSTRUCTION" }, { 99, "NEW_REASON" })' if "words" in sys.argv else '""'
(entry, fields), (leave, leave_fields) = ENTRY[machine], EXIT[machine]
t.event(entry, fields)
t.event(leave, leave_fields, fmt)
if machine == "x86":
    t.event("kvm:kvm_mmio", "u32 type; u32 len; u64 gpa; u64 val")
    t.event("kvm:kvm_pio", "unsigned int rw; unsigned int port; unsigned int size")
    t.event("kvm:kvm_msr", "unsigned int write; u32 ecx; u64 data")
if machine == "s390":
    t.event("kvm:kvm_s390_intercept_instruction", "int id; u64 instruction")
    t.event("kvm:kvm_s390_handle_sigp", "int id; u8 order_code; u16 cpu_addr")
    t.event("kvm:kvm_s390_handle_diag", "int id; u16 code")
    t.event("kvm:kvm_s390_intercept_prog", "int id; u16 code; u8 flags")
if machine == "powerpc":
    t.event("kvm_hv:kvm_hcall_enter", "int vcpu_id; unsigned long req")
    t.event("kvm_hv:kvm_hcall_exit", "int vcpu_id; unsigned long ret")
if machine == "loongarch":
    t.event("kvm:kvm_reenter", "unsigned int vcpu_id; unsigned long pc")
    t.event("kvm:kvm_exit_gspr", "unsigned long pc; unsigned int inst_word")
now = 10**9


def vcpu_of(tid):
    known = {name.name for name in t.events[entry][1]}
    return {"vcpu_id": tid % 10} if "vcpu_id" in known else {"id": tid % 10} if "id" in known else {}


def enter(tid, after=1, event=None, vm=100):
    global now
    now += after * US
    t.add(event or entry, now, tid % 2, vm, tid, **vcpu_of(tid))


def step(event, tid, after=0.25, vm=100, **values):
    global now
    now += int(after * US)
    t.add(event, now, tid % 2, vm, tid, **values)


def out(tid, vm=100, **values):
    """The guest runs for ten microseconds and is left."""
    step(leave, tid, 10, vm, **values)


for vm, name in ((100, "vm-one"), (200, "vm-two")):
    t.records.append(p.record(3, 0, p.pack("II", vm, vm) + p.text(name) + p.pack("IIQIIQ", vm, vm, 0, 0, 0, 300)))
if machine == "x86":
    isa = 2 if kind == "svm" else 1
    IO, HLT, CPUID_EXIT, MMIO, MSR = (0x7b, 0x78, 0x72, 0x400, 0x7c) if kind == "svm" else (30, 12, 10, 48, 32)
    # The thread is unknown before the first entry.
    out(101, exit_reason=IO, isa=isa)
    for tid, vm in ((101, 100), (102, 100), (201, 200)):
        enter(tid, vm=vm)
        for i in range(1, 5):
            out(tid, vm, exit_reason=IO, isa=isa)
            step("kvm:kvm_pio", tid, vm=vm, rw=i % 2, port=0x3f8 + tid % 2)
            enter(tid, i * 2, vm=vm)
        out(tid, vm, exit_reason=CPUID_EXIT, isa=isa)
        enter(tid, 3, vm=vm)
        out(tid, vm, exit_reason=HLT, isa=isa)
        enter(tid, 2500, vm=vm)
        for kind_of, gpa in ((1, 0xfee00020), (2, 0xfee000b0), (2, 0xfee000b0)):
            out(tid, vm, exit_reason=MMIO, isa=isa)
            step("kvm:kvm_mmio", tid, 2, vm=vm, type=kind_of, gpa=gpa, len=4)
            enter(tid, 5, vm=vm)
        out(tid, vm, exit_reason=MSR, isa=isa)
        step("kvm:kvm_msr", tid, 1, vm=vm, write=1, ecx=0x6e0)
        enter(tid, 2, vm=vm)
        out(tid, vm, exit_reason=0x7fff - 1, isa=isa)
        enter(tid, 1, vm=vm)
        if "words" in sys.argv:
            out(tid, vm, exit_reason=99, isa=isa)
            enter(tid, 1, vm=vm)
    if "lost" in sys.argv:
        out(101, exit_reason=CPUID_EXIT, isa=isa)
        t.records.append(p.record(2, 0, p.pack("QQ", 300, 17) + p.pack("IIQIIQ", 101, 101, now + 1, 1, 0, 300)))
        enter(101, 50000)
    # It is still outside at the end.
    out(101, exit_reason=HLT, isa=isa)
elif machine == "arm64":
    enter(101)
    for ret, ec in ((2, 0x01), (2, 0x24), (2, 0x24), (0, 0), (2, 0x3f)):
        out(101, ret=ret, esr_ec=ec)
        enter(101, 4)
elif machine == "s390":
    enter(101)
    out(101, id=1, icptcode=0x1c)
    enter(101, 900)
    for event, values in (("intercept_instruction", {"instruction": 0xb22b << 48}), ("handle_sigp", {"order_code": 2}),
                          ("handle_diag", {"code": 0x44}), ("intercept_prog", {"code": 0x10})):
        out(101, id=1, icptcode=8 if "prog" in event else 4)
        step("kvm:kvm_s390_" + event, 101, id=1, **values)
        enter(101, 4)
elif machine == "powerpc":
    enter(101)
    for trap, req in ((0x500, 0), (0xc00, 0xe0), (0xc00, 0x58)):
        out(101, vcpu_id=1, trap=trap)
        if req:
            step("kvm_hv:kvm_hcall_enter", 101, vcpu_id=1, req=req)
            step("kvm_hv:kvm_hcall_exit", 101, 3, vcpu_id=1, ret=0)
        enter(101, 4)
elif machine == "riscv":
    enter(101)
    for scause in (10, 21, 1 << 63 | 5, 21):
        out(101, scause=scause)
        enter(101, 4)
else:
    enter(101)
    for reason, inst in ((0, 0), (22, 0x06488000), (22, 0x04000000), (1, 0), (22, 0x00006c00)):
        out(101, reason=reason)
        if reason == 22:
            step("kvm:kvm_exit_gspr", 101, inst_word=inst)
        enter(101, 4, "kvm:kvm_reenter")


def words(text):
    data = text.encode() + b"\0"
    data += b"\0" * (-len(data) % 64)
    return p.pack("I", len(data)) + data


features = [] if "bare" in sys.argv else [(6, words(ARCH[kind]))] + ([(9, words(CPUID[kind]))] if kind in CPUID else [])
t.write(sys.argv[1], features)
