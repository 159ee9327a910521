# SPDX-License-Identifier: GPL-2.0-or-later
"""data-types.py PROGRAM [MOST-UNKNOWN] <ANNOTATION: are the types right that `perf annotate` shows?

PROGRAM is tests/programs/data-types.c compiled, whose source says what its functions access. Of each
instruction that has a type: it is one that its function may access, and where the operand has an offset that
only one structure has, or the address of a variable, it is that structure and that member. At most
MOST-UNKNOWN percent of the operands in memory have none.
"""
import os
import re
import subprocess
import sys

MEMBERS = [(0x1000, 8, "a"), (0x1008, 8, "next"), (0x1010, 4, "in.x"), (0x1014, 12, "in.c"), (0x1020, 8, "two"),
           (0x1028, 32, "tail"), (0x2000, 8, "l"), (0x2008, 2, "pair.p"), (0x200a, 2, "pair.q"),
           (0x2010, 8, "opaque"), (0x2018, 8, "threes"), (0x2020, 8, "call"), (0x2028, 32, "ones"),
           (0x3000, 1, "flag"), (0x3000, 4, "low"), (0x3004, 4, "high"), (0x3008, 32, "numbers"),
           (0x3028, 16, "ins.k"), (0x3038, 8, "ins.v"), (0x3040, 72, "ins"), (0x4000, 8, "count"),
           (0x4008, 8, "node.next"), (0x4010, 8, "node.back")]
SIZE_OF_S3 = 0x3088
VARIABLES = {"g_s1": 1, "a_s3": 3, "g_s4": 4}

program, most = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 100
source = open(os.path.join(os.path.dirname(__file__), "../../programs/data-types.c")).read()
accessed = {m[2]: m[1].split() for m in re.finditer(r"/\* ([\w ]+) \*/\nNOINLINE [\w ]*[ *](\w+)\(", source)}
variables = [(int(f[0], 16), int(f[1], 16), f[3]) for f in map(str.split, subprocess.run(
    ["nm", "-S", program], capture_output=True, text=True, check=True).stdout.splitlines())
    if len(f) == 4 and f[3] in VARIABLES]


def number(s):
    return int(s, 16)


def expected(operands):
    """What the operands themselves tell: the number of the structure and the offset in it, or None."""
    if m := re.search(r"# ([0-9a-f]+) <", operands):
        for start, size, name in variables:
            if start <= number(m[1]) < start + size:
                return VARIABLES[name], (number(m[1]) - start) % (SIZE_OF_S3 if name == "a_s3" else size)
    m = re.search(r"(?<![\w-])0x([1-4]0[0-9a-f]{2})\(%(?!rip|rsp|rbp)", operands) or \
        re.search(r"\[x\d+, #0x([1-4]0[0-9a-f]{2})\]", operands)
    return (number(m[1]) >> 12, number(m[1])) if m else None


def fault(function, operands, shown):
    m = re.match(r"(?:struct )?([^(]*?)(?: \+(0|0x[0-9a-f]+) \((.*)\))?$", shown)
    name, offset, member = m[1], number(m[2] or "0"), m[3]
    own = name.endswith("*") or re.match(r"(unsigned |long |short )*(int|long|short|char)$", name) or name == "size_t"
    if not own and name not in accessed.get(function, []):
        return "no type of this function"
    want = expected(operands)
    if function == "shifted":
        arrays = ("tail", "numbers", "ones", "ins.v", "ins.k")  # k: a vector with all of an element
        return None if own or member in arrays else "not the array"
    if want and (name, offset) != (f"s{want[0]}", want[1]):
        return f"should be s{want[0]} +{want[1]:#x}"
    if want and offset >= 0x1000 and not any(
            at <= offset < at + size and member.startswith(name) for at, size, name in MEMBERS):
        return "another member"
    return None


function, known, unknown, told, wrong = None, 0, [], 0, []
for line in sys.stdin:
    if m := re.match(r"\s*:?\s*\d*\s+[0-9a-f]+ <(\w+)(?:\.\w+)*>:", line):
        function = m[1]
    m = re.match(r"\s+[\d.]+ :\s+[0-9a-f]+:\s+(\S+)\s+(.*)", line)
    if not m or function not in accessed or re.match("lea|nop|push|pop|call|ret|j", m[1]):
        continue
    operands, _, shown = (s.strip() for s in m[2].partition("# data-type: "))
    if not re.search(r"\(|%fs:|\[", operands) or m[1].startswith("prfm"):
        continue
    if not shown:
        unknown.append(line)
        continue
    known += 1
    if shown.startswith("("):
        continue
    told += expected(operands) is not None
    if why := fault(function, operands, shown):
        wrong.append(f"{function}: {why}: {line}")
share = 100 * len(unknown) / (known + len(unknown))
print(f"{known} known, {told} of them told by their operands, {len(unknown)} ({share:.1f}%) unknown, {len(wrong)} wrong")
print("".join(wrong + unknown))
sys.exit(bool(wrong) or share > most or told < 30)
