#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
# turn 0 of 2
test_description='python, node and ruby: names of what they run, or which option has them'
. "$(dirname "$0")/../../lib/tap.sh"
test_require PERF_EVENTS

printf "[report]\nquality = always\n" >rc
export PERF_CONFIG=$PWD/rc
test_lazy_prereq NODE 'no node' 'node -e 1'
test_lazy_prereq RUBY 'no ruby' 'ruby -e 1'
test_lazy_prereq PYTHON312 'python3 has no -X perf' 'python3 -X perf -c "import sys; sys.exit(not sys.is_stack_trampoline_active())"'

cat >work.js <<'E2'
function turn(n) { let s = 0; for (let i = 0; i < n; i++) s += i % 7; return s; }
for (let k = 0; k < 300; k++) turn(1e6);
E2
cat >work.py <<'E2'
def turn(n):
    s = 0
    for i in range(n):
        s += i % 7
    return s
for k in range(20):
    turn(200000)
E2

test_expect_success NODE 'node: its option is named, until it is given' '
	perf record -q -e cpu-clock -g -o plain.data node work.js && perf report --stdio -i plain.data >out 2>err &&
	test_grep "^Note: [0-9]*% of the samples are of .*([0-9]*), whose own functions have no names: run it with node --perf-basic-prof$" err &&
	perf report -i plain.data --ndjson plain.json 2>err && test_grep "perf-basic-prof" plain.json &&
	perf record -q -e cpu-clock -g -o named.data node --perf-basic-prof work.js && perf report --stdio -g none -i named.data >out 2>err &&
	test_grep "turn.*work.js" out && test_grep ! "run it with" err
'
test_expect_success PYTHON 'python: likewise' '
	perf record -q -e cpu-clock -g -o py.data python3 work.py && perf report --stdio -i py.data >out 2>err &&
	test_grep "whose own functions have no names: run it with [Pp]ython.* -X perf" err
'
test_expect_success PYTHON312 'python: its trampolines have the names of its functions' '
	perf record -q -e cpu-clock -g -o map.data python3 -X perf work.py && perf report --stdio -g none -i map.data >out 2>err &&
	test_grep "py::turn:.*work.py" out && test_grep ! "run it with" err
'
test_expect_success RUBY 'ruby: likewise' '
	perf record -q -e cpu-clock -g -o rb.data ruby -e "s = 0; 2000000.times { |i| s += i % 7 }" && perf report --stdio -i rb.data >out 2>err &&
	test_grep "whose own functions have no names: run it with ruby --yjit-perf" err
'
test_done
