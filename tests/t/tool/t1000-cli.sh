#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='the command line: commands, global options, wording, streams and exit status'
. "$(dirname "$0")/../../lib/tap.sh"

# same_as_ref CODE ARGS...: both end with CODE and say the same on both streams.
same_as_ref() {
	local want=$1

	shift
	test_expect_code "$want" "$PERF" "$@" >ours.out 2>ours.err &&
		test_expect_code "$want" "$REF" "$@" >ref.out 2>ref.err &&
		test_cmp ref.out ours.out && test_cmp ref.err ours.err
}

test_expect_success 'no command lists them and ends with 1, help with 0' '
	test_expect_code 1 perf >out &&
	perf help >help.out && perf --help >long.out && perf -h >short.out &&
	test_cmp out help.out && test_cmp out long.out && test_cmp out short.out &&
	test_grep "^ usage: perf \[--version\] \[--help\] \[OPTIONS\] COMMAND \[ARGS\]$" out &&
	test_grep "^   version         display the version of perf binary$" out
'

test_expect_success REFERENCE 'the list has the words of the reference' '
	"$REF" help | grep "^   " | sort >ref && perf help | grep "^   " | sort >ours &&
	comm -13 ref ours | grep -v -e "^   check " -e "^   flame " -e "^   block " -e "^   doctor " -e "^   triage " >new
	test_line_count -eq 0 new
'

test_expect_success REFERENCE 'wrong global options' '
	for args in --xyz -q - -- --debug --buildid-dir --buildid-dir=/tmp "--debug nosuch version"; do
		same_as_ref 129 $args || return 1
	done
'

test_expect_success REFERENCE 'wrong options of a command' '
	for args in "version --xyz" "version -Q" "version --build-options=3" "version -h" \
		"version -h build" "version -h nosuch" "version --no-build-options=3" \
		"config -h" "config -x" "config --li=3" "config --s=3" "config -list" "config -h list" \
		"config -h -l" "config -lx"; do
		same_as_ref 129 $args || return 1
	done
'

test_expect_success REFERENCE 'lists for completion' '
	same_as_ref 130 config --list-opts &&
	same_as_ref 130 version --list-opts &&
	same_as_ref 130 version --list-cmds
'

test_expect_success REFERENCE 'unknown commands' '
	same_as_ref 1 qwertyuiop &&
	same_as_ref 1 "" &&
	mkdir -p bin && printf "#!/bin/sh\necho foo \"\$@\"; exit 3\n" >bin/perf-foofoo && chmod +x bin/perf-foofoo &&
	same_as_ref 1 --exec-path="$PWD/bin" foofo
'

test_expect_success 'a command that was meant' '
	test_expect_code 1 perf verison 2>err &&
	test_grep "^perf: .verison. is not a perf-command. See .perf --help.\.$" err &&
	test_grep "^Did you mean this?$" err && test_grep "^	version$" err
'

test_expect_success 'programs that are commands' '
	test_expect_code 3 perf --exec-path="$PWD/bin" foofoo a "b c" >out && test_grep "^foo a b c$" out &&
	(PATH=$PWD/bin:$PATH; test_expect_code 3 perf foofoo) &&
	(PERF_EXEC_PATH=$PWD/bin; export PERF_EXEC_PATH; test_expect_code 3 perf foofoo &&
		test "$(perf --exec-path)" = "$PWD/bin" && perf help -a >out && test_grep "^  foofoo$" out)
'

test_expect_success 'the name of a link is a command' '
	ln -sf "$PERF" bin/perf-version && bin/perf-version >out && perf version >want && test_cmp want out
'

test_expect_success 'version' '
	perf --version >a && perf version >b && perf -v >c && test_cmp a b && test_cmp a c &&
	test_grep "^perf version [0-9]" a && test_line_count -eq 1 a &&
	perf -vv >a && perf version --build-options >b && perf version --bui >c && test_cmp a b && test_cmp a c &&
	test_grep -E "^ +libelf: \[ (on |OFF) \]  # HAVE_LIBELF_SUPPORT$" a
'

