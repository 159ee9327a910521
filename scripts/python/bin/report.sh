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

# report_options SCRIPT WORD...: -i FILE, wherever it stands in front of --, is for perf script; all others are the
# script's, options too.
report_options() {
	script=$PERF_EXEC_PATH/scripts/python/$1 input='' wanted='' own=''
	shift
	for word; do
		shift
		if test -n "$wanted"; then
			input=$word wanted=''
			continue
		fi
		# All words behind -- are the script's, whatever they look like.
		case $own$word in
		-i | --input) wanted=$word ;;
		--input=*) input=${word#*=} ;;
		--) own=own ;;
		*) set -- "$@" "$word" ;;
		esac
	done
	if test -n "$wanted"; then
		echo "$wanted wants the name of a recording behind it" >&2
		exit 129
	fi
	exec perf script ${input:+-i "$input"} -s "$script" -- "$@"
}
