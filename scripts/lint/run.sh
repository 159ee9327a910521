#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# All rules of the tree, one TAP line each, checked at the same time. Called by `make lint`, which has built $BUILD.
# A tool that is not installed skips its rule and says so.
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
CC=${CC:-gcc}
export PYTHONDONTWRITEBYTECODE=1
n=0
failed=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# Files of the tree: what git knows, or everything in an unpacked archive.
files() {
	if git rev-parse --git-dir >/dev/null 2>&1; then
		git ls-files --cached --others --exclude-standard -- "$@"
	else
		for pattern; do find . -path "./$pattern" -not -path './build*' | sed 's,^\./,,'; done
	fi | sort -u | while read -r f; do test -f "$f" && echo "$f"; done
}

# check TITLE COMMAND...: start it, with its output and status in $work
check() {
	n=$((n + 1))
	echo "$1" >"$work/$n.title"
	shift
	{
		"$@" >"$work/$n.out" 2>&1
		echo $? >"$work/$n.rc"
	} &
}

skip() {
	n=$((n + 1))
	echo "$1 # SKIP $2" >"$work/$n.title"
	: >"$work/$n.out"
	echo 0 >"$work/$n.rc"
}

# result NUMBER: what came of it
result() {
	if test "$(cat "$work/$1.rc")" = 0; then
		echo "ok $1 - $(cat "$work/$1.title")"
		sed 's/^/# /' "$work/$1.out"
	else
		echo "not ok $1 - $(cat "$work/$1.title")"
		sed 's/^/#   /' "$work/$1.out"
		failed=1
	fi
}

have() { command -v "$1" >/dev/null 2>&1; }

# built_alone: of the sources that are built, the header that each includes first, behind compat.h: that build has compiled it
# alone already.
built_alone() {
	files '*.c' | grep -v '^tests/\|^python/' | xargs awk '
		FNR == 1 { n = 0; object = FILENAME; sub(/c$/, "o", object); object = build "/" object; known = (getline line <object) >= 0; close(object) }
		/^#include/ && ++n == 1 && $2 != "\"base/compat.h\"" { n = 9 }
		/^#include/ && n == 2 && known && $2 ~ /^".*\.h"$/ { gsub(/"/, "", $2); print $2; print "util/" $2 }' build="$BUILD" | sort -u
}

headers_alone() {
	built_alone >"$work/built"
	files '*.h' | grep -v '^tests/fuzz/' | grep -vxF -f "$work/built" | xargs -P "$(nproc)" -I{} sh -c '
		printf "#include \"base/compat.h\"\n#include \"%s\"\n" "{}" |
			'"$CC"' -std=gnu11 -D_GNU_SOURCE -Iutil -I. -I'"$BUILD"'/include -Itests/lib -Wall \
			-Wno-unused -fsyntax-only -x c - >/tmp/hdr.$$ 2>&1 ||
			{ echo "{} does not compile alone"; head -5 /tmp/hdr.$$; rm -f /tmp/hdr.$$; exit 1; }
		rm -f /tmp/hdr.$$'
}

# Builds that differ in libraries share the objects of all other sources (scripts/mk/rooms.mk).
headers_of_libraries() {
	! files '*.h' | grep -v '^util/base/library\.h$' | xargs grep -nE '\b(HAVE_[A-Z]|PERF_STATIC\b)'
}

# shell_files: those with the name of a shell script, or the first line of one
shell_files() {
	files '*' | grep -v '\.[chS]$\|\.\(md\|txt\|py\|pl\|inc\|sh\)$\|^tests/data/\|^tests/fuzz/corpus/' |
		LC_ALL=C xargs awk 'FNR == 1 && /^#!.*sh$/ { print FILENAME } { nextfile }'
	files '*.sh' | grep -v '^tests/data/\|^tests/fuzz/corpus/'
}

shell_check() { shell_files | xargs -P "$(nproc)" -n 40 shellcheck -x -S warning -e SC1090,SC1091,SC2034,SC2154,SC2086; }

# Only the version the style file was made with agrees with it to the last blank.
format_check() {
	local wrong

	wrong=$(files '*.c' '*.h' | xargs -P "$(nproc)" -n 40 clang-format --dry-run -Werror 2>&1 |
		sed -n 's/^\([^ :]*\):[0-9]*:[0-9]*: error.*/\1/p' | sort -u)
	test -z "$wrong" || printf 'make format would change: %s\n' $wrong
	test -z "$wrong"
}

if have python3; then
	check 'rooms: includes, linking, no printing, no mutable data' python3 scripts/lint/rooms.py "$BUILD"
	check 'each room has a suite of perf test' python3 scripts/lint/suites.py
	check 'above the rooms: includes, calls, data, sizes' python3 scripts/lint/above.py "$BUILD"
	# shellcheck disable=SC2046 # one word per file
	check 'sizes of functions, files and lines' python3 scripts/lint/sizes.py $(files '*.c' '*.h')
	# shellcheck disable=SC2046
	check 'licence lines and clean text' python3 scripts/lint/text.py $(files '*')
	check 'options and man pages agree' python3 scripts/lint/options-vs-docs.py "$BUILD/perf"
else
	for rule in rooms suites above sizes text options; do skip "$rule" 'no python3'; done
fi
check 'headers compile alone' headers_alone
check 'no header asks which libraries are there' headers_of_libraries
if have shellcheck; then
	check 'shellcheck' shell_check
else
	skip 'shellcheck' 'no shellcheck'
fi
if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
	check 'clang-format' format_check
else
	skip 'clang-format' 'needs clang-format 14'
fi
wait
for i in $(seq $n); do result "$i"; done
echo "1..$n"
exit $failed
