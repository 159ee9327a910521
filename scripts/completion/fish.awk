# SPDX-License-Identifier: GPL-2.0-or-later
# The rows of `generate` as a fish completion script.

function quote(text) {
	gsub(/\\/, "\\\\", text)
	gsub(/'/, "\\'", text)
	return "'" text "'"
}

# The condition under which the options of a command (and subcommands) are offered.
function seen(key) {
	gsub(/ /, "; and __fish_seen_subcommand_from ", key)
	return "__fish_seen_subcommand_from " key
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
	if (($3 == "e" && $4 == "event") || $4 ~ /^(begin|end|switch-output-event)$/)
		events[++nr] = line
	print line " -d " quote($8)
}
$1 == "val" { value[++nr_values] = $2 "\t" $3 "\t" $4 }
$1 == "words" { words[$2] = $3; gsub(/ +$/, "", words[$2]) }

# The line that offers the words of a kind for an option.
function values_of(row,   part, name) {
	split(row, part, "\t")
	name = part[2] ~ /^--/ ? "-l " substr(part[2], 3) : "-s " substr(part[2], 2)
	line = "complete -c perf -n '" seen(part[1]) "' " name " -r -f -a "
	if (part[3] == "pids")
		return line "'(__fish_complete_list , __fish_complete_pids)'"
	if (part[3] ~ /^here-/)
		return line "'(__fish_complete_list , \"perf --list-words=" part[3] " 2>/dev/null | string split \\\" \\\"\")'"
	return line "'(__fish_complete_list , \"string split \\\" \\\" \\\"" words[part[3]] "\\\"\")'"
}

END {
	for (c in subs)
		printf "complete -c perf -n '%s; and not __fish_seen_subcommand_from%s' -f -a '%s'\n", seen(c), subs[c], substr(subs[c], 2)
	kinds = "hw sw cache pmu tracepoint sdt"
	list = " -f -a \"(perf list --raw-dump " kinds " 2>/dev/null | string split ' ')\""
	grows = " -f -a '(__fish_complete_list , \"perf list --raw-dump " kinds " 2>/dev/null | string split \\\" \\\"\")'"
	for (i = 1; i <= nr && has_list; i++)
		print events[i] grows
	for (i = 1; i <= nr_values; i++)
		print values_of(value[i])
	if (words["script-names"] != "")
		print "complete -c perf -n '__fish_seen_subcommand_from script; and not __fish_seen_subcommand_from " words["script-names"] "' -f -a '" words["script-names"] "'"
	if (words["config-keys"] != "")
		print "complete -c perf -n '__fish_seen_subcommand_from config' -f -a '" words["config-keys"] "'"
	if (has_list) {
		print "complete -c perf -n '__fish_seen_subcommand_from list'" list
		print "complete -c perf -n '__fish_seen_subcommand_from list' -f -a '" kinds " tool metric metricgroup'"
	}
	print "complete -c perf -n '__fish_seen_subcommand_from record stat trace' -a '(__fish_complete_subcommand)'"
}
