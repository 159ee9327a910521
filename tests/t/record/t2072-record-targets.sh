#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 6 of 8
test_description='perf record: attrs of many command lines, control groups, users, containers, call chains, synthesis'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

test_lazy_prereq CGROUPS 'cannot make control groups' '
	test "$(id -u)" -eq 0 && d=$(awk "\$3 == \"cgroup2\" { print \$2; exit }" /proc/self/mounts) && test -n "$d" &&
	! grep -q "^[^ ]* [^ ]* cgroup [^ ]*perf_event" /proc/self/mounts &&
	mkdir "$d/perf-test-probe.$$" && rmdir "$d/perf-test-probe.$$"'
test_lazy_prereq UNSHARE 'cannot make mount namespaces' '
	test "$(id -u)" -eq 0 && unshare -m -p -f --mount-proc true'
test_lazy_prereq CC 'no C compiler' 'command -v "${CC:-cc}"'

mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
group=perf-test.$$
# opened ARGS...: "pid flags" of each perf_event_open
opened() {
	perf record -vv --no-bpf-event -o a.data "$@" true 2>err || { cat err; return 1; }
	sed -n 's/^sys_perf_event_open: pid \(-\?[0-9]*\)  cpu 0 .*flags \(0x[0-9a-f]*\) = .*/\1 \2/p' err
}
# in_group GROUP COMMAND... &: run it there
in_group() {
	exec sh -c 'echo $$ >"$0/cgroup.procs" && shift 0 && exec "$@"' "$mount/$1" "${@:2}"
}
records() { perf script -i a.data --show-task-events --show-mmap-events --show-cgroup-events 2>/dev/null |
	grep -c "PERF_RECORD_$1"; }

test_expect_success 'attrs of 178 command lines are those perf 6.1 makes' '
	bash "$SRC/tests/data/record-attrs.sh" "$PERF" --dry-run >out &&
	test_cmp "$SRC/tests/data/record-attrs.txt" out
'
test_expect_success 'intended differences: -j u is user branches; the side-band of -p is there at once, with -D too' '
	perf record --dry-run -vv -e task-clock -j u true 2>err && test_grep "branch_sample_type  *USER|ANY" err &&
	perf record --dry-run -vv -e task-clock -D 10 -p $$ true 2>err &&
	test "$(grep -c "^  disabled" err)" -eq 1 && test_must_fail grep enable_on_exec err
'
test_expect_success CGROUPS 'which event is for which control group' '
	mkdir -p "$mount/$group.a/sub" "$mount/$group.b" &&
	opened -a -e task-clock,cpu-clock,faults -G "$group.a" >out &&
	test "$(grep -c "0xc$" out)" -eq 3 && tail -1 out | grep -q "^-1 0x8" &&
	opened -a -e task-clock,cpu-clock,faults -G "$group.a,,$group.b" >out &&
	test "$(cut -d" " -f2 out | paste -sd" ")" = "0xc 0x8 0xc 0x8" &&
	opened -a -e task-clock -G "$group.a" -e cs,faults -G "/$group.a/sub/" >out &&
	test "$(cut -d" " -f2 out | paste -sd" ")" = "0xc 0xc 0x8 0x8"
'
test_expect_success CGROUPS 'samples are those of the group' '
	in_group "$group.a/sub" perf test -w noploop 60 & one=$!
	in_group "$group.b" perf test -w noploop 60 & two=$!
	wait_comm $one perf-noploop && wait_comm $two perf-noploop && worked $two 10 && worked $one 10 || return 1
	perf record -a -e cpu-clock -F 500 --for-each-cgroup "$group.a/sub,$group.b" -G x -o a.data true 2>err && return 1
	test_grep "cannot be used together" err &&
	perf record -a -e cpu-clock -F 500 -G "$group.a" --all-cgroups -o a.data "$(program worked)" $one 100 2>err &&
	perf script -i a.data -F comm,cgroup >out && test_line_count -gt 10 out &&
	test_must_fail grep -v "perf-noploop  */$group.a/sub" out &&
	perf record -a -e cpu-clock --for-each-cgroup "$group.[ab]" -F 500 -o a.data \
		sh -c "\"$(program worked)\" $one 40 && \"$(program worked)\" $two 40" 2>err &&
	perf script -i a.data -F event >out && test_grep "cpu-clock,$group.a:" out && test_grep "cpu-clock,$group.b:" out
	rc=$?; kill $one $two; wait; return $rc
