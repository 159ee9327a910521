#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='man pages show two dashes where two are typed'
. "$(dirname "$0")/../../lib/tap.sh"
test_lazy_prereq ASCIIDOCTOR 'no asciidoctor' 'command -v asciidoctor'

test_expect_success ASCIIDOCTOR 'no dash, arrow or ellipsis was made of what users type' '
	asciidoctor -b manpage -D "$PWD/man" "$SRC"/Documentation/perf*.txt && ls man/perf-stat.1 &&
	! grep -n "\\\\(em\\|\\\\(en\\|\\\\(->" man/*.1 && grep "\\\\-\\\\- <command>" man/perf-stat.1 man/perf-record.1
'
test_done
