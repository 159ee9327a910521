# SPDX-License-Identifier: GPL-2.0-or-later
"""blktrace-swap.py FROM TO: a file of blktrace, as a machine of the other byte order would have written it."""
import struct
import sys

FIELDS = "IIQQIIIIIHH"
data, out, at = open(sys.argv[1], "rb").read(), b"", 0
while at < len(data):
    values = struct.unpack_from("<" + FIELDS, data, at)
    at += struct.calcsize("<" + FIELDS)
    out += struct.pack(">" + FIELDS, *values) + data[at:at + values[-1]]
    at += values[-1]
open(sys.argv[2], "wb").write(out)
