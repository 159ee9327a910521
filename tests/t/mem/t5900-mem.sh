#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='mem: reports and dumps of recorded accesses, as the reference prints them; the recorder where no PMU samples any'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/report.sh"
. "$SRC/tests/t/mem/files.sh"
test_require PYTHON
test_lazy_prereq NO_MEM_PMU 'no PMU samples memory accesses' '! ls /sys/bus/event_source/devices/ibs_op /sys/bus/event_source/devices/arm_spe_0 \
	/sys/bus/event_source/devices/cpu*/events/mem-loads 2>/dev/null | grep -q .'

mem_program && for k in intel amd arm powerpc; do
	mem_file $k.data $k "program=$PWD/prog" || exit 1
done

test_expect_success 'a line for each access' '
	perf mem -p --data-page-size report -D -i intel.data >got && cat >want <<-EOT && head -n 2 got >top && test_cmp want top &&
	# PID, TID, IP, ADDR, PHYS ADDR, DATA PAGE SIZE, LOCAL WEIGHT, DSRC, SYMBOL
	100 101 $writer $shared10 $phys10 N/A 0 0x1002a080184 $PWD/prog:writer
	EOT
	test_line_count = 85 got && perf mem report -D -x, -i intel.data >got && test_line_count = 85 got &&
	test_grep "^100,102,$reader,.*,319,.*:reader" got && perf mem -D -C 1,3 -i intel.data report >got && test_line_count = 48 got &&
	perf mem report -D -i - <intel.data >got && test_line_count = 85 got
'
test_expect_success 'a dump of some of the samples, as script shows them' '
	for o in "--tid 102" "--pid 1" "--comms none" "--time 1.000001,1.000040" "--switch-on cpu/mem-stores/P" "--switch-off cpu/mem-stores/P" \
		"--switch-on cpu/mem-stores/P --switch-off cpu/mem-loads,ldlat=30/P"; do
		perf script -F ip -i intel.data $o >want && perf mem report -D -i intel.data $o >got && test_line_count = $(($(wc -l <want) + 1)) got &&
			perf mem -D report -i - $o <intel.data >again && test_cmp got again || return 1
	done
'
test_expect_success 'a dump has no rows and columns to choose' '
	for o in "-s mem" "-F op" "-T" "-n" "--children" "extra"; do
		test_expect_code 129 perf mem report -D -i intel.data $o >got 2>err && test ! -s got && test -s err || return 1
	done &&
	test_expect_code 129 perf mem -s mem -D report -i intel.data 2>err && test_grep "leave them out with -D" err &&
	test_expect_code 255 perf mem report -D -i intel.data --switch-on none 2>err && test_grep "switch-on event not found (none)" err &&
	test_expect_code 234 perf mem report -D -i intel.data -k none 2>err && test_grep "Invalid file: none" err &&
	perf mem report -D --stdio -i intel.data >got && test_line_count = 85 got
'
# It prints the first sample in another format than the others.
test_expect_success REFERENCE 'as the reference prints them' '
	for f in intel amd arm powerpc; do
		for o in -x, "-p --data-page-size"; do
			"$REF" mem report -D -f -i $f.data $o 2>/dev/null | sed 2d >want && perf mem report -D -i $f.data $o | sed 2d >got && test_cmp want got || return 1
		done
	done
'
# same_mem FILE OPTION...: the report beside the reference's
same_mem() {
	local f=$1

	shift
	"$REF" mem "$@" report --stdio -f -i "$f" 2>/dev/null </dev/null | steady | grep -v "^$" >want
	perf mem "$@" report --stdio -f -i "$f" 2>err </dev/null | steady | grep -v "^$" >got
	test_line_count -ge 5 got && test_cmp want got
}
# Of a recording of POWER it has the columns of the machine it runs on, unless they are named.
test_expect_success REFERENCE 'reports' '
	same_mem powerpc.data -t store --data-page-size && same_mem intel.data -p && same_mem intel.data -t load &&
	same_mem intel.data && same_mem amd.data -t store -p --data-page-size && same_mem arm.data -t load,store --data-page-size
