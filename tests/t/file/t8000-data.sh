#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# takes long
# with sanitizers in check-long only
# turn 4 of 8
test_description='data convert: JSON and CTF, of fresh and recorded files, beside the reference'
. "$(dirname "$0")/../../lib/tap.sh"

test_lazy_prereq BABELTRACE 'no babeltrace2' 'command -v babeltrace2'
test_lazy_prereq REF_CTF 'a reference that does not write CTF' '
	"$REF" record -q -o a.data -e cpu-clock true && "$REF" data convert --to-ctf a.ctf -i a.data'

json() { python3 "$SRC/tests/lib/python/convert-json.py" "$@"; }

# converted WHAT PATH ERR: the last line of a conversion, "N samples" and what follows
converted() { sed -n 's/.* MB (\(.*\)) \]$/\1/p' "$1"; }

# trace DIR: what babeltrace2 says, without the time since the line before
trace() { babeltrace2 "$1" 2>trace.err | sed 's/ (+[^)]*)//' && test_line_count -eq 0 trace.err; }

# known: only what the reference writes too, in whatever stream it stands
known() {
	sed -E 's/ perf_addr = [^,]*,//; s/, perf_addr = [^,]* \}/ }/
		s/, perf_(read|branch_stack|user_regs|user_stack|intr_regs)_size = .*/ }/
		/^[^ ]+ perf_/s/cpu_id = [0-9]+/cpu_id = 0/' |
		grep -Ev '^[^ ]+ perf_(lost|throttle|unthrottle|ksymbol|bpf|cgroup|namespaces|switch|aux|itrace|read|text)'
}

test_expect_success 'usage, and what does not go together' '
	test_expect_code 129 perf data 2>err && test_grep "Usage: perf data convert" err &&
	test_expect_code 129 perf data foo 2>err && test_grep "^Unknown command: foo" err &&
	test_expect_code 255 perf data convert 2>err &&
	test_grep "You must specify one of --to-ctf or --to-json." err &&
	test_expect_code 255 perf data convert --to-json a --to-ctf b 2>err &&
	test_grep "You cannot specify both --to-ctf and --to-json." err &&
	test_expect_code 129 perf data convert --to-json a b 2>err && ! test -e a && ! test -e b &&
	test_expect_code 255 perf data convert --to-json a -i none 2>err && ! test -e a &&
	test_expect_code 255 perf data convert --to-ctf a -i "$PERF" 2>err && ! test -e a
'
test_expect_success PERF_EVENTS 'recordings to convert' '
	perf record -q -o flat.data -e cpu-clock -c 100000 ls -lR /usr/include >/dev/null &&
	perf record -q -g -o chain.data -e cpu-clock -e page-faults -F 5000 ls /usr/include >/dev/null &&
	perf record -q -k CLOCK_MONOTONIC -o clock.data -e cpu-clock -c 100000 ls -lR /usr/share >/dev/null &&
	perf record -q -o none.data -e cpu-clock:k -c 4000000000 true
'
test_expect_success PERF_EVENTS,TRACEFS,ROOT 'a recording of tracepoints' '
	perf record -q -a -o tp.data -e sched:sched_switch -e sched:sched_process_exec -e raw_syscalls:sys_enter \
		-e syscalls:sys_enter_openat -- ls /usr/include >/dev/null
'
test_expect_success PERF_EVENTS,PYTHON 'JSON: every sample, its event, and nothing a reader stumbles over' '
	for f in flat chain clock none; do
		perf script -i $f.data -F event -G >script.out && perf data convert --to-json $f.json -i $f.data 2>err &&
		test "$(converted err)" = "$(wc -l <script.out) samples" && json events $f.json >events &&
		sed "s/: *$//; s/^ *//" script.out | sort | uniq -c | sed "s/^ *//" | sort -k 2 | test_cmp - events ||
			return 1
	done
'
test_expect_success PERF_EVENTS,TRACEFS,ROOT,PYTHON 'JSON: fields of tracepoints, beside those of the sample' '
	perf data convert --to-json tp.json -i tp.data 2>err && python3 - <<-"END"
	import json
	data = json.load(open("tp.json"))
	# a thread that is gone has no number in its last switch
	of = {s["event"]: s for s in data["samples"] if s["tid"] >= 0}
	s = of["sched:sched_switch"]
	assert s["prev_pid"] == str(s["tid"]) and s["prev_comm"] and "next_prio" in s, s
	execs = [s for s in data["samples"] if s["event"] == "sched:sched_process_exec"]
	s = [s for s in execs if s["filename"].endswith("/ls")][0] # others may have run meanwhile
	assert s["_pid"] == str(s["pid"]), s
	s = of["raw_syscalls:sys_enter"]
	assert s["id"].isdigit() and len(s["args"]) == 6 and all(int(a, 16) >= 0 for a in s["args"]) and s["period"] == 1, s
	END
