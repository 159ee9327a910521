// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of delays, in the form of perf 6.1. */
#include "base/compat.h"

#include "schedtext/schedtext.h"

#include "schedtext/schedtext-internal.h"

#include <errno.h>
#include <stdlib.h>

#define MS 1e6
#define NAME_COLUMNS 24

/* ---- order ---- */

static u64 by_runtime(const struct sched_delays *d)
{
	return d->runtime;
}

static u64 by_switches(const struct sched_delays *d)
{
	return d->switches;
}

static u64 by_average(const struct sched_delays *d)
{
	return d->switches ? d->total / d->switches : 0;
}

static u64 by_longest(const struct sched_delays *d)
{
	return d->max;
}

static u64 by_task(const struct sched_delays *d)
{
	return d->tid;
}

static u64 by_p50(const struct sched_delays *d)
{
	return sched_delays_quantile(d, 500000);
}

static u64 by_p90(const struct sched_delays *d)
{
	return sched_delays_quantile(d, 900000);
}

static u64 by_p99(const struct sched_delays *d)
{
	return sched_delays_quantile(d, 990000);
}

static const struct delay_key {
	const char *name;
	u64 (*value)(const struct sched_delays *d);
	bool steps; /* it needs the distribution */
} delay_keys[] = {
	{ "runtime", by_runtime }, { "switch", by_switches }, { "avg", by_average },
	{ "max", by_longest },     { "pid", by_task },        { "p50", by_p50, true },
	{ "p90", by_p90, true },   { "p99", by_p99, true },
};

int delay_order_parse(struct delay_order *o, const char *keys, struct err *err)
{
	*o = (struct delay_order){ 0 };
	for (const char *p = keys; *p;) {
		size_t len = strcspn(p, ", ");
		u8 key = 0;

		while (key < ARRAY_SIZE(delay_keys) && (strlen(delay_keys[key].name) != len ||
							strncmp(delay_keys[key].name, p, len)))
			key++;
		if (key == ARRAY_SIZE(delay_keys) && len)
			return err_set(err, -EINVAL,
				       "Unknown --sort key: `%.*s'. There are runtime, switch, "
				       "avg, max, pid, p50, p90 and p99.",
				       (int)len, p);
		if (len && o->nr < DELAY_KEYS)
			o->keys[o->nr++] = key;
		p += len;
		p += strspn(p, ", ");
	}
	return 0;
}

bool delay_order_steps(const struct delay_order *o)
{
	for (u32 i = 0; i < o->nr; i++)
		if (delay_keys[o->keys[i]].steps)
			return true;
	return false;
}

/* The rows are about these. */
struct delays {
	const struct delay_show *show;
	struct analysis *a;
	const struct sched_latency *state;
};

/* Larger values come first, and rows with the same values stay in their order. */
static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct sched_delays *x = a, *y = b;
	const struct delays *t = ctx;
	const struct delay_order *o = &t->show->order;
	u32 ox, oy;

	for (u32 i = 0; i < o->nr; i++) {
		u64 vx = delay_keys[o->keys[i]].value(x), vy = delay_keys[o->keys[i]].value(y);

		if (vx != vy)
			return vx < vy ? 1 : -1;
	}
	ox = analysis_task_order(t->a, x->task);
	oy = analysis_task_order(t->a, y->task);
	return ox < oy ? -1 : ox > oy;
}

/* ---- rows ---- */

static void put_rule(struct strbuf *out, unsigned int columns)
{
	strbuf_addch(out, ' ');
	while (columns--)
		strbuf_addch(out, '-');
	strbuf_addch(out, '\n');
}

static const char *cgroup_of(const struct delays *t, const struct sched_delays *d)
{
	return d->cgroup ? machine_cgroup(analysis_recording(t->a)->machine, d->cgroup) : NULL;
}

static void put_name(const struct delays *t, const struct sched_delays *d, struct strbuf *out)
{
	const struct task_at *task = task_table_last(analysis_tasks(t->a), d->task);
	bool by_cgroup = t->show->merge == SCHED_BY_CGROUP;
	const char *cgroup = cgroup_of(t, d);
	size_t start;

	strbuf_addstr(out, "  ");
	start = out->len;
	if (by_cgroup)
		strbuf_addname(out, cgroup ? cgroup : "[unknown]");
	else
		sched_put_comm(task, out);
	if (d->merged > 1 || by_cgroup)
		strbuf_addf(out, ":(%u)", d->merged);
	else
		strbuf_addf(out, ":%u", task->tid);
	strbuf_pad(out, start + NAME_COLUMNS - 2);
}

