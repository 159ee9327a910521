#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 1 of 2
test_description='sched stats: counters of the scheduler before and after a run, of a /proc that is made up'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT

unshare -m true 2>/dev/null || test_skip_all 'mount namespaces are not allowed here'

# Counters of a machine of $2 CPUs in version $1; each is $3 more than its place in the line.
machine() {
	awk -v version="$1" -v cpus="$2" -v more="$3" '
	function numbers(n,  i, s) { for (i = 1; i <= n; i++) s = s " " i + more; return s }
	BEGIN {
		n = version < 17 ? 36 : 45
		print "version " version "\ntimestamp " 2000000000 + more
		for (cpu = 0; cpu < cpus; cpu++) {
			print "cpu" cpu numbers(9)
			print "domain0" (version < 17 ? "" : " SMT") " 3" numbers(n)
			print "domain1" (version < 17 ? "" : " MC") " f" numbers(n)
		}
	}'
}

# What is in the folder "proc" is /proc for a command that runs in this. Sanitizers look at the process there.
mkdir -p real proc/sys/kernel
ln -s "$PWD/real/self" proc/self
: >proc/schedstat
cat >in-proc <<'EOF'
mount --bind /proc real && ln -s "$PWD/real/$$" "proc/$$" && mount --bind proc /proc && exec "$@"
EOF
in_proc() {
	unshare -m bash -e ./in-proc "$@"
}

machine 17 4 0 >before
machine 17 4 100 >after
# shellcheck disable=SC2120 # bodies of tests call it
reset() {
	cp "${1:-before}" proc/schedstat
	echo "${2:-0}" >proc/sys/kernel/sched_schedstats
}
is_off() {
	test "$(cat proc/sys/kernel/sched_schedstats)" = 0
}

cat >work <<'EOF'
#!/bin/sh
cat /proc/sys/kernel/sched_schedstats >switch
cp after /proc/schedstat
EOF
chmod +x work

test_expect_success 'record: the kernel counts during the run, and is set back' '
	reset && in_proc "$PERF" sched stats record -o a.data ./work 2>err && cat err &&
	test_grep "^\[ perf sched stats: Wrote samples to a.data \]" err && is_off && test "$(cat switch)" = 1
'
test_expect_success 'report: the sum of all CPUs, each CPU, its domains' '
	perf sched stats report -i a.data >out 2>err && test_cmp /dev/null err && test_grep "^Description" out &&
	test_grep "^Time elapsed (in jiffies) *: *100$" out &&
	test "$(grep "^CPU [<0-9]" out | head -n 5 | tr "\n" ";")" = "CPU <ALL CPUS SUMMARY>;CPU <ALL CPUS SUMMARY>, DOMAIN SMT;CPU <ALL CPUS SUMMARY>, DOMAIN MC;CPU 0;CPU 0, DOMAIN SMT, CPUS 0-1;" &&
	test "$(grep -c "^CPU [0-9]" out)" = 12 && test_grep "^calls of schedule() *: *400$" out &&
	test_grep "^calls of schedule() that left the CPU idle *: *100  ( *100.00% )" out &&
	test "$(grep -c "Category newidle" out)" = 10 && test_grep "Category active balance" out && test_grep "<Wakeup Info>" out &&
	test_grep "^balancing while the CPU was busy *: *100  \$ *1.00 \\$" out
'
test_expect_success 'only some CPUs, with the names of the kernel' '
	perf sched stats report -i a.data -C 1,3 -v >out && test_grep "^lb_count\|^busy_lb_count *balancing while" out &&
	test "$(grep -c "^CPU [0-9]*$" out)" = 2 && test_grep "^calls of schedule() *: *200$" out &&
	test_expect_code 129 perf sched stats report -i a.data -C x 2>err && test_grep "x is no list of CPUs" err &&
	test_expect_code 255 perf sched stats report -i a.data -C 77 2>err && test_grep "no CPU has counters" err
'
test_expect_success 'JSON' '
	perf sched stats report -i a.data --json >out && python3 - <<-EOF
	import json
	j = json.load(open("out"))
	assert j["version"] == 17 and j["jiffies"] == 100 and len(j["cpus"]) == 5
	assert j["cpus"][0]["cpu"] == "all" and j["cpus"][0]["counters"]["pcount"] == 400
	d = j["cpus"][2]["domains"][1]
	assert j["cpus"][2]["cpu"] == 1 and (d["level"], d["name"], d["cpus"], d["nr_cpus"]) == (1, "MC", "0-3", 1)
	assert len(d["counters"]) == 45 and set(d["counters"].values()) == {100}
	EOF
