#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='kmem: recordings of other kernels and of the other byte order, lost events, time that runs back'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PYTHON

kernel() { PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/kmem-kernels.py" "$@"; }
all="--slab --page --caller --alloc --leaks"
for l in 3.10 3.10-32 6.18; do
	kernel $l.data $l && kernel $l.big.data $l big || exit 1
done
kernel lost.data 6.18 lost && kernel back.data 6.18 back || exit 1

test_expect_success 'what was allocated and freed' '
	perf kmem stat -i 6.18.data $all >out &&
	test_grep "^ 0x10001000  *|  *96/48  *|  *84/42  *|  *2 |  *1 | 12.500%$" out && test_grep "^Total bytes freed:     224$" out &&
	test_grep "^ 0x10  *|  *32/32 .* 1 | 37.500%$" out && test_grep "^Internal fragmentation: 9.615385%$" out &&
	test_grep "^ *9 | *4 | *1 | *0 |  MOVABLE | K|Z       | \[unknown\]$" out &&
	test_grep "^Total alloc-only requests     : *2   \[ *20 KB \]$" out && test_grep "^Total allocation failures     : *1   \[ *32 KB \]$" out &&
	test_grep "^ *128 | *1 | *2 | *15802 | *0.007 | 0x10002000$" out
'
test_expect_success 'a flag that is newer than this program' 'test_grep "^# 00004cc0: K|NT: GFP_KERNEL|__GFP_NEW_THING$" out'
test_expect_success 'old kernels call the types of blocks otherwise, and pages have addresses' '
	perf kmem stat -i 3.10.data $all >old && test_grep "^Order     Unmovable   Reclaimable       Movable      Reserved  CMA/Isolated$" old &&
	test_grep "^ 0000000000001009 | *4 | *1 | *0 |  RECLAIM | K|Z       | \[unknown\]$" old &&
	grep -v -e Movable -e MOVABLE -e RECLAIM -e UNMOVABL -e PFN out >want && grep -v -e Movable -e MOVABLE -e RECLAIM -e UNMOVABL -e "^ Page" old >got &&
	test_cmp want got
'
test_expect_success 'the other byte order, longs of 32 bits' '
	perf kmem stat -i 6.18.big.data $all >got && test_cmp out got &&
	for f in 3.10.big 3.10-32 3.10-32.big; do perf kmem stat -i $f.data $all >got && test_cmp old got || return 1; done
'
test_expect_success 'the same through a pipe' 'perf kmem stat -i - <3.10-32.big.data $all >got && test_cmp old got'
test_expect_success 'lost events and time that runs back are told' '
	perf kmem stat -i lost.data 2>err && test_grep "lost events (17 out of" err &&
	perf kmem stat -i back.data 2>err && test_grep "1 out of order events recorded" err
'
test_expect_success 'a time without events makes tables without rows' '
	perf kmem stat -i 6.18.data $all --live --time ,0.5 >none 2>err && test_grep "^Total bytes allocated: 0$" none && ! grep "^ *0x" none &&
	test ! -s err
'
test_expect_success 'recordings that are cut off end with what there is' '
	size=$(stat -c %s 6.18.data) && for part in 3 5 8; do
		head -c $((size * part / 9)) 6.18.data >cut.data && { perf kmem stat -i cut.data $all >got 2>err || test -s err; } &&
		! grep -i "assert\|sanitizer" err || return 1
	done
'
test_done
