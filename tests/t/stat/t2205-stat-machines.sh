#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
TEST_TIMEOUT=600
# with sanitizers in check-long only
# turn 6 of 8
test_description='stat: PMUs, sockets and kinds of cores that are not here: to the digit as the reference'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/t/stat/stat.sh"
test_require PERF_EVENTS

# A library is preloaded; behind those of sanitizers, which have to be the first.
SAN_LIBS=$(ldd "$PERF" | sed -n 's/.*=> \(.*lib[a-z]*san\.so[^ ]*\) .*/\1/p' | tr '\n' ' ')
test -z "$SAN" || test -n "$SAN_LIBS" || test_skip_all 'sanitizers that are part of the program go before no library'
test "$(nproc)" -ge 2 || test_skip_all 'less than two CPUs'
while read -r path text; do
	case $path in "#"*) continue ;; esac
	mkdir -p "${path%/*}" && echo "$text" >"$path"
done <"$SRC/tests/data/stat-machines.txt"
mkdir -p big/cpu/caps
ln -s ../../cpus/cpu0 nodes/node0/cpu0
ln -s ../../cpus/cpu1 nodes/node1/cpu1
MACHINES=$PWD

# preloaded PERF: what else it needs; the reference is as it is
preloaded() { test "$1" = "$REF" || echo "$SAN_LIBS"; }
# on MACHINE COMMAND...: there, where events count what tests/data/counters.c makes of their numbers
on() {
	unshare -m sh -c 'mount --bind "$0/$1" /sys/bus/event_source/devices && mount --bind "$0/cpus" /sys/devices/system/cpu &&
		mount --bind "$0/nodes" /sys/devices/system/node && shift && exec "$@"' "$MACHINES" "$1" \
		timeout 60 env LD_PRELOAD="$(preloaded "$2")$MACHINES/counters.so" "${@:2}"
}
test_lazy_prereq MACHINES 'needs a C compiler and mount namespaces' '
	cd "$MACHINES" && ${CC:-gcc} -shared -fPIC -o counters.so "$SRC/tests/data/counters.c" -ldl && on big true'
test_have_prereq MACHINES || test_skip_all "${test_why[MACHINES]}"

# Nothing of it but time is a matter of chance.
untimed() {
	sed -E -e 's/[0-9.]+ (\+- [0-9.]+ )?seconds/N seconds/; s/ +[0-9.]+ CPUs utilized/ N CPUs/; s/[0-9.]+(,|", "metric-unit" : ")CPUs/N CPUs/' \
		-e 's/"metric-value" : [0-9.]+, "metric-unit" : "CPUs/CPUs/; s/^ +[0-9]+\.[0-9]{9}/TIME/; s/"interval" : [0-9.]+/TIME/' \
		-e 's/^ +N seconds +.*/N seconds/' -e '/perf stat --compare/d' "$1"
}
one() {
	(eval "on $machine $1 stat $2") >printed 2>&1
	echo "exit $?" >>printed
	case $2 in
	# the last one may be too short to have counts
	*"-I "*) untimed printed | some_intervals ;;
	*) untimed printed ;;
	esac
}

for machine in big hybrid; do
	test_expect_success REFERENCE "$machine: as the reference" '
		mkdir -p as.$machine && cd as.$machine &&
		sed -n "/^= $machine/,/^= /p" "$SRC/tests/data/stat-machine-combos.txt" | grep -v "^=" >table &&
		all_alike table && test "$(wc -l <lines)" -ge 2
	'
done

