#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# takes long
# turn 3 of 16
test_description='memory does not grow with the file'
. "$(dirname "$0")/../../lib/tap.sh"
test -z "$SAN" || test_skip_all 'sanitizers reserve more address space than the limit leaves'
test "$(df -Pk . | awk 'NR == 2 { print $4 }')" -gt 2000000 || test_skip_all "less than 2 GB free in $PWD"
export PERF_WORKERS=2

test_lazy_prereq ZSTD 'built without libzstd' 'perf check -q feature zstd'
perf check -q feature zstd && libs=-lzstd || libs=-DNO_ZSTD

# Private writable memory, thread stacks included: less than the records of either file.
LIMIT=65536
# megabytes of records
LARGE=${LONG:+256}
LARGE=${LARGE:-96}

# within COMMAND...: it ends well with so much
within() {
	(ulimit -d $LIMIT && "$@" >out 2>err) || { cat err; return 1; }
}

# counts FILE: of samples, by us
counts() {
	perf report --stats -i "$1" | awk '/SAMPLE events:/ { print $3; exit }'
}

test_expect_success 'the generator' '
	"${CC:-cc}" -O2 -o bigdata "$SRC/tests/bench/bigdata.c" $libs &&
	./bigdata small.data 32 && ./bigdata large.data $LARGE && ./bigdata large.pipe $LARGE pipe &&
	test "$(counts large.data)" -ge $((LARGE / 33 * $(counts small.data)))
'
test_expect_success 'the limit holds' '
	! (ulimit -d 1024 && exec perf report --stats -i large.data >out 2>&1)
'
for f in small.data large.data large.pipe; do
	test_expect_success "$f: report --stats" 'within perf report --stats -i '$f
	test_expect_success "$f: buildid-list -H" 'within perf buildid-list -H -i '$f
done
test_expect_success 'a pipe that is one' 'cat large.pipe | within perf report --stats -i -'
test_expect_success 'script of a file and of a stream' '
	within perf script -F comm,time -i large.data && mv out one &&
	within perf script -F comm,time -i large.pipe && cmp one out
'
test_expect_success 'without rounds, sixteen rings read at different times: in order' '
	./bigdata skewed.data $LARGE rings=16 norounds && ./bigdata skewed.pipe 32 rings=16 norounds pipe &&
	within perf script -F time -i skewed.data && sort -s -k1,1 -c out && test_line_count = $((LARGE * 12000)) out &&
	cat skewed.pipe | perf script -i - -F time >out && sort -s -k1,1 -c out && rm skewed.*
'

test_expect_success ZSTD 'compressed ones' '
	./bigdata largez.data $LARGE zstd && ./bigdata largez.pipe $LARGE pipe zstd &&
	test "$(counts largez.data)" = "$(counts large.data)" &&
	test "$(counts largez.pipe)" = "$(counts large.data)"
'
for f in largez.data largez.pipe; do
	test_expect_success ZSTD "$f: report --stats" 'within perf report --stats -i '$f
	test_expect_success ZSTD "$f: buildid-list -H" 'within perf buildid-list -H -i '$f
	test_expect_success ZSTD "$f: script" 'within perf script -F comm,time -i '$f' && cmp one out'
done

# least COMMAND...: the least limit of steps of a twentieth that it ends well with
least() {
	local k=16384

	while ! (ulimit -d $k && exec "$@" >/dev/null 2>&1); do
		k=$((k * 21 / 20))
		test $k -lt 1000000 || return 1
	done
	echo $k
}

# Each stack once, then each four times: by then what either of two workers reads is nearly all of them.
test_expect_success 'many stacks, and the same in a file four times as large' '
	PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/bench/million.py" once.data 100000 100000 &&
	PYTHONPATH=$SRC/tests/bench PYTHONDONTWRITEBYTECODE=1 python3 -c "
import targets
targets.double(\"once.data\", \"twice.data\")
targets.double(\"twice.data\", \"four.data\")"
'
for o in '--no-children' '--children' '--no-children -g folded'; do
	test_expect_success "of these, report $o" '
		once=$(least perf report --stdio '"$o"' -i once.data) && four=$(least perf report --stdio '"$o"' -i four.data) &&
		echo "$once and $four KiB" && test $((four * 10)) -le $((once * 12))
	'
done

# the reader waits while the file is cut: most of it was not looked at for good by then
test_expect_success 'a file that becomes shorter meanwhile: said by name, no signal' '
	{ perf script -i large.data 2>err; echo $? >status; } | { read -r line && truncate -s 100000 large.data && cat >out; } &&
	test "$(cat status)" = 255 && test_grep "^/.*large.data became shorter while it was read" err && test_line_count -gt 10 out
'
test_done
