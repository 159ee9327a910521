// SPDX-License-Identifier: GPL-2.0-or-later
/* Test one recording as commands want it: the same from a file, from a stream, with any workers. */
#include "base/compat.h"
#include "recording/hit-objects.h"
#include "recording/recording.h"
#include "drive.h"
#include "pdata-build.h"

#include <errno.h>

#include <setjmp.h>
#include <cmocka.h>

#define ST                                                                                         \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |                \
	 PERF_SAMPLE_IDENTIFIER)
#define SAMPLES 1000
#define MAX_WORKERS 4

/*
 * A process that maps /bin/a, is called "early", then "late"; a sample each 10 ns from time 1000
 * on. In its middle, at time 6000, /bin/b takes the place of /bin/a.
 */
static void build(struct pb *b, bool swap, bool pipe)
{
	const struct pb_event ev[] = {
		{ .attr = { .type = PERF_TYPE_SOFTWARE, .sample_type = ST, .sample_id_all = true },
		  .ids = { 7 },
		  .nr_ids = 1,
		  .name = "one" },
		{ .attr = { .type = PERF_TYPE_SOFTWARE,
			    .config = 1,
			    .sample_type = ST,
			    .sample_id_all = true },
		  .ids = { 8 },
		  .nr_ids = 1,
		  .name = "two" },
	};
	struct pb_id id = { 10, 10, 900, 7, 0, 0 };

	pb_start(b, swap, pipe, ev, 2);
	if (!pipe)
		pb_event_desc(b, ev, 2);
	pb_comm(b, 10, 10, "early", ST, &id);
	pb_mmap2(b, 10, 0x400000, 0x10000, "/bin/a", ST, &id);
	for (u64 i = 0; i < SAMPLES; i++) {
		struct pb_id now = { 10, 10, 1000 + 10 * i, 7 + (i & 1), 0, 0 };

		if (i == SAMPLES / 2) {
			pb_comm(b, 10, 10, "late", ST, &now);
			pb_mmap2(b, 10, 0x400000, 0x10000, "/bin/b", ST, &now);
		}
		now.time++;
		pb_sample(b, ST, 0x400000 + i, &now, 1);
		if (i % 100 == 99)
			pb_round(b);
	}
	pb_finish(b);
}

/* The records that a run saw. */
struct seen {
	struct recording *r;
	u64 samples[MAX_WORKERS], early[MAX_WORKERS], in_a[MAX_WORKERS];
	struct slot {
		struct seen *s;
		int worker;
	} slots[MAX_WORKERS];
	int events, ready, state, refused, rounds;
	bool before_ready; /* a sample came first */
	struct strbuf text;
};

static int on_events(void *ctx, struct err *err)
{
	struct seen *s = ctx;

	s->events++;
	return 0;
}

static int on_ready(void *ctx, struct err *err)
{
	struct seen *s = ctx;

	s->ready++;
	return 0;
}

static int on_state(void *ctx, const struct session_event *ev, bool applied, struct err *err)
{
	struct seen *s = ctx;

	s->state++;
	s->refused += !applied;
	return 0;
}

static int on_other(void *ctx, const struct session_event *ev, struct err *err)
{
	struct seen *s = ctx;

	s->rounds += ev->hdr->type == PERF_RECORD_FINISHED_ROUND;
	return 0;
}

static void *on_worker(void *ctx, int worker)
{
	struct seen *s = ctx;

	s->slots[worker] = (struct slot){ s, worker };
	return &s->slots[worker];
}

static void look(struct seen *s, int worker, const struct session_event *ev)
{
	const struct sample *sample = ev->sample;
	struct thread_at at;
	const struct map *map;

	if (!s->ready)
		s->before_ready = true;
	machine_thread_at(s->r->machine, sample->pid, sample->tid, ev->time, &at);
	map = machine_find_map(s->r->machine, at.epoch, sample->cpumode, sample->ip);
	s->samples[worker]++;
	s->early[worker] += !strcmp(machine_comm(s->r->machine, at.comm), "early");
	s->in_a[worker] += map && !strcmp(map->dso->path, "/bin/a");
}

