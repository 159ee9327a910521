#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
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
	perf probe -x ./$prog --json --externs --filter "counter|n" -V first:2 >out && shape out >got && sed -i "s/\"offset\":[0-9]*/\"offset\":N/" got && test_cmp - got <<-\E &&
	{"format":"perf-probe-variables","version":1,"object":"DIR/PROG","point":"first:2","places":[
	{"function":"first","offset":N,"address":"0xN","variables":[
	  {"name":"counter","type":"int","kind":"external"},
	  {"name":"n","type":"int","kind":"here"}]}]}
	E
	perf probe -x ./$prog --json --range -V first:2 >out && test_grep "\"kind\":\"here\",\"ranges\":\[\[0,[0-9]*\]\]}" out &&
	perf probe -x ./$prog --json --filter nosuch -V first:2 >out && test_grep "\"variables\":\[\]}\]}$" out
'
test_expect_success UPROBES,PROGRAM '-l' '
	clean && perf probe -q -x ./$prog "in=first:2 n" && perf probe -q -x ./$prog "out=first%return value=\$retval" && perf probe --json -l "probe_$prog:*" >out && shape out >got && sed -i "s/\"fetch\":\"[^$\"]*\"/\"fetch\":\"F\"/" got && test_cmp - got <<-\E &&
	{"format":"perf-probe-events","version":1,"events":[
	{"group":"probe_PROG","event":"in","kind":"uprobe","returns":false,"place":"first:2@DIR/t4555.c","path":"DIR/PROG","offset":"0xN","arguments":[{"name":"n","fetch":"F"}]},
	{"group":"probe_PROG","event":"out__return","kind":"uprobe","returns":true,"place":"first%return@DIR/t4555.c","path":"DIR/PROG","offset":"0xN","arguments":[{"name":"value","fetch":"$retval"}]}]}
	E
	clean && perf probe --json -l "probe_$prog:*" >out && printf "{\"format\":\"perf-probe-events\",\"version\":1,\"events\":[]}\n" >want && test_cmp want out
'
test_expect_success PROGRAM,PYTHON 'the documents are JSON, with what the text has' '
	for o in "-F" "-L t4555.c" "-L main" "-V main" "--externs --range -V main"; do
		perf probe -x ./$prog --json $o >out && python3 -m json.tool out >pretty || return 1
	done &&
	perf probe -x ./$prog -F >names && perf probe -x ./$prog --json -F >out && python3 -c "import json, sys; print(*json.load(sys.stdin)[\"functions\"], sep=chr(10))" <out >got && test_cmp names got
'
test_expect_success PROGRAM 'refused' '
	test_expect_code 129 perf probe -x ./$prog --json -D main 2>err && test_grep "a form of --list, --funcs, --line and --vars" err &&
	test_must_fail perf probe -x ./$prog --json -L nosuch >out 2>err && test_line_count = 0 out
'
test_done
