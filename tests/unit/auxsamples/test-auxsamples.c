// SPDX-License-Identifier: GPL-2.0-or-later
/* Test samples made of the traces of a recording: which events they are of, their order, their
 * tasks and times, and recordings that have no such traces or damaged ones. */
#include "base/compat.h"
#include "aux/aux-text.h"
#include "aux/spe.h"
#include "auxsamples/auxsamples.h"
#include "drive.h"
#include "pdata-build.h"

#include <setjmp.h>
#include <stdlib.h>
#include <cmocka.h>

#define PMU 8
#define ST                                                                                         \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_CPU)
#define ID 5
#define BASE 1000 /* of the clock of the recording */
#define WHOLE ((u64)-1)

struct trace {
	u32 cpu, tid; /* of the AUXTRACE record; -1: none */
	u64 claims;   /* how many bytes it is said to have; WHOLE: as many as it has */
	const struct strbuf *bytes;
};

/* Append a record: an access at @time, of @context if that is not 0. */
static void put_spe(struct strbuf *b, u64 pc, u8 op, u16 events, u64 time, u32 context)
{
	const u8 fixed[] = { 0xb0, (u8)pc, (u8)(pc >> 8), 0,  0,    0,          0,
			     0,    0x80,   0x49,          op, 0x52, (u8)events, (u8)(events >> 8) };
	const u8 task[] = { 0x64, (u8)context, (u8)(context >> 8), 0, 0 };
	const u8 addr[] = { 0xb2, 0x40, (u8)time, 0, 0, 0, 0, 0, 0 };

	strbuf_add(b, fixed, sizeof(fixed));
	strbuf_add(b, addr, sizeof(addr));
	if (context)
		strbuf_add(b, task, sizeof(task));
	strbuf_addch(b, 0x71);
	for (int i = 0; i < 8; i++)
		strbuf_addch(b, (char)(time >> 8 * i));
}

static void put_info(struct pb *b, u32 type)
{
	size_t at = pb_begin(b, PERF_RECORD_AUXTRACE_INFO, 0);

	pb_u32(b, type);
	pb_u32(b, 0);
	pb_u64(b, PMU);
	pb_u64(b, 0);
	pb_end(b, at);
	at = pb_begin(b, PERF_RECORD_TIME_CONV, 0);
	pb_u64(b, 1);    /* shift */
	pb_u64(b, 4);    /* multiplier: two units of time for each count */
	pb_u64(b, BASE); /* zero */
	for (int i = 0; i < 3; i++)
		pb_u64(b, 0);
	pb_end(b, at);
}

static void put_trace(struct pb *b, const struct trace *t)
{
	size_t at = pb_begin(b, PERF_RECORD_AUXTRACE, 0);

	pb_u64(b, t->claims == WHOLE ? t->bytes->len : t->claims);
	pb_u64(b, 0);
	pb_u64(b, 0);
	pb_u32(b, 0);
	pb_u32(b, t->tid);
	pb_u32(b, t->cpu);
	pb_u32(b, 0);
	pb_end(b, at);
	pb_bytes(b, t->bytes->buf, t->bytes->len);
}

static void put_switch(struct pb *b, u32 cpu, u32 pid, u32 tid, u64 time)
{
	struct pb_id id = { pid, tid, time, ID, 0, cpu };
	size_t at = pb_begin(b, PERF_RECORD_SWITCH, 0);

	pb_trailer(b, ST, &id);
	pb_end(b, at);
}

static void open_file(struct session *s, u32 type, const struct trace *traces, size_t nr)
{
	const struct pb_event ev = {
		.attr = { .type = PMU, .sample_type = ST, .sample_id_all = 1 },
		.attr_size = 96,
		.ids = { ID },
		.nr_ids = 1,
		.name = "arm_spe_0//",
	};
	struct pb_id id = { 10, 11, 1, ID, 0, 0 };
	struct pb b;

	pb_start(&b, false, false, &ev, 1);
	pb_event_desc(&b, &ev, 1);
	put_info(&b, type);
	pb_comm(&b, 10, 11, "prog", ST, &id);
	pb_comm(&b, 10, 12, "thread", ST, &id);
	put_switch(&b, 0, 10, 11, BASE + 100);
	put_switch(&b, 0, 20, 21, BASE + 300);
	put_switch(&b, 1, 30, 31, BASE + 200);
	for (size_t i = 0; i < nr; i++)
		put_trace(&b, &traces[i]);
	pb_finish(&b);
	session_open_built(s, &b);
	pb_release(&b);
}

/* Append a sample as a line. */
static int on_sample(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct strbuf *text = ctx;
	const struct sample *s = ev->sample;

	strbuf_addf(text, "%s %d/%d cpu%u +%" PRIu64 " %" PRIx64 " %" PRIx64 "\n", ev->evsel->name,
		    (s32)s->pid, (s32)s->tid, s->cpu, s->time - BASE, s->ip, s->addr);
	return 0;
}

static int no_state(void *ctx, const struct session_event *ev, struct err *err)
{
	return 0;
}

