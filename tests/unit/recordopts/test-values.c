// SPDX-License-Identifier: GPL-2.0-or-later
/* Test values of single options: what each text sets, what is refused and in which words. */
#include "base/compat.h"
#include "recordopts/values.h"
#include "tmp-tree.h"

#include "arch/arch.h"
#include "base/strbuf.h"
#include "kernel/synth.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <time.h>

#include <cmocka.h>

struct bench {
	struct record_opts o;
	struct record_given given;
	struct sysroot sysroot;
	struct strbuf told;
	struct err err;
};

static void listen_to(void *ctx, const char *text)
{
	struct bench *b = ctx;

	strbuf_addstr(&b->told, text);
}

static int set(struct bench *b, const char *option, const char *text, bool unset)
{
	const struct notices notes = { listen_to, b };
	const struct record_values v = { &b->o, &b->given, &b->sysroot, &notes };

	b->err = (struct err){ 0 };
	return record_value_set(&v, option, text, unset, &b->err);
}

static void accept(struct bench *b, const char *option, const char *text)
{
	assert_int_equal(set(b, option, text, false), 0);
	assert_string_equal(b->err.msg, "");
}

static void refuse(struct bench *b, const char *option, const char *text, const char *why)
{
	assert_true(set(b, option, text, false) < 0);
	assert_string_equal(b->err.msg, why);
}

static void test_callgraph_part(void **state)
{
	assert_int_equal(record_callgraph_part("fp"), 2);
	assert_int_equal(record_callgraph_part("fp,graph,0.5"), 2);
	assert_int_equal(record_callgraph_part("fp,defer,graph"), 8);
	assert_int_equal(record_callgraph_part("dwarf"), 5);
	assert_int_equal(record_callgraph_part("dwarf,16384,caller"), 11);
	assert_int_equal(record_callgraph_part("dwarf,unwind,4096"), 17);
	assert_int_equal(record_callgraph_part("dwarf,graph"), 5);
	assert_int_equal(record_callgraph_part("auto,caller"), 4);
	assert_int_equal(record_callgraph_part("lbrx"), 0);
	assert_int_equal(record_callgraph_part("graph,0.5,caller"), 0);
	assert_int_equal(record_callgraph_part(""), 0);
}

static void test_callgraph(void **state)
{
	struct bench b = { 0 };
	struct sample_opts *s = &b.o.sample;

	accept(&b, "call-graph", "fp,17");
	assert_int_equal(s->callgraph, CALLGRAPH_FP);
	assert_int_equal(s->max_stack, 17);
	accept(&b, "call-graph", "lbr");
	assert_int_equal(s->callgraph, CALLGRAPH_LBR);
	accept(&b, "call-graph", "no");
	assert_int_equal(s->callgraph, CALLGRAPH_NONE);
	accept(&b, "call-graph", "fp");
	assert_int_equal(set(&b, "call-graph", NULL, true), 0);
	assert_int_equal(s->callgraph, CALLGRAPH_NONE);
	accept(&b, "call-graph", "fp,defer,9");
	assert_true(s->defer);
	assert_int_equal(s->max_stack, 9);
	accept(&b, "call-graph", "fp");
	assert_false(s->defer);
	refuse(&b, "call-graph", "fp,0", "callchain: Incorrect number of addresses in a chain: 0");
	refuse(&b, "call-graph", "lbr,1",
	       "callchain: No more arguments needed for --call-graph lbr");
	refuse(&b, "call-graph", "fpx",
	       "callchain: Unknown --call-graph option value: fpx\nDid you mean fp?");
	if (!arch_host()->sample_regs)
		return;
	assert_false(s->addr);
	accept(&b, "call-graph", "dwarf,100");
	assert_int_equal(s->callgraph, CALLGRAPH_DWARF);
	assert_int_equal(s->stack_size, 104);
	assert_true(s->addr);
	refuse(&b, "call-graph", "dwarf,65529",
	       "callchain: Incorrect stack dump size (max 65528): 65529");
	assert_false(s->unwind);
	if (!arch_host()->frames)
		return;
	/* who unwinds at once needs no addresses of data; the parts may stand in any order */
	s->addr = false;
	accept(&b, "call-graph", "dwarf,unwind");
	assert_true(s->unwind);
	assert_int_equal(s->stack_size, 8192);
	accept(&b, "call-graph", "dwarf,4096,unwind");
	assert_true(s->unwind);
	assert_int_equal(s->stack_size, 4096);
	accept(&b, "call-graph", "dwarf,unwind,0x1000");
	assert_int_equal(s->stack_size, 4096);
	assert_false(s->addr);
	refuse(&b, "call-graph", "dwarf,unwinds",
	       "callchain: Incorrect stack dump size (max 65528): unwinds");
	refuse(&b, "call-graph", "dwarf,unwind,unwind",
	       "callchain: Incorrect stack dump size (max 65528): unwind");
	accept(&b, "call-graph", "auto,1024");
	assert_int_equal(s->callgraph, CALLGRAPH_AUTO);
	assert_int_equal(s->stack_size, 1024);
	assert_false(s->unwind);
	accept(&b, "call-graph", "dwarf");
	assert_false(s->unwind);
}

