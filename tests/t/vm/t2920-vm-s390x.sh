#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='the other byte order: recorded on an emulated s390x machine, read here, and the reverse'
TEST_TIMEOUT=400
. "$(dirname "$0")/../../vm/lib.sh"
. "$(dirname "$0")/../../lib/tap.sh"

test -n "$VM_ALL" || test_skip_all 'a machine more takes a minute more: ask for it with VM_ALL=1'
test -z "$SAN" || test_skip_all 'the machine runs a build of its own'
vm_tools s390x || test_skip_all "$vm_why"
command -v s390x-linux-gnu-gcc >/dev/null || test_skip_all 'no s390x-linux-gnu-gcc'
vm_fetch s390x build-deps linux-perf busybox-static || test_skip_all "$vm_why"
REMOTE=$VM_ROOT/usr/bin/perf
CROSS_O=$BUILD-s390x-linux-gnu

test_expect_success 'cross building' '
	vm_build s390x "$CROSS_O" && readelf -h "$CROSS_O/perf" >elf && test_grep "big endian" elf
'

test_expect_success 'the machine boots, records and powers off' '
	perf record --no-bpf-event -g -e task-clock -c 1000000 -o here.data perf test -w deterministic &&
	perf record --no-bpf-event -z -e context-switches -a -o packed.data perf test -w context_switch_loop 1000 &&
	vm_initrd s390x initrd "$VM_DIR/s390x.sh" ours/perf="$CROSS_O/perf" ref/perf="$REMOTE" \
		given/here.data=here.data given/packed.data=packed.data || { echo "$vm_why"; return 1; }
	vm_run s390x initrd "$PWD/there" && test_set_prereq BOOTED
'
test_have_prereq BOOTED || test_done

test_expect_success 'files of that machine are big-endian, and say there what they say here' '
	for f in there/*.data; do
		test "$(head -c 8 "$f")" = 2ELIFREP && perf script -F-sym,-symoff,-dso -i "$f" >/dev/null 2>&1 &&
		perf script -i "$f" -F comm,tid,time,event >here 2>/dev/null && test -s here || return 1
	done &&
	perf script -i there/trace.ours.data >a 2>/dev/null && test_cmp there/trace.ours.data.there a
'

test_expect_success REFERENCE 'the reference reads them alike' '
	for f in there/*.data; do
		perf script -i "$f" >a 2>/dev/null && "$REF" script -i "$f" >b 2>/dev/null && test_cmp b a || return 1
	done
'

test_expect_success 'attrs as the reference of that machine sets them' '
	for name in clock trace; do
		perf evlist -v -i there/$name.ours.data >a && perf evlist -v -i there/$name.ref.data >b &&
		test_cmp b a || return 1
	done
'

test_expect_success 'files of this machine say there what they say here' '
	for f in here packed; do
		perf script -i $f.data -F comm,tid,time,event,ip >a 2>/dev/null && test -s a &&
		test_cmp a there/$f.data.swapped || return 1
	done
'

test_expect_success 'perf test passes there' '
	test_grep "^exit 0" there/suites && test_grep ! FAILED there/suites
'

test_done
