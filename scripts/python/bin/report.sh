# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Runs a script on a recording, for the NAME-report files beside this one, which say what their scripts take.

# is_option WORD
is_option() {
	case $1 in -*) true ;; *) false ;; esac
}

# report SCRIPT MOST WORD...: after -i FILE, the first words, at most MOST of them and none that begins with a dash, are
# the script's; all others, and -i FILE, are options of perf script.
report() {
	script=$PERF_EXEC_PATH/scripts/python/$1 most=$2 own=0
	shift 2
	if test "$1" = -i && test $# -gt 1; then
		input=$2
		shift 2
		set -- "$@" -i "$input"
	fi
	for word; do
		test $own -lt "$most" && ! is_option "$word" || break
		own=$((own + 1))
	done
	set -- "$@" -s "$script"
	while test $own -gt 0; do
		set -- "$@" "$1"
		shift
		own=$((own - 1))
	done
	exec perf script "$@"
}

# report_options SCRIPT WORD...: -i FILE in front is for perf script; all others are the script's, options too.
report_options() {
	script=$PERF_EXEC_PATH/scripts/python/$1
	shift
	if test "$1" = -i && test $# -gt 1; then
		input=$2
		shift 2
		test "$1" != -- || shift
		exec perf script -i "$input" -s "$script" -- "$@"
	fi
	test "$1" != -- || shift
	exec perf script -s "$script" -- "$@"
}