'
test_expect_success CGROUPS 'events for each group: names, patterns, groups of events' '
	for p in "$group.*" "$group.[ab]" "^$group\..\$" "$group.b,$group.a*"; do
		perf record -a --dry-run -e cs --for-each-cgroup "$p" true 2>err || return 1
	done &&
	perf record -a -e "{cs,faults}" --for-each-cgroup "$group.b,$group.a" -o a.data true 2>err &&
	perf evlist -g -i a.data >out &&
	test_grep "{cs,$group.b,faults,$group.b}" out && test_grep "{cs,$group.a,faults,$group.a}" out &&
	perf record -a -e "sched:sched_switch" --for-each-cgroup "$group.b,$group.a" -o a.data true &&
	perf evlist -i a.data >out && test_grep "sched:sched_switch,$group.b" out
'
test_expect_success CGROUPS 'groups that are not there, and what cannot be' '
	test_expect_code 129 perf record -a -e cs -G nosuch true 2>err && test_grep "^no access to cgroup $mount/nosuch" err &&
	test_expect_code 129 perf record -a -G "$group.a" true 2>err && test_grep "must define events before cgroups" err &&
	test_expect_code 129 perf record -a -e cs -G "$group.a,$group.b" true 2>err && test_grep "more cgroups than events" err &&
	test_expect_code 129 perf record -e cs -G "$group.a" true 2>err && test_grep "only available in system-wide mode" err &&
	test_expect_code 129 perf record -a -e cs --for-each-cgroup "nosuch.*" true 2>err && test_grep "no cgroup matched: nosuch" err &&
	test_expect_code 255 perf record -a -e "{cs,faults}" -G "$group.a,$group.b" -o a.data true 2>err && test_grep "must be for the same control group" err &&
	test_expect_code 129 perf record -a -e cs -G "$group.a" --for-each-cgroup x true 2>err
'
test_expect_success ROOT '-u: all threads of a user, and what they start' '
	setpriv --reuid=54321 --clear-groups sleep 60 & pid=$!
	wait_comm $pid sleep && perf record -u 54321 -e dummy -o a.data true 2>err; rc=$?; kill $pid
	test $rc -eq 0 && perf script -i a.data --show-task-events --show-mmap-events >out 2>/dev/null &&
	test_grep "PERF_RECORD_COMM: sleep:$pid" out && test_grep "MMAP2 $pid/$pid.*sleep" out &&
	test_expect_code 255 perf record -u 54322 -e dummy -o a.data true 2>err && test_grep "no process of the user 54322" err &&
	test_expect_code 255 perf record -u nosuchuser -e dummy -o a.data true 2>err && test_grep "^Invalid User: nosuchuser" err &&
	perf record -p $$ -u 0 -a -C 0 -e dummy -o a.data true 2>err &&
	for w in CPU UID SYSTEM; do test_grep "^PID/TID switch overriding $w" err || return 1; done
'
test_expect_success ROOT 'what was there before: --synth' '
	sleep 60 & pid=$!
	wait_comm $pid sleep || return 1
	set -- all 2 mmap 2 task 0 no 0 task,no 0
	while test $# -gt 0; do
		perf record -p $pid -e dummy --synth=$1 -o a.data true 2>err &&
		if test $2 -gt 0; then test "$(records MMAP2)" -ge $2; else test "$(records MMAP2)" -eq 0; fi || { kill $pid; return 1; }
		shift 2
	done
	perf record -a -e dummy --synth=no --all-cgroups -o a.data true 2>err && perf script -i a.data --show-task-events >out 2>/dev/null
	rc=$?; kill $pid
	test $rc -eq 0 && test_must_fail grep -w "$pid" out && test "$(records CGROUP)" -eq 0 &&
	perf record -a -e dummy --synth=cgroup --all-cgroups -o a.data true 2>err && test "$(records CGROUP)" -ge 1 &&
	test_expect_code 129 perf record --synth=foo true 2>err && test_grep "Invalid synth option: foo" err
