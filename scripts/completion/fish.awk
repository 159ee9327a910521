# SPDX-License-Identifier: GPL-2.0-or-later
# The rows of `generate` as a fish completion script.

function quote(text) {
	gsub(/\\/, "\\\\", text)
	gsub(/'/, "\\'", text)
	return "'" text "'"
}

# The condition under which the options of a command (and subcommand) are offered.
function seen(key,   part) {
	if (split(key, part, " ") == 1)
		return "__fish_seen_subcommand_from " key
	return "__fish_seen_subcommand_from " part[1] "; and __fish_seen_subcommand_from " part[2]
}

BEGIN {
	print "# SPDX-License-Identifier: GPL-2.0-or-later"
	print "# Made by scripts/completion/generate."
	print "complete -c perf -e"
	print "complete -c perf -n __fish_use_subcommand -f -a help -d 'show a manual page'"
}
$1 == "cmd" {
	printf "complete -c perf -n __fish_use_subcommand -f -a %s -d %s\n", $2, quote($3)
	printf "complete -c perf -n '__fish_seen_subcommand_from help' -f -a %s -d %s\n", $2, quote($3)
	if ($2 == "list") has_list = 1
}
$1 == "glob" { printf "complete -c perf -n __fish_use_subcommand -l %s\n", substr($2, 3) }
$1 == "sub" { subs[$2] = subs[$2] " " $3 }
$1 == "opt" && $7 == "shown" {
	line = "complete -c perf -n '" seen($2) "'"
	if ($3 != "-") line = line " -s " $3
	if ($4 != "-") line = line " -l " $4
	if ($5 == "required") line = line " -r"
	if ($4 == "event") events[++nr] = line
	print line " -d " quote($8)
}

END {
	for (c in subs)
		printf "complete -c perf -n '__fish_seen_subcommand_from %s; and not __fish_seen_subcommand_from%s' -f -a '%s'\n", c, subs[c], substr(subs[c], 2)
	kinds = "hw sw cache pmu tracepoint sdt"
	list = " -f -a \"(perf list --raw-dump " kinds " 2>/dev/null | string split ' ')\""
	for (i = 1; i <= nr && has_list; i++)
		print events[i] list
	if (has_list) {
		print "complete -c perf -n '__fish_seen_subcommand_from list'" list
		print "complete -c perf -n '__fish_seen_subcommand_from list' -f -a '" kinds " tool metric metricgroup'"
	}
	print "complete -c perf -n '__fish_seen_subcommand_from record stat trace' -a '(__fish_complete_subcommand)'"
}
