# SPDX-License-Identifier: GPL-2.0-or-later
"""Messages of Protocol Buffers, decoded by protoc with the descriptions in tests/data.

	from proto import decoded
	for packet in decoded("perfetto", "Trace", open("a.pftrace", "rb").read())["packets"]:
"""
import ast
import os
import subprocess
from collections import defaultdict

PROTOS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data")


def decoded(proto, message, data):
    """What protoc makes of it, as lists of values by name."""
    text = subprocess.run(["protoc", "-I", PROTOS, "--decode=" + message, proto + ".proto"], input=data,
                          capture_output=True, check=True).stdout.decode("ascii")
    top = defaultdict(list)
    stack = [top]
    for line in text.splitlines():
        line = line.strip()
        if line == "}":
            stack.pop()
        elif line.endswith(" {"):
            assert not line[0].isdigit(), "a field that is not known: " + line
            inner = defaultdict(list)
            stack[-1][line[:-2]].append(inner)
            stack.append(inner)
        else:
            name, value = line.split(": ", 1)
            assert not name.isdigit(), "a field that is not known: " + line
            if value[0] == '"':
                value = ast.literal_eval("b" + value).decode("utf-8", "strict" if name != "id" else "replace")
            else:
                value = value == "true" or int(value, 0)
            stack[-1][name].append(value)
    return top