'
test_expect_success 'call chains: -g as configured, a stack that is cut, what is refused' '
	printf "[call-graph]\n\trecord-mode = dwarf\n\tdump-size = 4096\n" >conf &&
	PERF_CONFIG=conf perf record --dry-run -vv -e task-clock -g true 2>err &&
	test_grep "sample_stack_user  *4096" err && test_must_fail grep "|ADDR" err &&
	PERF_CONFIG=conf perf record --dry-run -vv -e task-clock true 2>err && test_must_fail grep CALLCHAIN err &&
	printf "[call-graph]\n\trecord-mode = lbr\n" >conf &&
	PERF_CONFIG=conf perf record --dry-run -vv -e task-clock -g true 2>err && test_grep "USER|CALL_STACK|NO_FLAGS|NO_CYCLES|HW_INDEX" err &&
	perf record --dry-run -vv -e task-clock --call-graph lbr -b true 2>err && test_grep "Cannot use LBR callstack with branch stack" err &&
	perf record --dry-run -vv -e task-clock:k --call-graph lbr true 2>err && test_grep "only available to get user callchain" err &&
	perf record -e cpu-clock -c 200000 --call-graph fp,3 -o a.data perf test -w leafloop 0.3 2>err &&
	perf script -i a.data -F ip >out && test -s out && awk "NF == 0 { n = 0; next } ++n > 5 { exit 1 }" out &&
	for m in foo dwarf,0 dwarf,70000 dwarf,-8 dwarf,8x fp,0 fp,x lbr,3 ""; do
		test_expect_code 129 perf record --call-graph "$m" true 2>err && test_grep "^callchain: " err || return 1
	done
'
test_expect_success '--latency: switches beside the samples; not for whole systems' '
	perf record -e task-clock --latency -o a.data perf test -w sqrtloop 0.3 2>err &&
	perf script -i a.data --show-switch-events >out 2>/dev/null && test_grep "PERF_RECORD_SWITCH" out &&
	test_expect_code 234 perf record -a --latency -e task-clock true 2>err && test_grep "latency" err
'
test_expect_success '--buildid-mmap by configuration' '
	printf "[record]\n\tbuild-id = mmap\n" >conf && PERF_CONFIG=conf perf record --dry-run -vv true 2>err && test_grep "build_id  *1" err
