#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='block parse: events and counts as blkparse has them, of recordings and of files of blktrace in both byte orders'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PYTHON

python() { PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/$1" "${@:2}"; }
python block-kernels.py io.data 6.18 || exit 1
test_lazy_prereq BLKPARSE 'blkparse is not installed' 'command -v blkparse'

test_expect_success 'lines of blkparse' '
	perf block parse -i io.data >out && cat >want <<-\END && head -9 out >got && test_cmp want got &&
	  7,0    0        1     0.000000000   100  Q   W 100 + 8 [writer]
	  7,0    0        2     0.000001000   100  G   W 100 + 8 [writer]
	  7,0    0        3     0.000002000   100  Q   W 108 + 8 [writer]
	  7,0    0        4     0.000003000   100  M   W 108 + 8 [writer]
	  7,0    0        5     0.000004000   100  Q   W 92 + 8 [writer]
	  7,0    0        6     0.000005000   100  F   W 92 + 8 [writer]
	  7,0    0        7     0.000010000   100  I   W 92 + 24 [writer]
	  7,0    0        8     0.000030000     7  D   W 92 + 24 [kworker/0:1H]
	  7,0    0        9     0.000130000     7  C   W 92 + 24 [0]
	END
	test_grep "^  8,1    0        2     0.001101000   100  X   R 5000 / 5008 \[writer\]$" out &&
	test_grep "^  7,0    0       15     0.000560000     7  C  FF 18446744073709551615 \[0\]$" out &&
	test_grep "^  8,0    0        8     0.001200000     7  C   R 5008 + 8 \[-5\]$" out
'
test_expect_success 'their counts' '
	cat >want <<-\END && sed -n "/^CPU0 (7,0)/,/^Skips/p" out | expand >got && test_cmp want got
	CPU0 (7,0):
	 Reads Queued:           0,        0KiB  Writes Queued:           5,       16KiB
	 Read Dispatches:        2,        0KiB  Write Dispatches:        2,       16KiB
	 Reads Requeued:         0               Writes Requeued:         0
	 Reads Completed:        2,        0KiB  Writes Completed:        4,       16KiB
	 Read Merges:            0,        0KiB  Write Merges:            2,        8KiB
	 Read depth:             1               Write depth:             1
	 IO unplugs:             0               Timer unplugs:           0

	Throughput (R/W): 0KiB/s / 16000KiB/s
	Events (7,0): 21 entries
	Skips: 0 forward (0 -   0.0%)
	END
'
test_expect_success 'files of blktrace say the same' '
	perf data convert -i io.data --to-blktrace dir 2>err && grep "Converted 45 events into blktrace files in dir" err &&
	ls dir >files && test_grep "^7-0.blktrace.0$" files && test_grep "^8-0.blktrace.0$" files && ! grep 8-1 files &&
	perf block parse -i dir/7-0 | grep "^  7,0" >got && grep "^  7,0" out | sed "s/ FF / FN /" >want && test_cmp want got
'
test_expect_success 'a report of them is that of the recording' '
	perf block -i io.data --csv >want && perf block -i dir --csv | sed "s/^\(.\)-0,/\"\1,0\",/; s/^253-0,/\"253,0\",/" >got && test_cmp want got
'
test_expect_success 'of the other byte order, alone and as a stream' '
	mkdir big && for f in dir/*; do python blktrace-swap.py $f big/${f#dir/} || return 1; done &&
	perf block parse -i dir >want && perf block parse -i big >got && test_cmp want got &&
	perf block parse -i dir/8-0.blktrace.0 | grep "^  8,0" >want && cat big/8-0.blktrace.0 | perf block parse -i - | grep "^  8,0" >got && test_cmp want got &&
	perf block parse -i - <big/8-0.blktrace.0 | grep "^  8,0" >got && test_cmp want got
'
test_expect_success 'messages of schedulers and users stand between the events, with their text' '
	cat >want <<-\END &&
	  7,0    0        1     0.000000000   100  Q  WS 8 + 8 [writer]
	  7,0    0        0     0.000000500     0  m   N bfq100S add_request 1
	  7,0    1        0     0.000001000     0  m   N hello from a user
	  7,0    0        0     0.000002000     0  m   N of a group
	  7,0    0        0     0.000003000     0  m   N bad \x1b[31m\x0atext
	  7,0    0        2     0.000004000     0  C  WS 8 + 8 [0]
	  7,0    1        0     0.000005000     0  m   N
	END
	for order in "<" ">"; do
		python blktrace-messages.py "notes$order" "$order" && perf block parse -i "notes$order" >out && sed -n "s/ *\$//; /^  7,0/p" out >got && test_cmp want got &&
		test_grep "^Events (loop0): 2 entries" out &&
		cat "notes$order"/loop0.blktrace.0 | perf block parse -i - >out &&
		test "$(grep -c "  m   N " out)" -eq 3 || return 1
	done
'
test_expect_success 'all devices in one file' '
	perf block parse -i dir -O -d all.bin >counts && ! grep "^  [78]," counts && perf block parse -i all.bin >got && perf block parse -i dir >want &&
	grep "^ " want >lines && grep "^ " got | test_cmp lines -
'
test_expect_success BLKPARSE 'blkparse reads our files, and says the same' '
	(cd dir && blkparse 7-0 8-0 2>/dev/null) | grep "^  [78],0" >want &&
	perf block parse -i dir | grep "^  [78],0" | sed "s/\[-5\]/[65531]/" >got && test_cmp want got
'
test_expect_success 'formats' '
	perf block parse -i io.data -O | head -1 >want &&
	perf block parse -i io.data -f "%D|%M|%m|%3c|%-4s|%T.%t|%6p|%-3a|%4d|%-14C|%e|%n|%N|%S|%%\\n" >got &&
	sed -n 8,9p got >lines &&
	cat >want <<-\END && test_cmp want lines &&
	  7,0  |7|0|  0|8   |0.000030000|     7|D  |   W|kworker/0:1H  |0|24|12288|92|%
	  7,0  |7|0|  0|9   |0.000130000|     7|C  |   W|unknown       |0|24|12288|92|%
	END
	test_expect_code 129 perf block parse -i io.data -f "%z" 2>err && grep "no field .%z" err &&
	test_expect_code 129 perf block parse -i io.data -f "%" 2>err && test_expect_code 129 perf block parse -i io.data -f "%999a" 2>err
'
test_expect_success 'the time since the step before' '
	perf block parse -i io.data -t >out && test_grep " I   W 92 + 24 (    9000) \[writer\]$" out &&
	test_grep " D   W 92 + 24 (   20000) \[kworker/0:1H\]$" out && test_grep " C   W 92 + 24 (  100000) \[0\]$" out &&
	perf block parse -i io.data -t -f "%a %S %u\\n" >out && test_grep "^C 92 100$" out
'
test_expect_success 'one device, a part of the time, a pipe' '
	perf block parse -i io.data --dev 253:0 >out && test "$(grep -c "^253,0 " out)" = 2 && ! grep "^  [78]" out &&
	perf block parse -i - <io.data --time ,1.000003 >out && test "$(grep -c "^  7,0" out)" = 4
'
test_expect_success 'damaged files tell what there is' '
	size=$(stat -c %s dir/7-0.blktrace.0) && mkdir cut && head -c $((size - 5)) dir/7-0.blktrace.0 >cut/7-0.blktrace.0 &&
	test_expect_code 255 perf block parse -i cut >got 2>err &&
	grep "cut/7-0.blktrace.0: the last record is cut off at byte [0-9]*" err &&
	test "$(grep -c "^  7,0" got)" = 20 &&
	{ cat dir/7-0.blktrace.0 && echo nonsense that is long enough to be a record of blktrace; } >cut/7-0.blktrace.0 &&
	test_expect_code 255 perf block -i cut >got 2>err && grep "cut/7-0.blktrace.0: there is no record of blktrace at byte" err && test -s got &&
	mkdir empty && : >empty/sda.blktrace.0 && test_expect_code 255 perf block -i empty 2>err && grep "no events of blktrace in empty" err
'
test_expect_success 'a folder that cannot be made, options of the report' '
	: >file && test_expect_code 255 perf data convert -i io.data --to-blktrace file/dir 2>err && grep "cannot make the folder file/dir" err &&
	test_expect_code 255 perf block parse -i dir --time 10%-20% 2>err && grep "are for recordings, and dir is of blktrace" err &&
	test_expect_code 129 perf block --json parse -i io.data 2>err && grep "do not go with parse" err
'
test_done
