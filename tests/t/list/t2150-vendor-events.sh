#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with sanitizers in check-long only
# beside others
test_description='names of events from JSON files of vendors and from libpfm4'
. "$(dirname "$0")/../../lib/tap.sh"

test_lazy_prereq LIBPFM 'built without libpfm4, or it is not installed' '
	perf check feature libpfm4 && ldconfig -p | grep -q "libpfm\.so\.4"'

# Events of a PMU that every machine has, so that they can be recorded: software, by number.
mkdir -p ev/x86/lake ev/x86/pond ev/arm64
cat >ev/x86/mapfile.csv <<'END'
Family-model,Version,Filename,EventType
GenuineIntel-6-(55|6A),v1,lake,core
AuthenticAMD-25-[[:xdigit:]]+,v1,pond,core
END
cat >ev/x86/lake/made-up.json <<'END'
[
    {
        "EventName": "MY.CLOCK",
        "ConfigCode": "0x0",
        "Unit": "software",
        "SampleAfterValue": "200000",
        "BriefDescription": "A clock of our own."
    },
    {
        "EventName": "MY.FAULTS",
        "ConfigCode": "2",
        "Unit": "software"
    },
    {
        "MetricName": "made_up",
        "MetricExpr": "MY.FAULTS / MY.CLOCK",
        "MetricGroup": "Made",
        "BriefDescription": "Faults per tick"
    }
]
END
echo '[{ "EventName": "POND.ONLY", "ConfigCode": "1", "Unit": "software" }]' >ev/x86/pond/p.json
export PERF_CPUID=GenuineIntel-6-55-7

# attrs EVENTS... : "type config period freq" of each attr that would be opened
attrs() {
	perf record -vv --dry-run -o /dev/null "$@" true 2>&1 |
		awk '/^perf_event_attr/ { inside = 1; type = config = period = freq = 0 }
		     $1 == "type" { type = $2 } $1 == "config" { config = $2 }
		     /sample_period, sample_freq/ { period = $NF } $1 == "freq" { freq = $2 }
		     $1 == "exclude_kernel" { freq = freq "u" }
		     /^---/ && inside { inside = 0; print type, config, period, freq }'
}

test_expect_success 'the period of the file, and what -c and -F make of it' '
	attrs --events-dir ev/x86 -e my.clock >out && test "$(cat out)" = "1 0 200000 0" &&
	attrs --events-dir ev/x86 -e MY.Clock -c 1234 >out && test "$(cat out)" = "1 0 1234 0" &&
	attrs --events-dir ev/x86 -e my.clock -F 99 >out && test "$(cat out)" = "1 0 99 1" &&
	attrs --events-dir ev/x86 -e my.faults -c 7 >out && test "$(cat out)" = "1 0x2 7 0"
'

test_expect_success 'a group of them, with modifiers, beside other events' '
	attrs --events-dir ev/x86 -c 9 -e "{my.clock:u,my.faults:u},cs" >out &&
	printf "1 0 9 0u\n1 0x2 9 0u\n1 0x3 9 0\n" >want && diff want out
'

test_expect_success 'the model by $PERF_CPUID, folders by themselves and of all architectures' '
	attrs --events-dir ev -e my.clock >out && test "$(cat out)" = "1 0 200000 0" &&
	attrs --events-dir ev/x86/pond -e pond.only -c 5 >out && test "$(cat out)" = "1 0x1 5 0" &&
	PERF_CPUID=AuthenticAMD-25-11-1 attrs --events-dir ev -e pond.only -c 5 >out &&
	test "$(cat out)" = "1 0x1 5 0" &&
	attrs --events-dir ev/x86/pond --events-dir ev -c 5 -e pond.only,my.clock >out &&
	printf "1 0x1 5 0\n1 0 5 0\n" >want && diff want out
'

