#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# beside others
test_description='script: samples chosen by a shared object'
. "$(dirname "$0")/../../lib/tap.sh"

test_lazy_prereq DLHEADER 'no perf/perf_dlfilter.h' 'echo "#include <perf/perf_dlfilter.h>" | "${CC:-cc}" -E - >/dev/null'

# Branches and a page fault in this perf, made up: made.data.
make_file() {
	PYTHONPATH=$SRC/tests/lib/python PYTHONDONTWRITEBYTECODE=1 python3 - "$PWD/prog" <<-\EOF
		import sys
		import pdata as p
		fields = ["IP", "TID", "TIME", "ADDR", "CPU", "PERIOD", "CALLCHAIN", "BRANCH_STACK", "WEIGHT"]
		records = [p.comm(100, 100, "prog"), p.mmap2(100, 0x400000, 0x100000, 0, sys.argv[1])]
		for i in range(60):
		    records.append(p.sample(fields, misc=p.USER, IP=0x401000 + 16 * i, TID=(100, 100), TIME=10**9 + i * 1000,
		                            ADDR=0x401100 + i, CPU=i % 4, PERIOD=i + 1, CALLCHAIN=[0x401000 + i], WEIGHT=i,
		                            BRANCH_STACK=[(0x401000, 0x402000, 3)] * (i % 3)))
		p.write("made.data", [(p.attr(1, 2, fields, 1, branch=8), [1])], records)
	EOF
}

test_expect_success GCC,DLHEADER 'a filter' '
	cat >flt.c <<-\EOF &&
		#include <perf/perf_dlfilter.h>
		#include <stdio.h>
		#include <string.h>
		struct perf_dlfilter_fns perf_dlfilter_fns;
		static int n;
		int start(void **data, void *ctx)
		{
			int nr, i;
			char **args = perf_dlfilter_fns.args(ctx, &nr);
			*data = &n;
			for (i = 0; i < nr; i++)
				printf("arg %s\n", args[i]);
			return nr && !strcmp(args[0], "fail") ? -1 : 0;
		}
		int stop(void *data, void *ctx)
		{
			printf("stop %d %d\n", data == &n, n);
			return 0;
		}
		static void show(const char *what, const struct perf_dlfilter_al *al)
		{
			if (al)
				printf("%s %u %s+%u %llx %llx-%llx %s %d%d%d\n", what, al->size, al->sym ? al->sym : "-", al->symoff,
				       al->addr, al->sym_start, al->sym_end, al->dso, al->sym_binding, al->is_64_bit, al->is_kernel_ip);
		}
		int filter_event_early(void *data, const struct perf_dlfilter_sample *s, void *ctx)
		{
			return s->cpu == 3;
		}
		int filter_event(void *data, const struct perf_dlfilter_sample *s, void *ctx)
		{
			const struct perf_dlfilter_al *al = perf_dlfilter_fns.resolve_ip(ctx);
			struct perf_dlfilter_al other = { .size = sizeof(other) };
			unsigned char bytes[8] = { 0 };
			unsigned int line;
			n++;
			printf("%u %llx %d/%d %llu %llx %llu %llu %d %s %u %u %d %llu %llu %llu %u\n", s->size, s->ip, s->pid, s->tid,
			       s->time, s->addr, s->period, s->weight, s->cpu, s->event, s->cpumode, s->misc, s->addr_correlates_sym,
			       s->brstack_nr, s->brstack_nr ? s->brstack[0].to : 0, s->raw_callchain_nr, s->flags);
			show("ip", al);
			if (al)
				printf("comm %s\n", al->comm);
			show("addr", perf_dlfilter_fns.resolve_addr(ctx));
			if (!perf_dlfilter_fns.resolve_address(ctx, s->ip + 64, &other))
				show("other", &other);
			printf("attr %llu\n", perf_dlfilter_fns.attr(ctx)->config);
			printf("code %d\n", perf_dlfilter_fns.object_code(ctx, s->ip, bytes, 8));
			printf("%02x%02x\n", bytes[0], bytes[7]);
			perf_dlfilter_fns.srcline(ctx, &line);
			return n % 3 == 0 ? 1 : n == 40 ? -5 : 0;
		}
		const char *filter_description(const char **more)
		{
			*more = "more\nof it";
			return "every third";
		}
	EOF
	"${CC:-cc}" -shared -fpic -w -o flt.so flt.c && cp "$PERF" prog && make_file &&
	perf script -i made.data --dlfilter flt.so --dlarg one --dlarg "t w o" >out 2>err; test $? = 255 &&
	grep -qx "arg t w o" out && grep -q "^stop 1 40" out
'
test_expect_success GCC,DLHEADER,REFERENCE 'it is told what the reference tells' '
	for c in "-F comm,time,ip,sym" "-G --dsos prog" "--dlarg one -F time --pid 100" "-F ip,sym --time 1.00001,1.00003"; do
		# shellcheck disable=SC2086
		"$REF" script -i made.data --dlfilter flt.so $c >ref 2>/dev/null
		# shellcheck disable=SC2086
		perf script -i made.data --dlfilter ./flt.so $c >our 2>err
		test -s our && cmp ref our || { diff ref our | head; return 1; }
	done
'
test_expect_success GCC,DLHEADER 'the list' '
	perf script --list-dlfilters >out && grep -q "^  flt.so  *every third$" out &&
	perf script -v --list-dlfilters >out && grep -q "^  *of it$" out
'
test_expect_success GCC,DLHEADER 'what goes wrong is an error' '
	test_expect_code 255 perf script -i made.data --dlfilter nosuch.so 2>err && grep -q "dlopen failed" err &&
	! perf script -i made.data --dlfilter flt.so --dlarg fail >out 2>err
'
test_done
