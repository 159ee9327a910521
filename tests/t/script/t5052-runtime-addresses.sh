#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='perf script --runtime-addresses: frames with the addresses that the process had'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS
test_lazy_prereq PYTHON 'no python3' 'command -v python3'

test_expect_success 'a recording' '
	perf record -q -g -e cpu-clock:u -F 2000 -o a.data perf test -w noploop 0.2 && perf script -F ip,dso,dsoff -i a.data >object &&
	perf script --runtime-addresses -F ip,dso,dsoff -i a.data >memory && test_line_count -gt 20 memory
'
test_expect_success PYTHON 'frames are inside the maps; the addresses in the object stand beside them' '
	perf script --show-mmap-events -i a.data >all && cat >check.py <<\EOF
import re
maps = [(int(a, 16), int(a, 16) + int(n, 16)) for a, n in
        re.findall(r"MMAP2? \S+: \[0x([0-9a-f]+)\(0x([0-9a-f]+)\)", open("all").read())]
row = re.compile(r"\s*([0-9a-f]+) \((.*?)(?:\+0x([0-9a-f]+))?\)")
seen = 0
for obj, mem in zip(open("object"), open("memory")):
    o, m = row.match(obj), row.match(mem)
    if not o:
        assert obj == mem
        continue
    assert o.group(2, 3) == m.group(2, 3), (obj, mem)
    if o.group(3):
        assert o.group(1) == o.group(3) and any(a <= int(m.group(1), 16) < e for a, e in maps), (obj, mem)
        seen += 1
assert seen > 20, seen
EOF
	python3 check.py
'
test_expect_success 'the leaf is the address of the sample; the kernel stays as it is' '
	perf script --runtime-addresses -F ip -i a.data | awk "NF && !(f++) { print \$1 } !NF { f = 0 }" >leaves &&
	perf report -D -i a.data | sed -n "s/.*PERF_RECORD_SAMPLE(.*: 0x\([0-9a-f]*\) period.*/\1/p" >ips && test_cmp ips leaves
'
test_done
