#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
# turn 3 of 4
test_description='record --call-graph dwarf: C++ with exceptions and cleanups, Rust with panics, a PLT without tables'
. "$(dirname "$0")/../../lib/tap.sh"
. "$SRC/tests/lib/report.sh"
. "$SRC/tests/lib/called.sh"
test_require PERF_EVENTS,UNWIND
test_lazy_prereq CXX 'no compiler for C++' 'echo "int main() {}" >x.cc && ${CXX:-g++} -o x x.cc'
# That of rustup is found below the home of the user, which is another one in tests.
rustc() { RUSTUP_HOME=${RUSTUP_HOME:-$(getent passwd "$(id -u)" | cut -d: -f 6)/.rustup} command rustc "$@"; }
test_lazy_prereq RUSTC 'no compiler for Rust' 'echo "fn main() {}" >x.rs && rustc -o x x.rs'

# Stacks that begin where libgcc goes over to a handler are left out: it overwrites the registers that its own
# frame has saved then, so no unwinder gets on from there.
known_only() { awk -v RS= -v ORS="\n\n" '$0 !~ /^([^\n]*\[unknown\] \([^\n]*libgcc_s[^\n]*\n)?[^\n]* _Unwind_/'; }
# rec FILE PROGRAM [OPTION...]: record it, and list its stacks.
rec() {
	perf record -q -F 3000 -e cpu-clock:u "${@:3}" --call-graph dwarf,8192 -o "$1.data" "./$2" 0.3 &&
	perf script -i "$1.data" -F ip,sym,dso | sed "s/\.cold / /" | known_only >"$1.txt"
}
all_seen() { for f in "${@:2}"; do test_grep " $f" "$1" || return 1; done; }

cat >thrown.cc <<-'END'
	#include <cstdlib>
	#include <ctime>
	#include <stdexcept>
	#define NOINLINE __attribute__((noinline, noipa))
	static volatile long sink;
	extern "C" {
	NOINLINE void leaf(long n) { for (long i = 0; i < n; i++) sink += i * i; }
	NOINLINE void cleanup(void) { leaf(1000); sink++; }
	NOINLINE void caught(void) { leaf(3000); sink++; }
	struct guard { NOINLINE ~guard() { cleanup(); sink++; } };
	NOINLINE void thrower(int depth)
	{
	    guard g;
	    if (!depth)
	        throw std::runtime_error("thrown");
	    thrower(depth - 1);
	    sink++;
	}
	NOINLINE void rethrower(void)
	{
	    try { thrower(12); } catch (const std::runtime_error &) { leaf(1000); throw; }
	}
	NOINLINE void catcher(void)
	{
	    try { rethrower(); } catch (...) { caught(); }
	    sink++;
	}
	}
	int main(int, char **argv)
	{
	    for (clock_t end = clock() + (clock_t)(atof(argv[1]) * CLOCKS_PER_SEC); clock() < end;)
	        catcher();
	}
END
cat >allowed <<-END
	leaf cleanup
	leaf caught
	leaf rethrower
	cleanup ~guard
	cleanup guard::~guard
	~guard thrower
	guard::~guard thrower
	thrower thrower
	thrower rethrower
	rethrower catcher
	caught catcher
	catcher main
END
closed="leaf cleanup caught ~guard guard::~guard thrower rethrower"
for how in "-O2 -fomit-frame-pointer" "-Os -fcf-protection=full -fno-plt"; do
	test_expect_success CXX "C++, $how: while an exception is thrown, cleaned up after, caught and thrown again" '
		${CXX:-g++} $how -w -o thrown thrown.cc && rec thrown thrown && possible thrown.txt &&
		all_seen thrown.txt leaf cleanup "guard::~guard\|~guard" thrower caught rethrower _Unwind_RaiseException
	'
done

cat >panics.rs <<-'END'
	use std::{hint::black_box, panic};
	#[no_mangle] #[inline(never)] pub fn leaf(n: u64) -> u64 { (0..n).fold(0, |a, i| black_box(a) ^ i * i) }
	#[no_mangle] #[inline(never)] pub fn recurse(depth: u32) -> u64 { if depth == 0 { leaf(2000) } else { black_box(recurse(depth - 1)) + 1 } }
	#[no_mangle] #[inline(never)] pub fn compare(a: &u64, b: &u64) -> std::cmp::Ordering { black_box(leaf(20)); a.cmp(b) }
	#[no_mangle] #[inline(never)] pub fn sorter(v: &mut Vec<u64>) { v.sort_by(compare); black_box(&v); }
	struct Guard;
	impl Drop for Guard { #[inline(never)] fn drop(&mut self) { dropped(); } }
	#[no_mangle] #[inline(never)] pub fn dropped() { black_box(leaf(1000)); }
	#[no_mangle] #[inline(never)] pub fn panics(depth: u32) { let _g = Guard; if depth == 0 { panic::resume_unwind(Box::new(7)); } panics(depth - 1); black_box(0); }
	#[no_mangle] #[inline(never)] pub fn caught() { let _ = panic::catch_unwind(|| panics(8)); black_box(leaf(1000)); }
	#[no_mangle] #[inline(never)] pub fn run_all(v: &mut Vec<u64>) { black_box(recurse(30)); sorter(v); caught(); black_box(0); }
	fn main() {
	    let seconds: f64 = std::env::args().nth(1).unwrap().parse().unwrap();
	    for _ in 0..(seconds * 13000.0) as u64 { let mut v = (0..200).map(|i| i * 7919 % 211).collect(); run_all(&mut v); }
	}
END
test_expect_success RUSTC 'Rust, optimised: recursion, sorting by a function, panics with cleanups' '
	cat >allowed <<-END &&
		leaf recurse
		leaf compare
		leaf dropped
		leaf caught
		recurse recurse
		recurse run_all
		sorter run_all
		dropped panics
		panics panics
		panics caught
		caught run_all
	END
	closed="leaf recurse sorter caught" &&
	rustc -O -C debuginfo=0 -o panics panics.rs 2>err && rec panics panics && possible panics.txt &&
	all_seen panics.txt leaf recurse compare sorter panics dropped caught _Unwind_RaiseException
'

# A stub is one jump, which some processors are never interrupted at. So each round takes the page of the stubs out of
# the table of pages, and the first instruction of the stub that is called next is sampled when the page comes back.
cat >stubs.c <<-'END'
	#include <stdlib.h>
	#include <sys/mman.h>
	#include <time.h>
	extern char __executable_start[];
	static volatile long sink;
	__attribute__((noinline, noipa, aligned(4096))) void through_stubs(long n)
	{
	    madvise(__executable_start, (char *)through_stubs - __executable_start, MADV_DONTNEED);
	    while (n--) sink += labs(n);
	}
	int main(int argc, char **argv)
	{
	    for (clock_t end = clock() + (clock_t)(atof(argv[1]) * CLOCKS_PER_SEC); clock() < end;)
	        through_stubs(50000);
	    return argc == 9;
	}
END
test_expect_success CC 'stubs of a PLT without tables, of two kinds' '
	printf "%s\n" "labs through_stubs" "through_stubs main" >allowed && closed="labs through_stubs" &&
	for how in "-Wl,-z,lazy" "-fcf-protection=full -Wl,-z,now"; do
		$CC -O2 -fomit-frame-pointer -fno-builtin -w $how -Wl,--no-ld-generated-unwind-info -o stubs stubs.c &&
		rec stubs stubs -e faults/period=1/u && possible stubs.txt && all_seen stubs.txt "labs@plt" through_stubs || return 1
	done
'
test_done
