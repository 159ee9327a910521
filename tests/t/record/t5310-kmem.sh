#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers turn 2 of 4
test_description='kmem: what the kernel allocates, as the reference has it, and what was not freed'
. "$(dirname "$0")/../../lib/tap.sh"

busy='ls -R /etc/ssl /etc/default >/dev/null'

# alike: without what depends on frees of objects that no event has allocated: the reference counts them for the last object there
alike() {
	grep -v -e "^Total bytes freed" -e "^Net total" | sed "s/| *[0-9]* |\( *[0-9.]*%\)\$/|\1/"
}
# rows: rows of the same values may be in any order
rows() {
	grep " | " | sort
}
# blocks: rows of pages without their flags, whose letters are not all those of the reference, and without call sites, for which it
# has one address; the types of blocks as it calls them
blocks() {
	sed "s/ | [^ ]* *| [^ ]*\$//; s/ MOVABLE\$/ RECLAIM/; s/ *| GFP flags .*//" | alike | rows
}
# legend: the sums, and the flags in full
legend() {
	grep -E "^(Total|#)" | sed "s/: *[A-Z0-9|]*: /: /"
}
# beside FILE OPTIONS...: both, with the options before the verb
beside() {
	local f=$1 && shift &&
	"$REF" kmem -i "$f" "$@" stat >ref.all 2>/dev/null && perf kmem -i "$f" "$@" stat >got.all
}
test_expect_success ROOT,PERF_EVENTS 'objects, pages and both are recorded' '
	perf kmem record -q -o slab.data -- sh -c "$busy" && perf kmem --page record -q -o page.data -- sh -c "$busy" &&
	perf kmem record --slab --page -q -o both.data -- true &&
	perf evlist -i slab.data >events && grep -x kmem:kmalloc events && grep -x kmem:kfree events && ! grep page events &&
	perf evlist -i page.data >events && grep -x kmem:mm_page_alloc events && ! grep kmalloc events &&
	perf evlist -i both.data >events && grep -x kmem:kmem_cache_free events && grep -x kmem:mm_page_free events
'
test_expect_success ROOT,PERF_EVENTS,REFERENCE 'sums and rows of objects are those of the reference' '
	beside slab.data && alike <ref.all >want && alike <got.all >got && test_line_count -gt 5 want && test_cmp want got &&
	freed() { sed -n "s/^Total bytes freed: *//p" "$1"; } &&
	test $(freed got.all) -le $(freed ref.all) && test $(freed got.all) -gt $(($(freed ref.all) * 9 / 10)) || return 1
	for o in "--caller -s hit,bytes --alloc -s bytes" "--alloc -s pingpong,ptr --raw-ip --slab --caller"; do
		beside slab.data $o && rows <ref.all | alike >want && rows <got.all | alike >got && test_line_count -gt 10 want && test_cmp want got || return 1
	done
'
test_expect_success ROOT,PERF_EVENTS,REFERENCE 'so is the order of rows, and their number' '
	for o in "--caller -s hit,bytes,callsite -l 8" "--caller -s callsite -l 3 --alloc -l 2 -s ptr"; do
		beside slab.data $o && alike <ref.all >want && alike <got.all >got && test_cmp want got || return 1
	done
'
test_expect_success ROOT,PERF_EVENTS,REFERENCE 'sums, legend and rows of pages are those of the reference' '
	for o in --alloc "--alloc -s order,gfp"; do
		beside page.data --page $o && blocks <ref.all >want && blocks <got.all >got && test_cmp want got &&
		legend <ref.all >want && legend <got.all >got && test_line_count -gt 5 want && test_cmp want got &&
		grep -E "^ +[0-9]+  " ref.all >want && grep -E "^ +[0-9]+  " got.all >got && test_cmp want got || return 1
	done &&
	beside both.data --slab --page --alloc && blocks <ref.all >want && blocks <got.all >got && test_cmp want got
'
# Without an event that was lost, a page would seem to be there twice.
test_lazy_prereq NOTHING_LOST 'events were lost while they were recorded' '
	perf kmem stat -i "$TRASH/cwd/page.data" --page 2>err && ! grep "lost events" err