'
test_expect_success 'a run that is shown at once, and one of some CPUs' '
	reset && in_proc "$PERF" sched stats -o live.data ./work >live && perf sched stats report -i a.data >out && test_cmp out live && is_off &&
	perf sched stats report -i live.data >out && test_cmp out live &&
	reset && in_proc "$PERF" sched stats record -C 2 -o c.data ./work && perf sched stats report -i c.data >out &&
	test "$(grep "^CPU [0-9]*$" out)" = "CPU 2"
'
test_expect_success 'what is on already stays on' '
	reset before 1 && in_proc "$PERF" sched stats record -o b.data ./work && ! is_off
'

# Start perf, wait until it has switched the counting on, and send it a signal.
interrupted() {
	local sig=$1 pid i
	shift && reset
	(exec env --default-signal=INT unshare -m bash -e ./in-proc "$PERF" sched stats record -o sig.data "$@" 2>err) &
	pid=$!
	for i in $(seq 1000); do is_off || break; sleep 0.01; done
	is_off && return 1
	cp after proc/schedstat
	kill -"$sig" $pid
	wait $pid
	code=$?
	is_off && perf sched stats report -i sig.data >out && test_grep "^calls of schedule() *: *400$" out
}
test_expect_success 'without a command: until a signal, of which Ctrl-C is the normal end' '
	interrupted INT && test $code = 0 && interrupted TERM && test $code = 143
'
test_expect_success 'a signal while a command runs: set back, and the recording is whole' '
	interrupted HUP sleep 100 && test $code = 129
'
test_expect_success 'a command that does not exist: set back, no recording' '
	reset && test_expect_code 255 in_proc "$PERF" sched stats record -o none.data ./no-such 2>err && cat err && test_grep "no-such" err &&
	is_off && ! test -e none.data
'

test_expect_success 'diff: two files side by side' '
	machine 17 4 200 >after && reset && in_proc "$PERF" sched stats record -o b.data ./work && perf sched stats diff a.data b.data >out &&
	test_grep "^Time elapsed (in jiffies) *: *100, *200$" out && test "$(grep -c "^CPU [0-9]" out)" = 12 &&
	test_grep "^calls of schedule() *: *400, *800 | *+100.00% |$" out &&
	test_grep "left the CPU idle *: *100, *200 | *+100.00% |  ( *100.00%, *100.00% )" out &&
	perf sched stats diff --json a.data b.data >json && python3 -c "