'
test_expect_success UNSHARE,CC 'a program that only its mount namespace has is named with its build-id' '
	printf "int main(void) { for (volatile long i = 0; i < 4000000000L; i++) ; }" >p.c &&
	"${CC:-cc}" -Wl,--build-id=sha1 -o p p.c && mkdir -p mnt &&
	id=$(perf buildid-list -i p) && test ${#id} -ge 40 &&
	for when in before after; do
		rm -f mnt/inner go a.data
		test $when = after && { perf --buildid-dir "$PWD/cache" record -a -e cpu-clock -F 200 -o a.data \
			sh -c ": >go; exec sleep 100" 2>err & rec=$!; wait_for test -e go || return 1; }
		unshare -m -p -f --mount-proc --kill-child sh -c "mount -t tmpfs none mnt && cp p mnt/inner && exec mnt/inner" & box=$!
		wait_for pgrep -P $box -x inner && inner=$(pgrep -P $box -x inner) || return 1
		if test $when = before; then
			perf --buildid-dir "$PWD/cache" record -a -e cpu-clock -F 200 -o a.data "$(program worked)" $inner 100 2>err; rc=$?
		else
			worked $inner 100; kill -TERM $rec; wait $rec; test $? -eq 143; rc=$?
		fi
		elf=cache/.build-id/$(echo $id | cut -c1-2)/$(echo $id | cut -c3- | cut -d" " -f1)/elf
		wait_for test -e $elf || { echo "$when: not in the cache"; find cache; }
		kill -KILL $box
		wait $box 2>/dev/null
		test ! -e mnt/inner && test $rc -eq 0 && perf buildid-list -i a.data >ids && test_grep "$id .*mnt/inner" ids || return 1
		test -e $elf || return 1
		perf --buildid-dir "$PWD/cache" report -i a.data --stdio -s dso,sym 2>/dev/null >out && test_grep "inner .* main" out || return 1
		rm -rf cache
	done
'
test_lazy_prereq DEBUGINFOD 'no libdebuginfod, python3 or objcopy' '
	command -v python3 && command -v objcopy && ldconfig -p | grep -q "libdebuginfod\.so\.1"'
test_expect_success DEBUGINFOD,CC '--debuginfod: debug information comes from a server, in the background' '
	printf "int main(void) { for (volatile long i = 0; i < 60000000L; i++) ; return 0; }\n" >q.c &&
	"${CC:-cc}" -g -Wl,--build-id=sha1 -o q q.c && id=$(perf buildid-list -i q | cut -d" " -f1) && mkdir -p srv/buildid/$id &&
	objcopy --only-keep-debug q srv/buildid/$id/debuginfo && objcopy --strip-all q || return 1
	python3 - <<-\PY &
	import functools, http.server as h
	s = h.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(h.SimpleHTTPRequestHandler, directory="srv"))
	open("port.new", "w").write(str(s.server_port))
	__import__("os").rename("port.new", "port")
	s.serve_forever()
	PY
	server=$!
	wait_for test -e port
	DEBUGINFOD_CACHE_PATH=$PWD/dcache perf --buildid-dir "$PWD/cache" record --debuginfod="http://127.0.0.1:$(cat port)" \
		-e task-clock -o a.data ./q 2>err
	entry=cache/.build-id/$(echo $id | cut -c1-2)/$(echo $id | cut -c3-)
	wait_for test -e $entry/debug
	for where in "--debuginfod=http://127.0.0.1:$(cat port)" "--debuginfod"; do
		DEBUGINFOD_URLS=http://127.0.0.1:$(cat port) DEBUGINFOD_CACHE_PATH=$PWD/dcache2 perf --buildid-dir "$PWD/second" \
			buildid-cache -M a.data $where >missing 2>err && test_grep ! $id missing &&
		cmp second/.build-id/$(echo $id | cut -c1-2)/$(echo $id | cut -c3-)/debug srv/buildid/$id/debuginfo || { kill $server; return 1; }
		rm -rf second dcache2
	done
	kill $server
	DEBUGINFOD_URLS= test_expect_code 255 perf buildid-cache -M a.data --debuginfod 2>err && test_grep "no debuginfod servers" err &&
	test_expect_code 129 perf buildid-cache -l --debuginfod 2>err && test_grep "fetches what -M finds missing" err &&
	test -e $entry/debug && test -e $entry/elf &&
	perf --buildid-dir "$PWD/cache" report -i a.data --stdio -s sym >out 2>&1 && test_grep "\] main" out &&
	DEBUGINFOD_URLS= perf record --debuginfod -e dummy -o a.data true 2>err && test_grep "^WARNING: debuginfod support requested, but" err
'
test_expect_success ROOT,CC '--vmlinux: the running kernel goes into the cache, another one is told of' '
	id=$(perf buildid-list -k) && printf "int main(void) { return 0; }" >k.c &&
	"${CC:-cc}" -Wl,--build-id=0x$id -o vmlinux k.c && "${CC:-cc}" -Wl,--build-id=0x1234567890 -o other k.c &&
	perf --buildid-dir "$PWD/kcache" record --vmlinux vmlinux -e cpu-clock -c 10000 -o a.data true 2>err &&
	wait_for sh -c "test -e kcache/.build-id/$(echo $id | cut -c1-2)/*/elf" &&
	cmp vmlinux kcache/.build-id/$(echo $id | cut -c1-2)/*/elf &&
	perf record --vmlinux other -e dummy -o a.data true 2>err && test_grep "is not of the running kernel .* 1234567890, the kernel.s $id" err &&
	test_expect_code 234 perf record --vmlinux nosuch true 2>err && test_grep "^Invalid file: nosuch" err
'
for d in "$mount/$group.a/sub" "$mount/$group.a" "$mount/$group.b"; do
	test ! -d "$d" || rmdir "$d"
done
test_done