static void put_moment(struct strbuf *out, const char *title, u64 ns)
{
	strbuf_addf(out, " | %s: %5" PRIu64 ".%06" PRIu64 " s", title, ns / 1000000000,
		    ns % 1000000000 / 1000);
}

static void put_row(const struct delays *t, const struct sched_delays *d, struct strbuf *out)
{
	put_name(t, d, out);
	strbuf_addf(out, "|%11.3f ms |%9" PRIu64 " | avg:%8.3f ms | max:%8.3f ms",
		    (double)d->runtime / MS, d->switches,
		    (double)d->total / (double)d->switches / MS, (double)d->max / MS);
	if (t->show->percentiles)
		strbuf_addf(out, " | p50:%8.3f ms | p90:%8.3f ms | p99:%8.3f ms",
			    (double)by_p50(d) / MS, (double)by_p90(d) / MS, (double)by_p99(d) / MS);
	put_moment(out, "max start", d->max_start);
	put_moment(out, "max end", d->max_end);
	strbuf_addch(out, '\n');
}

static void put_head(const struct delays *t, struct strbuf *out)
{
	unsigned int width = t->show->percentiles ? 139 + 54 : 139;

	strbuf_addch(out, '\n');
	put_rule(out, width);
	strbuf_addstr(out, "  Task                  |   Runtime ms  | Switches | Avg delay ms    | "
			   "Max delay ms    |");
	if (t->show->percentiles)
		strbuf_addstr(out, " Median ms       | 90 % within ms  | 99 % within ms  |");
	strbuf_addstr(out, " Max delay start           | Max delay end          |\n");
	put_rule(out, width);
}

static void put_footer(const struct delays *t, u64 runtime, u64 switches, struct strbuf *out)
{
	struct analysis_losses losses = analysis_losses(t->a);

	put_rule(out, 113);
	strbuf_addf(out, "  TOTAL:                |%11.3f ms |%9" PRIu64 " |\n",
		    (double)runtime / MS, switches);
	put_rule(out, 51);
	sched_put_losses(sched_latency_counts(t->state), &losses, out);
	strbuf_addch(out, '\n');
}

static void put_table(const struct delays *t, const struct sched_delays *rows, size_t nr,
		      struct strbuf *out)
{
	u64 runtime = 0, switches = 0;

	put_head(t, out);
	for (size_t i = 0; i < nr; i++) {
		if (!rows[i].switches)
			continue;
		put_row(t, &rows[i], out);
		runtime += rows[i].runtime;
		switches += rows[i].switches;
	}
	put_footer(t, runtime, switches, out);
	if (t->show->histogram)
		delay_histogram(t->show->scale, rows, nr, out);
}

/* ---- rows for programs ---- */

enum {
	FIELD_COMM,
	FIELD_TID,
	FIELD_TASKS,
	FIELD_CGROUP,
	FIELD_RUNTIME,
	FIELD_SWITCHES,
	FIELD_SUM,
	FIELD_AVERAGE,
	FIELD_MAX,
	FIELD_MAX_START,
	FIELD_MAX_END,
	FIELD_P50,
	FIELD_P90,
	FIELD_P99,
	FIELD_GAPS,
	FIELD_LOSSY,
	NR_FIELDS
};

static const char *const names[NR_FIELDS] = {
	[FIELD_COMM] = "comm",          [FIELD_TID] = "tid",
	[FIELD_TASKS] = "tasks",        [FIELD_CGROUP] = "cgroup",
	[FIELD_RUNTIME] = "runtime_ns", [FIELD_SWITCHES] = "switches",
	[FIELD_SUM] = "delay_ns",       [FIELD_AVERAGE] = "delay_avg_ns",
	[FIELD_MAX] = "delay_max_ns",   [FIELD_MAX_START] = "max_start_ns",
	[FIELD_MAX_END] = "max_end_ns", [FIELD_P50] = "p50_ns",
	[FIELD_P90] = "p90_ns",         [FIELD_P99] = "p99_ns",
	[FIELD_GAPS] = "lossy_delays",  [FIELD_LOSSY] = "lossy",
};

