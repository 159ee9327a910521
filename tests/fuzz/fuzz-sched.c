// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole perf.data file passes the engines on scheduling, all in one pass, and becomes tables and
 * pictures. Lanes of timelines must ascend and add up.
 *
 * Bytes that are no recording are a text of /proc/schedstat, and records of it. What is read from a
 * text comes back from its records as it was.
 */
#include "base/compat.h"
#include "analysis/analysis.h"
#include "analyze/sched-map.h"
#include "analyze/sched-replay.h"
#include "analyze/sched-timehist.h"
#include "analyze/sched-why.h"
#include "schedstat/schedstat.h"
#include "schedtext/schedtext.h"
#include "timechart/timechart.h"
#include "traces/with-recording.h"
#include "wire/event.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct engines {
	struct delay_show delays;
	struct sched_latency *latency;
	struct sched_map *map;
	struct sched_timehist *timehist;
	struct sched_replay *replay;
	struct sched_why *why;
	struct sched_timeline *timeline;
	struct io_engine *io;
	struct queues *queues;
};

static void take_map_row(void *ctx, const struct sched_map_row *row)
{
	if (row->cpu >= row->nr_cpus || !row->cpus[row->cpu].name[0])
		abort();
}

static void take_switch(void *ctx, const struct sched_row *row)
{
	if (row->kind == SCHED_ROW_SWITCH && !row->state)
		abort();
}

static bool take_any(void *ctx, const struct task_at *task)
{
	return true;
}

static void take_window(void *ctx, u64 *start, u64 *end)
{
	analysis_window(ctx, start, end);
}

static void engines_new(struct engines *e, struct analysis *a)
{
	struct task_table *tasks = analysis_tasks(a);
	struct err err;

	e->delays = (struct delay_show){ .percentiles = true };
	delay_order_parse(&e->delays.order, "max", &err);
	e->latency = delay_state_new(&e->delays, a);
	e->map = sched_map_new(&(struct sched_map_conf){ .tasks = tasks, .row = take_map_row });
	e->timehist = sched_timehist_new(&(struct sched_timehist_conf){ .tasks = tasks,
									.row = take_switch,
									.wants = take_any,
									.window = take_window,
									.ctx = a });
	e->replay = sched_replay_new(tasks);
	e->why = sched_why_new(&(struct sched_why_conf){
		.tasks = tasks, .most = 5, .depth = WHY_DEPTH, .wants = take_any });
	e->timeline = sched_timeline_new(&(struct sched_timeline_conf){ tasks, take_window, a });
	e->io = io_engine_new(&(struct io_calls_conf){ tasks, take_window, a });
	e->queues = queues_new(&(struct queues_conf){ tasks, take_window, a });
}

static void engines_free(struct engines *e)
{
	sched_latency_free(e->latency);
	sched_map_free(e->map);
	sched_timehist_free(e->timehist);
	sched_replay_free(e->replay);
	sched_why_free(e->why);
	sched_timeline_free(e->timeline);
	io_engine_free(e->io);
	queues_free(e->queues);
}

static int run(struct engines *e, struct analysis *a, struct err *err)
{
	struct analysis_part parts[] = {
		{ sched_latency_engine(), e->latency, true },
		{ sched_map_engine(), e->map, true },
		{ sched_timehist_engine(), e->timehist, true },
		{ sched_replay_engine(), e->replay, true },
		{ sched_why_engine(), e->why, true },
		{ sched_timeline_engine(), e->timeline, true },
		{ io_engine(), e->io, true },
		{ queues_engine(), e->queues, true },
	};

	return analysis_run_parts(a, parts, ARRAY_SIZE(parts), err);
}

/* ---- results ---- */

static void check_lane(const struct lane *l, u64 start, u64 end)
{
	u64 sums[LANE_KINDS], all = 0, last = start;
	const struct lane_interval *i;
	struct lane_cursor c;

	lane_sums(l, start, end, sums);
	for (u32 kind = 0; kind < LANE_KINDS; kind++)
		all += sums[kind];
	if (all != end - start)
		abort();
	lane_seek(&c, l, start);
	while ((i = lane_next(&c))) {
		if (i->end <= i->start || i->end <= last || i->kind >= LANE_KINDS)
			abort();
		last = i->end;
	}
}

