#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='names of flags of system calls: each value has one, and headers come first'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq CC 'no compiler' 'test -n "$CC"'

# with_names LINES: run the generator on a list of its own
with_names() {
	rm -rf own && mkdir own && cp "$SRC/scripts/sysargs/generate" own/ && printf '%s\n' "$1" >own/names || return
	own/generate $2 "$CC"
}

test_expect_success CC 'no table gives two names to one value' '
	"$SRC/scripts/sysargs/generate" --check "$CC" >out && test_line_count = 0 out
'
test_expect_success CC 'a value that is named twice fails, and the first name is taken' '
	! with_names "table t X_ all
else X_A=1 X_B=2 X_C=1" --check >out && grep -q "^table t: X_A and X_C are both 0x0*1; leave out one" out &&
	with_names "table t X_ all
else X_A=1 X_B=2 X_C=1" >out && grep -q "{ 0x1, \"X_A\", 3, 2 }" out && ! grep -q X_C out && grep -q "NAMES(t, \"X_\", ~(u64)0, false)" out
'
test_expect_success CC 'a header counts more than the list, and one that is missing is no error' '
	with_names "table t O_ 3
from asm-generic/fcntl.h no/such/header.h
match O_(CREAT|EXCL|TRUNC)
but O_TR.*
else O_CREAT=7 O_NEW=0x100000000" >out &&
	grep -q "{ 0x40, \"O_CREAT\", 7, 2 }" out && grep -q "{ 0x80, \"O_EXCL\", 6, 2 }" out &&
	grep -q "{ 0x100000000, \"O_NEW\", 5, 2 }" out && ! grep -qE "TRUNC|{ 0x7," out
'
test_expect_success CC 'a name without a value that the compiler knows is left out' '
	with_names "table t X_ 0
else X_A=1 X_B=sizeof(struct/**/nowhere) X_C=4" >out && grep -q X_A out && grep -q X_C out && ! grep -q X_B out
'
test_lazy_prereq CLANG "no clang" "command -v clang"
test_expect_success CC,CLANG 'both compilers tell the same' '
	"$SRC/scripts/sysargs/generate" "$CC" >gcc.out && "$SRC/scripts/sysargs/generate" clang >clang.out &&
	cmp gcc.out clang.out && test "$(wc -l <gcc.out)" -gt 2000
'
test_done
