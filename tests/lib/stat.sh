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
