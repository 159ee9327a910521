#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others but probes
# with sanitizers in check-long only
test_description='list: whole output as the reference has it, and PMUs that are made up'
. "$(dirname "$0")/../../lib/tap.sh"

# A sysfs of our own, seen by one command only.
with_sysfs() {
	unshare -m sh -c 'mount --bind "$0" /sys/bus/event_source/devices && exec "$@"' \
		"$PWD/devices" "$@"
}
test_lazy_prereq SYSFS 'cannot mount over sysfs' 'mkdir devices && with_sysfs true'

# Without what the reference has in tables of its own, and the probes of a test that may run beside this one.
no_metrics() { sed '/^Metric Groups:$/,$d; /^  sdt_perftest:/d' | sed '$ { /^$/d }'; }

# no_facts: facts about the machine are left out, which the reference has as events in later versions only
no_facts() { sed -E '/^  (core_wide|has_pmem|num_[a-z_]*|slots|smt_on|system_tsc_freq|target_cpu) .*\[Tool event\]$/d; s/ core_wide .* target_cpu / /'; }

# same ARG...
same() {
	"$REF" list "$@" >ref.out 2>/dev/null && perf list "$@" | no_facts >our.out && test_cmp ref.out our.out
}

test_expect_success REFERENCE,TRACEFS,ROOT 'everything, as the reference' '
	"$REF" list | no_metrics >ref.out && perf list | no_metrics | no_facts >our.out &&
	test_cmp ref.out our.out && test_line_count -ge 100 our.out &&
	for who in "$REF" "$PERF"; do
		"$who" list --raw-dump tracepoint | sed "s/sdt_perftest:[^ ]* //g" >"out.$(test "$who" = "$REF" && echo ref || echo our)" || return 1
	done && test_cmp out.ref out.our && test -s out.our
'
test_expect_success REFERENCE,TRACEFS,ROOT 'words, globs and several arguments, as the reference' '
	same hw && same software && same hwcache && same pmu && same "sched:sched_s*" &&
	same cpu-clock && same "*_clock_get*" && same "s*:*switch" && same hw sw "irq:*" &&
	same --raw-dump sw pmu "sched:*" && same --details -v --no-desc sw &&
	same "page-faults OR faults"
'
# What people see: a heading, and blank lines between sections.
on_a_terminal() { PERF_PAGER='cat -u' script -qec "$*" /dev/null </dev/null | tr -d '\r' | no_metrics; }
test_lazy_prereq SCRIPT 'no script(1)' 'command -v script'
test_expect_success REFERENCE,TRACEFS,ROOT,SCRIPT 'on a terminal, as the reference' '
	for a in "" "hw sw" dummy "irq:*" "sw pmu nothing-like-it" dur; do
		on_a_terminal "$REF" list $a >ref.out && on_a_terminal "$PERF" list $a "2>/dev/null" | no_facts >our.out &&
		test_grep "List of pre-defined events" our.out && test_cmp ref.out our.out || return 1
	done
'
test_expect_success 'options may follow, tool events' '
	perf list sw >a && perf list --raw-dump sw >b && perf list sw --raw-dump >c &&
	test_cmp b c && test_grep "^duration_time .*\[Tool event\]" <(sed "s/^  //" a) &&
	perf list tool >out && printf "%-52s [Tool event]\n" "  duration_time" "  user_time" \
		"  system_time" "  core_wide" "  has_pmem" "  num_cores" "  num_cpus" "  num_cpus_online" "  num_dies" "  num_packages" "  slots" "  smt_on" "  system_tsc_freq" "  target_cpu" | sed "s/^\(.\{52\}\) /\1 /" >want &&
	sed "s/ *\[/ [/" want >w && sed "s/ *\[/ [/" out >o && test_cmp w o
