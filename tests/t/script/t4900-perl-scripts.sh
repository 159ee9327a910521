#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 2 of 4
test_description='script -s and -g: scripts in Perl, their arguments, and all ways to end; the reference prints the same'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq ENGINE 'built without Perl' 'test -e "$BUILD/script-perl.so"'
test_lazy_prereq REFPERL 'the reference runs no scripts in Perl' '"$REF" version --build-options | grep -q "libperl: \[ on"'
test_require ENGINE,PYTHON
export PYTHONDONTWRITEBYTECODE=1
unset PERL5LIB PERL5OPT PERL_USE_UNSAFE_INC
PYTHONPATH=$SRC/tests/lib/python python3 "$SRC/tests/lib/python/typed.py" made.data "$PERF"

LIB='use lib "$ENV{PERF_EXEC_PATH}/scripts/perl/Perf-Trace-Util/lib";'
# run [OPTIONS]: the script of standard input
run() { cat >s.pl && perf script -i made.data "$@" -s s.pl; }

test_expect_success 'fields have the values and signs of their types' '
	run >out <<-\EOF &&
		use strict;
		use warnings FATAL => "all";
		sub sys::typed {
			my ($name, $context, $cpu, $secs, $nsecs, $pid, $comm, $chain, $low, $high, $minus, $tiny, $byte, $small, $list, $mask,
			    $text, $chars, $dynamic, $near, $pointer, $kind) = @_;
			my $i = -1 - $low;
			my $have = join ",", @_[0, 2..6, 8..13, 15, 18..21], unpack("Ll2", $list), unpack("C*", $chars), scalar @$chain;
			my $want = join ",", "sys::typed", $i, 1, 1000 * $i, 100 + $i, $i % 2 ? "o\xffd" : "prog", -1 - $i, 9223372036854775813 + $i,
				-2, -7, 249, -300, 5, "word", "odd", 18446603336221196288 + $i, 7 * ($i % 2), 1, -1, $i, 1..4, 0;
			die "$have\n$want" if $have ne $want || $text ne ($i == 1 ? "na\xffme" : "name");
			print "$i\n";
		}
	EOF
	printf "%s\n" 0 1 2 3 | test_cmp - out
'
test_expect_success 'events without a function of their own, and all of them as packed bytes' '
	run >out <<-\EOF &&
		sub trace_begin { print "begin\n" }
		sub trace_end { print "end @ARGV\n" }
		sub sys::plain { print "plain $_[8]\n" }
		sub trace_unhandled { print "$_[0] ", scalar @_, "\n" }
		sub process_event {
			my ($event, $attr, $sample, $raw) = @_;
			my ($type, $misc, $size) = unpack "LSS", $event;
			my ($ip, $pid, $tid, $time, $addr) = unpack "QLLQQ", $sample;
			die if $type != 9 || $size != length $event;
			printf "%d %#x %d %d %#x %d\n", unpack("L", $attr), $ip, $tid, $time, $addr, length $raw;
		}
	EOF
	test "$(sed -n 1,6p out)" = "begin
sys::typed 22
2 0x1000 100 1000000000 0 104
plain 0
2 0x1000 100 1000000001 0 12
1 0x401000 100 1000000002 0x401100 0" && test_line_count -eq 22 out && test "$(tail -n 1 out)" = "end "
'
test_expect_success 'what a handler keeps or changes of its arguments is its own' '
	run >out <<-\EOF &&
		sub sys::plain {
			push @kept, \$_[8], $_[7];
			$_[0] = [1]; $_[2] .= "x"; $_[6] .= chr(256);
			push @{$_[7]}, 5 if $_[8] == 1;
			Internals::SvREADONLY($_[3], 1);
		}
		sub sys::typed { print "@_[0, 2, 3] ", length($_[6]), " ", scalar @{$_[7]}, "\n"; }
		sub trace_end { print join(",", map { ref eq "ARRAY" ? "@$_" : $$_ } @kept), "\n" }
	EOF
	printf "%s\n" "sys::typed 0 1 4 0" "sys::typed 1 1 3 0" "sys::typed 2 1 4 0" "sys::typed 3 1 3 0" "0,,1,5,2,,3," | test_cmp - out
