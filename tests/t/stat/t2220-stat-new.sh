#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 1 of 2
test_description='stat: commands compared, a live view, counts for a monitor'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

# --- --compare ---

test_expect_success 'what the runs print is hidden, and shown with --show-output' '
	perf stat -e page-faults --compare "echo one; echo two >&2" --compare "echo three" -r 2 --warmup 1 >out 2>err && test_line_count = 0 out &&
	test_grep ! "^two" err && test_grep "Performance counter comparison" err &&
	perf stat -e page-faults --compare "echo one; echo two >&2" --compare "echo three" -r 2 --warmup 1 --show-output >out 2>err &&
	test "$(grep -c one out)" -eq 3 && test "$(grep -c three out)" -eq 3 && test "$(grep -c "^two" err)" -eq 3 &&
	test_expect_code 234 perf stat --show-output true 2>err && test_grep "show-output are for --compare" err &&
	perf stat -e page-faults echo four 2>err >out && test_grep four out
'
test_expect_success 'commands run in turns, after a warm-up of each' '
	perf stat -n --compare "echo a >>order" "echo b >>order" -r 3 2>out &&
	tr -d "\n" <order >turns &&
	test "$(cat turns)" = baabbaab &&
	grep "^ A: echo a >>order (3 runs)$" out && grep "^ B: echo b >>order (3 runs)$" out
'

test_expect_success 'three commands, each against the first; more warm-ups, or none' '
	rm -f order &&
	perf stat -n --compare "echo a >>order" --compare "echo b >>order" -r 2 --warmup 0 \
		"echo c >>order" 2>out &&
	test "$(tr -d "\n" <order)" = abccba &&
	test "$(grep -c "^ elapsed" out)" = 2 && grep " C/A " out
'

test_expect_success 'a command without anything for the shell runs without it' '
	perf stat -x, -e page-faults --compare "true" "true;" -r 4 2>out &&
	awk -F, "/page-faults/ { v[\$1] = \$4 } END { exit !(v[\"B\"] > v[\"A\"] + 10) }" out
'

test_expect_success 'CSV: more is told apart, the same is not' '
	perf stat -x, -e page-faults --compare "perf test -w noploop 0.001" \
		"perf test -w noploop 0.001; true" -r 5 2>out &&
	awk -F, "NF != 10 { exit 1 } { n++ } END { exit n != 8 }" out &&
	awk -F, "/^B,page-faults/ { exit !(\$6 == 5 && \$7 > 1 && \$8 <= \$7 && \$7 <= \$9 &&
		\$8 > 1 && \$10 == 1) }" out &&
	grep "^A,page-faults,,[0-9.]*,[0-9.]*%,5,,,,$" out
'

test_expect_success PYTHON 'JSON has the same' '
	perf stat -j -e page-faults,cpu-clock -o out.json --compare true ": \"\\\"\"" -r 2 &&
	python3 -c "