'
test_expect_success 'metrics and their groups' '
	perf list metric >out && test_grep "^Metrics:$" out && test_grep -x "  IPC" out &&
	test_grep -x "       \[Instructions per cycle\]" out &&
	perf list --details metric >out && test_grep -x "       \[instructions / cycles\]" out &&
	perf list metricgroup >out && test_grep -x Branches out && ! grep branch_miss out &&
	perf list "Branch:x" >out && test_grep -x "Branches:" out && ! grep "^Cache:" out &&
	perf list --raw-dump metricgroup >out && test_grep "^Branches Cache " out &&
	perf list branch_mis >out && test_grep -x "  branch_miss_rate" out
'
test_expect_success 'JSON' '
	perf list -j sw >out && python3 - out <<-\EOF &&
	import json, sys
	v = json.load(open(sys.argv[1]))
	e = {x["EventName"]: x for x in v}
	assert e["cpu-clock"]["EventType"] == "Software event", e
	assert e["context-switches"]["EventAlias"] == "cs", e
	assert e["user_time"]["Unit"] == "tool", e
	EOF
	perf list -j metric >out && python3 - out <<-\EOF &&
	import json, sys
	m = {x["MetricName"]: x for x in json.load(open(sys.argv[1]))}["branch_miss_rate"]
	assert m["ScaleUnit"] == "100%" and m["MetricGroup"] == "Branches;Default", m
	assert "/" in m["MetricExpr"] and ">" in m["MetricThreshold"], m
	EOF
	perf list -j nothing-is-called-this >out && python3 -c "
