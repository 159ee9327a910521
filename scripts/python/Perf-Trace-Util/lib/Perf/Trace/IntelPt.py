# SPDX-License-Identifier: GPL-2.0-or-later
"""The events that perf makes of the packets of an Intel PT trace that are no branches.

perf hands them on as samples whose raw data are little-endian; the number of the kind is the config of their event.
"""
import struct

# number of the kind -> (name, format of the raw data, function that makes fields of what was unpacked)
KINDS = {
    0: ("ptwrite", "<IQ", lambda flags, payload: {"payload": payload, "exact_ip": flags & 1}),
    1: ("mwait", "<IQ", lambda _, v: {"hints": v & 0xff, "extensions": v >> 32 & 3}),
    2: ("pwre", "<IQ", lambda _, v: {"cstate": v >> 12 & 0xf, "subcstate": v >> 8 & 0xf, "hw": v >> 7 & 1}),
    3: ("exstop", "<I", lambda flags: {"exact_ip": flags & 1}),
    4: ("pwrx", "<IQ", lambda _, v: {"deepest_cstate": v & 0xf, "last_cstate": v >> 4 & 0xf,
                                               "wake_reason": v >> 8 & 0xf}),
    5: ("cbr", "<II", lambda v, khz: {"cbr": v & 0xff, "mhz": (khz + 500) // 1000, "percent": percent(v)}),
    6: ("psb", "<IQ", lambda _, offset: {"offset": offset}),
    7: ("evt", "<I", lambda v: {"cfe": v & 0x1f, "ip": v >> 7 & 1, "vector": v >> 8 & 0xff, "count": v >> 16}),
    8: ("iflag", "<I", lambda v: {"iflag": v & 1, "via_branch": v >> 1 & 1}),
}


# What interrupted the program, and what the data of such an event are: words for their numbers.
CAUSES = {1: "INTR", 2: "IRET", 3: "SMI", 4: "RSM", 5: "SIPI", 6: "INIT", 7: "VMENTRY", 8: "VMEXIT", 9: "VMEXIT_INTR",
          10: "SHUTDOWN", 12: "UINT", 13: "UIRET"}
DATA = {0: "PFA", 1: "VMXQ", 2: "VMXR"}


def event_data(raw, count):
    """Return the data behind an "evt", (word, value) each."""
    pairs = [struct.unpack_from("<QQ", raw, 4 + 16 * at) for at in range(min(count, (len(raw) - 4) // 16))]
    return [(DATA.get(kind & 0x3f, "EVD_%d" % (kind & 0x3f)), value) for kind, value in pairs]


def percent(ratios):
    """Return how fast the processor runs, in percent of its highest speed without turbo, rounded to whole ones."""
    ratio, most = ratios & 0xff, ratios >> 16 & 0xff
    return (ratio * 1000 // most + 5) // 10 if most else 0


def decode(kind, raw):
    """Return (name, fields) of an event; (None, {}) for kinds that are not known and data that are too short."""
    if kind not in KINDS:
        return None, {}
    name, form, fields = KINDS[kind]
    if len(raw) < struct.calcsize(form):
        return None, {}
    return name, fields(*struct.unpack_from(form, raw))
