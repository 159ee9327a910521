#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others but probes
# with sanitizers in check-long only
test_description='perf probe --json: functions, lines, variables and events as documents'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq UPROBES 'needs root and uprobes' 'test -w /sys/kernel/tracing/uprobe_events'
test_lazy_prereq PYTHON 'needs python3' 'python3 -c "import json"'

prog=t4555_$$
cat >t4555.c <<\E
int counter = 3;
__attribute__((noinline)) int first(int n)
{
	return n + counter; /* "quoted" \ */
}
int main(int argc, char **argv)
{
	(void)argv;
	return first(argc) == 0;
}
E
test_lazy_prereq PROGRAM 'needs a C compiler with debug information' '
	cd cwd && ${CC:-gcc} -g -gdwarf-5 -O0 -o $prog t4555.c && ! "$PERF" probe -x ./$prog -L first 2>&1 | grep -q "no debug"
'
clean() { test ! -w /sys/kernel/tracing/uprobe_events || perf probe -q -d "probe_$prog:*" >/dev/null 2>&1 || :; }
trap 'clean; test_at_exit' EXIT
# shape FILE: the document without what differs from machine to machine.
shape() { sed "s|/[^\" ]*/|DIR/|g; s/$prog/PROG/g; s/\"0x[0-9a-f]*\"/\"0xN\"/g" "$1"; }

test_expect_success PROGRAM '-F' '
	perf probe -x ./$prog --json -F "first|main" >out && shape out >got && test_cmp - got <<-\E
	{"format":"perf-probe-functions","version":1,"object":"DIR/PROG","functions":[
	"first",
	"main"]}
	E
'
test_expect_success PROGRAM '-L' '
	perf probe -x ./$prog --json -L first:1+2 >out && shape out >got && test_cmp - got <<-\E &&
	{"format":"perf-probe-lines","version":1,"object":"DIR/PROG","function":"first","file":"DIR/t4555.c","read_from":"DIR/t4555.c","lines":[
	{"line":3,"relative":1,"probe":false,"text":"{"},
	{"line":4,"relative":2,"probe":true,"text":"\treturn n + counter; /* \"quoted\" \\ */"}]}
	E
	perf probe -x ./$prog --json -L t4555.c:9+1 >out && test_grep "^{.line.:9,.relative.:9,.probe.:true,.text.:.*return first" out
'
test_expect_success PROGRAM '-V' '
	perf probe -x ./$prog --json --externs --filter "counter|n" -V first:2 >out && shape out >got &&
	sed -i "s/\"offset\":[0-9]*/\"offset\":N/" got && test_cmp - got <<-\E &&
	{"format":"perf-probe-variables","version":1,"object":"DIR/PROG","point":"first:2","places":[
	{"function":"first","offset":N,"address":"0xN","variables":[
	  {"name":"counter","type":"int","kind":"external"},
	  {"name":"n","type":"int","kind":"here"}]}]}
	E
	perf probe -x ./$prog --json --range -V first:2 >out && test_grep "\"kind\":\"here\",\"ranges\":\[\[0,[0-9]*\]\]}" out &&
	perf probe -x ./$prog --json --filter nosuch -V first:2 >out && test_grep "\"variables\":\[\]}\]}$" out
'
test_expect_success UPROBES,PROGRAM '-l' '
	clean && perf probe -q -x ./$prog "in=first:2 n" &&
	perf probe -q -x ./$prog "out=first%return value=\$retval" &&
	perf probe --json -l "probe_$prog:*" >out && shape out >got &&
	sed -i "s/\"fetch\":\"[^$\"]*\"/\"fetch\":\"F\"/" got && test_cmp - got <<-\E &&
	{"format":"perf-probe-events","version":1,"events":[
	{"group":"probe_PROG","event":"in","kind":"uprobe","returns":false,"place":"first:2@DIR/t4555.c","path":"DIR/PROG","offset":"0xN","arguments":[{"name":"n","fetch":"F"}]},
	{"group":"probe_PROG","event":"out__return","kind":"uprobe","returns":true,"place":"first%return@DIR/t4555.c","path":"DIR/PROG","offset":"0xN","arguments":[{"name":"value","fetch":"$retval"}]}]}
	E
	clean && perf probe --json -l "probe_$prog:*" >out && printf "{\"format\":\"perf-probe-events\",\"version\":1,\"events\":[]}\n" >want && test_cmp want out