static int on_sample(void *ctx, const struct session_event *ev, struct err *err)
{
	struct slot *slot = ctx;

	look(slot->s, slot->worker, ev);
	return 0;
}

static int on_format(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	look(ctx, worker, ev);
	strbuf_addf(out, "%" PRIu64 "\n", ev->time);
	return 0;
}

static int on_write(void *ctx, const char *text, size_t len, struct err *err)
{
	struct seen *s = ctx;

	strbuf_add(&s->text, text, len);
	return 0;
}

static const struct recording_ops ops = {
	.events = on_events,
	.ready = on_ready,
	.state = on_state,
	.other = on_other,
	.format = on_format,
	.write = on_write,
	.worker_new = on_worker,
	.sample = on_sample,
};

static u64 sum(const u64 v[MAX_WORKERS])
{
	return v[0] + v[1] + v[2] + v[3];
}

static const char *save(const struct pb *b, int *fd, char path[64])
{
	return pb_save(b->out.buf, b->out.len, fd, path);
}

static void check(const struct seen *s)
{
	assert_int_equal(sum(s->samples), SAMPLES);
	assert_int_equal(sum(s->early), SAMPLES / 2);
	assert_int_equal(sum(s->in_a), SAMPLES / 2);
	assert_true(s->events >= 1);
	assert_true(s->ready >= 1);
	assert_int_equal(s->state, 4);
	assert_int_equal(s->refused, 0);
	assert_int_equal(s->rounds, SAMPLES / 100);
	assert_false(s->before_ready);
}

/* Both byte orders, files and pipes, any number of workers: the same state at each sample. */
static void test_all_ways_agree(void **state)
{
	struct recording_options o = { .buildid_dir = "" };
	struct err err = { 0 };
	char *text = NULL, path[64];
	int fd;

	for (int form = 0; form < 4; form++) {
		struct pb b;

		build(&b, form & 1, form & 2);
		o.input = save(&b, &fd, path);
		for (int workers = 1; workers <= MAX_WORKERS; workers++) {
			struct recording r;
			struct seen any = { .r = &r }, ordered = { .r = &r };

			assert_int_equal(recording_open(&r, &o, NULL, &err), 0);
			assert_int_equal(recording_is_stream(&r), !!(form & 2));
			assert_int_equal(recording_prepare(&r, &err), 0);
			assert_int_equal(recording_samples(&r, &ops, &any, workers, &err), 0);
			check(&any);
			recording_close(&r);

			assert_int_equal(recording_open(&r, &o, NULL, &err), 0);
			assert_int_equal(recording_prepare(&r, &err), 0);
			assert_int_equal(recording_ordered(&r, &ops, &ordered, workers, &err), 0);
			check(&ordered);
			if (!text)
				text = strdup(strbuf_str(&ordered.text));
			assert_string_equal(text, strbuf_str(&ordered.text));
			strbuf_release(&ordered.text);
			recording_close(&r);
		}
		pb_unsave(fd);
		pb_release(&b);
	}
	free(text);
}

/* A part of the time is known of a file, not of a stream; what is wrong is told as such. */
static void test_time(void **state)
{
	struct recording_options o = { .buildid_dir = "", .time = "0%-10%" };
	struct err err = { 0 };
	struct recording r;
	char path[64];
	struct pb b;
	int fd;

	build(&b, false, false);
	o.input = save(&b, &fd, path);
	assert_int_equal(recording_open(&r, &o, NULL, &err), 0);
	assert_int_equal(recording_prepare(&r, &err), 0);
	assert_int_equal(r.filter.nr_spans, 0);
	assert_int_equal(recording_settle_time(&r, &err), 0);
	assert_true(sample_filter_time_takes(&r.filter, 1001));
	assert_true(sample_filter_time_takes(&r.filter, 1990));
	assert_false(sample_filter_time_takes(&r.filter, 2100));
	recording_close(&r);

	o.time = "nonsense";
	assert_int_equal(recording_open(&r, &o, NULL, &err), 0);
	assert_int_equal(recording_settle_time(&r, &err), -EINVAL);
	assert_true(r.bad_time);
	recording_close(&r);
	pb_unsave(fd);
	pb_release(&b);

	build(&b, false, true);
	o.input = save(&b, &fd, path);
	o.time = "0%-10%";
	assert_int_equal(recording_open(&r, &o, NULL, &err), 0);
	assert_int_equal(recording_prepare(&r, &err), -EINVAL);
	assert_true(r.bad_time);
	assert_non_null(strstr(err.msg, "stream"));
	recording_close(&r);
	pb_unsave(fd);
	pb_release(&b);
}

