# SPDX-License-Identifier: GPL-2.0-or-later
# The rows of `generate` as a bash completion script.

function add(list, key, word) { list[key] = list[key] (list[key] == "" ? "" : " ") word }

$1 == "cmd" { commands = commands " " $2 }
$1 == "glob" { globals = globals " " $2 }
$1 == "sub" { add(subs, $2, $3) }
$1 == "opt" && $7 == "shown" {
	if ($3 != "-") {
		add(opts, $2, "-" $3)
		if ($5 == "required") add(valued, $2, "-" $3)
	}
	if ($4 != "-") {
		add(opts, $2, "--" $4)
		if ($5 == "required") add(valued, $2, "--" $4)
	}
}

$1 == "val" { kinds[$2 " " $3] = $4 }
$1 == "words" { words[$2] = $3 }

function table(name, list,   k) {
	printf "declare -gA %s=(\n", name
	for (k in list) printf "\t[\"%s\"]=\"%s\"\n", k, list[k] | "LC_ALL=C sort"
	close("LC_ALL=C sort")
	print ")"
}

END {
	print "# SPDX-License-Identifier: GPL-2.0-or-later"
	print "# shellcheck shell=bash"
	print "# Made by scripts/completion/generate; completion of perf for bash 4 and later."
	print ""
	printf "_perf_commands=\"help%s\"\n", commands
	printf "_perf_globals=\"%s\"\n", substr(globals, 2)
	fflush()
	table("_perf_subs", subs)
	table("_perf_opts", opts)
	table("_perf_valued", valued)
	table("_perf_kinds", kinds)
	table("_perf_words", words)
	while ((getline line < body) > 0)
		if (line !~ /^# SPDX/)
			print line
}
