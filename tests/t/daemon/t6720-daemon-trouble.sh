#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='perf daemon: configurations that are broken, replaced or point elsewhere, callers without streams, few rights'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/t/daemon/sessions.sh"
test_require PERF_EVENTS
one() { config "size=-e cpu-clock -m 1 sleep 1000"; }

test_expect_success 'a caller without standard streams: lock, output and socket are whole' '
	one >cfg && perf daemon start --config cfg <&- >&- 2>&- && until_true lists 2 && test "$(cat base/lock)" = "$(field daemon 1)" &&
	test_expect_code 255 perf daemon start --config cfg 2>err && grep "^failed: another perf daemon" err &&
	head -n 1 base/output | grep "^\[.*\] daemon started (pid $(field daemon 1))$" && perf daemon stop --config cfg
'
test_expect_success 'a file with a line that is none starts nothing' '
	{ one; printf "[session-../x]\nrun = -a\n[session-b]\nrun = -a\n"; } >bad && test_expect_code 255 perf daemon start --config bad 2>err &&
	grep "^failed: bad config file line 5 in $PWD/bad$" err && test_expect_code 255 perf daemon --base base 2>err && test ! -e x
'
test_expect_success 'when one appears, all sessions stay, and the daemon can still be asked and stopped' '
	one >cfg && perf daemon start --config cfg && until_true lists 2 && kept=$(field size 1) &&
	{ config; printf "[session-../x]\nrun = -a\n"; one; } >cfg && until_true says "reconfig: bad config file line 3 in $PWD/cfg; the sessions stay as they are" &&
	test "$(field size 1)" = "$kept" && perf daemon stop --config cfg
'
test_expect_success 'metrics begin, move and end with the configuration' '
	get() { python3 -c "import sys, urllib.request as u; print(u.urlopen(sys.argv[1]).read().decode())" "$1"; } &&
	one >cfg && perf daemon start --config cfg && until_true lists 2 && test "$(grep -c "served on" base/output)" = 0 &&
	one | sed "s/^base=.*/&\nmetrics = 0/" >new && mv new cfg && until_true says "served on" && url=$(sed -n "s/.*served on //p" base/output) &&
	get "$url" | grep "^perf_daemon_session_up{session=\"size\"} 1$" && pid=$(field size 1) &&
	one >cfg && until_true eval "! get $url" && test "$(field size 1)" = "$pid" && perf daemon stop --config cfg
'
test_expect_success 'another base is told, and waits for another start' '
	one >cfg && perf daemon start --config cfg && until_true lists 2 && sed "s|^base=.*|base=$PWD/other|" cfg >new && mv new cfg &&
	until_true says "daemon.base has become .$PWD/other., which counts when the daemon is started again" && test ! -e other && perf daemon stop --base base
'
test_expect_success 'a configuration behind a link is followed when the link leads elsewhere' '
	mkdir -p v1 v2 && config >v1/c && one >v2/c && ln -s v1 now && ln -s now/c linked && perf daemon start --config linked && until_true says "daemon started" &&
	ln -s v2 next && mv -T next now && until_true says "running session .size:" && perf daemon stop --base base
'
test_expect_success 'a session that cannot have its directory waits longer each time, and is up for no minute' '
	echo x >base/session-size.file && rm -rf base/session-size && mv base/session-size.file base/session-size && one >cfg && perf daemon start --config cfg &&
	until_true says "cannot use the directory $PWD/base/session-size: Not a directory" && until_true says "session .size. is started again in 2 s$" &&
	perf daemon --config cfg -v >out && cat out && test "$(grep -c "^  up:      0 minutes" out)" = 2 && perf daemon stop --config cfg && rm base/session-size
'
test_lazy_prereq SETPRIV 'needs root and setpriv' '
	test "$(id -u)" = 0 && setpriv --reuid=65534 --clear-groups --inh-caps=-all,+perfmon --ambient-caps=+perfmon --bounding-set=-all,+perfmon true
'
test_expect_success SETPRIV 'the rights that the service has are enough' '
	mkdir own && chown 65534 own && cp "$PERF" own/perf && printf "[session-s]\nrun = -e cpu-clock -g -a --switch-output\n" >own/cfg && chmod 755 . .. &&
	setpriv --reuid=65534 --clear-groups --inh-caps=-all,+perfmon --ambient-caps=+perfmon --bounding-set=-all,+perfmon --no-new-privs \
		env HOME=/ own/perf daemon start --base "$PWD/own/base" --config own/cfg &&
		until_true perf daemon --base own/base ping && perf daemon signal --base own/base &&
	until_true grep "Dump perf.data" own/base/session-s/output && perf daemon stop --base own/base &&
	perf report -f --stdio -i "$(find own/base/session-s -name "perf.data.2*" | head -n 1)" >out && grep "\[k\]" out
'
test_lazy_prereq SYSTEMD 'needs systemd-analyze' 'command -v systemd-analyze'
test_expect_success SYSTEMD 'the service is one that systemd takes' '
	sed "s|@bindir@/perf|$PERF|" "$SRC/scripts/systemd/perf-daemon.service" >perf-daemon.service &&
	systemd-analyze verify ./perf-daemon.service 2>err; cat err; test ! -s err
'
perf daemon stop --base base 2>/dev/null
test_done
