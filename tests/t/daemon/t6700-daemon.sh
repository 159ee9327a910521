#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# takes long
# with sanitizers in check-long only
test_description='perf daemon: sessions that start, change, die, dump and end; clients, and those who may not be one'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

. "$SRC/tests/t/daemon/sessions.sh"

two() { config "size=-e cpu-clock -m 1 sleep 1000" "time=-e task-clock -m 1 sleep 1000"; }

test_expect_success 'sessions start, and the list has their files' '
	two >cfg && perf daemon start --config cfg && until_true lists 3 && perf daemon --config cfg -x: >out && cat out &&
	grep -E "^[0-9]+:daemon:$PWD/base:$PWD/base/output:$PWD/base/lock:0$" out &&
	grep -E "^[0-9]+:size:-e cpu-clock -m 1 sleep 1000:$PWD/base/session-size:$PWD/base/session-size/output:$PWD/base/session-size/control:$PWD/base/session-size/ack:0$" out &&
	perf daemon --config cfg >out && grep -E "^\[[0-9]+:time\] perf record -e task-clock -m 1 sleep 1000$" out &&
	perf daemon --config cfg -v >out && grep "^  ack:     $PWD/base/session-time/ack$" out && test "$(grep -c "^  up:      0 minutes" out)" = 3 &&
	test "$(cat base/lock)" = "$(field daemon 1)"
'
test_expect_success 'ping asks each session, or one' '
	until_true perf daemon ping --config cfg && perf daemon ping --config cfg >out && printf "OK   size\nOK   time\n" >want && test_cmp want out &&
	perf daemon --base base ping --session time >out && test "$(cat out)" = "OK   time" &&
	test_expect_code 255 perf daemon ping --config cfg --session other >out && test "$(cat out)" = "FAIL other (not found)"
'
test_expect_success 'a second daemon is refused' '
	test_expect_code 255 perf daemon start --config cfg 2>err && grep "^failed: another perf daemon (pid $(field daemon 1)) owns $PWD/base$" err
'
test_expect_success 'a changed, an emptied and a restored configuration are followed' '
	old=$(field time 1) && kept=$(field size 1) &&
	config "size=-e cpu-clock -m 1 sleep 1000" "time=-e task-clock -m 2 sleep 1000" >new && mv new cfg &&
	changed() { test "$(field time 3)" = "-e task-clock -m 2 sleep 1000" && test "$(field time 1)" -gt 0; } &&
	until_true changed && ended "$old" && test "$(field size 1)" = "$kept" &&
	config >cfg && until_true lists 1 && ended "$kept" && two >cfg && until_true lists 3
'
test_expect_success 'what is wrong in it is told, and the rest works' '
	{ two; printf "[session-bad \"../x\"]\nrun = -a\n[session-worse]\nrun = -a\nkeep = lots\n"; } >cfg &&
	until_true says "session .worse. is left out: keep is a number of files" && says "session .bad\.\.\./x. is left out" && lists 3 &&
	rm cfg && until_true says "the sessions stay as they are" && two >cfg && until_true lists 3 && test ! -e x
'
test_expect_success 'a storm of changes ends in the last one' '
	for i in $(seq 50); do config "s$((i % 3))=-e cpu-clock -m 1 sleep 1000" >cfg; done && two >cfg &&
	settled() { lists 3 && test -n "$(field size 1)" && test -n "$(field time 1)"; } && until_true settled && sleep 0.5 && settled
'
test_expect_success 'two signals give two files, and only as many as are to be kept stay' '
	{ config "dump=-e cpu-clock -m 4 --switch-output -a"; printf "keep = 2\n"; } >cfg && until_true lists 2 && until_true perf daemon ping --config cfg &&
	dumps() { test "$(find base/session-dump -name "perf.data.2*" | wc -l)" "$@"; } &&
	dumped() { test "$(grep -c "Dump perf.data" base/session-dump/output)" -ge "$1"; } &&
	for i in 1 2 3; do
		perf daemon signal --config cfg >out && grep -E "^signal 12 sent to session .dump \[[0-9]+\].$" out || return 1
		until_true dumped "$i" && sleep 1.1 || return 1
	done && until_true dumps = 2 && f=$(find base/session-dump -name "perf.data.2*" | head -n 1) && perf report --stdio -i "$f" >/dev/null
'
test_expect_success 'a session that dies is started again, after growing pauses' '
	two >cfg && until_true lists 3 && pid=$(field size 1) && kill -9 "$pid" && until_true says "session .size. killed (signal 9)" &&
	says "session .size. is started again in 1 s" && until_true lists 3 && test "$(field size 1)" != "$pid" &&
	kill -9 "$(field size 1)" && until_true says "again in 2 s" && until_true lists 3 &&
	perf daemon status --config cfg >out && grep -E " size +running " out &&
	perf daemon status --config cfg --json >out &&
	python3 -c "import json; d = json.load(open(\"out\")); assert [s[\"failures\"] for s in d[\"sessions\"]] == [2, 0]"
'
test_expect_success 'windows: events count in a part of the time' '
	{ config "win=-e cpu-clock -F 1000 -a"; printf "every = 2s\nfor = 500ms\n"; } >cfg && until_true lists 2 && sleep 7 && perf daemon stop --config cfg &&
	perf script -i base/session-win/perf.data -F time >times && test -s times &&
	awk "{ t = \$1 + 0; if (last && t - last > 0.7) gaps++; last = t } END { print gaps + 0; exit gaps < 2 }" times
