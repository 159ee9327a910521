#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# takes long
# with sanitizers in check-long only
# turn 2 of 4
test_description='recorded files of other kernels and machines: everything the reference prints of them'
. "$(dirname "$0")/../../lib/tap.sh"
test_require CORPUS,REFERENCE

COMMANDS=(script dump report evlist header buildid-list)
LIST=$SRC/tests/data/corpus-differences.txt
REASONS=$SRC/Documentation/differences.md

# run PERF COMMAND FILE [OPTION...]: what it prints; the tip is chosen at random.
run() {
	local perf=$1 command=$2 file=$3

	shift 3
	case $command in
	script) set -- script "$@" ;;
	dump) set -- script -D "$@" ;;
	report) set -- report --stdio "$@" ;;
	evlist) set -- evlist -v "$@" ;;
	header) set -- report --header-only -I "$@" ;;
	buildid-list) set -- buildid-list "$@" ;;
	esac
	timeout 100 "$perf" "$@" -f -i "$file" 2>err </dev/null >raw
	rc=$?
	sed '/^# (Tip: /d' raw
	return $rc
}

# ---- what makes equal again, by the names used in the list: our.txt and ref.txt to our.norm and ref.norm ----

# both SED-PROGRAM [FILE]: the same edit to both, or to one.
both() {
	sed -E "$1" our.txt >our.norm
	sed -E "$1" ref.txt >ref.norm
}

# The reference is not given the symbols of the kernel it runs on.
no_kernel() {
	run "$REF" "$2" "$1" --kallsyms /dev/null >ref.norm
	cp our.txt our.norm
}
no_kernel_vdso() {
	no_kernel "$@"
	cp ref.norm ref.txt
	vdso_name
}
# Names in the vdso, and in reports the width of the column they stand in.
no_vdso() {
	both '/\[vdso\]/s/(__[a-z_]+(\+0x[0-9a-f]+)? \(|\[unknown\] \()/NAME (/; /\[vdso\]/s/\[\.\] .*/[.] NAME/
		s/^(# .*  Symbol) +$/\1/; s/^(# \.\.\.[. ]*  )\.+$/\1/'
}
many_cycles() { both 's/ (-23395|42141) +$/ MANY/'; }
lists_nothing() {
	test -s ref.txt || test ! -s our.txt && return 1
	: >our.norm && : >ref.norm
}
short_attr() {
	sed -E 's/, (sample_regs_user|sample_stack_user|sample_regs_intr|aux_watermark): .*//' ref.txt >ref.norm
	cp our.txt our.norm
}
vdso_name() {
	sed -E 's,/tmp/perf-vdso\.so-[^ ]+$,[vdso],' ref.txt >ref.norm
	cp our.txt our.norm
}
vdso_whole() {
	vdso_name
	cp ref.norm ref.txt
	no_vdso
}
# The protection of MMAP2, the scale of EVENT_UPDATE, and the bytes of both.
unturned() {
	both 's/(MMAP2 .*: )[-rwxps]{4} /\1/; s/^(\.\.\. scale: ).*/\1/; s/^\.  00[14]0: .*//'
}

# known FILE COMMAND: is there a difference for which the list has a reason that mends all of it?
known() {
	local name=${1##*/} glob command how words

	while IFS=$'\t' read -r glob command how words; do
		case $glob in '' | '#'*) continue ;; esac
		# shellcheck disable=SC2254
		case $name in $glob) ;; *) continue ;; esac
		test "$command" = "$2" && grep -qF -e "$words" "$REASONS" || continue
		"$how" "$1" "$2" && cmp -s our.norm ref.norm && return 0
	done <"$LIST"
	return 1
}

# ---- files the reference does not read: it reads their twins ----

# Header bits that came after it are taken out (the bodies behind the data stay where they are), and attrs
# made as short as it knows them.
older_header() {
	python3 - "$1" "$2" <<-\EOF
		import struct, sys
		d = bytearray(open(sys.argv[1], "rb").read())
		if d[:8] != b"PERFILE2" or struct.unpack_from("<Q", d, 8)[0] < 104:
		    sys.exit(1)
		d[76:104] = bytes(28)
		size, at, length = struct.unpack_from("<QQQ", d, 16)
		attrs = [d[i:i + size] for i in range(at, at + length, size)]
		old = b"".join(a[:4] + struct.pack("<I", 128) + a[8:128] + a[size - 16:] for a in attrs)
		struct.pack_into("<QQQ", d, 16, 144, at, len(old))
		d[at:at + len(old)] = old
		open(sys.argv[2], "wb").write(d)
	EOF
}

