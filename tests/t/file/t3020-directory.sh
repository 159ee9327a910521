#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='recordings that are directories: every part is read, in time order'
. "$(dirname "$0")/../../lib/tap.sh"

test_expect_success PERF_EVENTS 'a directory made of a plain recording' '
	perf record -F 2000 -o plain.data perf test -w thloop 1 0.2 &&
	mkdir dir.data && cp plain.data dir.data/data &&
	perf script -i plain.data >want && test -s want &&
	perf script -i dir.data >got && cmp want got
'
test_expect_success PERF_EVENTS 'a part that ends inside a record is told' '
	# shellcheck disable=SC2046
	set -- $(od -An -t u8 -j 40 -N 16 plain.data) &&
	tail -c +$(($1 + 1)) plain.data | head -c $(($2 - 3)) >dir.data/data.0 &&
	: >dir.data/data.1 &&
	test_expect_code 255 perf script -i dir.data >got 2>err &&
	test "$(grep -c . got)" -gt "$(grep -c . want)" &&
	grep -q "cut off" err
'
test_expect_success 'a directory without data' '
	mkdir none && test_expect_code 255 perf script -i none 2>err &&
	grep -q "failed to open none/data: No such file or directory" err
'
test_expect_success ROOT,REFERENCE,PERF_EVENTS 'what the reference records with --threads' '
	"$REF" record -q -a --threads -F 1000 -o threads.data -- sleep 0.3 &&
	test -e threads.data/data.0 &&
	"$REF" script -i threads.data 2>/dev/null | sed "s/[^ ]* (\[vdso\])//" >want &&
	perf script -i threads.data | sed "s/[^ ]* (\[vdso\])//" >got &&
	test -s want && test "$(grep -c . got)" = "$(grep -c . want)" &&
	diff <(awk "{print \$2, \$3, \$4}" want) <(awk "{print \$2, \$3, \$4}" got)
'
test_done
