#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='completion in bash, zsh and fish, from the tables of the binary'
. "$(dirname "$0")/../../lib/tap.sh"
test -z "$SAN" || test_skip_all 'the same words, as without sanitizers'

test_lazy_prereq ZSH 'no zsh' 'command -v zsh'
test_lazy_prereq FISH 'no fish' 'command -v fish'
test_lazy_prereq GENERATOR 'no source tree' 'test -e "$SRC/scripts/completion/generate"'
test_require GENERATOR

# A perf with a command of every kind, made of nothing but answers.
mkdir stub
cat >stub/perf <<'EOT'
#!/bin/sh
case "$*" in
'') printf '\n usage: perf\n\n The most commonly used perf commands are:\n   list            List events\n   record          Run: a "command"\n   sched           It'\''s a scheduler\n\n' ;;
--list-opts) echo '--help --no-pager ' ;;
--list-cmds) echo 'list record sched ' ;;
'record --list-opts=table') printf 'a\tall-cpus\tnone\t-\tshown\tsystem-wide: all\ne\tevent\trequired\tevent\tshown\tevent selector\n-\tsecret\tnone\t-\thidden\tnobody asks\no\toutput\trequired\tfile\tshown\tdon'\''t use $HOME\nz\tlevel\toptional\tn\tshown\tlevel\ng\t-\tnone\t-\tshown\tcall graphs\n' ; exit 130 ;;
'sched --list-opts=table') printf 'i\tinput\trequired\tfile\tshown\tinput file\n'; exit 130 ;;
'sched --list-cmds') echo 'latency map stats '; exit 130 ;;
'sched stats --list-cmds') echo 'diff record '; exit 130 ;;
'sched stats --list-opts=table') printf 'C\tcpu\trequired\tcpu\tshown\tthese CPUs\n'; exit 130 ;;
'sched stats record --list-opts=table') printf 'o\toutput\trequired\tfile\tshown\toutput\n'; exit 130 ;;
'sched latency --list-opts=table') printf 's\tsort\trequired\tkey\tshown\tsort keys\n'; exit 130 ;;
'list --raw-dump hw sw cache pmu tracepoint sdt') echo 'cycles sched:sched_switch sched:sched_wakeup ' ;;
*) echo 'some other output'; exit 129 ;;
esac
EOT
chmod +x stub/perf

for shell in bash zsh fish; do
	sh "$SRC/scripts/completion/generate" stub/perf $shell >stub.$shell 2>>generate.err
	case $shell in zsh) made=$BUILD/completion/_perf ;; *) made=$BUILD/completion/perf.$shell ;; esac
	# what make has made of this binary need not be made again
	if test "$made" -nt "$PERF" && test -z "$LONG"; then
		cp "$made" real.$shell
	else
		sh "$SRC/scripts/completion/generate" "$PERF" $shell >real.$shell 2>>generate.err
	fi
done

test_expect_success 'the generator has nothing to complain of' '
	test_line_count -eq 0 generate.err && test -s stub.bash && test -s stub.zsh && test -s stub.fish &&
	test_grep ! "some other output" stub.bash && bash -n stub.bash && bash -n real.bash
'

# in_bash SCRIPT WORD...: what bash would offer for the last of the words, sorted on one line
in_bash() {
	PATH=$PWD/stub:$PATH bash -c '
		. "./$1"; shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
		_perf
		printf "%s\n" "${COMPREPLY[@]}"' sh "$@" | sort | xargs
}

test_expect_success 'bash: commands and global options' '
	test "$(in_bash stub.bash perf "")" = "help list record sched" &&
	test "$(in_bash stub.bash perf rec)" = record &&
	test "$(in_bash stub.bash perf --n)" = --no-pager &&
	test "$(in_bash stub.bash perf help s)" = sched
'

test_expect_success 'bash: options of a command, hidden ones not' '
	test "$(in_bash stub.bash perf record --)" = "--all-cpus --event --level --output" &&
	test "$(in_bash stub.bash perf record -)" = "--all-cpus --event --level --output -a -e -g -o -z" &&
	test "$(in_bash stub.bash perf --no-pager record -a --ou)" = --output
'

test_expect_success 'bash: subcommands and their options' '
	test "$(in_bash stub.bash perf sched "")" = "latency map stats" &&
	test "$(in_bash stub.bash perf sched stats "")" = "diff record" &&
	test "$(in_bash stub.bash perf sched stats --)" = --cpu &&
	test "$(in_bash stub.bash perf sched stats record --)" = --output &&
	test "$(in_bash stub.bash perf sched latency --)" = --sort &&
	test "$(in_bash stub.bash perf sched -i file m)" = map
'