import json
rows = [json.loads(l) for l in open(\"out.json\")]
assert len(rows) == 10
b = [r for r in rows if r[\"command\"] == \"B\" and r[\"event\"] == \"page-faults\"][0]
assert b[\"command-line\"] == \": \\\"\\\\\\\"\\\"\", b
assert b[\"ratio-low\"] <= b[\"ratio\"] and b[\"runs\"] == 2
"
'

test_expect_success '--fail-if: the status says what changed, and how' '
	c="perf stat -e page-faults -r 4 --compare true" &&
	test_expect_code 1 $c "true;" --fail-if "page-faults:>5%" 2>err &&
	grep "^page-faults: .*in .true;.: more than 5% and than chance" err &&
	$c "true;" --fail-if "page-faults:<5%" &&
	$c "true;" --fail-if "page-faults:>100000" --fail-if "elapsed:<99%" &&
	test_expect_code 129 $c "true;" --fail-if "many" 2>err && grep "invalid limit" err &&
	test_expect_code 255 $c "true;" --fail-if "cycles:5" 2>err && grep "is not counted" err
'

test_expect_success 'a command that fails ends it, with its status' '
	test_expect_code 7 perf stat -n --compare true "exit 7;" 2>err &&
	grep "exit 7;. failed with status 7" err &&
	test_expect_code 255 perf stat -n --compare true "/no/such/program" 2>err &&
	test_expect_code 234 perf stat --compare true 2>err && grep "two commands" err &&
	test_must_fail perf stat --compare true true -I 100 2>err
'

test_expect_success 'ending it prints what there is' '
	rm -f turns &&
	{ perf stat -n -r 0 --compare "echo >>turns" "sleep 0.02" 2>out & pid=$!; } &&
	# the warm-up, and a third run begun: two are counted
	wait_for eval "test \$(wc -l <turns) -ge 4" &&
	kill -TERM $pid && { wait $pid; test $? = 143; } &&
	grep "^ A: echo >>turns ([0-9]* runs)" out && grep "^ elapsed" out
'

# --- --live ---

test_expect_success 'without a terminal there are rows, and a line that says so' '
	perf stat --live -I 20 -e cpu-clock sleep 0.5 2>out &&
	test "$(grep -c "no terminal: rows are printed" out)" = 1 &&
	test "$(grep -c " cpu-clock " out)" -ge 3 && ! grep "$(printf "\033")" out &&
	test_must_fail perf stat --live -x, true 2>err && grep "view of its own" err
'

# on_screen TEXT: it is there by now.
on_screen() {
	tmux -S "$TRASH/tmux" capture-pane -p >screen && grep -e "$1" screen
}

keys() {
	tmux -S "$TRASH/tmux" send-keys "$@"
}

test_expect_success TMUX 'a screen of counts, as wide and high as the terminal, q ends it' '
	tmux -S "$TRASH/tmux" -f /dev/null new-session -d -x 100 -y 8 "exec sh" &&
	keys "perf stat -I 50 --live -a -A -e cpu-clock,page-faults,context-switches,cpu-migrations; \
		echo got=\$?" Enter &&
	wait_for on_screen "^CPU0 cpu-clock (msec)  *[0-9.]*  *[0-9.KM]*  *[0-9.KM]* .*[-_.:=+*#]\{4\}" &&
	wait_for on_screen "^CPU1 cpu-clock" && cp screen wide &&
	{ test $(nproc) -le 2 || grep "^[0-9]* more" wide; } &&
	grep "^event  *in interval  *per sec  *min  *max  *last [0-9]*" wide &&
	tmux -S "$TRASH/tmux" resize-window -x 60 -y 5 &&
	wait_for on_screen "^event  *in interval  *per sec last" && grep "^[0-9]* more" screen &&
	keys q && tmux -S "$TRASH/tmux" resize-window -x 100 -y 30 && wait_for on_screen "^got=0" &&
	grep "Performance counter stats for .system wide.:" screen && grep "cpu-migrations" screen
'

test_expect_success TMUX 'the terminal is given back at the end, by signals too' '
	# What is typed while it ends is dropped: the shell in between is to say how it went.
	keys "clear; stty -g >before; bash -c \"trap : INT; perf stat -I 50 --live -e cpu-clock sleep 100; echo got=\\\$?\"" Enter &&
	wait_for on_screen "^cpu-clock (msec) " && keys C-c && wait_for on_screen "^got=130" &&
	keys "stty -g >after; perf stat -I 50 --live -e cpu-clock sh -c \"sleep 0.3; \
		kill -HUP \\\$PPID; sleep 9\"; echo got=\$?" Enter &&
	wait_for on_screen "^got=129" && test_cmp before after &&
	keys "stty -g >after; tput cnorm; echo done=it" Enter && wait_for on_screen "^done=it" &&
	test_cmp before after &&
	tmux -S "$TRASH/tmux" kill-server
'

# --- --prometheus ---

test_expect_success 'a file that is whole at every interval, and at the end' '
	perf stat --quiet -I 20 -e page-faults,cpu-clock --prometheus counts.prom -r 2 \
		sh -c "until test -e counts.prom; do sleep 0.02; done; sleep 0.1; cat counts.prom >seen.\$\$" &&
	ls | grep -c "^seen" >n && test "$(cat n)" = 2 && test -z "$(ls | grep tmp)" &&
	for f in seen.* counts.prom; do
		grep "^# TYPE perf_page_faults_total counter$" $f &&
		grep "^perf_page_faults_total{event=\"page-faults\"} [0-9]*$" $f &&
		grep "^perf_cpu_clock_total{event=\"cpu-clock\",unit=\"msec\"} [0-9.]*$" $f &&
		grep "^perf_event_running_seconds_total{event=\"cpu-clock\"} " $f || return 1
	done &&
	awk "/^perf_page_faults_total/ { if (\$2 < last) exit 1; last = \$2 }" \
		$(ls -tr seen.*) counts.prom
'

test_expect_success 'without -I: at the end; each CPU by itself' '
	perf stat -a -A -o out -e cpu-clock --prometheus once.prom true &&
	test "$(grep -c "^perf_cpu_clock_total{event=\"cpu-clock\",cpu=\"[0-9]*\",unit=\"msec\"} " \
		once.prom)" = "$(nproc)" &&
	{ ! command -v promtool >/dev/null || promtool check metrics <once.prom; }
'

test_expect_success 'a file that cannot be written is told once, and by the status' '
	test_expect_code 255 perf stat -o out -e cpu-clock --prometheus no/such/dir true 2>err &&
	test_line_count = 1 err && grep "failed to write no/such/dir: " err &&
	test_expect_code 255 perf stat -e cpu-clock --prometheus :70000 true 2>err &&
	grep ":PORT" err
'

# scrape REQUEST: the answer to it.
scrape() {
	exec 5<>"/dev/tcp/127.0.0.1/$port" && printf "$1" >&5 && cat <&5
	exec 5>&-
}

test_expect_success 'a port: counts as they are at that moment' '
	{ perf stat -a -o out -e cpu-clock --prometheus :0 2>err & pid=$!; } &&
	wait_for grep "http://127.0.0.1:[0-9]*/metrics" err &&
	port=$(sed "s/.*127.0.0.1://; s,/.*,," err) &&
	scrape "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n" >one && sleep 0.1 &&
	scrape "GET /metrics?x HTTP/1.0\n\n" >two &&
	head -1 one | grep "^HTTP/1.1 200 OK" && grep "^Content-Type: text/plain; version=0.0.4" one &&
	sed "1,/^.$/d" one >body &&
	test "$(wc -c <body)" = "$(sed -n "s/^Content-Length: \([0-9]*\).*/\1/p" one)" &&
	awk "/^perf_cpu_clock_total/ { v[FILENAME] = \$2 }
		END { exit !(v[\"two\"] >= v[\"one\"] + 100) }" one two
'

test_expect_success 'requests that are none, and those for something else' '
	scrape "GET / HTTP/1.1\r\n\r\n" | head -1 | grep " 404 " &&
	scrape "POST /metrics HTTP/1.1\r\n\r\n" | head -1 | grep " 405 " &&
	scrape "hello\r\n\r\n" | head -1 | grep " 400 " &&
	scrape "GET /metrics\r\n\r\n" | head -1 | grep " 400 " &&
	scrape "HEAD /metrics HTTP/1.1\r\n\r\n" >head && test "$(tail -n 1 head)" = "$(printf "\r")" &&
	head -c 9000 /dev/zero | tr "\0" x >long &&
	scrape "GET /$(cat long) HTTP/1.1" | head -1 | grep " 431 "
'

test_expect_success PYTHON 'clients that are slow, silent or too many keep nobody away' '
	python3 - $port <<-\EOF &&
	import socket, sys
	at = ("127.0.0.1", int(sys.argv[1]))
	idle = [socket.create_connection(at) for _ in range(100)]
	for s in idle[::3]:
	    try: s.send(b"GET /met")
	    except OSError: pass
	slow = socket.create_connection(at)
	for c in b"GET /metrics HTTP/1.1\r\n\r\n":
	    slow.send(bytes([c]))
	def rest(s):
	    got = b""
	    while True:
	        more = s.recv(100)
	        if not more: return got
	        got += more
	assert b"perf_cpu_clock_total" in rest(slow)
	for _ in range(50):
	    s = socket.create_connection(at)
	    s.send(b"GET /metrics HTTP/1.1\r\n\r\n" * 3)
	    assert b"perf_cpu_clock_total" in rest(s)
	    s.close()
	EOF
	kill -TERM $pid && { wait $pid; test $? = 143; } && grep cpu-clock out
'

test_done
