#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='kvm: the other commands on guests and their host, and what guests are left for while they run'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS
test_lazy_prereq KVM 'the kernel has no tracepoints of kvm, or they cannot be opened' 'perf record -q -o kvm.data -e kvm:kvm_exit -a -- true'

events() { perf evlist -i "$1" | grep -v "^#" | xargs; }

test_expect_success 'the file depends on the machines, as do the letters of events' '
	perf kvm record -q -e cpu-clock -- true && test "$(events perf.data.guest)" = cpu-clock:G &&
	perf kvm --host record -q -e cpu-clock:u,cpu-clock:H -- true && test "$(events perf.data.kvm)" = "cpu-clock:uHG cpu-clock:H" &&
	perf kvm --host --no-guest record -q -e cpu-clock -- true && test "$(events perf.data.host)" = cpu-clock:H &&
	perf kvm -o own.data record -q -e cpu-clock -- true && perf kvm record -q -o own2.data -e cpu-clock -- true && test -s own.data && test -s own2.data
'
test_expect_success 'record needs no event' '
	rm perf.data.guest && perf kvm record -q -- true && case $(events perf.data.guest) in cycles:G | cpu-clock:G) ;; *) false ;; esac &&
	perf evlist -v -i perf.data.guest >got && grep "exclude_host: 1" got && ! grep precise_ip got
'
test_expect_success 'report and buildid-list read that file, and diff compares two' '
	perf kvm --host record -q -e cpu-clock -- sh -c "i=0; while test \$i -lt 20000; do i=\$((i + 1)); done" &&
	perf kvm --host report --stdio >got 2>err && grep "Event count" got && grep "of event .cpu-clock:HG" got &&
	perf kvm --host buildid-list >got && test -s got &&
	cp perf.data.kvm perf.data.host && cp perf.data.kvm perf.data.guest && perf kvm diff >got && grep "Baseline" got &&
	perf kvm diff perf.data.kvm perf.data.host >want && tail -n +5 want >a && tail -n +5 got >b && test_cmp a b
'
test_expect_success 'stat counts with the letters, and --machines alone does so' '
	perf kvm --host stat -e task-clock,cpu-clock:u true 2>got && grep "task-clock:HG " got && grep "cpu-clock:uHG " got &&
	perf kvm --guest stat true 2>got && grep "context-switches:G " got &&
	perf stat --machines host -e task-clock true 2>got && grep "task-clock:H " got &&
	perf stat --machines host --no-machines -e task-clock true 2>got && grep "task-clock " got &&
	test_expect_code 129 perf stat --machines moon true 2>err && grep "moon. is neither host nor guest" err
'
test_expect_success 'top tells samples of guests apart, if it is to' '
	timeout 30 perf kvm --host top --stdio -e cpu-clock -d 1 </dev/null 2>/dev/null | sed -n "/PerfTop/ { p; q; }" >got &&
	grep "guest kernel: 0.0% guest us: 0.0%.*cpu-clock:HG" got &&
	timeout 30 perf kvm --host --no-guest top --stdio -e cpu-clock -d 1 </dev/null 2>/dev/null | sed -n "/PerfTop/ { p; q; }" >got &&
	grep "cpu-clock:H" got && ! grep guest got
'
test_expect_success 'what cannot be is refused, and what is of no use is told' '
	test_expect_code 129 perf kvm --no-guest record true 2>err && grep "nothing to look at" err &&
	test_expect_code 129 perf kvm nonsense 2>err && grep "Unknown command: nonsense" err &&
	test_expect_code 255 perf kvm -i none.data report 2>err && grep none.data err &&
	perf kvm --guestkallsyms x record -q -e cpu-clock -- true 2>err && grep "give their options to kvm report" err &&
	test_expect_code 129 perf kvm stat live -d 0 2>err && test_expect_code 129 perf kvm stat live -a -p 1 2>err && grep "is not" err
'
test_expect_success KVM 'stat record and report' '
	perf kvm --host stat record -q -a -- true && perf kvm --host stat report >got && grep VM-EXIT got && grep "all VMs, all VCPUs" got &&
	events perf.data.kvm >names && grep "kvm:kvm_entry" names &&
	perf kvm stat record -q -o o.data -p $$ -- true && perf kvm -i o.data stat report --event msr >got &&
	grep "MSR Access" got
'
test_expect_success KVM 'stat live goes on without standard input, and a signal ends it with the last table' '
	perf kvm stat live -d 1 -m 64 --proc-map-timeout 100 </dev/null >live 2>err & pid=$! &&
	wait_for grep -q "^Total" live && kill -TERM $pid && wait $pid && grep "Samples%" live &&
	test "$(grep -c "^Total Samples" live)" -ge 2 && grep -E "^[0-9:]{8}\.[0-9]{6}$" live
'
test_expect_success KVM 'a closed pipe ends it, too' 'timeout 20 perf kvm stat live -p $$ | head -n 3 >got && grep "pid(s) $$" got'
test_done
