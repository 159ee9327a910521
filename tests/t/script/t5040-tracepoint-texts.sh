#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers turn 3 of 4
test_description='script: texts of made-up samples of tracepoints, as the reference prints them (make check-long: of all)'
. "$(dirname "$0")/../../lib/tap.sh"
test_require REFERENCE

systems="sched irq timer signal task block kmem writeback net napi skb cgroup workqueue power rcu raw_syscalls xdp filelock"
present=$(for s in $systems; do test -d /sys/kernel/tracing/events/$s && echo $s; done)
test -z "$LONG" || present=''
# shellcheck disable=SC2086 # words on purpose
test_expect_success TRACEFS,ROOT 'texts of tracepoints' '
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 \
		python3 "$SRC/tests/lib/python/tracepoints.py" "$PERF" "$REF" $present
'
test_done
