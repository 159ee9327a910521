# SPDX-License-Identifier: GPL-2.0-or-later
"""Count the calls of a guest on PowerPC to its hypervisor, with the shortest, longest and mean time that each took.

Wants: powerpc:hcall_entry, powerpc:hcall_exit
Usage: perf script powerpc-hcalls
"""
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")

from Standard import words
from Util import nsecs

# The numbers of the calls, from the Power Architecture Platform Reference: those that follow each other by fours.
RUNS = (
    (0x4, "REMOVE ENTER READ CLEAR_MOD CLEAR_REF PROTECT GET_TCE PUT_TCE SET_SPRG0 SET_DABR PAGE_INIT SET_ASR ASR_ON "
     "ASR_OFF LOGICAL_CI_LOAD LOGICAL_CI_STORE LOGICAL_CACHE_LOAD LOGICAL_CACHE_STORE LOGICAL_ICBI LOGICAL_DCBF "
     "GET_TERM_CHAR PUT_TERM_CHAR REAL_TO_LOGICAL HYPERVISOR_DATA EOI CPPR IPI IPOLL XIRR MIGRATE_DMA PERFMON"),
    (0xdc, "REGISTER_VPA CEDE CONFER PROD GET_PPP SET_PPP PURR PIC REG_CRQ FREE_CRQ VIO_SIGNAL SEND_CRQ"),
    (0x110, "COPY_RDMA REGISTER_LOGICAL_LAN FREE_LOGICAL_LAN ADD_LOGICAL_LAN_BUFFER SEND_LOGICAL_LAN BULK_REMOVE"),
    (0x130, "MULTICAST_CTRL SET_XDABR STUFF_TCE PUT_TCE_INDIRECT"),
    (0x14c, "CHANGE_LOGICAL_LAN_MAC VTERM_PARTNER_INFO REGISTER_VTERM FREE_VTERM RESET_EVENTS ALLOC_RESOURCE "
     "FREE_RESOURCE MODIFY_QP QUERY_QP REREGISTER_PMR REGISTER_SMR QUERY_MR QUERY_MW QUERY_HCA QUERY_PORT MODIFY_PORT "
     "DEFINE_AQP1 GET_TRACE_BUFFER DEFINE_AQP0 RESIZE_MR ATTACH_MCQP DETACH_MCQP CREATE_RPT REMOVE_RPT REGISTER_RPAGES "
     "DISABLE_AND_GETC ERROR_DATA GET_HCA_INFO GET_PERF_COUNT MANAGE_TRACE"),
    (0x1d4, "FREE_LOGICAL_LAN_BUFFER POLL_PENDING"),
    (0x1e4, "QUERY_INT_STATE"),
    (0x244, "ILLAN_ATTRIBUTES"),
    (0x250, "MODIFY_HEA_QP QUERY_HEA_QP QUERY_HEA QUERY_HEA_PORT MODIFY_HEA_PORT REG_BCMC DEREG_BCMC "
     "REGISTER_HEA_RPAGES DISABLE_AND_GET_HEA GET_HEA_INFO ALLOC_HEA_RESOURCE"),
    (0x284, "ADD_CONN DEL_CONN"),
    (0x298, "JOIN"),
    (0x2a4, "VASI_STATE"),
    (0x2b0, "ENABLE_CRQ"),
    (0x2b8, "GET_EM_PARMS"),
    (0x2d0, "SET_MPP GET_MPP"),
    (0x2ec, "HOME_NODE_ASSOCIATIVITY"),
    (0x2f4, "BEST_ENERGY"),
    (0x2fc, "XIRR_X RANDOM COP"),
    (0x314, "GET_MPP_X"),
    (0x31c, "SET_MODE"),
    (0xf000, "RTAS"),
)
NAMES = {first + 4 * at: "H_" + name for first, names in RUNS for at, name in enumerate(names.split())}


class Call:
    """The times of one call, in ns."""

    def __init__(self):
        self.count = self.total = self.most = 0
        self.least = None

    def add(self, ns):
        """Add one time."""
        self.count += 1
        self.total += ns
        self.most = max(self.most, ns)
        self.least = ns if self.least is None else min(self.least, ns)


words("powerpc-hcalls.py", 0)
entered = {}  # (cpu, opcode) -> when
calls = {}


def powerpc__hcall_entry(_event, _context, cpu, secs, ns, _pid, _comm, _callchain, opcode):
    """Take note of a call that begins."""
    entered[cpu, opcode] = nsecs(secs, ns)


def powerpc__hcall_exit(_event, _context, cpu, secs, ns, _pid, _comm, _callchain, opcode, _retval):
    """Add a call that ends."""
    since = entered.pop((cpu, opcode), None)
    if since is not None:
        calls.setdefault(opcode, Call()).add(nsecs(secs, ns) - since)


def trace_end():
    """Print the table."""
    print("%-28s%10s%10s%10s%10s" % ("hcall", "count", "min(ns)", "max(ns)", "avg(ns)"))
    print("-" * 68)
    for opcode, call in calls.items():
        print("%-28s%10d%10d%10d%10d" %
              (NAMES.get(opcode, opcode), call.count, call.least, call.most, call.total // call.count))