'
test_expect_success ROOT,PERF_EVENTS,REFERENCE,NOTHING_LOST 'so are pages that were not freed' '
	beside page.data --page --alloc --live && blocks <ref.all >want && blocks <got.all >got && test_cmp want got
'
test_expect_success ROOT,PERF_EVENTS 'the call sites of pages are the callers of the allocator' '
	perf kmem stat -i page.data --page --caller >out && grep "| [a-z_.0-9]*$" out && ! grep -E "\| _*(alloc_pages|alloc_frozen|folio_alloc)" out
'
test_expect_success ROOT,PERF_EVENTS 'options stand before and behind the verb, and the recording may be a pipe' '
	perf kmem -i slab.data --caller -l 5 stat >before && perf kmem stat -i slab.data --caller -l 5 >behind && test_cmp before behind &&
	perf kmem stat --caller -l 5 -i - <slab.data >pipe && test_cmp before pipe && grep -x " \.\.\. .*" before &&
	test "$(grep -c "^ [a-z_].*|.*%$" before)" = 5
'
test_expect_success ROOT,PERF_EVENTS 'kmem script is script' '
	perf kmem -i slab.data script -F comm,event >out && perf script -i slab.data -F comm,event >want && test_cmp want out && grep -q kmalloc out
'
# An address that is used again without a free that was recorded is in the sum twice.
test_expect_success ROOT,PERF_EVENTS 'what was not freed is not more than the difference of the sums' '
	perf kmem stat -i slab.data --leaks >out && perl -ne "\$net = \$1 if /^Net total bytes allocated: (\d+)/;
		\$sum += \$1 if /^ +(\d+) \| +\d+ \| +\d+ \| +\d+ \| +[\d.]+ \| \w/; END { exit !(\$sum && \$sum <= \$net) }" out &&
	perf kmem stat -i page.data --page --leaks -l 1 >out && grep -E "^ +[1-9][0-9]* \| +[1-9][0-9]* \| +[1-9].* \| [a-z_]+" out
'
test_expect_success ROOT,PERF_EVENTS 'a part of the time' '
	perf kmem stat -i slab.data --time ,1 >none && grep "^Total bytes allocated: 0$" none && grep "^Internal fragmentation: 0.000000%$" none &&
	perf kmem stat -i slab.data --time 10%-60% >some && ! grep "^Total bytes allocated: 0$" some && ! cmp some none
'
test_expect_success ROOT,PERF_EVENTS 'the configuration names the allocator' '
	printf "[kmem]\n\tdefault = page\n" >config && PERF_CONFIG=$PWD/config perf kmem stat -i page.data >out && grep "^SUMMARY (page" out &&
	! grep "^SUMMARY (SLAB" out && printf "[kmem]\n\tdefault = slub\n" >config &&
	PERF_CONFIG=$PWD/config test_expect_code 129 perf kmem stat -i page.data 2>err && grep "neither slab nor page" err
'
test_expect_success 'a recording of other events is refused with the command that makes one' '
	perf record -q -e task-clock -o other.data true &&
	test_expect_code 255 perf kmem stat -i other.data 2>err && grep "none of kmem:kmalloc, .*only task-clock" err && grep "perf kmem record$" err
'
test_expect_success ROOT,PERF_EVENTS 'so is one of the other allocator' '
	test_expect_code 255 perf kmem stat -i slab.data --page 2>err && grep "perf kmem record --page" err &&
	test_expect_code 255 perf kmem stat -i slab.data --page --slab 2>err && grep "no events of the page allocator" err
'
test_expect_success 'keys, numbers and verbs that there are not' '
	test_expect_code 129 perf kmem stat -s order 2>err && grep "Unknown slab --sort key: .order" err &&
	test_expect_code 129 perf kmem stat --page -s frag 2>err && grep "Unknown page --sort key: .frag" err &&
	test_expect_code 129 perf kmem stat -l 0 2>err && grep "not a number of lines" err &&
	test_expect_code 129 perf kmem stat --live 2>err && grep "add --page" err &&
	test_expect_code 129 perf kmem nonsense 2>err && grep "nonsense" err && test_expect_code 129 perf kmem 2>err
'
test_done