static void test_filters(void **state)
{
	struct recording_options o = { .buildid_dir = "",
				       .comms = "early,other",
				       .pids = "10",
				       .tids = "10,11",
				       .cpus = "0-1" };
	struct err err = { 0 };
	struct recording r;
	char path[64];
	struct pb b;
	int fd;

	build(&b, false, false);
	o.input = save(&b, &fd, path);
	assert_int_equal(recording_open(&r, &o, NULL, &err), 0);
	assert_int_equal(recording_prepare(&r, &err), 0);
	assert_true(sample_filter_match(&r.filter, 10, 11, 1, 0, "other"));
	assert_false(sample_filter_match(&r.filter, 10, 11, 1, 0, "late"));
	assert_false(sample_filter_match(&r.filter, 10, 12, 1, 0, "early"));
	assert_false(sample_filter_match(&r.filter, 9, 11, 1, 0, "early"));
	assert_false(sample_filter_match(&r.filter, 10, 11, 2, 0, "early"));
	recording_close(&r);

	o.tids = "ten";
	assert_int_equal(recording_open(&r, &o, NULL, &err), 0);
	assert_int_equal(recording_prepare(&r, &err), -EINVAL);
	recording_close(&r);
	pb_unsave(fd);
	pb_release(&b);
}

/* Samples that the filter takes have thread and place, from a file and from a stream. */
static int on_wanted(void *ctx, const struct session_event *ev, struct err *err)
{
	struct slot *slot = ctx;
	struct seen *s = slot->s;
	struct thread_at at = { 0 };
	struct location l;

	if (!recording_takes(s->r, ev, &at))
		return 0;
	recording_place(s->r, ev, &at, &l);
	s->samples[slot->worker]++;
	s->early[slot->worker] += !strcmp(machine_comm(s->r->machine, at.comm), "early");
	s->in_a[slot->worker] += l.dso && !strcmp(l.dso->path, "/bin/a");
	return 0;
}

static void test_wanted(void **state)
{
	static const struct recording_ops wanted = { .worker_new = on_worker, .sample = on_wanted };
	struct recording_options o = { .buildid_dir = "", .comms = "early", .tids = "10" };
	struct err err = { 0 };
	char path[64];
	int fd;

	for (int form = 0; form < 4; form++) {
		struct recording r;
		struct seen s = { .r = &r };
		struct pb b;

		build(&b, form & 1, form & 2);
		o.input = save(&b, &fd, path);
		assert_int_equal(recording_open(&r, &o, NULL, &err), 0);
		assert_int_equal(recording_prepare(&r, &err), 0);
		recording_symbols(&r);
		assert_int_equal(recording_samples(&r, &wanted, &s, 2, &err), 0);
		assert_int_equal(sum(s.samples), SAMPLES / 2);
		assert_int_equal(sum(s.early), SAMPLES / 2);
		assert_int_equal(sum(s.in_a), SAMPLES / 2);
		recording_close(&r);
		pb_unsave(fd);
		pb_release(&b);
	}
}