test_expect_success 'the folder of the configuration' '
	perf config --user events.dir="$PWD/ev" &&
	attrs -e my.clock >out && test "$(cat out)" = "1 0 200000 0" &&
	perf config --user events.dir="$PWD/none" &&
	! perf record -o /dev/null -e my.clock true 2>err &&
	grep -q "^events.dir of the configuration: there is no folder .*/none$" err &&
	perf record --dry-run -o /dev/null -e cpu-clock true &&
	rm "$HOME/.perfconfig"
'

test_expect_success PERF_EVENTS 'recorded, reported by its name' '
	perf record -q --events-dir ev -e my.clock:u -o a.data perf test -w noploop 0.2 2>err &&
	perf evlist -v -i a.data >out &&
	grep -q "^my.clock:u: .*{ sample_period, sample_freq }: 200000," out &&
	perf script -i a.data -F event,ip,sym | grep -q "my.clock:u: .* noploop"
'

# refused TEXT OPTIONS...: record ends with a message that has TEXT in it
refused() {
	local text=$1

	shift
	! perf record --dry-run -o /dev/null "$@" true 2>err >out || return
	grep -qF -- "$text" err || { cat err; return 1; }
}

test_expect_success 'folders and files that are wrong' '
	mkdir -p bad std && printf "[\n{ \"EventName\": \"X\",\n}]" >bad/a.json &&
	refused "bad/a.json:3: not JSON: a name in quotes is expected" --events-dir bad -e x &&
	refused "there is no folder none" --events-dir none -e x &&
	refused "has no *.json and no mapfile.csv" --events-dir std -e x &&
	PERF_CPUID=GenuineIntel-6-1-1 refused \
		"no mapfile.csv in ev has this processor, GenuineIntel-6-1-1" --events-dir ev -e x &&
	echo "[{ \"EventName\": \"X\", \"EventCode\": \"zero\" }]" >std/a.json &&
	refused "std/a.json:1: no number in '\''zero'\'' of EventCode" --events-dir std -e x &&
	rm std/a.json && mkfifo std/a.json && refused "std/a.json is not a file" --events-dir std -e x
'

test_expect_success 'a metric of each chip, as many as there are' '
	mkdir -p chips && echo "[{ \"MetricName\": \"per\", \"MetricExpr\": \"(task\\\\-clock - task\\\\-clock) + 7 + ?\" }]" >chips/a.json &&
	perf stat --events-dir chips -M per -x, -o out true &&
	if test -e /sys/bus/event_source/devices/hv_24x7/interface/sockets; then grep "per_0$" out; else grep ",7.*,per_0$" out && ! grep per_1 out; fi
'
test_expect_success 'metrics of the file are listed' '
	perf list --events-dir ev metric >out && grep -A1 "^  made_up" out | grep -q "Faults per tick" &&
	perf list --events-dir ev metricgroup | grep -q "^Made"
'

test_expect_success LIBPFM 'names of libpfm4 with -e' '
	export LIBPFM_FORCE_PMU=skl &&
	attrs -c 9 -e inst_retired.any_p:u,ld_blocks_partial.address_alias >out &&
	printf "4 0xc0 9 0u\n4 0x107 9 0\n" >want && diff want out &&
	refused "event syntax error" -e inst_retired.nothing
'

test_expect_success LIBPFM '--pfm-events: masks, modifiers, groups, periods' '
	attrs -c 9 --pfm-events "inst_retired:any_p:u:c=1:i" >out &&
	test "$(cat out)" = "4 0x18000c0 9 0u" &&
	attrs --pfm-events "{INST_RETIRED:ANY_P:period=77,br_inst_retired:freq=50},uops_issued:any" \
		-c 3 -e cs >out &&
	printf "4 0xc0 77 0\n4 0xc4 50 1\n4 0x10e 3 0\n1 0x3 3 0\n" >want && diff want out &&
	refused "libpfm4: event not found" --pfm-events nonsense &&
	refused "the group is not closed" --pfm-events "{inst_retired" &&
	unset LIBPFM_FORCE_PMU
'

test_done
