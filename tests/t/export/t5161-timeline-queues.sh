#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='timechart: workqueues and the queues of block devices beside tasks'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

test_lazy_prereq WORKS 'nothing was queued on a workqueue' 'test "$works" -gt 0'
test_lazy_prereq REQUESTS 'the files of this test are on no block device whose requests the kernel tells of' 'test "$requests" -gt 0'

# Some kernels do not trace what happens while a CPU is idle, such as the completion of a request.
cat >work <<-'EOF'
	fill=
	for cpu in $(seq $(nproc)); do
		nice -n 19 sh -c "while :; do :; done" &
		fill="$fill $!"
	done
	for i in 1 2 3 4; do dd if=/dev/zero of=x bs=64k count=4 conv=fsync 2>/dev/null; done
	kill $fill
EOF
perf timechart record -q -o a.data -e 'workqueue:*' -e block:block_rq_issue -e block:block_rq_complete -- sh work
perf script -i a.data -F comm,event 2>/dev/null >events
works=$(grep -c workqueue_execute_end events)
requests=$(grep -c block_rq_complete events)

test_expect_success WORKS 'a workqueue has a row that tells what is executed' '
	perf timechart -i a.data -n 100000 -w 100000 -o a.svg 2>err && grep ">workqueue [^<]*<" a.svg && grep -m 1 -E "work(s?) executed [0-9.]+[mun]?s" a.svg &&
	grep -m 1 -E "<title>[^<]+ asks workqueue [^<]+, complete after [0-9.]+[mun]?s<" a.svg
'
test_expect_success REQUESTS 'a device has a row, and arrows come from those that have asked it' '
	perf timechart -i a.data -n 100000 -w 100000 -o a.svg 2>err && grep -m 1 -E "<title>[^<]+:[0-9]+ asks [^ <]+, complete after [0-9.]+[mun]?s<" a.svg &&
	grep -m 1 -E "[0-9]+ request(s?) in flight [0-9.]+[mun]?s at" a.svg
'
test_expect_success REQUESTS 'the device has its name, or its number if the recording is of another machine' '
	dev=$(sed -n "s/.*<title>dd:[0-9]* asks \([^,<]*\), complete.*/\1/p" a.svg | grep -v workqueue | head -n 1) && test -e "/sys/class/block/$dev" &&
	sed "s/$(uname -n)/$(uname -n | tr "[:alnum:]" x)/g" a.data >other.data && perf timechart -i other.data -f -n 100000 -w 100000 -o o.svg &&
	grep -m 1 -E "asks [0-9]+,[0-9]+, complete" o.svg && ! grep " asks $dev," o.svg
'
test_expect_success REQUESTS 'only CPUs, or only tasks' '
	for o in -P -T; do perf timechart -i a.data $o -o p.svg && ! grep "in flight" p.svg || return 1; done
'
test_expect_success REQUESTS 'queues alone are drawn, too' '
	perf record -q -a -o b.data -e block:block_rq_issue -e block:block_rq_complete -- sh work &&
	perf timechart -i b.data -w 100000 -o b.svg 2>err && grep -m 1 "in flight" b.svg && ! grep ">CPU 0<" b.svg && tail -n 1 err | grep "^Written"
'
test_expect_success WORKS 'a page and a trace have them' '
	perf timechart -i a.data -o a.html && grep "<script>" a.html && perf timechart -i a.data -o a.pftrace && grep -m 1 -a "work executed" a.pftrace
'
test_lazy_prereq ZRAM 'no device of zram can be made' 'test -r /sys/class/zram-control/hot_add && test -w /sys/class/zram-control/hot_remove'
trap 'test -z "$zram" || echo "$zram" >/sys/class/zram-control/hot_remove; test_at_exit' EXIT
test_expect_success ZRAM 'a device without requests has its bios' '
	zram=$(cat /sys/class/zram-control/hot_add) && test -n "$zram" &&
	echo 1M >/sys/block/zram$zram/disksize && perf timechart record -q -o z.data -e block:block_bio_queue -e block:block_bio_complete -- \
		dd if=/dev/urandom of=/dev/zram$zram bs=64k count=8 oflag=direct &&
	perf timechart -i z.data -n 100000 -w 100000 -o z.svg && grep ">[^<]*zram$zram[^<]*<" z.svg &&
	grep -m 1 -E "<title>dd:[0-9]+ asks zram$zram, complete after [0-9.]+[mun]?s<" z.svg
'
test_done
