#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='report: latency and parallelism, from records of context switches'
. "$(dirname "$0")/../../lib/tap.sh"

# Rows without what pads them.
rows()
{
	perf report "$@" -t, >out 2>err && grep -v '^#' out | grep . | tr -d ' '
}

test_expect_success 'a recording in which one, two and three threads run' '
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - <<-\EOF
		import struct
		import pdata as p
		fields = ["IP", "TID", "TIME", "PERIOD"]
		ALL, EXEC, OUT = 1 << 18, 1 << 13, 1 << 13
		def by(tid, t):
		    return struct.pack("<IIQ", 100, tid, t)
		def switch(tid, t, out):
		    return p.record(14, out, by(tid, t))
		def task(kind, tid, t):
		    return p.record(kind, 0, struct.pack("<IIIIQ", 100, 100, tid, 100, t) + by(tid, t))
		def named(tid, name, t, misc=0):
		    return p.record(3, misc, struct.pack("<II", 100, tid) + p.text(name) + by(tid, t))
		def ran(tid, t, period):
		    return p.sample(fields, IP=0x400010, TID=(100, tid), TIME=t, PERIOD=period)
		switches = ALL | 1 << 26
		p.write("a.data", [(p.attr(1, 0, fields, flags=switches), [1])], [
		    named(100, "main", 10, EXEC), ran(100, 20, 600),
		    task(7, 101, 30), switch(101, 40, 0), named(101, "second", 41), ran(101, 50, 600), ran(100, 51, 600),
		    task(7, 102, 60), switch(102, 70, 0), named(102, "third", 71), ran(102, 80, 600),
		    switch(102, 90, OUT), ran(101, 95, 600), switch(102, 96, 0), ran(102, 97, 300),
		    task(4, 102, 100), task(4, 101, 110), ran(100, 120, 300),
		    switch(100, 130, OUT), switch(100, 140, 0), ran(100, 150, 300)])
		p.write("b.data", [(p.attr(1, 0, fields, flags=switches), [1])], [
		    # found running: no record says when it came
		    named(100, "main", 0), named(101, "second", 0), ran(100, 20, 100), switch(101, 30, OUT), ran(100, 40, 100),
		    switch(101, 50, 0), ran(100, 60, 100), switch(100, 70, OUT)])
		p.write("none.data", [(p.attr(1, 0, fields, flags=ALL), [1])], [named(100, "main", 10), ran(100, 20, 600)])
	EOF
'

# One: 600+300+300 of 3900. Two: 600+600+600, half each. Three: 600+300, a third each. On the wall: 1200+900+300.
test_expect_success 'shares of the wall by parallelism' '
	rows -i a.data -s latency,parallelism >rows &&
	printf "%s\n" "30.77%,50.00%,1" "46.15%,37.50%,2" "23.08%,12.50%,3" >want && test_cmp want rows
'
test_expect_success '--latency: sorted by it, with the share beside' '
	rows -i a.data --latency >rows && head -1 rows | grep "^50.00%,30.77%,1,main," &&
	perf report -i a.data --latency >out 2>err && grep "Latency  Overhead  Parallelism  Command  Symbol" out
'
# main 600 + 300 + 600/2 + 300, second 600/2 + 600/2, third 600/3 + 300/3
test_expect_success 'rows that do not show parallelism add up what they had of each' '
	rows -i a.data -s latency,comm -F latency,overhead,comm >rows &&
	printf "%s\n" "62.50%,46.15%,main" "25.00%,30.77%,second" "12.50%,23.08%,third" >want && test_cmp want rows
'
test_expect_success 'filtered rows: absolute and relative shares' '
	rows -i a.data -F latency,comm --comms second,third >rows && grep "^25.00%,second" rows &&
	rows -i a.data -F latency,comm --comms second,third --percentage relative >rows && grep "^66.67%,second" rows &&
	rows -i a.data -F latency,comm --tid 102 >rows && grep "^12.50%,third" rows
'
test_expect_success '--parallelism: shares of all, and what is wrong with a list' '
	rows -i a.data -F overhead,comm --parallelism 2-3 >rows &&
	printf "%s\n" "30.77%,second" "23.08%,third" "15.38%,main" >want && test_cmp want rows &&
	rows -i a.data -F overhead,comm --parallelism 1,3 --percentage relative >rows && grep "^57.14%,main" rows &&
	test_expect_code 234 perf report -i a.data --parallelism 2- 2>err && grep "invalid list of parallelism levels .2-." err &&
	perf report -i none.data --parallelism 1 >out 2>err && grep "perf record" err &&
	# of a recording that is compared with, too
	perf report -i a.data --parallelism 2-3 --compare a.data --collapsed-diff=out &&
	awk "\$NF != \$(NF - 1) { exit bad = 1 } { n += \$NF } END { exit bad || n != 2700 }" out
'
test_expect_success 'levels have the sums of what is in them' '
	perf report -i a.data --latency --hierarchy -s parallelism,comm >out 2>err && grep "50.00% *30.77% *1 *$" out &&
	grep "25.00% *30.77% *second *$" out && perf report -i a.data --hierarchy -s parallelism,comm --comms third >out 2>err && grep third out
'
test_expect_success 'as a stream, and by any number of workers' '
	perf report -i a.data --latency >one && PERF_WORKERS=4 perf report -i a.data --latency >four && test_cmp one four &&
	perf inject -i a.data -o - >pipe.data && perf report -i - --latency <pipe.data >out && grep -v "^#" out | grep . >rows &&
	grep -v "^#" one | grep . >want && test_cmp want rows
'
test_expect_success 'what ran when the recording began counts from the beginning' '
	rows -i b.data -F parallelism,sample >rows && grep "^2,2$" rows && grep "^1,1$" rows
'
test_expect_success 'without switches it is told how to get them' '
	perf report -i none.data --latency >out 2>err && grep "perf record" err && perf report -i none.data -s comm >out && grep main out
'
test_expect_success 'a live recording' '
	perf record -q --latency -o live.data -e cpu-clock -- $PERF test -w thloop 1 2>err &&
	perf report -i live.data --latency >out && grep "Latency  Overhead" out &&
	rows -i live.data -F parallelism >rows && grep "^[1-9][0-9]*$" rows && ! grep "^0$" rows
'
test_done