test_lazy_prereq SCRIPT 'no script(1) to make a terminal with' 'script -qec true /dev/null'
export -f on preloaded
export MACHINES SAN_LIBS
ESC=$(printf '\033')
# on_tty PERF OPTION...: what is on a terminal then; script(1) asks $SHELL, and where that
# is dash, bash's exported functions are dropped from the environment
on_tty() {
	rm -f seen
	SHELL=$(command -v bash) TERM=${term:-xterm} script -qec "bash -c 'on big $1 stat ${*:2}'" seen </dev/null >/dev/null
	sed -e '/^Script /d' seen | tr -d '\r' >shown && untimed shown
}
test_expect_success REFERENCE,SCRIPT 'on a terminal what is beyond its threshold has a colour, as the reference gives it' '
	for line in "-ddd true" "-a --per-socket -d true" "-e branches,branch-misses,cycles,instructions true"; do
		on_tty "$REF" $line >theirs && on_tty "$PERF" $line >ours && test_grep -F "$ESC[31m" ours && test_cmp theirs ours || return 1
	done
'
test_expect_success SCRIPT '... unless nobody wants colours, or the terminal has none, or counts go to a file' '
	NO_COLOR=1 on_tty "$PERF" -d true >out && test_grep "branch-misses" out && test_grep ! -F "$ESC" out &&
	term=dumb on_tty "$PERF" -d true >out && test_grep "branch-misses" out && test_grep ! -F "$ESC" out &&
	on_tty "$PERF" -d -o file true >out && test_grep "branch-misses" file && test_grep ! -F "$ESC" file
'
# metrics of a file, with a threshold that is passed
test_expect_success SCRIPT 'thresholds of metrics: red beyond, with --metric-no-threshold not' '
	mkdir -p metrics && echo "[{\"MetricName\": \"much\", \"MetricExpr\": \"cycles / instructions\", \"MetricThreshold\": \"much > 0.1\"}]" >metrics/m.json &&
	on_tty "$PERF" --events-dir "$PWD/metrics" -M much true >out && test_grep -F "$ESC[31m" out &&
	on_tty "$PERF" --events-dir "$PWD/metrics" --metric-no-threshold -M much true >out && test_grep much out && test_grep ! -F "$ESC" out
'

# rows MACHINE OPTION...: CSV without times on counters
rows() { on "$1" perf stat -x, "${@:2}" true 2>&1 | cut -d, -f1-4; }

test_expect_success 'kinds of cores: one of them, both as one, each where it counts' '
	rows hybrid --cputype atom -e cycles -e instructions >out && printf "%s\n" 11010,,cpu_atom/cycles/,8000000 \
		16014,,cpu_atom/instructions/,6000000 | test_cmp - out &&
	rows hybrid --hybrid-merge -a -e cycles:u -e instructions/name=mine/ >out &&
	sed "s/,[0-9]*\$//" out >names && printf "%s\n" 43014,,cycles:u 60019,,mine | test_cmp - names &&
	rows hybrid -a -A -e cycles >out && printf "%s\n" CPU1,33010,,cpu_atom/cycles/ CPU0,10004,,cpu_core/cycles/ | test_cmp - out
'
# where the reference ends with a signal
test_expect_success 'one of several PMUs that are alike' '
	rows big -a -A --pmu-filter uncore_imc_1 -e imc/cas_count_read/ -e cs >out && cut -d, -f1,4 out >names && cat out &&
	test_grep "imc" names && test_grep "cs" names && rows big -a --no-merge --pmu-filter "*imc_0" -e imc/clockticks/ >out &&
	test_grep "uncore_imc_0/clockticks/" out && test_line_count = 1 out &&
	test_expect_code 234 on big perf stat --pmu-filter nosuch -a -e cs true 2>err && test_grep "this machine has no PMU .nosuch." err
'
test_expect_success 'kinds of cores: groups on CPUs of one kind' '
	on hybrid perf stat -x, -C 0 -e "{cycles,instructions},cs" true >out 2>&1 &&
	test_grep "^WARNING: 0 isn.t a .cpu_atom." out && grep -v WARNING out | cut -d, -f1-3 >rows &&
	printf "%s\n" 10004,,cpu_core/cycles/ 12005,,cpu_core/instructions/ 22010,,cs | test_cmp - rows
'
test_expect_success 'kinds of cores: a rate is by the time of its own CPUs' '
	on hybrid perf stat -a --per-core -x, -e cpu-clock,branches true 2>out && test_grep "^S1-D0-C0,1,45001,,cpu_atom/branches/,8000000,100.00,15.000,M/sec" out