/* -g alone, with the configuration. */
static void test_callgraph_default(void **state)
{
	struct sample_opts s = { 0 };
	struct err err = { 0 };

	assert_int_equal(record_callgraph_default(&s, NULL, "4096", &err), 0);
	assert_int_equal(s.callgraph, CALLGRAPH_FP);
	assert_true(record_callgraph_default(&s, "frames", NULL, &err) < 0);
	assert_string_equal(err.msg, "callchain: Unknown --call-graph option value: frames");
	if (!arch_host()->sample_regs)
		return;
	assert_int_equal(record_callgraph_default(&s, "dwarf", "4096", &err), 0);
	assert_int_equal(s.stack_size, 4096);
	/* a size that stands with the mode is nearer */
	assert_int_equal(record_callgraph_default(&s, "dwarf,512", "4096", &err), 0);
	assert_int_equal(s.stack_size, 512);
	assert_true(record_callgraph_default(&s, "dwarf", "much", &err) < 0);
	assert_string_equal(err.msg, "callchain: Incorrect stack dump size (max 65528): much");
	if (!arch_host()->frames)
		return;
	assert_int_equal(record_callgraph_default(&s, "dwarf,unwind", "4096", &err), 0);
	assert_true(s.unwind);
	assert_int_equal(s.stack_size, 4096);
}

static void test_samples(void **state)
{
	struct bench b = { 0 };

	accept(&b, "clockid", "CLOCK_Mono");
	assert_true(b.o.sample.clockid_set);
	assert_int_equal(b.o.sample.clockid, CLOCK_MONOTONIC);
	accept(&b, "clockid", "7");
	assert_int_equal(b.o.sample.clockid, CLOCK_BOOTTIME);
	refuse(&b, "clockid", "99", "Warning:\nunknown clockid 99, check man page");
	refuse(&b, "clockid", "1x", "Warning:\nunknown clockid 1x, check man page");
	refuse(&b, "clockid", "sundial", "Warning:\nunknown clockid sundial, check man page");
	assert_false(b.o.sample.clockid_set);

	accept(&b, "branch-any", NULL);
	assert_int_equal(b.o.sample.branches, PERF_SAMPLE_BRANCH_ANY);
	accept(&b, "branch-filter", "any_call,u");
	assert_int_equal(b.o.sample.branches,
			 PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_USER);
	refuse(&b, "branch-filter", "u,left", "unknown branch filter left, check man page");
	assert_int_equal(b.o.sample.branches, 0);
}

static void test_regs(void **state)
{
	const struct arch *host = arch_host();
	struct bench b = { 0 };

	if (!host->sample_regs)
		skip();
	accept(&b, "intr-regs", NULL);
	assert_int_equal(b.o.sample.intr_regs, host->sample_regs);
	assert_int_equal(b.o.sample.user_regs, 0);
	accept(&b, "user-regs", arch_reg_name(host, 0));
	assert_int_equal(b.o.sample.user_regs, 1);
	refuse(&b, "user-regs", "",
	       "Warning:\nUnknown register \"\", check man page or run "
	       "\"perf record --user-regs=?\"");
	refuse(&b, "intr-regs", "r99",
	       "Warning:\nUnknown register \"r99\", check man page or run "
	       "\"perf record -I?\"");
	assert_true(set(&b, "intr-regs", "?", false) < 0);
	assert_memory_equal(b.err.msg, "available registers: ", 21);
	assert_non_null(strstr(b.err.msg, arch_reg_name(host, 0)));
}

