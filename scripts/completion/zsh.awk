# SPDX-License-Identifier: GPL-2.0-or-later
# The rows of `generate` as a zsh completion function.

# A text as a single-quoted word in which ":" stands for itself.
function quoted(name, text) {
	gsub(/:/, "\\:", name)
	gsub(/'/, "'\\''", text)
	return "'" name ":" text "'"
}

$1 == "cmd" { commands = commands "\t\t" quoted($2, $3) "\n" }
$1 == "glob" { globals = globals " " $2 }
$1 == "sub" { subs[$2] = subs[$2] " " $3 }
$1 == "opt" && $7 == "shown" {
	if (!($2 in opts)) keys[++nr] = $2
	if ($3 != "-") {
		opts[$2] = opts[$2] "\t\t\t" quoted("-" $3, $8) "\n"
		if ($5 == "required") valued[$2] = valued[$2] " -" $3
	}
	if ($4 != "-") {
		opts[$2] = opts[$2] "\t\t\t" quoted("--" $4, $8) "\n"
		if ($5 == "required") valued[$2] = valued[$2] " --" $4
	}
}

$1 == "val" { kinds = kinds "\t'" $2 " " $3 "') kind=" $4 " ;;\n" }
$1 == "words" { words = words "\t" $2 ") values=(" $3 ") ;;\n" }

END {
	print "#compdef perf"
	print "# SPDX-License-Identifier: GPL-2.0-or-later"
	print "# Made by scripts/completion/generate."
	print ""
	print "_perf_tables() {"
	print "\tcommands=("
	printf "\t\t'help:show a manual page'\n%s\t)\n", commands
	printf "\tglobals=(%s)\n", substr(globals, 2)
	print "\tcase $1 in"
	for (k in subs) printf "\t'%s') subs=(%s) ;;\n", k, substr(subs[k], 2)
	print "\tesac"
	print "\tcase $2 in"
	for (i = 1; i <= nr; i++) {
		printf "\t'%s')\n\t\topts=(\n%s\t\t)\n", keys[i], opts[keys[i]]
		printf "\t\tvalued=(%s)\n\t\t;;\n", substr(valued[keys[i]], 2)
	}
	print "\tesac"
	print "}"
	printf "_perf_kind() {\n\tcase \"$1 $2\" in\n%s\tesac\n\tcase $kind in\n%s\tesac\n}\n", kinds, words
	while ((getline line < body) > 0)
		if (line !~ /^# SPDX/)
			print line
}