'
# The kernel of this machine may have no probes: its files are made up, in a mount namespace of their own.
test_lazy_prereq KPROBE_FILES 'needs root, mount namespaces and /proc/kallsyms with addresses' '
	mkdir -p cwd/tracing && unshare -m mount --bind cwd/tracing /sys/kernel/tracing && grep -q "^0*[1-9a-f][0-9a-f]* T vfs_read$" /proc/kallsyms
'
kernel_list() { unshare -m sh -c 'mount --bind tracing /sys/kernel/tracing && exec "$@"' sh "$PERF" probe "$@"; }
test_expect_success KPROBE_FILES '-l of the kernel: functions by their distance from its beginning, modules, addresses' '
	mkdir -p tracing && start=$(sed -n "s/ T _text$//p; s/ t _text$//p" /proc/kallsyms | head -n 1) &&
	read=$(sed -n "s/ T vfs_read$//p" /proc/kallsyms | head -n 1) && test -n "$start" &&
	at=$((0x$read - 0x$start)) && : >tracing/uprobe_events && cat >tracing/kprobe_events <<-E &&
	p:probe/read _text+$at count=%dx:u64 name=+0(%si):ustring
	p:probe/inside _text+$((at + 4))
	r16:probe/read__return vfs_read ret=\$retval:s64
	p:mine/lost no_such_module:no_such_function+4 arg1=@jiffies:u64
	p:mine/nowhere 0x10
	E
	kernel_list --json -l >out && test_cmp - out <<-E &&
	{"format":"perf-probe-events","version":1,"events":[
	{"group":"mine","event":"lost","kind":"kprobe","returns":false,"place":"no_such_function+4","module":"no_such_module","symbol":"no_such_function","offset":"0x4","arguments":[{"name":"arg1","fetch":"@jiffies:u64"}]},
	{"group":"mine","event":"nowhere","kind":"kprobe","returns":false,"place":"0x10","offset":"0x10","arguments":[]},
	{"group":"probe","event":"inside","kind":"kprobe","returns":false,"place":"vfs_read+4","symbol":"_text","offset":"$(printf 0x%x $((at + 4)))","arguments":[]},
	{"group":"probe","event":"read","kind":"kprobe","returns":false,"place":"vfs_read","symbol":"_text","offset":"$(printf 0x%x $at)","arguments":[{"name":"count","fetch":"%dx:u64"},{"name":"name","fetch":"+0(%si):ustring"}]},
	{"group":"probe","event":"read__return","kind":"kprobe","returns":true,"place":"vfs_read%return","symbol":"vfs_read","offset":"0x0","arguments":[{"name":"ret","fetch":"\$retval:s64"}]}]}
	E
	kernel_list --json -l "mine:*" >out && test "$(grep -c "^{.group.:.mine." out)" = 2 && test_line_count = 3 out &&
	kernel_list -l "probe:*" >out && test_grep "^  probe:read  *(on vfs_read with count name)$" out && test_line_count = 3 out
'
test_expect_success PROGRAM,PYTHON 'the documents are JSON, with what the text has' '
	for o in "-F" "-L t4555.c" "-L main" "-V main" "--externs --range -V main"; do
		perf probe -x ./$prog --json $o >out && python3 -m json.tool out >pretty || return 1
	done &&
	perf probe -x ./$prog -F >names && perf probe -x ./$prog --json -F >out &&
	python3 -c "import json, sys; print(*json.load(sys.stdin)[\"functions\"], sep=chr(10))" <out >got &&
	test_cmp names got
'
test_expect_success PROGRAM 'refused' '
	test_expect_code 129 perf probe -x ./$prog --json -D main 2>err && test_grep "a form of --list, --funcs, --line and --vars" err &&
	test_must_fail perf probe -x ./$prog --json -L nosuch >out 2>err && test_line_count = 0 out
'
test_done