'
test_expect_success 'call chains, words and the other fields of tracepoints' '
	run >out <<-EOF &&
		$LIB
		use Perf::Trace::Core;
		use Perf::Trace::Context;
		use Perf::Trace::Util qw(:DEFAULT nsecs_str);
		sub sys::typed {
			print join("/", common_pc(\$_[1]), common_flags(\$_[1]), common_lock_depth(\$_[1]), trace_flag_str(common_flags(\$_[1])),
				flag_str("sys::typed", "mask", \$_[15]), symbol_str("sys::typed", "kind", \$_[21]), flag_str("no", "no", 1)), "\n";
		}
		sub trace_end {
			print join(" ", nsecs(1, 5), nsecs_secs(2999999999), nsecs_nsecs(2999999999), nsecs_usecs(1000005999), nsecs_str(1000000005),
				avg(6, 4), trace_flag_str(0)), "\n";
			print_nsecs(5);
			print "\n";
			dump_flag_fields();
			dump_symbolic_fields("sys::typed", "kind");
		}
	EOF
	printf "%s\n" "2/1/0/IRQS_OFF/ONE | FOUR/ZERO/" "2/1/0/IRQS_OFF/ONE | FOUR/SEVEN/" >expected &&
	sed -n 1,2p out | test_cmp expected - && sed -n 3,4p out | test_cmp expected - &&
	test_grep "^1000000005 2 999999999 5     1.000000005 1.5 NONE$" out && test_grep "^    0.000000005$" out &&
	test_grep "^        delim: |$" out && test_grep "^        value 4: FOUR$" out && test_grep "^        value 7: SEVEN$" out
'
test_expect_success 'a script that exits: its status, its END blocks, and no end of its own' '
	for n in 0 7 255; do
		test_expect_code $n run >out 2>err <<-EOF || return 1
			sub trace_unhandled { print "once\n"; eval { exit $n }; }
			sub trace_end { print "end\n" }
			END { print "END\n" }
		EOF
		printf "%s\n" once END | test_cmp - out && ! test -s err || return 1
	done &&
	for when in "" BEGIN "sub trace_begin" "sub trace_end"; do
		for n in 0 3; do
			echo "print 5; $when { exit $n }" | test_expect_code $n run >out || return 1
		done
	done
'
test_expect_success 'a script that dies: a message with its place, and status 255; what is caught goes on' '
	test_expect_code 255 run >out 2>err <<-\EOF &&
		sub trace_unhandled { print "before\n"; eval { die "caught" }; local $_ = shift; none($_) }
	EOF
	test "$(cat out)" = before && test_grep "^Undefined subroutine &main::none called at s.pl line 1.$" err &&
	echo "sub trace_end { die qq(told\n) }" | test_expect_code 255 run 2>err && test "$(cat err)" = told &&
	echo "use strict; \$x = 1;" | test_expect_code 255 run 2>err && test_grep "Global symbol" err && test_grep "^Execution of s.pl aborted" err &&
	echo "use Nosuch::Module;" | test_expect_code 2 run 2>err && test_grep "Can.t locate Nosuch/Module.pm in @INC" err &&
	echo "$LIB use Perf::Trace::Context; common_pc(1);" | test_expect_code 255 run 2>err && test_grep "common_pc() wants the context of a handler" err
'
test_expect_success 'nothing is taken from the current folder' '
	echo "print qq(from here\n); 1" >Here.pm && for unsafe in 0 1; do
		echo "use Here;" | PERL_USE_UNSAFE_INC=$unsafe test_expect_code 2 run >out 2>err && ! test -s out && test_grep "locate Here.pm" err || return 1
	done
'
test_expect_success 'scripts that cannot be run' '
	test_expect_code 255 perf script -i made.data -s nosuch.pl 2>err && test_grep "^Can.t open Perl script \"nosuch.pl\": No such file" err &&
	mkdir -p folder.pl && test_expect_code 255 perf script -i made.data -s folder.pl 2>err && test_grep "Is a directory" err &&
	perf script -s lang 2>err && test_grep "^  pl  *\[Perl\]$" err && echo "print qq(@ARGV\n)" >plain &&
	perf script -i made.data -s Perl:plain one "a b" >out && test "$(cat out)" = "one a b" &&
	cp "$PERF" alone && test_expect_code 255 ./alone script -i made.data -s Perl:plain 2>err &&
	test_grep "^Perl scripting not supported" err && test_grep "Install libperl" err
'
test_expect_success 'a pipe that nobody reads, and a device that is full' '
	echo "sub trace_unhandled { print qq(x) x 50, qq(\n) for 1..5000 }" >s.pl &&
	perf script -i made.data -s s.pl 2>err | head -n 1 >out && ! test -s err &&
	{ ! test -w /dev/full || { test_expect_code 128 perf script -i made.data -s s.pl 2>err >/dev/full &&
		test_grep "^write failure on standard output: No space left" err; }; }
