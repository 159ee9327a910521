// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what is said of records that were lost, and of the recorder's own share. */
#include "base/compat.h"
#include "recorder/statistics.h"

#include "base/alloc.h"
#include "base/strbuf.h"
#include "tmp-tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

/* A recording of two events on two CPUs, with rings of four pages. No descriptor is a real one. */
struct made {
	struct sysroot sr;
	struct evlist list;
	struct opened ev;
	struct statistics stats;
	struct record_scan seen;
	struct strbuf said;
};

static void collect(void *ctx, const char *text)
{
	strbuf_addstr(ctx, text);
}

static void make(struct made *m)
{
	struct perf_event_attr sampled = { .freq = 1, .sample_freq = 4000 };
	struct perf_event_attr traced = { .type = PERF_TYPE_TRACEPOINT, .sample_period = 1 };
	struct kevents *k = &m->ev.kevents;

	memset(m, 0, sizeof(*m));
	m->sr.prefix = tmp_dir();
	evlist_add(&m->list, &sampled, "cycles");
	evlist_add(&m->list, &traced, "sched:sched_switch");
	m->ev.sysroot = &m->sr;
	m->ev.list = &m->list;
	k->fds = xcalloc(4, sizeof(*k->fds));
	k->nr = 4;
	for (u32 i = 0; i < 4; i++)
		k->fds[i] =
			(struct kfd){ .fd = -1, .evsel = i / 2, .cpu = (int)i % 2, .id = 100 + i };
	m->ev.rings.v = xcalloc(1, sizeof(*m->ev.rings.v));
	m->ev.rings.v[0].size = 4 * (size_t)sysconf(_SC_PAGESIZE);
	m->ev.rings.nr = 1;
	m->ev.rings.pages = 4;
	m->stats.lost_of = xcalloc(4, sizeof(u64));
	m->seen.events = 1000;
	m->seen.samples = 900;
}

static const char *tell(struct made *m, u64 written)
{
	const struct notices notes = { collect, &m->said };

	strbuf_reset(&m->said);
	statistics_tell(&m->stats, &m->ev, &m->seen, written, &notes);
	return strbuf_str(&m->said);
}

static void release(struct made *m)
{
	statistics_release(&m->stats);
	record_scan_release(&m->seen);
	strbuf_release(&m->said);
	free(m->ev.kevents.fds);
	free(m->ev.rings.v);
	evlist_release(&m->list);
	tmp_remove((char *)m->sr.prefix);
}

static void test_nothing(void **state)
{
	struct made m;

	make(&m);
	assert_string_equal(tell(&m, 100000), "");
	release(&m);
}

/* Most first; what would have held it is a power of two. */
static void test_places(void **state)
{
	struct made m;

	make(&m);
	m.stats.lost_of[0] = 10;
	m.stats.lost_of[3] = 30;
	m.stats.lost = 40;
	m.seen.lost_chunks = 2;
	assert_string_equal(
		tell(&m, 100 * 1000),
		"Warning:\n"
		"Processed 1000 events and lost 2 chunks (40 events)!\n\n"
		"Check IO/CPU overload! Lost: sched:sched_switch 30, cycles 10; CPU 1 30, "
		"CPU 0 10.\n"
		"'-m 8' would have held it (the rings had 4 pages).\n\n");
	/* gaps that are larger than the rings */
	m.seen.lost_chunks = 1;
	m.stats.lost = 4000;
	assert_non_null(strstr(tell(&m, 100 * 1000), "'-m 512' would have held it"));
	release(&m);
}

/* No ring of a size that can be advised would have held it: then the rate is what has to change. */
static void test_rate(void **state)
{
	struct made m;

	make(&m);
	m.ev.rings.v[0].size = (size_t)64 << 20;
	m.stats.lost_of[0] = 900;
	m.stats.lost = 900;
	assert_non_null(
		strstr(tell(&m, 1000), "'-F 1000' instead of 4000 would have been kept up with."));
	m.list.evsels[0]->attr.freq = 0;
	assert_non_null(strstr(tell(&m, 1000), "Record fewer events"));
	release(&m);
}

/* Kernels before 6.0 tell by LOST records alone, which name the event that came next. */
static void test_old_kernel(void **state)
{
	struct made m;

	make(&m);
	m.seen.lost_events = 6;
	m.seen.lost_chunks = 1;
	m.seen.lost = xcalloc(1, sizeof(*m.seen.lost));
	m.seen.lost[0].id = 102;
	m.seen.lost[0].lost = 6;
	m.seen.nr_lost = 1;
	assert_non_null(strstr(tell(&m, 1000), "Lost: sched:sched_switch 6; CPU 0 6."));
	release(&m);
}

/* Threads that are followed without a CPU have no place to name. */
static void test_threads(void **state)
{
	struct made m;

	make(&m);
	for (size_t i = 0; i < m.ev.kevents.nr; i++)
		m.ev.kevents.fds[i].cpu = -1;
	m.stats.lost_of[0] = m.stats.lost = 1;
	assert_non_null(strstr(tell(&m, 1000), "Lost: cycles 1.\n"));
	release(&m);
}

/* A recording of the whole system is watched when it has tracepoints. */
static void test_feedback(void **state)
{
	struct feedback f = { 0 };
	struct made m;

	make(&m);
	const struct notices notes = { collect, &m.said };

	feedback_start(&f, &m.ev, false);
	assert_false(f.watched);
	feedback_start(&f, &m.ev, true);
	assert_true(f.watched);
	/* too few to say something, then not many of our own */
	feedback_look(&f, &m.ev, (struct own_share){ 4000, 4000 }, &notes);
	assert_false(f.left_out);
	f.last = (struct own_share){ 4000, 4000 };
	feedback_look(&f, &m.ev, (struct own_share){ 10000, 5000 }, &notes);
	assert_false(f.left_out);
	/* a new file counts anew */
	feedback_look(&f, &m.ev, (struct own_share){ 100, 100 }, &notes);
	assert_int_equal(f.last.samples, 0);
	feedback_look(&f, &m.ev, (struct own_share){ 5000, 2000 }, &notes);
	assert_true(f.left_out);
	/* where nothing could be left out nothing is said */
	assert_int_equal(m.said.len, 0);
	release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing), cmocka_unit_test(test_places),
		cmocka_unit_test(test_rate),    cmocka_unit_test(test_old_kernel),
		cmocka_unit_test(test_threads), cmocka_unit_test(test_feedback),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