test_expect_success 'bash: files and events as values' '
	touch some.data && test "$(in_bash stub.bash perf record -o some.d)" = some.data &&
	test "$(in_bash stub.bash perf record -e cy)" = cycles &&
	test "$(in_bash stub.bash perf record -e cycles,cy)" = cycles,cycles &&
	test "$(in_bash stub.bash perf record -e sched : sched_w)" = sched_wakeup &&
	test "$(in_bash stub.bash perf record --event = cyc)" = cycles &&
	test "$(in_bash stub.bash perf list s)" = "sched:sched_switch sched:sched_wakeup sdt sw" &&
	test "$(in_bash stub.bash perf list sched : sched_w)" = sched_wakeup
'

test_expect_success 'bash: the real binary' '
	test "$(in_bash real.bash perf vers)" = version &&
	test "$(in_bash real.bash perf config --)" = "--list --system --user" &&
	test "$(in_bash real.bash perf sched stats "")" = "diff record report" &&
	test "$(in_bash real.bash perf check "")" = feature
'
# in_zsh SCRIPT WORD...: the same with the completion functions of zsh replaced by printing ones;
# BIN is where perf is, if it is not the stub
in_zsh() {
	PATH=${BIN:-$PWD/stub}:$PATH zsh -f -c '
		compset() { PREFIX=${PREFIX##*,} }
		compadd() { shift; print -rl -- $@ }
		_describe() { local a=$@[-1]; print -rl -- ${(P)a} }
		_files() { print -r -- FILES }
		_command_names() { print -r -- COMMANDS }
		_call_program() { shift; eval "$*" }
		file=$1; shift
		words=("$@") CURRENT=$# PREFIX=$@[-1]
		. ./$file' sh "$@" | sort | tr "\n" "|"
}

# offered FILE WORD...: what bash offers with the real binary
offered() {
	PATH=$(dirname "$PERF"):$PATH bash -c '
		. "./$1"; shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
		_perf
		printf "%s\n" "${COMPREPLY[@]}"' sh "$@" | sort | xargs
}
test_expect_success 'bash: words of values, those of lists after a comma, keys of the configuration' '
	test "$(offered real.bash perf report -s comm,dso_)" = "comm,dso_daddr comm,dso_from comm,dso_size comm,dso_to" &&
	test "$(offered real.bash perf report -g call)" = "callee caller" &&
	test "$(offered real.bash perf record --call-graph "")" = "auto dwarf dwarf,unwind fp fp,defer lbr" &&
	test "$(offered real.bash perf record -j any_c)" = any_call &&
	test "$(offered real.bash perf script -F +symo)" = +symoff &&
	test "$(offered real.bash perf kvm --host stat report --event mm)" = mmio &&
	test "$(offered real.bash perf diff -c del)" = "delta delta-abs" &&
	test "$(offered real.bash perf c2c report -d "")" = "lcl peer rmt tot" && test "$(offered real.bash perf c2c report -c pid,ia)" = pid,iaddr &&
	test "$(offered real.bash perf mem record -t lo)" = load && test "$(offered real.bash perf mem report --sort local_w)" = local_weight &&
	test "$(offered real.bash perf ftrace profile -s to)" = total &&
	test "$(offered real.bash perf ftrace --graph-opts args,ret)" = "args,retaddr args,retval args,retval-hex" &&
	test "$(offered real.bash perf ftrace trace --func-opts c)" = call-graph &&
	test "$(offered real.bash perf config report.q)" = report.quality
'
test_expect_success ROOT,TRACEFS 'the tracers and clocks of this machine, in each shell' '
	test "$(offered real.bash perf ftrace -t no)" = nop &&
	test "$(offered real.bash perf ftrace latency -k mono_)" = mono_raw &&
	test "$(offered real.bash perf ftrace --clock loc)" = local &&
	{ ! test_have_prereq ZSH || { BIN=$(dirname "$PERF") in_zsh real.zsh perf ftrace profile -k "" >out && test_grep "|mono_raw|" out; }; } &&
	{ ! test_have_prereq FISH || test "$(PATH=$(dirname "$PERF"):$PATH fish -N -c "source real.fish; complete -C \"perf ftrace -t no\"")" = nop; }
'
test_expect_success 'bash: scripts by name, and what their recorder takes' '
	test "$(offered real.bash perf script rwt)" = rwtop && test "$(offered real.bash perf script rec)" = record &&
	test "$(offered real.bash perf script -i file report gec)" = gecko && test "$(offered real.bash perf script record gec)" = gecko &&
	test -z "$(offered real.bash perf script report gecko gec)" &&
	test "$(offered real.bash perf script record gecko --all-cp)" = --all-cpus &&
	test "$(offered real.bash perf script gecko --call-graph dw)" = "dwarf dwarf,unwind"
'
test_expect_success 'every kind of words has some' '
	cut -f 3 "$SRC/scripts/completion/values" | grep "^[a-z-]*$" | grep -v "^pids$\|^here-" | sort -u >kinds && test -s kinds &&
	while read -r kind; do perf --list-words=$kind >out && test -s out || return 1; done <kinds &&
	test_expect_code 129 perf --list-words=nothing 2>err
'
test_expect_success 'bash: processes by number and by name' '
	cp "$(command -v sleep)" oddlynamed && { ./oddlynamed 60 & pid=$!; } &&
	for _ in $(seq 100); do test "$(cat /proc/$pid/comm)" = oddlynamed && break; sleep 0.1; done &&
	test "$(offered real.bash perf record -p oddly)" = $pid && test "$(offered real.bash perf stat --pid 1,oddly)" = 1,$pid &&
	offered real.bash perf record -p "" >out && test_grep "$pid (oddlynamed)" out
	rc=$?; kill $pid; return $rc
'
test_expect_success PERF_EVENTS 'bash: events of this machine' '
	COMP=$(PATH=$(dirname "$PERF"):$PATH bash -c ". ./real.bash
		COMP_WORDS=(perf record -e dum) COMP_CWORD=3; _perf; echo \"\${COMPREPLY[@]}\"") &&
	test "$COMP" = dummy
'

test_expect_success ZSH 'zsh: commands, options with their help, subcommands, values' '
	zsh -n real.zsh &&
	test "$(in_zsh stub.zsh perf "")" = "help:show a manual page|list:List events|record:Run: a \"command\"|sched:It'\''s a scheduler|" &&
	test "$(in_zsh stub.zsh perf sched "")" = "latency|map|stats|" &&
	test "$(in_zsh stub.zsh perf sched stats "")" = "diff|record|" &&
	test "$(in_zsh stub.zsh perf sched stats record -)" = "--output:output|-o:output|" &&
	test "$(in_zsh stub.zsh perf sched latency -)" = "--sort:sort keys|-s:sort keys|" &&
	in_zsh stub.zsh perf record - >out && test_grep "|--output:don.t use \$HOME|" out && test_grep ! secret out &&
	test "$(in_zsh stub.zsh perf record -o "")" = "FILES|" &&
	test "$(in_zsh stub.zsh perf record "")" = "COMMANDS|" &&
	test "$(in_zsh stub.zsh perf record -e "")" = "cycles|sched:sched_switch|sched:sched_wakeup|" &&
	in_zsh stub.zsh perf list "" >out && test_grep "|metricgroup|.*|sched:sched_switch|" out
'

# A process has its name behind it.
test_expect_success ZSH 'zsh: words of values, processes' '
	test "$(in_zsh real.zsh perf record --call-graph "")" = "auto|dwarf|dwarf,unwind|fp|fp,defer|lbr|" &&
	in_zsh real.zsh perf report -s "" >out && test_grep "|dso|" out &&
	in_zsh real.zsh perf config "" >out && test_grep "|report.quality|" out &&
	in_zsh real.zsh perf script "" >out && test_grep "|rwtop|" out && test_grep "|report|" out &&
	in_zsh real.zsh perf script report "" >out && test_grep "|rwtop|" out && test_grep ! "|report|" out &&
	in_zsh real.zsh perf script record rwtop - >out && test_grep "|--all-cpus:" out &&
	in_zsh real.zsh perf record -p "" >out && test_grep "|$$:" out
'

in_fish() { PATH=$PWD/stub:$PATH fish -N -c "source $1; complete -C '$2'" | sort | tr '\n\t' '|='; }

test_expect_success FISH 'fish: commands, options with their help, subcommands, values' '
	fish -n real.fish &&
	test "$(in_fish stub.fish "perf s")" = "sched=It'\''s a scheduler|" &&
	in_fish stub.fish "perf record --" >out && test_grep -F "|--output=don'\''t use \$HOME|" out &&
	test_grep ! secret out && test_grep ! sort out &&
	test "$(in_fish stub.fish "perf sched ")" = "latency|map|stats|" &&
	test "$(in_fish stub.fish "perf sched stats ")" = "diff|record|" &&
	test "$(in_fish stub.fish "perf sched latency --")" = "--input=input file|--sort=sort keys|" &&
	test "$(in_fish stub.fish "perf record -e cyc")" = "cycles|" &&
	test "$(in_fish stub.fish "perf list cy")" = "cycles|"
'

test_expect_success FISH 'fish: words of values' '
	test "$(in_fish real.fish "perf record --call-graph d")" = "dwarf|dwarf,unwind|" &&
	test "$(in_fish real.fish "perf report -s comm,dso_s")" = "comm,dso_size|" &&
	test "$(in_fish real.fish "perf config report.q")" = "report.quality|" &&
	test "$(in_fish real.fish "perf script rwt")" = "rwtop|" && test "$(in_fish real.fish "perf script report gec")" = "gecko|" &&
	test -z "$(in_fish real.fish "perf script report gecko rwt")" &&
	in_fish real.fish "perf record -p 1" >out && test_grep "1=" out
'

test_done