'
test_expect_success 'lines of perf in between, a stream, and modules with code of their own' '
	perf inject -i made.data -o - >made.pipe && cat >s.pl <<-\EOF &&
		use POSIX; use List::Util "sum"; use Data::Dumper;
		sub trace_unhandled { print "$_[0] ", sum(1, 2), " ", floor(1.5), "\n"; }
	EOF
	perf script -i made.data -s s.pl >file.out && perf script -i - -s s.pl <made.pipe | test_cmp file.out - && test_line_count -eq 8 file.out &&
	perf script -i made.data --show-task-events -s s.pl >out && test "$(head -n 2 out | grep -c PERF_RECORD_COMM)" = 2
'
# What a shell runs behind ignores interrupts.
cat >takes.py <<\EOF
import signal, subprocess, sys
sys.exit(subprocess.call(sys.argv[1:], preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) & 255)
EOF
test_expect_success 'an interrupt shows what there is; a second one ends a handler that does not return' '
	cat >endless.pl <<-\EOF &&
		$| = 1;
		sub trace_unhandled {
			print "$_[0]\n";
			kill INT => $$;
			if (@ARGV) { kill INT => $$; 1 while 1; }
		}
		sub trace_end { print "end\n" }
	EOF
	python3 takes.py "$PERF" script -i made.data -s endless.pl >out && printf "%s\n" sys::typed end | test_cmp - out &&
	test_expect_code 254 python3 takes.py "$PERF" script -i made.data -s endless.pl twice >out && test "$(cat out)" = sys::typed
'
test_expect_success 'a script is generated, with a handler for each event, and runs' '
	perf script -i made.data -g perl 2>err && test_grep "^generated Perl script: perf-script.pl$" err &&
	perf script -i made.data -g named.pl 2>err && test_cmp perf-script.pl named.pl && ! grep -q "lib \"\\./" perf-script.pl &&
	perf script -i made.data -s perf-script.pl >out && test "$(grep -c "^sys::typed  *[0-3] 00001" out)" = 4 &&
	test_grep "mask=ONE | FOUR, name=name" out && test_grep "kind=SEVEN$" out && test_grep "minus=-2" out &&
	perf script -i made.data -s Perl:perf-script.pl --pid 101 >out && test "$(grep -c ^sys::typed out)" = 2
'

# What Perl prints of hashes is in the same order each time.
export PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0
# both RECORDING SCRIPT [ARGUMENTS]: the reference and we print the same.
both() {
	local data=$1 script=$2

	shift 2
	"$REF" script -i "$data" -s "$script" "$@" >ref.txt 2>ref.err
	perf script --no-inline -i "$data" -s "$script" "$@" >our.txt 2>our.err && test -s our.txt && test_cmp ref.txt our.txt
}
test_expect_success REFPERL,ROOT,TRACEFS,PERF_EVENTS 'generated scripts of a recording: each runs with both' '
	perf record -q -g -o tp.data -e sched:sched_switch,irq:softirq_entry,syscalls:sys_enter_openat,cpu-clock -- \
		sh -c "for i in 1 2 3; do ls / >list; done" &&
	perf script -i tp.data -g ours.pl 2>err && mkdir -p theirs && (cd theirs && "$REF" script -i ../tp.data -g perl 2>&1) &&
	both tp.data ours.pl && both tp.data theirs/perf-script.pl
'
test_expect_success REFPERL 'the layout of a generated script is the reference'\''s, but for comments, folders and samples in bytes' '
	mkdir -p theirs && (cd theirs && "$REF" script -i ../made.data -g perl 2>&1) &&
	sed "/^# Packed/,\$d; /^#/d; /\"\.\/Perf/d; s/list=%u/list=%s/; s/.node{ip}/\$node->{ip}/" theirs/perf-script.pl >ref.txt &&
	sed "/^#/d" perf-script.pl | diff -B ref.txt -
'
. "$SRC/tests/lib/python/scripts.sh"
made rw-old wakeups-old || exit 1
REF_PERL=${REF_SCRIPTS%/python}/perl
test_lazy_prereq REF_PERL 'the reference has no scripts in Perl' '
	"$REF" script -i "$TRASH/cwd/calls.data" -s "$REF_PERL/failed-syscalls.pl"'
test_expect_success REF_PERL 'scripts and modules that come with the reference run unchanged' '
	while read -r data script arg; do
		PERF_EXEC_PATH=${REF_PERL%/scripts/perl} both $data.data "$REF_PERL/$script.pl" $arg || return 1
	done <<-\END
		rw-old rw-by-pid
		rw-old rw-by-file a
		calls failed-syscalls prog
		wakeups-old wakeup-latency
	END
'
test_done
