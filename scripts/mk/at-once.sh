#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# at-once.sh O COMPILER-WITH-FLAGS SOURCE...: compile sources of which $O has no object that is newer than they and
# all headers, many by each process of clang. To start clang takes four times as long as to compile a file of ours without
# optimisation, and its driver starts it anew for each file; the compiler proper (clang -cc1) takes many, and
# puts each object beside its source, so it is given links in $O to the sources.
#
# The rule of each object does what is not done here: what has errors, and everything if the compiler is another
# one. Each object is said to depend on all headers that any source of the same process includes.
set -u
out=$1
compiler=$2
shift 2
work=$out/at-once
per_process=24

if test "${1:-}" = --some; then
	# One process: the rest are sources, and the work folder has the compiler's words.
	shift
	own=$work/$$
	for source; do
		object=$out/${source%.c}.o
		mkdir -p "${object%/*}"
		ln -sf "$PWD/$source" "$out/$source"
	done
	# shellcheck disable=SC2046 # words
	(
		given=$*
		eval "set -- $(cat "$work/line")"
		exec "$@" -header-include-file "$own.headers" \
			$(for source in $given; do echo "-iquote ${source%/*}"; done | sort -u) \
			$(for source in $given; do echo "$out/$source"; done)
	) >"$own.log" 2>&1 && cat "$own.log"
	headers=$(sed 's/^[. ]*//' "$own.headers" 2>/dev/null | grep '\.\(h\|inc\)$' | grep -v '^/' | sort -u)
	for source; do
		object=$out/${source%.c}.o
		rm -f "$out/$source"
		test -e "$object" || continue
		# shellcheck disable=SC2086 # words
		{
			printf '%s:' "$object"
			printf ' \\\n %s' "$source" $headers
			printf '\n'
			printf '%s:\n' $headers
		} >"${object%.o}.d"
	done
	exit 0
fi

newest=$(find arch cmd ui util tests builtin.h -name '*.h' -exec ls -t {} + | sed -n 1p)
stale=$(for source; do
	object=$out/${source%.c}.o
	test "$object" -nt "$source" && test "$object" -nt "$newest" && test "$object" -nt "$out/.cflags" || echo "$source"
done)
test -n "$stale" || exit 0
mkdir -p "$work"
first=$(printf '%s\n' "$stale" | head -n 1)
# The command that the driver would start, without what is about the one file, or about a process that ends at once.
$compiler -### -c "$first" -o x.o 2>&1 | grep '^ *"[^"]*" "-cc1"' |
	sed 's/ "-main-file-name" "[^"]*"//; s/ "-disable-free"//; s/ "-o" "x\.o"//; s/ "[^"]*" *$//' >"$work/line"
if test -s "$work/line"; then
	printf '%s\n' "$stale" | xargs -n $per_process -P "$(nproc)" sh "$0" "$out" "$compiler" --some
fi
rm -rf "$work"
exit 0
