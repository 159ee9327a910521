#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='import perf: unit tests in Python, of each function and type'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq MODULE 'built without the module for Python' 'test -e "$BUILD/python/perf.abi3.so"'
test_require PYTHON,MODULE
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$BUILD/python:$SRC/tests/lib/python PERF_CONFIG=$PWD/config

mkdir events && cat >events/metrics.json <<'EOF'
[
 { "MetricName": "ours", "MetricExpr": "1000 * task\\-clock / task\\-clock", "MetricGroup": "Mine;Yours", "BriefDescription": "A constant" },
 { "MetricName": "faults_by_clock", "MetricExpr": "1e9 * page\\-faults / task\\-clock", "MetricGroup": "Mine", "BriefDescription": "Faults per second" }
]
EOF
printf '[unit]\n\tword = some words\n[events]\n\tdir = %s\n' "$PWD/events" >config

# The sanitizers of the module have to be in the interpreter from its beginning. What that leaks is not ours.
PRELOAD=
for library in ${SAN:+libclang_rt.asan-$(uname -m).so libasan.so}; do
	PRELOAD=$("${SAN_CC:-${CC:-cc}}" -print-file-name="$library")
	test ! -e "$PRELOAD" || break
done
test -z "$PRELOAD" || test -e "$PRELOAD" || test_skip_all 'the compiler has no library of the sanitizer that could be loaded first'
interpreter=$(python3 -c 'import sys; print(sys.executable)')

# tests CLASS...: run these classes of the file; what is skipped there is told here, too
tests() {
	timeout 120 env ${PRELOAD:+LD_PRELOAD="$PRELOAD" ASAN_OPTIONS=detect_leaks=0} "$interpreter" -W error::ResourceWarning \
		"$SRC/tests/lib/python/module-test.py" "$@" 2>&1
}

test_expect_success 'numbers of system calls, configuration, metrics' 'tests Syscalls Config Metrics'
test_expect_success 'recordings: what is chosen, records that are no samples' 'tests Recording'
test_expect_success 'damaged recordings, and the inputs that fuzzing has kept' 'INPUTS=$SRC/tests/fuzz/corpus/file tests Damage'
test_expect_success 'live sessions' 'tests Live'
test_expect_success 'every name, arguments of wrong types' 'tests Recording.test_choice Names'
test_expect_success 'nothing is left behind' 'tests Memory'
test_done