static void test_switch(void **state)
{
	struct recording_options o = { .buildid_dir = "", .on_off = { .on = "two" } };
	struct err err = { 0 };
	struct recording r;
	char path[64];
	struct pb b;
	int fd;

	build(&b, false, false);
	o.input = save(&b, &fd, path);
	assert_int_equal(recording_open(&r, &o, NULL, &err), 0);
	assert_int_equal(recording_bind_switch(&r, &err), 0);
	assert_false(event_switch_takes(&r.on_off, r.session.evlist.evsels[0]));
	assert_false(event_switch_takes(&r.on_off, r.session.evlist.evsels[1]));
	assert_true(event_switch_takes(&r.on_off, r.session.evlist.evsels[0]));
	recording_close(&r);

	o.on_off = (struct event_switch){ .off = "three" };
	assert_int_equal(recording_open(&r, &o, NULL, &err), 0);
	assert_int_equal(recording_bind_switch(&r, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "switch-off event not found (three)"));
	recording_close(&r);
	pb_unsave(fd);
	pb_release(&b);
}

/* Hand in a sample of one of the two events. */
static bool switch_takes(struct recording *r, u32 evsel, u64 time)
{
	const struct sample s = { .time = time };
	const struct session_event ev = { .evsel = r->session.evlist.evsels[evsel],
					  .time = time,
					  .sample = &s };

	return recording_switch_takes(r, &ev);
}

/* An event outside of --time does not switch, and is let through for the filter of times. */
static void test_switch_in_time(void **state)
{
	struct recording_options o = { .buildid_dir = "",
				       .time = "0.000001500,0.000002000",
				       .on_off = { .on = "two", .off = "one", .show = true } };
	struct err err = { 0 };
	struct recording r;
	char path[64];
	struct pb b;
	int fd;

	build(&b, false, false);
	o.input = save(&b, &fd, path);
	assert_int_equal(recording_open(&r, &o, NULL, &err), 0);
	assert_int_equal(recording_settle_time(&r, &err), 0);
	assert_int_equal(recording_bind_switch(&r, &err), 0);
	assert_true(switch_takes(&r, 1, 1001));
	assert_false(switch_takes(&r, 0, 1501)); /* nothing has switched on so far */
	assert_true(switch_takes(&r, 1, 1511));
	assert_true(switch_takes(&r, 1, 1521));
	assert_true(switch_takes(&r, 0, 1531)); /* it switches off, and is shown */
	assert_false(switch_takes(&r, 0, 1541));
	assert_true(switch_takes(&r, 1, 2001));
	assert_false(switch_takes(&r, 0, 1551));
	recording_close(&r);

	/* without the options all are let through */
	o.on_off = (struct event_switch){ .on = NULL };
	assert_int_equal(recording_open(&r, &o, NULL, &err), 0);
	assert_int_equal(recording_bind_switch(&r, &err), 0);
	assert_true(switch_takes(&r, 0, 1501));
	recording_close(&r);
	pb_unsave(fd);
	pb_release(&b);
}

static bool is_hit(const struct recording *r, const struct hits *hits, const char *path)
{
	size_t nr;
	struct dso *const *dsos = machine_dsos(r->machine, &nr);

	for (size_t i = 0; i < nr; i++)
		if (!strcmp(dsos[i]->path, path))
			return hits_has(hits, dsos[i]->id);
	return false;
}

static void test_hit_objects(void **state)
{
	struct recording_options o = { .buildid_dir = "" };
	struct err err = { 0 };
	char path[64];
	int fd;

	for (int pipe = 0; pipe < 2; pipe++) {
		struct recording r;
		struct hits *hits;
		struct pb b;

		build(&b, false, pipe);
		o.input = save(&b, &fd, path);
		assert_int_equal(recording_open(&r, &o, NULL, &err), 0);
		assert_int_equal(hit_objects_find(&r, false, &hits, &err), 0);
		assert_true(is_hit(&r, hits, "/bin/a"));
		assert_true(is_hit(&r, hits, "/bin/b"));
		assert_false(is_hit(&r, hits, "/bin/c"));
		hits_free(hits);
		recording_close(&r);
		pb_unsave(fd);
		pb_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_ways_agree), cmocka_unit_test(test_time),
		cmocka_unit_test(test_filters),        cmocka_unit_test(test_wanted),
		cmocka_unit_test(test_switch),         cmocka_unit_test(test_switch_in_time),
		cmocka_unit_test(test_hit_objects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