# newer FILE COMMAND: a file that the reference refuses. What it says of the twin we say of the file.
newer() {
	test "$our_rc" = 0 && test -s our.txt && older_header "$1" twin || return 1
	run "$REF" "$2" twin >ref.txt
	case $2 in
	header) # of the file itself, and of features that the twin lacks
		sed -i -E '/^# (captured on|pmu-format|e_machine)/d' our.txt ref.txt
		grep -vxFf ref.txt our.txt >extra
		test "$(grep -cvxFf our.txt ref.txt)" = 0 && ! grep -v '^# ' extra
		;;
	evlist) sed -i 's/size: 1[0-9]*, /size: N, /' our.txt ref.txt; cmp our.txt ref.txt ;;
	dump) # of the file itself: its name, its list of features
		sed -i "s,@twin ,@$1 ," ref.txt
		cmp -s our.txt ref.txt && return 0
		run "$REF" "$2" twin --kallsyms /dev/null | sed "s,@twin ,@$1 ," >ref.txt
		cmp our.txt ref.txt
		;;
	script | report) cmp -s our.txt ref.txt || { run "$REF" "$2" twin --kallsyms /dev/null >ref.txt; cmp our.txt ref.txt; } ;;
	*) cmp our.txt ref.txt ;;
	esac
}

# samples FILE: how many there are in files that nothing else here reads.
samples() {
	case ${1##*/} in
	fibo.compressed2.pipe.data) echo 547 ;;
	perf.data.piped.intel_pt-4.14) echo 11 ;;
	esac
}

# cell FILE COMMAND: one of the marks into $mark; a message when it is none of the good ones.
cell() {
	local ref_rc

	if test -n "$SAN"; then # the text is that of the build without sanitizers, which is compared
		mark='.'
		run perf "$2" "$1" >our.txt
		return
	fi
	run "$REF" "$2" "$1" >ref.txt
	ref_rc=$?
	run perf "$2" "$1" >our.txt
	our_rc=$?
	mark='!'
	if test $ref_rc = 0 && test $our_rc = 0 && cmp -s ref.txt our.txt; then
		mark='='
	elif test $our_rc = 0 && known "$1" "$2"; then
		mark='d'
	elif test $our_rc = 0 && test $ref_rc != 0 && newer "$1" "$2"; then
		mark='n'
	elif test $our_rc = 0 && test -n "$(samples "$1")" && test -s our.txt; then
		mark='n'
		test "$2" = script && test "$(perf script -F tid -f -i "$1" 2>/dev/null | grep -c .)" != "$(samples "$1")" &&
			mark='!'
	fi
	test "$mark" != '!' && return 0
	echo "${1##*/}: $2: status $our_rc, of the reference $ref_rc"
	diff ref.txt our.txt | head -n 6
	return 1
}

# row FILE: its cells, and the line of the matrix. One of the six, in turns; make check-long has all.
row() {
	local bad=0 line='' command turn

	turn=$(wc -l <matrix)
	for command in "${COMMANDS[@]}"; do
		mark=' '
		test -z "$LONG" && test $((turn++ % 6)) != 0 || cell "$1" "$command" || bad=1
		line="$line $(printf "%*s" ${#command} "$mark")"
	done
	printf '%-48s%s\n' "${1##*/}" "$line" >>matrix
	return $bad
}

printf '%-48s %s\n' "= equal, d for a reason, n new" "${COMMANDS[*]}" >matrix
for f in "$CORPUS"/*data*; do
	test_expect_success "${f##*/}" 'row "$f"'
done
sed 's/^/# /' matrix

test_expect_success 'every reason in the list is in the documentation' '
	grep -v "^#" "$LIST" | cut -f4 | sort -u >reasons && test -s reasons &&
	while read -r words; do
		grep -qF -e "$words" "$REASONS" || { echo "not there: $words"; return 1; }
	done <reasons
'
test_expect_success 'a file through standard input' '
	perf script -F tid -i - <"$CORPUS"/perf.data.piped.target.throttled-3.4 >out &&
	test "$(grep -c . out)" = 228
'
test_done