'
test_expect_success '--topdown: the shares of slots, with their names, by core, for programs' '
	on big perf stat --topdown -a true 2>out && test_grep "topdown_backend_bound .* topdown_retiring" out &&
	test_grep "^  *-60.1  *105.6  *-74.2  *128.6" out &&
	on big perf stat --topdown -a --per-core true 2>out && test "$(grep -c "^S[01]-D[01]-C0  *1  *-60.1 " out)" = 2 &&
	on big perf stat --topdown -a -x, true 2>out && test_grep "^-60.1,105.6,-74.2,128.6,\$" out &&
	test_expect_code 234 on big perf stat --topdown -a --td-level 2 true 2>err && test_grep "max level is 1" err &&
	test_expect_code 234 on big perf stat --topdown true 2>err && test_grep "system-wide" err
'
test_expect_success 'transactions' '
	on big perf stat -T true 2>out && test_grep "cpu/tx-start/  *#  *[0-9]* cycles / transaction" out &&
	test_grep "cpu/el-start/  *#  *[0-9]* cycles / elision" out && test_grep "transactional cycles" out
'
test_expect_success 'caches and clusters' '
	on big perf stat -a --per-cache=L1 -x, -e cycles true 2>out && test "$(cut -d, -f1-3 out | tr "\n" " ")" = "S0-D1-L1-ID0,1,2000 S1-D0-L1-ID1,1,3000 " &&
	on big perf stat -a --per-cluster -x, -e cycles true 2>out && test "$(cut -d, -f1-3 out | tr "\n" " ")" = "S0-D1-CLS40,1,2000 S1-D0-CLS41,1,3000 "
'

# what is printed above and below counts is of that run
only_rows() { grep "^[SNC][-0-9P]" "$1"; }

test_expect_success 'a recording says again what was told apart, or tells other things apart' '
	for how in --per-cache --per-cache=L1 --per-cluster --per-core --per-die --per-node --per-socket -A; do
		on big perf stat record -o x.data -a $how -e cycles,instructions true 2>live &&
		perf stat report -i x.data 2>later && only_rows live >a && only_rows later >b && test_line_count = 4 a && test_cmp a b || return 1
	done &&
	for how in -A --per-core --per-socket --per-node ""; do
		on hybrid perf stat record -o h.data -a $how -e cycles,instructions,cs true 2>live &&
		perf stat report -i h.data 2>later && grep "cycles\|instr\|cs" live | grep -v counter >a &&
		grep "cycles\|instr\|cs" later | grep -v counter >b && test -s a && test_cmp a b || return 1
	done &&
	on big perf stat record -o - -a --per-cluster -e cycles true 2>live | perf stat report -i - 2>later &&
	only_rows live >a && only_rows later >b && test_line_count = 2 a && test_cmp a b &&
	for how in --per-cache --per-cache=L1 --per-core --per-die --per-node --per-socket -A; do
		on big perf stat -a $how -e cycles,instructions true 2>live && perf stat report $how -i x.data 2>later &&
		only_rows live >a && only_rows later >b && test_line_count = 4 a && test_cmp a b || return 1
	done &&
	test_expect_code 255 perf stat report --per-cluster -i x.data 2>err && test_grep "stat record --per-cluster" err &&
	test_expect_code 255 perf stat report --per-cache=L7 -i x.data 2>err && test_grep "caches of that level" err
'
test_expect_success REFERENCE 'the same of a recording of the reference, by caches too' '
	on big "$REF" stat record -o r.data -a -e cycles,instructions true 2>live &&
	on big perf stat -a --per-cache=L1 -e cycles,instructions true 2>live && perf stat report --per-cache=L1 -i r.data 2>later &&
	only_rows live >a && only_rows later >b && test_line_count = 4 a && test_cmp a b &&
	perf stat report --per-node -i r.data 2>later && "$REF" stat report --per-node -i r.data 2>theirs &&
	only_rows theirs >a && only_rows later >b && test_cmp a b
'

test_done