static void put_values(const struct delays *t, const struct sched_delays *d, struct strbuf *out)
{
	const struct task_at *task = task_table_last(analysis_tasks(t->a), d->task);
	struct row_value v[NR_FIELDS] = {
		[FIELD_TASKS] = row_number(d->merged),
		[FIELD_RUNTIME] = row_number(d->runtime),
		[FIELD_SWITCHES] = row_number(d->switches),
		[FIELD_SUM] = row_number(d->total),
		[FIELD_AVERAGE] = row_number(by_average(d)),
		[FIELD_MAX] = row_number(d->max),
		[FIELD_MAX_START] = row_number(d->max_start),
		[FIELD_MAX_END] = row_number(d->max_end),
		[FIELD_P50] = row_number(by_p50(d)),
		[FIELD_P90] = row_number(by_p90(d)),
		[FIELD_P99] = row_number(by_p99(d)),
		[FIELD_GAPS] = row_number(d->gaps),
		[FIELD_LOSSY] = row_flag(d->gaps),
	};

	if (t->show->merge != SCHED_BY_CGROUP)
		v[FIELD_COMM] = row_word(task->comm);
	if (t->show->merge != SCHED_BY_CGROUP && d->merged == 1)
		v[FIELD_TID] = row_number(task->tid);
	if (t->show->merge != SCHED_BY_COMM)
		v[FIELD_CGROUP] = row_word(cgroup_of(t, d));
	table_put(t->show->form, names, v, NR_FIELDS, out);
}

static void put_rows(const struct delays *t, const struct sched_delays *rows, size_t nr,
		     struct strbuf *out)
{
	table_head(t->show->form, names, NR_FIELDS, out);
	for (size_t i = 0; i < nr; i++)
		if (rows[i].switches)
			put_values(t, &rows[i], out);
}

/* ---- both ---- */

static int delay_check(const struct delay_show *show, const struct recording *r, struct err *err)
{
	const struct evlist *l = &r->session.evlist;

	if (show->merge != SCHED_BY_CGROUP || !l->nr) /* a stream tells its events later */
		return 0;
	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->attr.sample_type & PERF_SAMPLE_CGROUP)
			return 0;
	return err_set(
		err, -ENOENT,
		"sched latency: the recording does not tell cgroups.\nRecord them with: perf "
		"sched record --all-cgroups");
}

struct sched_latency *delay_state_new(const struct delay_show *show, struct analysis *a)
{
	bool steps = show->percentiles || show->histogram || show->form != TABLE_TEXT ||
		     delay_order_steps(&show->order);

	return sched_latency_new(analysis_tasks(a), show->some_cpus, steps);
}

/* A run whose state can be made anew. */
struct delay_run {
	const struct delay_show *show;
	struct analysis *a;
	struct sched_latency **state;
};

static void *renew(void *ctx)
{
	const struct delay_run *run = ctx;

	sched_latency_free(*run->state);
	*run->state = delay_state_new(run->show, run->a);
	return *run->state;
}

int delay_run(const struct delay_show *show, struct analysis *a, struct sched_latency **state,
	      bool watched, struct err *err)
{
	struct delay_run run = { show, a, state };
	struct analysis_part part = {
		.engine = sched_latency_engine(),
		.state = *state,
		.renew = watched ? NULL : renew,
		.ctx = &run,
	};

	return delay_check(show, analysis_recording(a), err)
		       ?: analysis_run_parts(a, &part, 1, err);
}

static bool wants(void *ctx, const struct task_at *task)
{
	return analysis_wants_task(ctx, task);
}

void delay_put(const struct delay_show *show, struct analysis *a, const struct sched_latency *state,
	       struct strbuf *out)
{
	const struct delays t = { show, a, state };
	size_t nr;
	struct sched_delays *rows = sched_latency_rows(state, show->merge, wants, a, &nr);

	qsort_r(rows, nr, sizeof(*rows), compare_rows, (void *)&t);
	if (show->form == TABLE_TEXT)
		put_table(&t, rows, nr, out);
	else
		put_rows(&t, rows, nr, out);
	sched_delays_free(rows, nr);
}