import json
a, b = json.load(open(\"json\"))
assert a[\"jiffies\"] == 100 and b[\"jiffies\"] == 200"
'
test_expect_success 'diff: perf.data.old and perf.data, of two kernels' '
	machine 15 2 0 >before && machine 15 2 50 >after && reset && in_proc "$PERF" sched stats record -o perf.data ./work &&
	cp a.data perf.data.old && perf sched stats diff >out && test_grep "jiffies) *: *100, *50$" out &&
	test_grep "calls of schedule() *: *400, *100 | *-75.00% |" out && ! grep "imbalance" out
'

test_expect_success 'what the file tells of itself: records, domains, events' '
	perf report -D -i a.data >out 2>&1 && test "$(grep -c "PERF_RECORD_SCHEDSTAT_CPU" out)" = 8 &&
	test_grep "PERF_RECORD_SCHEDSTAT_CPU version 17, timestamp 2000000100: cpu3 101 102 103 104 105 106 107 108 109$" out &&
	test_grep "PERF_RECORD_SCHEDSTAT_DOMAIN version 17, timestamp 2000000000: cpu0 domain1 1 2 3 .* 45" out &&
	perf report --header-only -i a.data >out && test_grep "CPU_DOMAIN_INFO info available, use -I" out &&
	perf report --header-only -I -i a.data >out && test_grep "^#  cpu 2: domain 0 SMT : 0-1$" out &&
	test_grep "^# cmdline : .*sched stats record -o a.data ./work" out
'
test_expect_success 'through a pipe' '
	machine 17 4 0 >before && machine 17 4 100 >after && reset && in_proc "$PERF" sched stats record -o - ./work >pipe.data 2>/dev/null &&
	perf sched stats report -i - <pipe.data >out && perf sched stats report -i a.data >want && test_cmp want out
'

# Records as another perf writes them on other machines: all as long as those of version 17.
cat >other.py <<'EOF'
import sys
sys.path.insert(0, sys.argv[1])
import pdata as p

path, version = sys.argv[2], int(sys.argv[3])
if "big" in sys.argv:
    p.big_endian()
counts = 36 if version < 17 else 45
records = []
for more in (0, 100):
    for cpu in (0, 300):
        head = p.pack("QIH", 2000000000 + more, cpu, version)
        records.append(p.record(85, 0, head + p.pack("H6I3Q", 0, *range(more + 1, more + 10)) + bytes(136)))
        records.append(p.record(86, 0, head + p.pack("H%dI" % counts, 1, *range(more + 1, more + 1 + counts)) + bytes(4 * (45 - counts))))


def string(s):
    return p.pack("I", 64) + s.encode().ljust(64, b"\0")


domains = p.pack("II", version, 1)
for cpu in (0, 300):
    domains += p.pack("III", cpu, 1, 1) + (string("PKG") if version >= 17 else b"") + string("1") + string("0,300")
p.write(path, [(p.attr(1, 9, ["TIME"]), [])], records[:-3] if "cut" in sys.argv else records)
p.add_features(path, [(32, domains)])
EOF
test_expect_success PYTHON 'recordings of other machines, of both byte orders' '
	for v in 15 16 17; do
		python3 -B other.py "$SRC/tests/lib/python" le.data $v && python3 -B other.py "$SRC/tests/lib/python" be.data $v big &&
		perf sched stats report -i le.data >want && perf sched stats report -i be.data >got && test_cmp want got &&
		test_grep "^calls of schedule() *: *200$" want && test_grep "^CPU 300, DOMAIN \(PKG\|1\), CPUS 0,300$" want &&
		test_grep "^balancing while the CPU was busy *: *200 " want &&
		perf report -D -i le.data 2>&1 | grep -o "cpu300.*" >want && perf report -D -i be.data 2>&1 | grep -o "cpu300.*" >got && test_cmp want got &&
		perf report --header-only -I -i be.data >out && test_grep "^#  cpu 300: domain 1 .*: 0,300$" out || return 1
	done &&
	python3 -B other.py "$SRC/tests/lib/python" new.data 18 big && test_expect_code 255 perf sched stats report -i new.data 2>err &&
	test_grep "new.data: its counters are of version 18 " err &&
	python3 -B other.py "$SRC/tests/lib/python" cut.data 17 cut && perf sched stats report -i cut.data >out 2>err &&
	test_grep "1 CPUs went offline or came online meanwhile" err && test_grep ! "^CPU 300" out
'

test_expect_success 'a kernel whose counters are others is told, and nothing is written' '
	machine 17 4 0 | sed "s/version 17/version 18/" >new && reset new && test_expect_code 255 in_proc "$PERF" sched stats record -o none.data ./work 2>err &&
	test_grep "has version 18, and only the counters of the versions 15 to 17 are known" err && is_off && ! test -e none.data &&
	machine 17 4 0 | sed "s/\(domain1.*\)/\1 7/" >new && reset new && test_expect_code 255 in_proc "$PERF" sched stats ./work 2>err &&
	test_grep "line 5: not the 45 numbers of version 17" err && is_off
'
test_expect_success 'a kernel without counters' '
	rm proc/schedstat && test_expect_code 255 in_proc "$PERF" sched stats ./work 2>err && test_line_count = 1 err &&
	test_grep "no /proc/schedstat: it was built without CONFIG_SCHEDSTATS" err && is_off
'
test_expect_success 'a recording without counters, and one that is cut off' '
	perf record -q -e dummy -o plain.data true && test_expect_code 255 perf sched stats report -i plain.data 2>err &&
	test_grep "plain.data has no counters of the scheduler.*perf sched stats record" err &&
	test_expect_code 255 perf sched stats diff plain.data a.data 2>err && test_line_count = 1 err
'
test_done