/* Make the samples of @traces and compare them. */
static void check(const struct trace *traces, size_t nr, const char *letters, const char *want)
{
	static const struct session_ordered_ops ops = { .state.state = no_state,
							.format = on_sample };
	const struct itrace_option asked = { .letters = letters };
	const struct aux_samples_conf conf = { .asked = &asked };
	size_t first;
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	struct session s;

	open_file(&s, AUX_ARM_SPE, traces, nr);
	assert_int_equal(aux_samples_open(&s, &conf, &first, &err), 1);
	assert_int_equal(first, 1);
	assert_int_equal(session_ordered(&s, &ops, &text, 1, &err), 0);
	assert_string_equal(strbuf_str(&text), want);
	session_close(&s);
	strbuf_release(&text);
}

#define L1 SPE_EV_L1D_ACCESS

static void test_events(void **state)
{
	struct strbuf b = STRBUF_INIT;
	const struct trace t = { 0, -1u, WHOLE, &b };

	put_spe(&b, 0x100, 0, L1, 60, 0);
	put_spe(&b, 0x200, 1, L1 | SPE_EV_L1D_REFILL | SPE_EV_REMOTE, 70, 0);
	check(&t, 1, "f",
	      "l1d-access 10/11 cpu0 +120 100 3c40\n"
	      "l1d-miss 10/11 cpu0 +140 200 4640\n"
	      "l1d-access 10/11 cpu0 +140 200 4640\n");
	check(&t, 1, "M", "memory 10/11 cpu0 +120 100 3c40\nmemory 10/11 cpu0 +140 200 4640\n");
	check(&t, 1, "a", "remote-access 10/11 cpu0 +140 200 4640\n");
	check(&t, 1, "i2i", "instructions 10/11 cpu0 +140 200 4640\n");
	check(&t, 1, "m", "");
	strbuf_release(&b);
}

/* The traces of CPUs are merged by time, and tell who ran by the switches of their CPU. */
static void test_tasks(void **state)
{
	struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;
	const struct trace t[] = { { 0, -1u, WHOLE, &a }, { 1, -1u, WHOLE, &b } };

	put_spe(&a, 0x100, 0, L1, 10, 0);  /* before the first switch */
	put_spe(&a, 0x100, 0, L1, 149, 0); /* the second task begins at 300 */
	put_spe(&a, 0x100, 0, L1, 151, 0);
	put_spe(&a, 0x100, 0, L1, 152, 12); /* the processor tells its task */
	put_spe(&b, 0x100, 0, L1, 150, 0);
	check(t, 2, "M",
	      "memory -1/-1 cpu0 +20 100 a40\n"
	      "memory 10/11 cpu0 +298 100 9540\n"
	      "memory 30/31 cpu1 +300 100 9640\n"
	      "memory 20/21 cpu0 +302 100 9740\n"
	      "memory 10/12 cpu0 +304 100 9840\n");
	strbuf_release(&a);
	strbuf_release(&b);
}

/* A trace of a thread belongs to it, whatever runs elsewhere. */
static void test_thread(void **state)
{
	struct strbuf a = STRBUF_INIT;
	const struct trace t = { -1u, 12, WHOLE, &a };

	put_spe(&a, 0x100, 0, L1, 200, 0);
	check(&t, 1, "M", "memory 10/12 cpu0 +400 100 c840\n");
	strbuf_release(&a);
}

/* A trace that is longer than the file ends with it; an unfinished record is none. */
static void test_damaged(void **state)
{
	struct strbuf a = STRBUF_INIT;
	struct trace t = { 0, -1u, 1ull << 40, &a };

	put_spe(&a, 0x100, 0, L1, 60, 0);
	strbuf_addstr(&a, "\xff\xb0\x49");
	check(&t, 1, "M", "memory 10/11 cpu0 +120 100 3c40\n");
	t.claims = ~(u64)7;
	check(&t, 1, "M", "memory 10/11 cpu0 +120 100 3c40\n");
	t.claims = 8;
	check(&t, 1, "M", "");
	strbuf_release(&a);
}

/* Recordings without such traces, and those whose traces are not wanted, stay as they are. */
static void test_none(void **state)
{
	struct itrace_option asked = { 0 };
	const struct aux_samples_conf conf = { .asked = &asked };
	size_t first;
	struct strbuf a = STRBUF_INIT;
	const struct trace t = { 0, -1u, WHOLE, &a };
	struct err err = { 0 };
	struct session s;

	put_spe(&a, 0x100, 0, L1, 60, 0);
	open_file(&s, AUX_PT, &t, 1);
	assert_int_equal(aux_samples_open(&s, &conf, &first, &err), 0);
	assert_int_equal(s.evlist.nr, 1);
	session_close(&s);
	open_file(&s, AUX_ARM_SPE, &t, 0);
	assert_int_equal(aux_samples_open(&s, &conf, &first, &err), 0);
	session_close(&s);
	open_file(&s, AUX_ARM_SPE, &t, 1);
	asked.none = true;
	assert_int_equal(aux_samples_open(&s, &conf, &first, &err), 0);
	assert_int_equal(s.evlist.nr, 1);
	asked.none = false;
	setenv("TMPDIR", "/nowhere/at-all", 1); /* no place for the file */
	assert_true(aux_samples_open(&s, &conf, &first, &err) < 0);
	assert_true(err.msg[0]);
	assert_int_equal(s.evlist.nr, 1);
	unsetenv("TMPDIR");
	session_close(&s);
	strbuf_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events), cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_thread), cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
