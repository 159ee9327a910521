#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-long only
test_description='perf daemon: a day of it in two minutes, by a clock that goes faster: no descriptor, process or memory is lost'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

FASTER=720
test_lazy_prereq FASTCLOCK 'needs a C compiler, and a perf into which a library can be loaded' '
	$CC -shared -fPIC -O1 -o fast.so "$SRC/tests/data/fastclock.c" && test -z "$SAN" && LD_PRELOAD=$PWD/fast.so perf version'
test_have_prereq FASTCLOCK || test_skip_all 'needs a C compiler, and a perf into which a library can be loaded'
$CC -shared -fPIC -O1 -o fast.so "$SRC/tests/data/fastclock.c" || exit 1

FASTER_FROM=$(date +%s)
fast() { env LD_PRELOAD="$PWD/fast.so" FASTER=$FASTER FASTER_FROM="$FASTER_FROM" "$PERF" "$@"; }
# config N: its sessions; the one called "changes" is another one for each N. "fails" dies whenever it is started.
config() {
	printf "[daemon]\nbase=%s/base\nmetrics=0\n" "$PWD"
	printf "[session-window]\nrun = -e cpu-clock -F 99 -a -m 4\nevery = 1h\nfor = 10m\n"
	printf "[session-dumps]\nrun = -e cpu-clock -F 99 -a -m 4 --switch-output\nkeep = 3\non = file:%s/trigger\n" "$PWD"
	printf "[session-fails]\nrun = -e cpu-clock -m 4 -- false\n"
	printf "[session-changes]\nrun = -e cpu-clock -a -m %d\n" $((4 << $1 % 2))
}
# list: the daemon gives a client ten seconds, which are few where the clock is fast: it is asked again.
list() {
	local i
	for i in $(seq 20); do perf daemon --base base "$@" >list 2>list.err && cat list && return 0; done
	cat list.err
	return 1
}
field() { list -x: | awk -F: -v s="$1" -v f="$2" '$2 == s { print $f }'; }
runs() { test "$(field "$1" 1)" -gt 0; }
until_true() {
	local i
	for i in $(seq 100); do "$@" >/dev/null 2>&1 && return 0; sleep 0.1; done
	echo "not within 10 s: $*"
	return 1
}
ended() { ! kill -0 "$1" 2>/dev/null; }
# state: descriptors, and children that nobody has waited for; memory in KiB
descriptors() { find "/proc/$daemon/fd" -mindepth 1 | wc -l; }
zombies() { ps -o stat= --ppid "$daemon" | grep -c Z; }
memory() { awk '/^VmRSS/ { print $2 }' "/proc/$daemon/status"; }

test_expect_success 'it starts' '
	config 0 >cfg && fast daemon start --config cfg && until_true runs window && until_true runs dumps && daemon=$(field daemon 1) && test "$daemon" -gt 0
'
# minutes: so long the daemon has run by its own clock.
minutes() { list -v | awk '/^  up:/ { print $2; exit }'; }
test_expect_success 'a day: dumps, changes, sessions that fail and that are killed; nothing grows' '
	for round in $(seq 200); do
		rm -f trigger; sleep 0.7; touch trigger; config "$round" >cfg; sleep 1.3
		test $((round % 10)) -ne 0 || kill -9 "$(field window 1)"
		list -x: >/dev/null && list ping >/dev/null; test "$(zombies)" -le 1 || { ps -o pid,stat,args --ppid "$daemon"; return 1; }
		printf "%s %s\n" "$(descriptors)" "$(memory)" >>grows
		test "$(minutes)" -lt 1440 || break
	done &&
	cat grows && until_true runs window && until_true runs changes && rounds=$(wc -l <grows) && test "$rounds" -ge 4 &&
	awk -v n="$rounds" "NR <= 1 + n / 4 { if (\$1 > first) first = \$1; if (\$2 > least) least = \$2 } NR > n * 3 / 4 { if (!last || \$1 < last) last = \$1; if (\$2 > most) most = \$2 }
		END { print first, last, least, most; exit last > first || most > least + 1024 }" grows
'
test_expect_success 'it has seen a day' '
	test "$(minutes)" -ge 1440 &&
	grep -c "session .fails. is started again" base/output && test "$(find base/session-dumps -name "perf.data.2*" | wc -l)" -le 3
'
test_expect_success 'it ends, and nothing of it is left' '
	list -x: | cut -d: -f1 | grep -v "^[-0]*$" >pids && cat pids && { perf daemon stop --base base || true; } &&
	for p in $(cat pids); do until_true ended "$p" || return 1; done && test ! -e base/control
'
perf daemon stop --base base 2>/dev/null
test_done
