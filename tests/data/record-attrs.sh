#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What attrs record gives the kernel for many command lines. Prints, for each line of record-attrs.list, that
# line and an indented one per event.
#
#	record-attrs.sh REF >record-attrs.txt		from perf 6.1, which has to run as root
#	record-attrs.sh PERF --dry-run			from this perf
perf=$1
shift
# key value|key value|...; what differs from machine to machine is left out
attrs() {
	awk '/^-+$/ { if (open) print line; open = 0; next }
	     /^perf_event_attr:/ { open = 1; line = ""; next }
	     /^sys_perf_event_open failed/ { exit }
	     open { key = $0; sub(/^ +/, "", key); gsub(/  +/, " ", key)
		    if (tp && key ~ /^config /) key = "config ID"
		    tp = key == "type 2"
		    line = line (line == "" ? "\t" : "|") key }'
}
while IFS= read -r args; do
	eval "words=($args)"
	printf '%s\n' "$args"
	timeout 20 "$perf" record -vv --no-bpf-event -B -o "${TMPDIR:-/tmp}/record-attrs.data" "$@" \
		"${words[@]}" </dev/null 2>&1 >/dev/null | attrs
done <"$(dirname "$0")/record-attrs.list"