import json
assert json.load(open(\"out\")) == []"
'
test_expect_success 'output to a file' '
	perf list -o file sw >out && ! test -s out && perf list sw >want && test_cmp want file &&
	test_expect_code 255 perf list -o /nowhere/at/all sw 2>err &&
	test_grep "^cannot write /nowhere/at/all: No such file" err
'
test_expect_success 'near names when nothing is found' '
	perf list cpu-clok >out 2>err && ! test -s out &&
	test_grep "^No event is called .cpu-clok.\. Did you mean: cpu-clock" err &&
	perf list "$(printf "a\\033b")" 2>err >out && test_grep "^No event is called .a.x1bb.\.$" err &&
	perf list --raw-dump cpu-clok >out 2>err && ! test -s out && ! test -s err
'

test_expect_success REFERENCE 'markers in the build-id cache, as the reference' '
	for f in /usr/lib/*/libstdc++.so.6 /usr/bin/python3 /usr/lib/*/libpython3*.so.1.0; do
		test ! -e "$f" || perf buildid-cache --add "$f" || return 1
	done &&
	same sdt && same --raw-dump sdt && same "sdt_*:l*"
'
test_expect_success 'markers in several objects' '
	id=$(printf "bb%038d" 1) && for d in x/aa${id#bb} y/$id; do
		hex=${d#*/} && mkdir -p "$HOME/.debug/bin/$d" "$HOME/.debug/.build-id/${hex:0:2}" &&
		: >"$HOME/.debug/bin/$d/elf" &&
		printf "%%sdt_p:one=one\np:sdt_p/one /bin/x:0x1\n" >"$HOME/.debug/bin/$d/probes" &&
		ln -s "../../bin/$d" "$HOME/.debug/.build-id/${hex:0:2}/${hex:2}" || return 1
	done &&
	printf "%%sdt_p:two=two\n%%sdt_bad\n%%=\n:\n" >>"$HOME/.debug/bin/y/$id/probes" &&
	perf list "sdt_p:*" >out && cat >want <<-\EOF && test_cmp want out &&
	  sdt_p:one@/bin/x(aa0000000000)                     [SDT event]
	  sdt_p:one@/bin/y(bb0000000000)                     [SDT event]
	  sdt_p:two                                          [SDT event]
	EOF
	perf list --raw-dump "sdt_p:*" >out && printf "sdt_p:one sdt_p:one sdt_p:two " | test_cmp - out
'

export LIBPFM_FORCE_PMU=none # its events would come with the made-up cores
E='' # so that no line of this file ends in a blank
pmu() { mkdir -p devices/"$1"/events devices/"$1"/format && echo "$2" >devices/"$1"/type; }
alias_of() { printf '%s\n' "$3" >devices/"$1"/events/"$2"; }
test_expect_success 'PMUs are made up' '
	pmu cpu 4 && alias_of cpu Mixed-Case event=0x1 && alias_of cpu mem-loads "event=0xcd,ldlat=?" &&
	pmu armv9 9 && echo 0-1 >devices/armv9/cpus && alias_of armv9 br_mis_pred event=0x10 &&
	pmu power 22 && alias_of power energy-pkg event=0x02 &&
	alias_of power energy-pkg.unit Joules && alias_of power energy-pkg.scale 2.3e-10 &&
	pmu uncore_imc_1 31 && alias_of uncore_imc_1 reads event=0x4 &&
	pmu uncore_imc_10 32 && alias_of uncore_imc_10 reads event=0x4 &&
	pmu par 50 && alias_of par open "umask=?,event=0x2,inv=?" && alias_of par word event=some &&
	pmu intel_pt 8
'
test_expect_success SYSFS,REFERENCE 'PMUs, as the reference' '
	for a in pmu energy MIXED-CASE cpu/ "imc_1" "--no-desc par/"; do
		with_sysfs "$REF" list $a 2>/dev/null | sed "/^$/,\$d" |
			grep -v "all_no_prefetch\|^  [a-z0-9_.]*  *\[Kernel" >ref.out
		with_sysfs perf list $a >our.out && test_cmp ref.out our.out || return 1
	done &&
	with_sysfs perf list --raw-dump pmu >out && test_grep "cpu/mem-loads,ldlat=?/ " out &&
	test_grep "par/open,umask=?,inv=?/ " out
'
test_expect_success SYSFS 'one PMU, one kind of cores' '
	with_sysfs perf list --unit power >out && test_line_count = 1 out &&
	test_grep "power/energy-pkg/" out &&
	with_sysfs perf list --unit software --raw-dump >out && test_grep "^alignment-faults " out &&
	test_must_fail grep -e sched: -e power out &&
	perf list --cputype core sw 2>err >out && test_grep "hybrid cputype is not supported" err &&
	pmu cpu_core 4 && pmu cpu_atom 10 && echo 0 >devices/cpu_core/cpus &&
	echo 1 >devices/cpu_atom/cpus && alias_of cpu_core one event=1 &&
	alias_of cpu_atom two event=2 &&
	with_sysfs perf list --cputype atom pmu >out && test_grep cpu_atom/two out &&
	test_must_fail grep cpu_core out && test_grep power out
'
test_expect_success SYSFS 'scale and encoding' '
	with_sysfs perf list -j energy >out && test_grep "\"ScaleUnit\": \"2.3E-10Joules\"" out &&
	test_grep "\"Encoding\": \"power/event=0x02/\"" out
'
test_expect_success SYSFS "files of vendors, by option and configuration" '
	mkdir vendor && cat >vendor/cache.json <<-\EOF &&
	[{"EventName":"L1D.Hits","EventCode":"0xcd","UMask":"0x1","BriefDescription":"Short",
	  "PublicDescription":"A longer description of what the event counts, so long that it has to be broken"},
	 {"EventName":"L1D.Old","EventCode":"0xce","BriefDescription":"Gone","Deprecated":"1"},
	 {"EventName":"Mixed-Case","EventCode":"0x1","BriefDescription":"Also in sysfs"},
	 {"EventName":"Watt","EventCode":"0x1","Unit":"power","BriefDescription":"Power."},
	 {"MetricName":"share","MetricExpr":"L1D.Hits / cycles","MetricGroup":"Mine","BriefDescription":"Hits per cycle"}]
	EOF
	with_sysfs perf list --events-dir vendor l1d mixed watt Mine:x >out &&
	cat >want <<-EOF && test_cmp want out &&

	cache:
	  l1d.hits                                          $E
	       [Short]

	Metrics:

	  l1d_miss_rate
	       [Share of loads that missed the first data cache]
	  l1d_mpki
	       [Loads that missed the first data cache per thousand instructions]

	cache:
	  mixed-case                                        $E
	       [Also in sysfs]

	cache:
	  watt                                              $E
	       [Power. Unit: power]

	Metric Groups:

	Mine:
	  share
	       [Hits per cycle]
	EOF
	perf config events.dir="$PWD/vendor" &&
	with_sysfs perf list -v --deprecated --details l1d. >out && cat >want <<-EOF && test_cmp want out &&

	cache:
	  l1d.hits                                          $E
	       [A longer description of what the event counts, so long that it has to be
	        broken]
	        cpu/event=0xcd,umask=0x1/ $E
	  l1d.old                                           $E
	       [Gone]
	        cpu/event=0xce/ $E
	EOF
	with_sysfs perf list --no-desc l1d >out &&
	test_grep -x "  l1d.hits                                           \[Kernel PMU event\]" out &&
	with_sysfs perf list --raw-dump l1d. "Mine:" >out &&
	echo "l1d.hits Mine share" | test_cmp - out &&
	perf config events.dir=/nowhere && perf list sw pmu 2>err >out &&
	test_grep "^events.dir of the configuration: " err && test_grep cpu-clock out &&
	rm "$HOME/.perfconfig"
'
test_expect_success SYSFS 'what is no PMU, and no event' '
	pmu bad 1 && alias_of bad words "event=1 umask=2" && alias_of bad empty "" &&
	mkdir devices/bad/events/folder && alias_of bad $'\''esc\e[1m'\'' event=1 &&
	head -c 1000000 /dev/zero | tr "\0" a >devices/bad/events/huge &&
	mkdir -p devices/typeless/events devices/typefolder/type devices/filey && : >devices/file &&
	echo 5 >devices/filey/type && : >devices/filey/events &&
	with_sysfs perf list pmu >out 2>err && ! test -s err &&
	test_must_fail grep -e words -e empty -e folder -e huge -e filey -e typeless -e esc out
'
test_expect_success TRACEFS,ROOT 'fields of tracepoints' '
	perf list --fields sched:sched_process_fork >out && head -n 1 out >first &&
	echo sched:sched_process_fork | test_cmp - first &&
	test_grep -E "^  parent_comm +.*char\[.*\] .* == != ~$" out &&
	test_grep -E "^  parent_pid +pid_t +[0-9]+ +4  yes +== != < <= > >= &$" out &&
	test_grep "^  print format: \"comm=%s pid=%d" out &&
	test_grep "^  example: perf record -e sched:sched_process_fork --filter .parent_comm ~ " out &&
	perf list --fields sched_process_fork >one && test_cmp out one &&
	perf list --fields "sched:sched_process_*" >out && test_line_count -ge 30 out &&
	perf list -j --fields "sched:sched_process_*" >out && python3 -c "
import json
for e in json.load(open(\"out\")):
    print(e[\"EventName\"])
    print(e[\"FilterExample\"])" >lines &&
	while read -r event && read -r filter; do
		perf record -q --dry-run -e "$event" --filter "$filter" -o x true || return 1
	done <lines &&
	sed -n "s/^  example: perf record //p" one >args && echo "perf record -q -o x.data $(cat args) true" |
		bash && perf evlist -i x.data >out && test_grep "^sched:sched_process_fork$" out
'
test_expect_success TRACEFS,ROOT 'fields of what is no tracepoint' '
	test_expect_code 255 perf list --fields sched:sched_swich 2>err >out && ! test -s out &&
	echo "No tracepoint is called '\''sched:sched_swich'\''. Did you mean: sched:sched_switch?" |
		test_cmp - err &&
	test_expect_code 255 perf list --fields sched_swich 2>err && test_grep "sched_switch?$" err &&
	test_expect_code 255 perf list --fields cycles 2>err &&
	test_grep "^No tracepoint is called .cycles." err &&
	test_expect_code 129 perf list --fields 2>err && test_grep "needs a tracepoint" err
'
test_expect_success TRACEFS,ROOT 'tracepoints without the right to see them' '
	HOME=/ setpriv --reuid 65534 --regid 65534 --clear-groups "$PERF" list sw tracepoint >out 2>err &&
	test_grep "cpu-clock" out && test_line_count = 1 err &&
	test_grep "^tracepoints are not listed: no permission to read /sys/kernel/" err
'
test_done
