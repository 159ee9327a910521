# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A daemon on the directory "base" with the configuration "cfg", and what is asked of it. Source this.

# config SESSION...: the configuration with these sessions, each "NAME=ARGUMENTS".
config() {
	printf '[daemon]\nbase=%s/base\n' "$PWD"
	local s
	for s; do
		printf '[session-%s]\nrun = %s\n' "${s%%=*}" "${s#*=}"
	done
}
# until_true COMMAND...: it succeeds within some seconds.
until_true() {
	local i
	for i in $(seq 200); do
		"$@" >/dev/null 2>&1 && return 0
		sleep 0.1
	done
	echo "not within 20 s: $*"
	return 1
}
lists() { # lists N: so many lines are listed, each with a process
	test "$(perf daemon --config cfg -x: | grep -c '^[1-9][0-9]*:')" = "$1"
}
says() { grep -q "$1" base/output; }
ended() { ! kill -0 "$1" 2>/dev/null; }
field() { perf daemon --config cfg -x: | awk -F: -v s="$1" -v f="$2" '$2 == s { print $f }'; }