static void draw(const struct engines *e, struct analysis *a)
{
	const struct timeline_lanes *l = sched_timeline_result(e->timeline);
	const struct queue_lanes *q = queues_result(e->queues);
	const struct timechart_conf conf = { .tasks = analysis_tasks(a),
					     .queues = q,
					     .width = 200,
					     .least = 15,
					     .cpus = true,
					     .processes = true,
					     .long_run = 1000 };
	const struct timechart_io_conf io = { .merge = 1000, .least = 1000 };
	struct strbuf text = STRBUF_INIT;
	struct export_out *out = export_memory(&text);
	struct err err;

	for (u32 i = 0; i < l->nr_cpus; i++)
		for (u32 row = 0; row < TIMELINE_ROWS; row++)
			check_lane(&l->cpus[i].rows[row], l->start, l->end);
	for (u32 i = 0; i < l->nr_tasks; i++)
		check_lane(&l->tasks[i].lane, l->start, l->end);
	for (u32 i = 0; i < q->nr; i++)
		check_lane(&q->v[i].lane, q->start, q->end);
	timechart_svg(&conf, l, out);
	timechart_pftrace(&conf, l, out);
	timechart_io_svg(&conf, &io, io_engine_result(e->io), out);
	export_close(out, &err);
	strbuf_release(&text);
}

/* ---- counters ---- */

static void take_all(struct schedstat_recorded *r, const void *bytes, size_t size)
{
	const struct env env = { 0 };
	const u8 *at = bytes, *end = at + size;

	while ((size_t)(end - at) >= sizeof(wire_header)) {
		const wire_header *h = (const wire_header *)at;

		if (h->size < sizeof(*h) || h->size > end - at)
			break;
		schedstat_take(r, at, h->size, &env);
		at += h->size;
	}
}

static void from_text(const char *text)
{
	struct schedstat_recorded r = { 0 };
	struct strbuf records = STRBUF_INIT;
	struct schedstat s;

	if (schedstat_parse(&s, text, NULL))
		return;
	schedstat_put_records(&s, &records);
	take_all(&r, records.buf, records.len);
	if (r.damaged || r.unknown || r.after.nr_cpus || r.before.nr_cpus != s.nr_cpus ||
	    r.before.nr_domains != s.nr_domains)
		abort();
	schedstat_recorded_release(&r);
	schedstat_release(&s);
	strbuf_release(&records);
}

static void from_records(const void *data, size_t size)
{
	struct schedstat_recorded r = { 0 };
	struct schedstat grown, sum;
	struct schedstat_gone gone;

	take_all(&r, data, size);
	schedstat_change(&r.before, &r.after, &grown, &gone, NULL);
	schedstat_sum(&grown, &sum);
	if (sum.nr_cpus != 1 || grown.nr_cpus > r.after.nr_cpus)
		abort();
	schedstat_release(&sum);
	schedstat_release(&grown);
	schedstat_recorded_release(&r);
}

static void read_counters(const uint8_t *data, size_t size)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_add(&text, data, size);
	from_text(strbuf_str(&text));
	strbuf_release(&text);
	from_records(data, size);
}

/* ---- all of it ---- */

static void analyse(struct recording *r, u32 arg)
{
	struct analysis *a = analysis_new(r);
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	struct engines e;

	engines_new(&e, a);
	if (!run(&e, a, &err))
		draw(&e, a);
	delay_put(&e.delays, a, e.latency, &text);
	engines_free(&e);
	strbuf_release(&text);
	analysis_free(a);
}

/* The tables of delays, with the file read in two passes and once. */
static struct strbuf tables[2];

static void put_delays(struct recording *r, u32 once)
{
	struct delay_show delays = { .merge = SCHED_BY_TASK };
	struct analysis *a = analysis_new(r);
	struct sched_latency *state;
	struct err err = { 0 };

	r->session.one_pass_from = once ? 0 : UINT64_MAX;
	delay_order_parse(&delays.order, "max", &err);
	state = delay_state_new(&delays, a);
	if (!delay_run(&delays, a, &state, false, &err))
		delay_put(&delays, a, state, &tables[once]);
	strbuf_addstr(&tables[once], err.msg);
	sched_latency_free(state);
	analysis_free(a);
}

static void compare_passes(const uint8_t *data, size_t size)
{
	for (u32 once = 0; once < 2; once++) {
		strbuf_reset(&tables[once]);
		with_recording(data, size, put_delays, once);
	}
	if (strcmp(strbuf_str(&tables[0]), strbuf_str(&tables[1])) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!with_recording(data, size, analyse, 0))
		read_counters(data, size);
	else
		compare_passes(data, size);
	return 0;
}