'
test_expect_success 'options of report behind the verb, and ours on both sides of it' '
	perf mem report --stdio -i intel.data -s mem >one && test_grep "76.18%  *22  Remote Remote Cache" one &&
	perf mem -i intel.data report --stdio -s mem >two && test_cmp one two &&
	perf mem -x, -i intel.data rep --stdio -s mem >got && test_grep "^ *76.18% *, *22 *,Remote" got &&
	perf mem -s mem report --stdio -i intel.data >got && test_cmp one got &&
	perf mem report --stdio -i intel.data -F sample,mem >got &&
	test_grep "^ *22  Remote Remote Cache" got &&
	perf mem -C 0 report --stdio -i intel.data -s mem >got && test_grep "40  of event .cpu/mem-stores" one && test_grep "20  of event .cpu/mem-stores" got
'
test_expect_success 'rows broken down by what their accesses are' '
	perf mem report --stdio -x, -i intel.data -F overhead,op,cache,sym -s sym >got 2>err && sed "/^#/d; /^\$/d; s/ //g" got >rows &&
	printf "%s\n" "87.92%,100.00%,0.00%,0.00%,0.46%,0.79%,6.05%,0.79%,86.65%,5.26%,[.]reader" \
		"12.08%,100.00%,0.00%,0.00%,0.00%,0.00%,100.00%,0.00%,0.00%,0.00%,[.]writer" \
		"100.00%,0.00%,100.00%,0.00%,75.00%,0.00%,0.00%,0.00%,0.00%,25.00%,[.]writer" | test_cmp - rows &&
	perf mem report --stdio -i intel.data -F memory,dtlb,snoop >got && test_grep "^#  *RAM  *Rem RAM .* TLB L1 .* HitM  *Hit  *Miss  *None" got &&
	perf mem report --stdio -i intel.data -s snoop >got && test_grep "^#.* Snoop" got &&
	perf mem report -i intel.data -s op >got 2>&1 && test_grep "^Unknown --sort key: .op" got &&
	perf report -i intel.data -F op >got 2>&1 && test_grep "^Unknown --fields key: .op" got
'
test_expect_success 'what is refused' '
	test_expect_code 129 perf mem -t fetch report 2>err && test_grep "unknown sampling op fetch" err &&
	test_expect_code 129 perf mem report -t , -i intel.data 2>err && test_grep "no sampling op is given" err && test_expect_code 129 perf mem 2>err &&
	test_expect_code 129 perf mem bogus 2>err && test_expect_code 255 perf mem report -D -i none.data 2>err && test_grep "none.data" err
'
test_expect_success 'options of the report are refused by record, on both sides of the verb' '
	for o in "-f" "-x," "--input x" "--dump-raw-samples" "--hide-unresolved"; do
		test_expect_code 129 perf mem record $o true 2>err && test_grep "perf mem report shows" err || return 1
	done &&
	for o in "-f" "-x," "-i x" "-D" "-U" "-s mem" "-F op" "-T"; do
		test_expect_code 129 perf mem $o record true 2>err && test_grep "perf mem report shows" err || return 1
	done
'
test_expect_success NO_MEM_PMU 'no event here: one sentence, and a list that says what was looked for' '
	test_expect_code 255 perf mem record true 2>err && head -n 1 err >got &&
	echo "failed: memory events not supported" >want && test_cmp want got && test ! -e perf.data &&
	test_expect_code 255 perf mem record -e list -v >got && test_grep "^ldlat-loads .*not here, as there is no /sys/.*mem-loads" got &&
	test_expect_code 255 perf mem -t load record -p -K --ldlat 50 -a -c 1000 -o x.data -- sleep 1 2>err && head -n 1 err >got && test_cmp want got
'
test_expect_success REFERENCE,NO_MEM_PMU 'with the status of the reference' '
	test_expect_code 255 "$REF" mem record true 2>want && test_grep "memory events not supported" want
'
test_done
