#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# turn 1 of 4
test_description='perf record -e: what texts become, what is said of wrong ones, probes for markers'
. "$(dirname "$0")/../../lib/tap.sh"
test_require ROOT,PERF_EVENTS

# A library that opens a counter of nothing whatever is asked for, and a sysfs that has PMUs: with
# both, any perf shows with -vv what it would open on another machine.
cat >shim.c <<\EOF
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <sys/syscall.h>

long syscall(long nr, ...)
{
	long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	long a[6];
	va_list ap;

	va_start(ap, nr);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (nr == SYS_perf_event_open) {
		struct perf_event_attr *asked = (void *)a[0], attr = {
			.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .size = sizeof(attr),
			.sample_period = 1, .disabled = asked->disabled, .write_backward = asked->write_backward,
			.read_format = asked->read_format, .sample_id_all = 1,
			.sample_type = asked->sample_type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER),
		};

		return next(nr, &attr, a[1], a[2], a[3], a[4]);
	}
	return next(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}
EOF
# rates are what was asked for
printf '[record]\n\tsample-budget = 0\n' >"$HOME/.perfconfig"
test_lazy_prereq ELSEWHERE 'needs a C compiler, mount namespaces, an unsanitized build' '
	cd cwd && test -z "$SAN" && ${CC:-gcc} -shared -fPIC -o shim.so shim.c -ldl &&
	unshare -m mount --bind . /sys/bus/event_source/devices
'
mkdir machine
while read -r path text; do
	case $path in \#*) continue ;; esac
	mkdir -p "machine/${path%/*}" && echo "$text" >"machine/$path"
done <"$SRC/tests/data/event-machine.txt"
# elsewhere COMMAND...: on that machine
elsewhere() {
	unshare -m sh -c 'mount --bind machine /sys/bus/event_source/devices && exec env LD_PRELOAD=$PWD/shim.so timeout 60 "$@"' x "$@"
}
# attrs PERF OUT ARGS...: what it opens
attrs() {
	elsewhere "$1" record --no-bpf-event -N -B -vv -o "$2.data" "${@:3}" true >"$2.log" 2>&1 &&
	sed -n '/^perf_event_attr:/,/^---/p' "$2.log" >"$2"
}