static void test_rate(void **state)
{
	char *dir = tmp_dir();
	struct bench b = { .sysroot.prefix = dir };

	refuse(&b, "freq", "max", "couldn't read /proc/sys/kernel/perf_event_max_sample_rate");
	assert_false(b.o.sample.freq_set);
	tree_put(dir, "proc/sys/kernel/perf_event_max_sample_rate", "25000\n");
	accept(&b, "freq", "MAX");
	assert_int_equal(b.o.sample.freq, 25000);
	assert_string_equal(strbuf_str(&b.told),
			    "info: Using a maximum frequency rate of 25000 Hz\n");
	accept(&b, "freq", "99");
	assert_int_equal(b.o.sample.freq, 99);
	/* this is refused when the options are settled */
	accept(&b, "freq", "9x");
	assert_int_equal(b.o.sample.freq, 0);
	assert_true(b.o.sample.freq_set);
	assert_non_null(strstr(strbuf_str(&b.told), "invalid frequency '9x'"));
	strbuf_release(&b.told);
	tmp_remove(dir);
}

static void test_delay(void **state)
{
	struct bench b = { 0 };

	accept(&b, "delay", "250");
	assert_int_equal(b.o.delay_ms, 250);
	accept(&b, "delay", "10-20,30-40");
	assert_int_equal(b.o.delay_ms, -1);
	assert_int_equal(b.o.spans.nr, 2);
	assert_int_equal(set(&b, "delay", NULL, true), 0);
	assert_int_equal(b.o.delay_ms, 0);
	assert_int_equal(b.o.spans.nr, 0);
	refuse(&b, "delay", "-2",
	       "invalid delay '-2': give milliseconds, -1, or ranges such as 10-20,30-40");
	delay_spans_release(&b.o.spans);
}

static void test_rings(void **state)
{
	struct bench b = { 0 };

	accept(&b, "mmap-pages", "5");
	assert_int_equal(b.o.ring.pages, 8);
	assert_true(b.given.pages_rounded);
	accept(&b, "mmap-pages", ",16");
	assert_int_equal(b.o.ring.pages, 0);
	assert_true(b.given.aux_pages);
	refuse(&b, "mmap-pages", "4,", "Invalid argument for --mmap_pages/-m: '4,'");
	accept(&b, "mmap-flush", "2K");
	assert_int_equal(b.o.ring.flush, 2048);
	refuse(&b, "mmap-flush", "0",
	       "invalid --mmap-flush '0': give a number of bytes, or one with K, M or G");
	accept(&b, "aio", NULL);
	assert_int_equal(b.o.ring.aio, 1);
	accept(&b, "aio", "9");
	assert_int_equal(b.o.ring.aio, 4);
	assert_int_equal(set(&b, "aio", NULL, true), 0);
	assert_int_equal(b.o.ring.aio, 0);
	refuse(&b, "aio", "many", "invalid --aio 'many': give a number from 1 to 4");
	record_aio_default(&b.o.ring, "many");
	assert_int_equal(b.o.ring.aio, 1);
	accept(&b, "affinity", "cpu");
	assert_int_equal(b.o.ring.affinity, AFFINITY_CPU);
	refuse(&b, "affinity", "core", "unknown --affinity 'core': give node or cpu");
}

static void test_output(void **state)
{
	struct bench b = { .o.synth = SYNTH_ALL };

	accept(&b, "max-size", "3M");
	assert_int_equal(b.o.max_size, 3 << 20);
	refuse(&b, "max-size", "3", "invalid size '3': give a number and B, K, M or G");
	accept(&b, "synth", "task");
	assert_int_equal(b.o.synth, SYNTH_TASKS);
	refuse(&b, "synth", "tasks", "Invalid synth option: tasks\nDid you mean task?");
	refuse(&b, "compression-level", "-1",
	       "invalid compression level '-1': give a number from 1 to 22");
	refuse(&b, "output", "x", "--output is no option of a recording");

	assert_int_equal(record_buildid_default(&b.o, "cache"), 0);
	assert_false(b.o.no_buildid || b.o.no_buildid_cache || b.o.buildid_mmap);
	assert_int_equal(record_buildid_default(&b.o, "no-cache"), 0);
	assert_true(b.o.no_buildid_cache);
	assert_int_equal(record_buildid_default(&b.o, "other"), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_callgraph),
		cmocka_unit_test(test_callgraph_part),
		cmocka_unit_test(test_callgraph_default),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_regs),
		cmocka_unit_test(test_rate),
		cmocka_unit_test(test_delay),
		cmocka_unit_test(test_rings),
		cmocka_unit_test(test_output),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
