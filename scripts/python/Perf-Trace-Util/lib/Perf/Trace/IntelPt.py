# SPDX-License-Identifier: GPL-2.0-or-later
"""The events that perf makes of the packets of an Intel PT trace that are no branches.

perf hands them on as samples whose raw data are little-endian; the number of the kind is the config of their event.
"""
import struct

# number of the kind -> (name, format of the raw data, function that makes fields of what was unpacked)
KINDS = {
    0: ("ptwrite", "<IIQ", lambda _, flags, payload: {"payload": payload, "exact_ip": flags & 1}),
    1: ("mwait", "<IIQ", lambda _, reserved, v: {"hints": v & 0xff, "extensions": v >> 32 & 3}),
    2: ("pwre", "<IIQ", lambda _, reserved, v: {"cstate": v >> 12 & 0xf, "subcstate": v >> 8 & 0xf, "hw": v >> 7 & 1}),
    3: ("exstop", "<II", lambda _, flags: {"exact_ip": flags & 1}),
    4: ("pwrx", "<IIQ", lambda _, reserved, v: {"deepest_cstate": v & 0xf, "last_cstate": v >> 4 & 0xf,
                                               "wake_reason": v >> 8 & 0xf}),
    5: ("cbr", "<III", lambda _, v, mhz: {"cbr": v & 0xff, "mhz": (mhz + 500) // 1000, "percent": percent(v)}),
    6: ("psb", "<IIQ", lambda _, reserved, offset: {"offset": offset}),
}


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
