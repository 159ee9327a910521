#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs every libFuzzer target of $BUILD over its kept inputs and then for FUZZ_SECONDS on
# its own, three on two processors, as each waits for pages now and then. Inputs found are not added to the tree; a crash is printed and kept in $BUILD.
# Called by `make fuzz-smoke` through tests/run.
top=$(cd "$(dirname "$0")/../../.." && pwd)
n=0
jobs=$(($(nproc) * 3 / 2))
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS=allocator_may_return_null=1

# fuzz NUMBER TARGET: what came of it goes to $work/NUMBER
fuzz() {
	local name=${2##*/fuzz-} runs

	mkdir -p "$work/$name" "$top/tests/fuzz/corpus/$name"
	if timeout -k 5 $((FUZZ_SECONDS + 120)) "$2" -max_total_time="$FUZZ_SECONDS" -timeout=20 \
		-rss_limit_mb=2048 -close_fd_mask=3 -print_final_stats=1 -verbosity=0 \
		-artifact_prefix="$BUILD/crash-$name-" \
		"$work/$name" "$top/tests/fuzz/corpus/$name" >"$work/$name.log" 2>&1; then
		runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$name.log")
		echo "ok $1 - $name: $runs inputs"
	else
		echo "not ok $1 - $name: input kept as $BUILD/crash-$name-*"
		tail -n 40 "$work/$name.log" | sed 's/^/#   > /'
	fi >"$work/$1"
}

for target in "$BUILD"/tests/fuzz/fuzz-*; do
	case $target in *.o | *.d) continue ;; esac
	test "$n" -lt "$jobs" || wait -n
	n=$((n + 1))
	fuzz $n "$target" &
done
wait
for i in $(seq $n); do cat "$work/$i"; done
echo "1..$n"
! grep -q "^not ok" $(seq -f "$work/%g" $n)
