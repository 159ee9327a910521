# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What perf stat prints without what differs from run to run. Source this.

# Numbers, the widths they fill, and what depends on them.
masked() {
	sed -E -e 's/[0-9]+\.[0-9]+/N/g' -e 's/[0-9]+/N/g' -e 's/ +N/ N/g' -e 's/[KMG]\/sec/\/sec/g' -e 's/\/sec +/\/sec /' \
		-e 's/ *\( *\+- *N%( \))?/ SPREAD/' -e 's/^ +N \+- N seconds/ N +- N seconds/' -e 's/started on .*/started/' \
		-e 's/, \(\+-.*//' -e 's/ +SPREAD//' -e 's/ +$//' -e '/perf stat --compare/d' "$1"
}
# How many intervals there are, and whether the last one is empty, is a matter of time.
some_intervals() { grep -v "not counted" | awk '!seen[$0]++'; }

# quoted WORD...: a line of a table of options as the shell reads it: only quotes in it count
quoted() { sed -e 's/[][{}*;()&|<>\\]/\\&/g' -e "s/PID/$PID/g" <<<"$1"; }

# share PART PARTS: compare some of the lines of the file "lines"; `one PERF LINE` prints what there is
# to compare. Most of the time is waiting. What is printed depends on chance at times, as whether a
# counter ran all the time: a line is wrong when it differs always. On a busy machine chance takes more tries.
share() {
	local line q try

	mkdir "part.$1" && cd "part.$1" || return
	awk "NR % $2 == $1" ../lines | while read -r line; do
		q=$(quoted "$line")
		for try in 1 2 3 4 5 6 7 8; do
			one "$PERF" "$q" >ours </dev/null
			one "$REF" "$q" >ref </dev/null
			cmp -s ref ours && break
		done
		echo "$line" >>"../compared.$1"
		cmp -s ref ours || { echo "--- stat $line"; diff ref ours; }
	done >"../differ.$1"
}

# all_alike FILE: compare a twelfth of the lines of a table, all of them in make check-long; a process to look at is
# PID there
all_alike() {
	local part parts=''

	sleep 1000 & PID=$!
	grep -v -e "^#" -e "^\$" "$1" | sampled 12 >lines
	for part in 0 1 2 3 4 5; do share $part 6 & parts="$parts $!"; done
	wait $parts
	kill $PID; wait $PID 2>/dev/null
	cat differ.* && test "$(cat compared.* | wc -l)" = "$(wc -l <lines)" && test -z "$(cat differ.*)"
}
