# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Many combinations of options of a command, compared with the reference.
# make check-long runs all combinations on all recorded files; else each file gets one of some.

{
	printf 'ffffffff%s\n' '81000000 T _text' '81000000 T _stext' '81001000 T low' '81100000 T middle' \
		'811c1000 t bracket<a, b>(int)' '81300000 T upper' '81800000 T last_one' '8fff0000 T _etext'
} >kallsyms

turn=0
# matrix COMMAND FILE...: what differs without a reason is shown, counts are gathered in "counts". STEP: one
# combination of how many is run. COMBOS: a list of combinations for few files.
matrix() {
	local step=${STEP:-96} command=$1 rc

	shift
	turn=$((turn + 1))
	test -z "$SAN" || step=$((step * 20))
	test -z "$COMBOS" || step=4 # lists for few files are short
	test -z "$LONG" || step=1
	PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/lib/python/matrix.py" "$command" "$REF" "$PERF" \
		"$SRC/tests/data/${COMBOS:-$command-combos.txt}" "$SRC/tests/data/$command-differences.txt" \
		"$SRC/Documentation/differences.md" "$step:$((turn % step))" "$@" >matrix.out
	rc=$?
	grep combinations matrix.out >>counts
	test $rc = 0 || cat matrix.out
	return $rc
}

# matrix_files NAME...: those files of the corpus, or all that the reference reads
matrix_files() {
	if test -n "$LONG"; then
		corpus_read
	else
		printf "$CORPUS/%s\n" "$@"
	fi
}
