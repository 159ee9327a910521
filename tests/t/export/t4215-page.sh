#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 7 of 8
test_description='the page of report --html in a browser; perf flame'
. "$(dirname "$0")/../../lib/tap.sh"

page() { PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/page.py" "$@"; }

test_lazy_prereq CURL 'no curl' 'command -v curl'
test_require GCC

test_expect_success BROWSER 'a recording with names as nobody should have them, and its page' '
	cat >prog.c <<-\EOF &&
	int main(void) { return 0; }
	__asm__(".text\n.irp s,f,g\n.type \\s, @function\n\\s: .skip 16\n.size \\s, .-\\s\n.endr\n"
		".macro bad name\n.type \"\\name\", @function\n\"\\name\": .skip 16\n.size \"\\name\", .-\"\\name\"\n.endm\n"
		"bad \"</script><img src=x onerror=alert(1)>\"\n");
	EOF
	python3 - >>prog.c <<-\EOF &&
	import sys
	for name in (b"a\\\\\"b\x27c&lt;", b"bad\xff\xfe", b"long" + b"x" * 100000):
	    sys.stdout.buffer.write(b"__asm__(\".type \\\"N\\\", @function\\n\\\"N\\\": .skip 16\\n"
	        b".size \\\"N\\\", .-\\\"N\\\"\\n\");\n".replace(b"N", name.replace(b"\"", b"\\\"")))
	EOF
	gcc -g -no-pie -o prog prog.c && page make prog &&
	perf report -f -i perf.data --html page.html </dev/null >out && test_line_count -eq 0 out &&
	perf report -f -i perf.data --compare before.data --html compared.html </dev/null &&
	perf report -f -i perf.data --compare before.data --compare perf.data --again before.data --html runs.html </dev/null &&
	perf report -f -i perf.data --flamegraph perf.svg </dev/null &&
	for i in flat nowhere wide; do perf report -f -i $i.data --html $i.html </dev/null || return; done &&
	page look page.html compared.html >seen
'
for check in opens head_and_badge totals content_security_policy search_and_matched_share zoom something_is_drawn \
	orders_and_shapes_keep_the_sum brush filters table callers_and_callees address hostile_names light_and_dark \
	two_recordings several_runs source work_of_a_change transforms transforms_by_hand \
	groups call_tree lanes_in_time unknown_frames_are_one whole_system \
	kernel_has_one_colour without_chains paper; do
	test_expect_success BROWSER "in the browser: $check" '
		grep "ok $check\(:\|\$\)" seen; test_grep "^ok $check\$" seen
	'
done

test_expect_success BROWSER 'what several runs do not go with is told' '
	test_expect_code 1 perf report -f -i perf.data --again before.data --html no.html 2>err && test_grep "with --compare" err &&
	test_expect_code 1 perf report -f -i perf.data --compare before.data --again perf.data --folded=no 2>err &&
	test_grep "by --html, not by --folded" err && ! test -e no && ! test -e no.html
'

test_lazy_prereq PERF_EVENTS 'perf events cannot be recorded here' 'perf record -q -e cpu-clock -o probe.data true'
test_expect_success PERF_EVENTS,GCC,BROWSER 'a thread with several names is one lane, under the last of them' '
	cat >names.c <<-\EOF &&
	#include <sys/prctl.h>
	#include <time.h>
	static inline __attribute__((always_inline)) void spin(volatile long *n)
	{
		for (clock_t end = clock() + CLOCKS_PER_SEC / 10; clock() < end;)
			for (int k = 0; k < 1000; k++)
				++*n;
	}
	int main(void)
	{
		static const char *const names[] = { "first", "second", "third" };
		volatile long n = 0;
		for (int i = 0; i < 3; i++) {
			prctl(PR_SET_NAME, names[i]);
			spin(&n);
		}
		return 0;
	}
	EOF
	gcc -O1 -g -o names names.c && perf record -q -g -e cpu-clock -F 2000 -o names.data ./names &&
	perf report -i names.data --html names.html </dev/null &&
	page value names.html "[document.title, ...app.model.lanes(\"thread\").map(l => l.label.split(\" \")[0]), app.model.people.list().length]" >out &&
	test_grep "^\[\"./names - perf\", \"third\", 1\]$" out
'
test_lazy_prereq LIBELF 'built without libelf' '"$PERF" version --build-options | grep -q "libelf: \[ on"'
test_expect_success PERF_EVENTS,GCC,BROWSER,LIBELF 'the source of a function tells what is that of inlined functions, and where they are called' '
	page value names.html "(app.change({view: \"source\"}), app.lookAtSource(app.panels.source[1].list.findIndex(s => s.name === \"main\")),
		[app.panels.source[1].where.innerText, ...[...document.querySelectorAll(\".source-lines:not(.insns) .code\")].map(e => e.innerText)])" >out &&
	test_grep "names.c \\\\u00b7 inlined: spin [0-9.]*%" out && test_grep "([0-9.]*%)[^,]*spin(&n);" out &&
	test_grep "[0-9.]*%[^,]*++\*n;" out
'
test_expect_success PERF_EVENTS 'flame records and writes the page, and keeps the recording unless told not to' '
	mkdir tmp flame && cd flame && TMPDIR=$PWD/../tmp perf flame -q -e cpu-clock -F 2000 -- perf test -w noploop 0.1 >out 2>err &&
	test_line_count -eq 0 out && test_grep "wrote perf-flame.html" err && test_grep "<script>" perf-flame.html &&
	perf script -i perf.data -F comm >/dev/null && test -z "$(ls ../tmp)" && rm perf.data perf-flame.html &&
	perf flame -q -e cpu-clock --no-keep -- true 2>err && test -s perf-flame.html && test ! -e perf.data && test -z "$(ls ../tmp)" &&
	perf flame -q -e cpu-clock --duration 0.2 -o kept.data -H other.html -- perf test -w noploop 60 2>err && test -s other.html &&
	perf script -i kept.data -F comm >/dev/null && test ! -e perf.data &&
	test_expect_code 3 perf flame -q -e cpu-clock -H three.html -- sh -c "exit 3" && test -s three.html
'
test_expect_success PERF_EVENTS,GCC,BROWSER 'flame: objects below a folder, names as they are in them, as report has them' '
	mkdir -p passed && cd passed && echo "int main(void) { for (volatile int i = 0; i < 90000000; i++); return 0; }" >c.c &&
	gcc -g -no-pie -o spinner c.c && mkdir -p "root$PWD" &&
	objcopy --redefine-sym main=_ZN7renamed4nameEv spinner "root$PWD/spinner" &&
	perf flame -q -e cpu-clock -F 2000 --symfs root -- ./spinner 2>err &&
	names="[...Array(app.model.p.nrFrames).keys()].map(f => app.model.name(f))" &&
	page value perf-flame.html "$names" >out && test_grep "renamed::name" out &&
	perf flame -q -e cpu-clock -F 2000 --symfs=root --no-demangle -- ./spinner 2>err &&
	page value perf-flame.html "$names" >out && test_grep "_ZN7renamed4nameEv" out &&
	test_expect_code 129 perf flame -q -e cpu-clock --kallsyms nosuch -- touch ran 2>err && test_grep "kallsyms: cannot read nosuch: No such file" err &&
	test ! -e ran
'
test_expect_success PERF_EVENTS 'flame: what does not go with a page is said first, and nothing of ours stays' '
	{ perf flame -h 2>&1; true; } >help && test_grep "duration" help && test_grep "call-graph" help &&
	test_grep ! "switch-output\|no-samples\|timestamp-filename\|setup-filter" help &&
	cd flame && rm -f *.html && export TMPDIR=$PWD/../tmp &&
	for no in --switch-output=1s --timestamp-filename --no-samples "-o -"; do
		test_expect_code 129 perf flame -q -e cpu-clock $no -- touch ran 2>err && test_grep ": ${no%%=*} is for perf record" err || return
	done &&
	test_expect_code 255 perf flame -q -e cpu-clock -H no/such/place -- touch ran 2>err && test_grep "no/such/place" err &&
	test_expect_code 255 perf flame -q -e cpu-clock -o kept.data -- no-such-command 2>err && test_grep "no-such-command" err &&
	perf flame -q -e cpu-clock --dry-run -- touch ran && test ! -e ran && test -z "$(ls *.html 2>err)" && test -s kept.data &&
	test_expect_code 255 perf flame -q -e cpu-clock -H /dev/full -- true 2>err && test_grep "No space" err && test -c /dev/full &&
	perf flame -q -e cpu-clock --threads -H - -- true >out && test_grep "<script>" out &&
	test_expect_code 137 perf flame -q -e cpu-clock -- sh -c "kill -KILL \$\$" && test -s perf-flame.html &&
	mkfifo page && { perf flame -q -e cpu-clock -H page -o signal.data -- true & } && flame=$! &&
	exec 8<page && wait_for test -e signal.data && kill -TERM $flame; wait $flame; rc=$?; exec 8<&-
	perf script -i signal.data >out && test $rc -eq 143 && test -z "$(ls ../tmp)"
'
test_expect_success PERF_EVENTS,CURL 'flame serves the page to who knows its address' '
	cd "$TRASH/cwd" || return
	perf flame -q -e cpu-clock --serve -- true >address 2>err & server=$!
	wait_for test -s address
	curl -s "$(cat address)" >got && test_grep "<script>" got &&
	test "$(curl -s -o out -w "%{http_code}" "$(sed "s/.\$//" address)")" = 404 && test_grep ! "$(sed "s,.*/,," address)" out
	rc=$?
	kill -TERM $server; wait $server && test ! -e perf-flame.html && test $rc -eq 0
'
test_done