test_expect_success REFERENCE 'lines of --build-options have the shape of the reference' '
	perf version --build-options | sed "s/\[ on  \]/[ OFF ]/" >ours &&
	"$REF" version --build-options | sed -n "/:/s/\[ on  \]/[ OFF ]/p" >ref &&
	! grep -vxFf ours ref
'

test_expect_success 'check feature' '
	perf version --build-options >all &&
	on=$(sed -n "s/^ *\([^:]*\): \[ on .*/\1/p" all | head -n 1) &&
	perf check feature "$on" >out && grep -F " $on: " all >want && test_cmp want out &&
	macro=$(sed -n "s/.*\[ on .*# //p" all | tail -n 1) && perf check -q feature "$macro" >out &&
	test_line_count -eq 0 out &&
	test_expect_code 1 perf check feature -q "$on,nosuchthing" >out 2>err &&
	test_line_count -eq 0 out && test_grep "^Feature not known: .nosuchthing.$" err &&
	test_expect_code 129 perf check && test_expect_code 129 perf check feature &&
	test_expect_code 129 perf check nosuch
'

test_expect_success 'a full disk is not success' '
	test -w /dev/full &&
	test_expect_code 128 perf version >/dev/full 2>err &&
	test_grep "^write failure on standard output: No space left on device$" err &&
	test_expect_code 128 perf version --list-opts >/dev/full 2>err
'

test_expect_success 'a reader that goes away is no error message' '
	(perf version --build-options; echo $? >code) 2>err | true
	test_line_count -eq 0 err
'

test_expect_success 'help CMD and CMD --help show its page' '
	mkdir -p fake && printf "#!/bin/sh\necho man \"\$@\"\n" >fake/man && chmod +x fake/man &&
	(PATH=$PWD/fake:$PATH && perf help version >a && perf version --help >b && perf help -m version >c && perf version --help more >d && test_cmp a d &&
		test_cmp a b && test_cmp a c && test_grep "^man .*perf-version" a &&
		test "$(perf help nosuch)" = "man perf-nosuch" &&
		test_expect_code 16 perf help "x;y" 2>err) &&
	PERF_CONFIG=cfg && export PERF_CONFIG && perf config man.viewer=mine "man.mine.cmd=echo MINE" &&
	perf help version >out && test_grep "^MINE .*perf-version" out && unset PERF_CONFIG
'

test_expect_success 'without man it says what to do' '
	mkdir -p empty && test_expect_code 1 env PATH="$PWD/empty" "$PERF" help version 2>err &&
	test_grep "perf version -h" err
'

test_expect_success 'a page that is not there' '
	printf "#!/bin/sh\nexit 16\n" >fake/man && cp "$PERF" bin/perf-elsewhere &&
	test_expect_code 16 env PATH="$PWD/fake:$PATH" bin/perf-elsewhere help check 2>err &&
	{ test -e /usr/local/share/man/man1/perf-check.1 || test_grep "perf check -h" err; }
'

test_expect_success 'every table is sound' '
	bad= &&
	for c in $(perf --list-cmds); do
		rc=0
		perf $c --list-opts=table >table 2>err || rc=$?
		test $rc -eq 130 || bad="$bad $c: $rc $(cat err)"
	done &&
	echo "$bad" && test -z "$bad"
'

test_expect_success PERF_EVENTS 'verbs that record tell what they run' '
	runs() { test_expect_code 129 perf "$@" 2>err && sed -n "s/^ Runs: perf record //p" err; }
	runs sched record -h >out && test_grep "^-a -R -m 1024 -c 1 -e .*sched:sched_switch,.* <yours>$" out && test_grep "Usage: perf record " err &&
	runs kmem record --page --help >out && test_grep "^-a .* -g -e kmem:mm_page_alloc,[^ ]* <yours>$" out && test_grep "Usage: perf kmem record " err &&
	runs timechart record -I -h >out && test_grep "syscalls:sys_enter_read " out && test_grep ! sched: out &&
	for verb in lock kwork block "kvm stat"; do runs $verb record -h >out && test_grep "<yours>$" out || return 1; done &&
	runs record -h >out && test ! -s out && test_expect_code 130 perf kmem record --list-opts >out && test_grep "^--slab" out
'

test_done
