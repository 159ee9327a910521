#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
test_description='script: parallel-perf, which runs perf script on parts of a recording at the same time'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PYTHON
export PYTHONDONTWRITEBYTECODE=1
PYTHONPATH=$SRC/tests/lib/python python3 "$SRC/tests/lib/python/standard-scripts.py" compaction || exit 1
parallel() { python3 "$SRC/scripts/python/parallel-perf.py" "$@"; }

test_expect_success 'the parts are the whole' '
	perf script -i compaction.data -F comm,time,event >whole &&
	parallel -n 7 -j 2 -o parts -- perf script -i compaction.data -F comm,time,event && cat parts/part-*/output.txt | test_cmp whole - &&
	ls parts | wc -l >n && echo 7 | test_cmp - n && test "$(cat parts/part-003/output.txt | wc -l)" -gt 3
'
test_expect_success 'the commands' '
	parallel --dry-run -n 2 -- perf script -i compaction.data -G >out && test_cmp - out <<-\END &&
		perf script --time ,1.000035442 -i compaction.data -G
		perf script --time 1.000035443, -i compaction.data -G
	END
	parallel --dry-run -n 1 -- perf script -i compaction.data >out && echo "perf script -i compaction.data" | test_cmp - out
'
test_expect_success 'what is wrong is said' '
	! parallel -- ls 2>err && grep -q "must be perf script" err && ! parallel -n 0 -- perf script 2>err && grep -q "at least one" err &&
	! parallel -o parts -- perf script -i compaction.data 2>err && grep -q "cannot create parts: File exists" err &&
	! parallel -o new -- perf script -i nosuch.data 2>err && grep -q "cannot read the recording" err && ! test -e new &&
	! parallel -n 2 -o new -- perf script -i compaction.data -F nosuch 2>err && grep -q "new/part-001: exit status" err &&
	grep -q nosuch new/part-001/errors.txt
'
test_done
