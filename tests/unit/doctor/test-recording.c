// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what recordings that are made up are said to lack. */
#include "base/compat.h"

#include "doctor/doctor.h"
#include "pdata-build.h"
#include "recording/recording.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

#define POOR (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER)
#define RICH (POOR | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)

struct made {
	struct pb b;
	struct doctor_findings found;
};

static void begin(struct made *m, u64 sample_type, bool user, bool pipe)
{
	const struct pb_event ev = {
		.attr = { .type = PERF_TYPE_SOFTWARE,
			  .sample_type = sample_type,
			  .sample_id_all = true,
			  .exclude_kernel = user },
		.ids = { 7 },
		.nr_ids = 1,
	};

	*m = (struct made){ 0 };
	pb_start(&m->b, false, pipe, &ev, 1);
}

static void samples(struct made *m, u64 sample_type, unsigned int nr)
{
	struct pb_id id = { 10, 10, 900, 7, 0, 0 };

	pb_comm(&m->b, 10, 10, "made", sample_type, &id);
	pb_mmap2(&m->b, 10, 0x1000, 0x1000, "/no/such/object", sample_type, &id);
	for (; nr; nr--) {
		id.time++;
		pb_sample(&m->b, sample_type, 0x1100, &id, 1);
	}
}

/* A record of a kind that only says that something went wrong. */
static void trouble(struct made *m, u32 type, u64 sample_type)
{
	struct pb_id id = { 10, 10, 950, 7, 0, 0 };
	size_t at = pb_begin(&m->b, type, 0);

	pb_u64(&m->b, 7);
	pb_u64(&m->b, 5);
	if (type == PERF_RECORD_THROTTLE)
		pb_u64(&m->b, 7);
	pb_trailer(&m->b, sample_type, &id);
	pb_end(&m->b, at);
}

/* Read what was made, up to @len bytes of it; 0: all. */
static void check(struct made *m, size_t len)
{
	struct recording_options o = { .buildid_dir = "", .force = true };
	struct err err = { 0 };
	struct recording r;
	char path[64];
	int fd;

	pb_finish(&m->b);
	o.input = pb_save(m->b.out.buf, len ? len : m->b.out.len, &fd, path);
	assert_int_equal(recording_open(&r, &o, NULL, &err), 0);
	if (doctor_recording(&r, &m->found, &err))
		fail_msg("%s", err.msg);
	recording_close(&r);
	pb_unsave(fd);
	pb_release(&m->b);
}

static void expect(const struct made *m, const char *name, enum doctor_verdict verdict,
		   const char *text)
{
	size_t i;

	for (i = 0; i < m->found.nr; i++) {
		const struct doctor_finding *f = &m->found.v[i];

		if (strcmp(f->name, name))
			continue;
		if (f->verdict != verdict || !strstr(f->text, text))
			fail_msg("%s: %d, %s", name, f->verdict, f->text);
		if (verdict != DOCTOR_OK && !f->fix)
			fail_msg("%s: nothing is said of what to do", name);
		return;
	}
	fail_msg("there is no check %s", name);
}

static void test_poor(void **state)
{
	struct made m;

	begin(&m, POOR, true, false);
	samples(&m, POOR, 3);
	check(&m, 0);
	expect(&m, "samples", DOCTOR_LIMITED, "3 samples");
	expect(&m, "kernel", DOCTOR_LIMITED, "only user space");
	expect(&m, "call-chains", DOCTOR_MISSING, "no call chains");
	expect(&m, "times", DOCTOR_LIMITED, "no times");
	expect(&m, "header", DOCTOR_LIMITED, "the name of the machine");
	expect(&m, "build-ids", DOCTOR_LIMITED, "no build-ids");
	expect(&m, "kernel-map", DOCTOR_LIMITED, "where the kernel was");
	expect(&m, "symbols", DOCTOR_LIMITED, "1 object with 100.0% of the samples lack");
	expect(&m, "lost", DOCTOR_OK, "lost nothing");
	expect(&m, "throttled", DOCTOR_OK, "did not");
	expect(&m, "formats", DOCTOR_OK, "no tracepoints");
	doctor_findings_release(&m.found);
}

static void test_trouble(void **state)
{
	struct made m;
	int pipe;

	for (pipe = 0; pipe < 2; pipe++) {
		begin(&m, RICH, false, pipe);
		samples(&m, RICH, 200);
		trouble(&m, PERF_RECORD_LOST, RICH);
		trouble(&m, PERF_RECORD_THROTTLE, RICH);
		trouble(&m, PERF_RECORD_THROTTLE, RICH);
		check(&m, 0);
		expect(&m, "samples", DOCTOR_OK, "200 samples");
		expect(&m, "lost", DOCTOR_LIMITED, "5 records");
		expect(&m, "throttled", DOCTOR_LIMITED, "2 times");
		expect(&m, "times", DOCTOR_OK, "times and CPUs");
		expect(&m, "kernel", DOCTOR_OK, "measured");
		doctor_findings_release(&m.found);
	}
}

/* A trace that nothing makes samples of: it is no reason to record for longer. */
static void test_trace(void **state)
{
	struct made m;
	size_t at;

	begin(&m, RICH, false, false);
	at = pb_begin(&m.b, PERF_RECORD_AUXTRACE, 0);
	for (int i = 0; i < 5; i++)
		pb_u64(&m.b, 0);
	pb_end(&m.b, at);
	check(&m, 0);
	expect(&m, "samples", DOCTOR_MISSING, "traces of the processor");
	doctor_findings_release(&m.found);
}

static void test_empty_and_cut(void **state)
{
	struct made m;
	size_t len;

	begin(&m, RICH, false, false);
	check(&m, 0);
	expect(&m, "samples", DOCTOR_MISSING, "no samples");
	doctor_findings_release(&m.found);

	begin(&m, RICH, false, false);
	samples(&m, RICH, 200);
	len = m.b.out.len - 1000;
	check(&m, len);
	expect(&m, "complete", DOCTOR_MISSING, "missing or damaged");
	doctor_findings_release(&m.found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_poor),
		cmocka_unit_test(test_trouble),
		cmocka_unit_test(test_trace),
		cmocka_unit_test(test_empty_and_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
