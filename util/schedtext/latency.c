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

/* Larger values come first, and rows with the same values stay in their order. */
static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct sched_delays *x = a, *y = b;
	const struct delay_order *o = ctx;

	for (u32 i = 0; i < o->nr; i++) {
		u64 vx = delay_keys[o->keys[i]].value(x), vy = delay_keys[o->keys[i]].value(y);

		if (vx != vy)
			return vx < vy ? 1 : -1;
	}
	return x->task < y->task ? -1 : x->task > y->task;
}

/* ---- rows ---- */

static void put_rule(struct strbuf *out, unsigned int columns)
{
	strbuf_addch(out, ' ');
	while (columns--)
		strbuf_addch(out, '-');
	strbuf_addch(out, '\n');
}

static void put_name(const struct delay_text *t, const struct sched_delays *d, struct strbuf *out)
{
	const struct task_at *task = task_table_last(t->tasks, d->task);
	size_t start;

	strbuf_addstr(out, "  ");
	start = out->len;
	sched_put_comm(task, out);
	if (d->merged > 1)
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

static void put_row(const struct delay_text *t, const struct sched_delays *d, struct strbuf *out)
{
	put_name(t, d, out);
	strbuf_addf(out, "|%11.3f ms |%9" PRIu64 " | avg:%8.3f ms | max:%8.3f ms",
		    (double)d->runtime / MS, d->switches,
		    (double)d->total / (double)d->switches / MS, (double)d->max / MS);
	if (t->percentiles)
		strbuf_addf(out, " | p50:%8.3f ms | p90:%8.3f ms | p99:%8.3f ms",
			    (double)by_p50(d) / MS, (double)by_p90(d) / MS, (double)by_p99(d) / MS);
	put_moment(out, "max start", d->max_start);
	put_moment(out, "max end", d->max_end);
	strbuf_addch(out, '\n');
}

static void put_head(const struct delay_text *t, struct strbuf *out)
{
	unsigned int width = t->percentiles ? 139 + 54 : 139;

	strbuf_addch(out, '\n');
	put_rule(out, width);
	strbuf_addstr(out, "  Task                  |   Runtime ms  | Switches | Avg delay ms    | "
			   "Max delay ms    |");
	if (t->percentiles)
		strbuf_addstr(out, " Median ms       | 90 % within ms  | 99 % within ms  |");
	strbuf_addstr(out, " Max delay start           | Max delay end          |\n");
	put_rule(out, width);
}

static void put_footer(const struct delay_text *t, u64 runtime, u64 switches, struct strbuf *out)
{
	put_rule(out, 113);
	strbuf_addf(out, "  TOTAL:                |%11.3f ms |%9" PRIu64 " |\n",
		    (double)runtime / MS, switches);
	put_rule(out, 51);
	sched_put_losses(&t->counts, &t->losses, out);
	strbuf_addch(out, '\n');
}

void delay_text(const struct delay_text *t, const struct delay_order *o, struct sched_delays *rows,
		size_t nr, struct strbuf *out)
{
	u64 runtime = 0, switches = 0;

	qsort_r(rows, nr, sizeof(*rows), compare_rows, (void *)o);
	put_head(t, out);
	for (size_t i = 0; i < nr; i++) {
		if (!rows[i].switches)
			continue;
		put_row(t, &rows[i], out);
		runtime += rows[i].runtime;
		switches += rows[i].switches;
	}
	put_footer(t, runtime, switches, out);
}
