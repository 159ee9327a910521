#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
# with sanitizers in check-long only
test_description='each option of perf 6.1 and 7.3 is in the help of its command, or on a list with the reason'
. "$(dirname "$0")/../../lib/tap.sh"
all=$SRC/tests/data/all-options.txt

# options FILE: of helps behind lines "== COMMAND", each option as "COMMAND: OPTION"
options() {
	sed -nE '
		s/^== //; t name
		s/^    (-[^ ,]), --([^ =<[]*).*/\1\n--\2/p
		s/^    (-[^- ,])( .*|<.*|\[.*)?$/\1/p
		s/^        (--[^ =<[]*).*/\1/p
		b
		:name
		s/^/== /p
	' "$1" | awk '/^== / { command = substr($0, 4); next } { print command ": " $0 }' | sort -u
}
helps() { while read -r command; do echo "== $command"; "$1" $command -h 2>&1 </dev/null; done; true; }

test_expect_success 'the list is of all commands' '
	awk -F": " "/^(6.1|7.3) / { nr = split(\$2, v, \" \"); for (i = 1; i <= nr; i++) print substr(\$1, 5) \": \" v[i] }" $all | sort -u >listed &&
	cut -d: -f1 listed | sort -u >commands && test $(wc -l <commands) -gt 70 &&
	sed -nE "s/^missing ([^:]*: [^ ]+) .+/\1/p" $all | sort -u >missing && helps perf <commands >helps && options helps >helped
'
test_expect_success 'each option is in the help or on the list of those that are missing' '
	sort -u helped missing | comm -13 - listed >lacks && cat lacks && test_line_count = 0 lacks
'
test_expect_success 'what is said to be missing is missing, and an option of 6.1 or 7.3' '
	comm -12 missing helped >there && cat there && test_line_count = 0 there &&
	comm -23 missing listed >unknown && cat unknown && test_line_count = 0 unknown
'
test_expect_success REFERENCE 'the reference has no option beside those on the list' '
	printf "%s\n" record report script stat top trace inject "sched timehist" >few &&
	helps "$REF" <few >theirs && options theirs | comm -23 - listed >more && cat more && test_line_count = 0 more
'
test_done