'
test_expect_success PERF_EVENTS,PYTHON 'JSON: other records, times by the wall clock, a span of time' '
	perf data convert --all --tod --to-json all.json -i clock.data 2>err && test_grep "non-samples" err &&
	perf data convert --to-json half.json --time 0%-50% -i clock.data 2>err && python3 - <<-"END"
	import json, os, time
	data, plain = json.load(open("all.json")), json.load(open("clock.json"))
	comms = [e for e in data["events"] if e["type"] == "COMM"]
	assert any(e["comm"] == "ls" and e["exec"] == 1 for e in comms), comms
	maps = [e for e in data["events"] if e["type"] == "MMAP2"]
	assert any(e["filename"].endswith("/ls") and e["prot"] & 4 for e in maps), maps
	assert abs(data["samples"][-1]["timestamp"] / 1e9 - os.stat("clock.data").st_mtime) < 100
	steps = {b["timestamp"] - a["timestamp"] for a, b in zip(plain["samples"], data["samples"])}
	assert len(steps) == 1, steps
	n, all_of_them = len(json.load(open("half.json"))["samples"]), len(plain["samples"])
	assert 0 < n < all_of_them, (n, all_of_them)
	END
'
test_expect_success PERF_EVENTS,PYTHON 'JSON and CTF: times by the wall clock need a recording that tells them' '
	test_expect_code 255 perf data convert --tod --to-json no.json -i flat.data 2>err &&
	test_grep "missing clock data" err && ! test -e no.json &&
	test_expect_code 255 perf data convert --tod --to-ctf no.ctf -i flat.data 2>err &&
	test_grep "missing clock data" err && ! test -e no.ctf
'
test_expect_success PERF_EVENTS,PYTHON 'JSON: workers change nothing, a pipe gives the same samples' '
	taskset -c 0 perf data convert --to-json one.json -i flat.data 2>err && test_cmp one.json flat.json &&
	perf record -q -o - -e cpu-clock -c 100000 sh -c "ls -lR /usr/include >&2" 2>/dev/null >pipe.data &&
	perf data convert --all --to-json pipe.json -i - <pipe.data 2>err &&
	test "$(json count pipe.json)" = "$(perf script -i pipe.data | wc -l)" && test_grep "\"type\": \"COMM\"" pipe.json
'
test_expect_success PERF_EVENTS,REFERENCE,PYTHON 'JSON: what the reference writes, with its values and in its order' '
	for f in flat chain clock none tp; do
		test -e $f.data || continue
		"$REF" data convert --to-json ref.json --force -i $f.data 2>err &&
		perf data convert --to-json our.json --force -i $f.data 2>err && json subset our.json ref.json || return 1
	done
'
test_expect_success REFERENCE,CORPUS,PYTHON 'JSON: recorded files, as the reference' '
	for f in $(ls -d "$CORPUS"/*data* | sampled 8); do
		perf data convert --to-json our.json --force -i "$f" 2>err && json count our.json || return 1
		case $f in # streams end the reference with a signal; others it refuses
		*pipe* | */sleep.* | *true.v1) continue ;;
		esac
		"$REF" data convert --to-json ref.json --force -i "$f" 2>err && test -s ref.json || return 1
		if ! grep -q "\"cpuid\":" our.json; then
			sed -i "/\"cpuid\":/d" ref.json # that of this machine
		fi
		json subset our.json ref.json || { echo "$f"; return 1; }
	done
'
test_expect_success PERF_EVENTS 'JSON: an output that is there, a full disk, no permission' '
	test_expect_code 255 perf data convert --to-json flat.json -i flat.data 2>err &&
	test_grep "^Output file exists. Use --force to overwrite it.$" err && test -s flat.json &&
	test_expect_code 255 perf data convert --force --to-json /dev/full -i flat.data 2>err &&
	test_grep "No space left" err && test_grep ! Converted err &&
	test_expect_code 255 perf data convert --to-json none/x.json -i flat.data 2>err &&
	test_grep "^Error opening output file!$" err
'

# ---- CTF ----

test_expect_success PERF_EVENTS,BABELTRACE 'CTF: every sample, in time order' '
	for f in flat chain clock none; do
		perf script -i $f.data -F event -G >script.out && perf data convert --to-ctf $f.ctf -i $f.data 2>err &&
		test "$(converted err)" = "$(wc -l <script.out) samples" && trace $f.ctf >trace.out &&
		awk "{ sub(/:\$/, \"\", \$2); print \$2 }" trace.out >names &&
		sed "s/: *$//; s/^ *//" script.out | test_cmp - names || return 1
	done
'
test_expect_success PERF_EVENTS,BABELTRACE,PYTHON 'CTF: values are those of script' '
	perf script -i flat.data --ns -G -F tid,time,ip >script.out &&
	sed "s/^ *//; s/:  */ /; s/  */ /g" script.out >theirs && test_line_count -gt 0 theirs &&
	babeltrace2 --clock-seconds flat.ctf | sed -E \
		"s/^\[0*([0-9.]+)\].* perf_ip = 0x([0-9A-F]+), perf_tid = (-?[0-9]+),.*/\3 \1 \L\2/" >ours &&
	test_cmp theirs ours