'
# The shell works meanwhile, so that there is something to sample.
test_expect_success 'a session that takes more CPU than its budget pauses' '
	{ config "busy=-e cpu-clock -F 20000 -a -g" "size=-e cpu-clock -m 1 sleep 1000" | sed "/busy/,/run/s/^run.*/&\nrate = 0.1%/"; } >cfg && cat cfg &&
	perf daemon start --config cfg && until_true lists 3 &&
	over() { for i in $(seq 20000); do :; done; says "session .busy. took [0-9.]*% of a CPU, more than 0.1%: it pauses"; } &&
	until_true over && perf daemon status --config cfg >out && grep -E " busy +over budget " out && grep -E " size +running " out &&
	until_true grep "^Events disabled" base/session-busy/output && perf daemon stop --config cfg
'
test_expect_success 'stop waits for the data; nothing is left running' '
	two >cfg && perf daemon start --config cfg && until_true lists 3 && perf daemon --config cfg -x: | cut -d: -f1 >pids && perf daemon stop --config cfg &&
	for p in $(cat pids); do until_true ended "$p" || return 1; done && perf report --stdio -i base/session-size/perf.data >/dev/null && test ! -e base/control &&
	test_expect_code 255 perf daemon --config cfg 2>err && grep "^failed: no perf daemon runs on $PWD/base" err
'
test_expect_success 'when the daemon is killed its sessions end, and another one starts' '
	perf daemon start --config cfg && until_true lists 3 && daemon=$(field daemon 1) && s=$(field size 1) && kill -9 "$daemon" &&
	until_true ended "$s" && perf daemon start --config cfg && until_true lists 3 && perf daemon stop --config cfg
'
test_expect_success 'descriptors do not leak, and the caller keeps its own' '
	exec 9>mine && perf daemon start --config cfg && exec 9>&- && until_true lists 3 && until_true perf daemon ping --config cfg && d=$(field daemon 1) &&
	fds() { ls /proc/$d/fd | wc -l; } && before=$(fds) &&
	for i in $(seq 10); do perf daemon --config cfg >/dev/null; perf daemon ping --config cfg >/dev/null; done &&
	for i in 1 2 3; do config >cfg; until_true lists 1; two >cfg; until_true lists 3; done && test "$(fds)" = "$before" &&
	ls -l /proc/$d/fd >list && test_grep ! "mine$" list && perf daemon stop --config cfg
'
test_expect_success 'reasons to dump: a file appears, an event is frequent' '
	{ config "why=-e cpu-clock -m 4 --switch-output -a"; printf "on = file:%s/trigger,event:page-faults>500\n" "$PWD"; } >cfg &&
	perf daemon start --config cfg && until_true perf daemon ping --config cfg && sleep 2.2 && touch trigger && until_true says "session .why. dumps: file:" &&
	for i in $(seq 400); do /bin/true; done; until_true says "dumps: event:page-faults>500" && perf daemon stop --config cfg
'
test_expect_success 'metrics are served on this machine' '
	{ two | sed "s/^base=.*/&\nmetrics = 0/"; } >cfg && perf daemon start --config cfg && until_true lists 3 &&
	url=$(sed -n "s/.*served on //p" base/output) &&
	python3 -c "import sys, urllib.request as u; print(u.urlopen(sys.argv[1]).read().decode())" "$url" >out &&
	grep "^perf_daemon_session_up{session=\"size\"} 1$" out && perf daemon stop --config cfg
'
test_expect_success ROOT 'others may neither ask nor take its place' '
	chmod 755 . .. && perf daemon start --config cfg && until_true lists 3 && chmod 755 base &&
	test_expect_code 255 setpriv --reuid=65534 --clear-groups "$PERF" daemon --base "$PWD/base" 2>err && grep "cannot connect.*Permission denied" err &&
	perf daemon stop --config cfg && test_expect_code 255 setpriv --reuid=65534 --clear-groups "$PERF" daemon start --base "$PWD/base" 2>err &&
	grep "^failed: .*base belongs to another user (0)" err
'
test_expect_success ROOT 'a base on a file system that takes nothing, or has no room' '
	mkdir ro full && mount -t tmpfs -o ro none ro && mount -t tmpfs -o size=64k none full &&
	{ test_expect_code 255 perf daemon start --base ro/base --config cfg 2>err; cat err; grep "cannot make the base directory .*Read-only file system" err; } &&
	{ config "fill=-e cpu-clock -F 20000 -a -g" | sed "s|^base=.*|base=$PWD/full/base|" >cfg2
		perf daemon start --config cfg2 && fails() { grep -q "session .fill. exited, status=" full/base/output; } && until_true fails
		perf daemon status --config cfg2 && perf daemon stop --config cfg2; }; r=$?; umount ro full; return $r
'
test_expect_success 'without a base, or with a verb that is none' '
	test_expect_code 255 perf daemon 2>err && grep "^failed: no base directory" err &&
	test_expect_code 255 perf daemon begin 2>err && grep "^failed: unknown command .begin.$" err &&
	test_expect_code 255 perf daemon start --config none 2>err && grep "^failed: cannot read the configuration .*/none: No such file" err
'
perf daemon stop --base base 2>/dev/null
test_done