test_expect_success REFERENCE,ELSEWHERE 'more than 200 texts: the attrs of the reference' '
	args=() && while read -r text; do args+=(-e "$text"); done < <(sed -n "s/^>= //p" "$SRC/tests/data/event-texts.txt") &&
	test ${#args[@]} -gt 400 && attrs "$REF" ref -F 500 "${args[@]}" && attrs "$PERF" our -F 500 "${args[@]}" && test_cmp ref our &&
	test_line_count -gt 3000 our
'
while read -r args; do
	eval "words=($args)"
	test_expect_success REFERENCE,ELSEWHERE "$args: the attrs of the reference" '
		attrs "$REF" ref "${words[@]}" && attrs "$PERF" our "${words[@]}" && test_cmp ref our
	'
done <<\EOF
-c 100 -e cycles/period=7/,cs/freq=7/,faults,sched:sched_switch,mem:0x1000:w
-F 50 -e cycles/period=7/,cs/freq=7/,faults,sched:sched_switch
-F 500 -g -e cycles/call-graph=no/ -e cs/max-stack=5/ -e faults
-F 500 -e cycles/call-graph=dwarf,stack-size=4096/
-F 500 --overwrite -e cs,faults/no-overwrite/
-c 100 -e '{cycles,instructions/period=7/,cs}:S,sched:sched_sw*/call-graph=fp/'
EOF

# What both say of wrong texts, up to the list of options.
test_expect_success REFERENCE 'wrong texts: the place and the reason of the reference' '
	for e in cpu-clock/period=5,time=2/ msr/event=x/ uprobe/retprobe=2/ cpu-clock/name=12/ nopmu/event=1/ cycles:pppp \
		"{cs,faults}:uu" "cs,,faults" 4:zz cpu-clock/percore=7/; do
		"$REF" record -o x.data -e "$e" true 2>&1 | sed "/^Initial error/,/___/d; /^Run/,\$d" | grep . >ref
		perf record -o x.data -e "$e" true 2>&1 | sed "/^Run/,\$d" | grep . >our
		test_cmp ref our || { echo "event: $e"; return 1; }
	done
'
test_expect_success 'names that are nearly right' '
	for e in cylces:cycles sched_switch:sched:sched_switch sched:sched:. page-fault:page-faults msr/tcs/:tsc cs/perod=5/:period; do
		test_expect_code 129 perf record -o x.data -e "${e%%:*}" true 2>err && test_grep "^Did you mean .*${e#*:}" err || return 1
	done &&
	test_expect_code 129 perf record -o x.data -e sched:sched_swich true 2>err && test_grep "Did you mean sched:sched_switch?" err
'
test_expect_success '--dry-run -vv: attrs, and nothing is opened' '
	perf record --dry-run -vv -e "\"cs\":u" -o dry.data no-such-program 2>err && test ! -e dry.data &&
	test_grep "^  config  *0x3$" err && test_grep "^  exclude_kernel  *1$" err && ! grep sys_perf_event_open err
'
test_lazy_prereq TP_FUNCTION 'no ftrace:function' 'test -e /sys/kernel/tracing/events/ftrace/function/id'
test_expect_success TP_FUNCTION 'what a pattern finds but the kernel refuses is left out and told in one line' '
	perf record -e "ftrace:*" -o f.data true 2>err && test "$(grep -c "cannot be recorded: ftrace:function (" err)" -eq 1 &&
	perf evlist -i f.data >out && ! grep -x ftrace:function out
'
test_expect_success TP_FUNCTION 'the functions of the kernel are asked for without what their samples would need of programs' '
	for o in "" -g "--call-graph dwarf" -a; do
		perf record --dry-run -vv $o -e ftrace:function -o f.data true 2>err && test_grep "^  exclude_callchain_user  *1$" err &&
		test_grep ! STACK_USER err || return 1
	done &&
	perf record --dry-run -vv -g -e "ftrace:f*,sched:sched_switch" -o f.data true 2>err && test_grep ! exclude_callchain_user err
'
test_expect_success 'the first event may be among them: another carries the side-band' '
	perf record -e "ftrace:f*,sched:sched_switch" -o f.data true 2>err && perf script --show-task-events -i f.data >out &&
	test_grep PERF_RECORD_COMM out
'
test_expect_success 'breakpoints at symbols of the kernel' '
	sym=$(awk "\$2 == \"T\" && \$3 == \"schedule\" { print \$1 }" /proc/kallsyms) &&
	perf record --dry-run -vv -e mem:schedule,mem:schedule+8/2:w:k -o x.data true 2>err &&
	grep "bp_addr" err | grep -c "0x$(printf %x $((0x$sym)))$\|0x$(printf %x $((0x$sym + 8)))$" >n && echo 2 | test_cmp - n &&
	test_grep "bp_type  *4$" err && test_grep "bp_type  *2$" err
'

# A program with markers.
cat >m.S <<\EOF
	#include "sdt.inc"
	first:
	990: nop
	note perftest, one, "8@%rdi"
	990: nop
	note perftest, two, ""
	990: nop
	note perftest, two, "8@%rdi"
	xor %eax,%eax
	ret
EOF
marked() { ${CC:-gcc} -o "$1" "$2" -I"$SRC/tests/lib" -Wl,--build-id; }
test_lazy_prereq SDT 'needs x86-64, a C compiler and uprobes' '
	cd cwd && test "$(uname -m)" = x86_64 && marked marked m.S && test -w /sys/kernel/tracing/uprobe_events
'
no_probes() {
	! grep sdt_perftest /sys/kernel/tracing/uprobe_events
}
test_expect_success SDT 'markers are probed for the run, places with other arguments too; the probes go' '
	export PERF_BUILDID_DIR=$PWD/cache && perf buildid-cache -a marked &&
	perf record -e sdt_perftest:two,%perftest:one -o s.data ./marked 2>err && no_probes &&
	perf script -i s.data -F event,trace >out && sed "s/  *(.*)/ -/; s/^ *//" out | cut -d" " -f1 | sort >names &&
	printf "%s\n" sdt_perftest:one: sdt_perftest:two: sdt_perftest:two_1: | test_cmp - names &&
	test_grep "one:.*arg1=1" out
'
test_expect_success SDT '... by pattern, and when something goes wrong later' '
	perf record -e "sdt_perft*:*" -o s.data ./marked 2>err && test "$(perf evlist -i s.data | grep -c "^sdt_")" -eq 3 && no_probes &&
	test_expect_code 129 perf record -e sdt_perftest:one -e nonsense -o s.data ./marked 2>err && no_probes &&
	test_expect_code 129 perf record -e sdt_perftest:three -o s.data ./marked 2>err && test_grep "has such a marker" err && no_probes
'
test_expect_success SDT 'a marker that several objects have: all of them, or the one that is named' '
	sed "s/first:/& nop/" m.S >n.S && marked other n.S && perf buildid-cache -a other &&
	perf list sdt >out && word=$(sed -n "s/^  *\\(sdt_perftest:one@.*other([0-9a-f]*)\\).*/\\1/p" out) && test -n "$word" &&
	perf record -e "$word" -o s.data sh -c "./marked; ./other" && perf script -i s.data -F comm >out && test_line_count -eq 1 out &&
	test_grep other out && no_probes &&
	perf record -e "{sdt_perftest:one@$PWD/marked,sdt_perftest:two@$PWD/marked}" -o s.data sh -c "./marked; ./other" &&
	perf script -i s.data -F comm >out && sort -u out | tr -d " " >names && echo marked | test_cmp - names &&
	perf record -e sdt_perftest:one -o s.data sh -c "./marked; ./other" && perf script -i s.data -F comm >out && test_line_count -eq 2 out &&
	no_probes
'
test_expect_success 'patterns on both sides: all that open, and one line for the rest' '
	perf record -e "ft*:*,*_vector[s]:*" -o glob.data true 2>err &&
	ls -d /sys/kernel/tracing/events/ft*/*/id /sys/kernel/tracing/events/*_vectors/*/id | sed "s|.*/events/||; s|/id||; s|/|:|" | sort >there &&
	perf evlist -i glob.data | sed -n "/^[^#].*:/p" | sort >opened && test_line_count -gt 1 opened &&
	comm -13 there opened >strange && test_line_count -eq 0 strange &&
	left=$(comm -23 there opened | wc -l) && test "$left" -gt 0 && test "$(grep -c "cannot be recorded" err)" -eq 1 &&
	test_grep "^$left of the events that match cannot be recorded: .*ftrace:function (Invalid argument)" err
'
test_done