'
test_expect_success PERF_EVENTS,TRACEFS,ROOT,BABELTRACE 'CTF: fields of tracepoints' '
	perf data convert --all --to-ctf tp.ctf -i tp.data 2>err && trace tp.ctf >trace.out &&
	test_grep -E "sched:sched_switch: .*, prev_comm = \"[^\"]*\", prev_pid = [0-9]+, .* next_prio = [0-9]+ }" trace.out &&
	test_grep -E "raw_syscalls:sys_enter: .* args = \[ \[0\] = 0x[0-9A-F]+, .*\[5\] = " trace.out &&
	test_grep -E "^[^ ]+ perf_mmap2?: .* start = 0x.*, filename = \".*\" }" trace.out &&
	test "$(converted err)" = "$(grep -Evc "^[^ ]+ perf_" trace.out) samples, $(grep -Ec "^[^ ]+ perf_" \
		trace.out) non-samples"
'
test_expect_success PERF_EVENTS,REF_CTF,BABELTRACE 'CTF: what the reference writes' '
	for f in flat chain clock tp; do
		test -e $f.data || continue
		rm -rf ref.ctf our.ctf && "$REF" data convert --all --to-ctf ref.ctf -i $f.data 2>err &&
		perf data convert --all --to-ctf our.ctf -i $f.data 2>err && trace ref.ctf | sort >ref.out &&
		trace our.ctf | known | sort >our.out && test_cmp ref.out our.out || return 1
	done
'
test_expect_success CORPUS,BABELTRACE 'CTF: recorded files, no event is lost' '
	for f in $(ls -d "$CORPUS"/*data* | sampled 8); do
		rm -rf c.ctf && perf data convert --all --to-ctf c.ctf -i "$f" 2>err && trace c.ctf >trace.out &&
		test "$(converted err | sed "s/[^0-9]*samples, /+/; s/ .*//")" && sum=$(converted err |
			tr -cd "0-9," | tr , +) && test $((sum)) -eq "$(wc -l <trace.out)" || { echo "$f"; return 1; }
	done
'
test_expect_success CORPUS,REF_CTF,BABELTRACE 'CTF: recorded files, as the reference' '
	for f in $(ls -d "$CORPUS"/*data* | sampled 8); do
		case $f in
		*pipe* | */sleep.* | *true.v[12] | *raw*3.4 | *callgraph_and_branch*) continue ;;
		esac
		rm -rf ref.ctf our.ctf && "$REF" data convert --force --all --to-ctf ref.ctf -i "$f" 2>err &&
		perf data convert --all --to-ctf our.ctf -i "$f" 2>err && trace ref.ctf | sort >ref.out &&
		trace our.ctf | known | sort >our.out && test_cmp ref.out our.out || { echo "$f"; return 1; }
	done
'
test_expect_success PERF_EVENTS,BABELTRACE 'CTF: a directory is made, and one that is there taken' '
	perf data convert --to-ctf deep/er/a -i flat.data 2>err && : >deep/er/a/perf_stream_77 &&
	perf data convert --to-ctf deep/er/a -i none.data 2>err && trace deep/er/a >trace.out &&
	test_line_count -eq 0 trace.out && test "$(ls deep/er/a)" = metadata &&
	: >file && test_expect_code 255 perf data convert --to-ctf file -i flat.data 2>err && test_grep "file: " err
'
test_expect_success PERF_EVENTS,BABELTRACE 'CTF: a pipe' '
	perf record -q -o - -e cpu-clock -c 100000 sh -c "ls -lR /usr/include >&2" 2>/dev/null >pipe.data &&
	perf data convert --to-ctf pipe.ctf -i - <pipe.data 2>err && trace pipe.ctf >trace.out &&
	perf script -i - <pipe.data >script.out && test "$(wc -l <script.out)" -eq "$(wc -l <trace.out)"
'
test_lazy_prereq SMALL_DISK 'may not mount a small file system' '
	unshare -m sh -c "mkdir m && mount -t tmpfs -o size=64k none m"'
test_expect_success PERF_EVENTS,SMALL_DISK 'CTF and JSON: a full disk is told, and nothing left' '
	mkdir small && unshare -m sh -c "mount -t tmpfs -o size=8k none small || exit 1
		perf data convert --to-ctf small/a -i flat.data; echo \$? >ctf.rc
		perf data convert --to-json small/b -i flat.data; echo \$? >json.rc
		ls small >left" 2>err && test_line_count -eq 0 left && test "$(cat ctf.rc json.rc | xargs)" = "255 255" &&
	test_grep "No space left" err && test_grep ! Converted err
'
test_expect_success PERF_EVENTS 'damaged: what is there is converted' '
	head -c $(($(stat -c %s flat.data) / 2)) flat.data >cut.data &&
	test_expect_code 255 perf data convert --to-json cut.json -i cut.data 2>err &&
	test_expect_code 255 perf data convert --to-ctf cut.ctf -i cut.data 2>err &&
	test_grep "samples) \]$" err
'
test_done
