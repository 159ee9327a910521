// SPDX-License-Identifier: GPL-2.0-or-later
/* There is a row for each device, task, operation and so on. */
#include "base/compat.h"

#include "blocktext/blocktext-internal.h"

#include "base/alloc.h"
#include "machine/machine.h"
#include "schedtext/chains.h"

#define MAX_STACK 12

/* ---- order ---- */

static u64 time_of(const struct block_row *row)
{
	return row->times[BLOCK_Q2C] ? row->times[BLOCK_Q2C]->sum : 0;
}

static int compare(const void *a, const void *b)
{
	const struct block_row *x = *(const struct block_row *const *)a;
	const struct block_row *y = *(const struct block_row *const *)b;
	u64 nx = block_sum(x->requests), ny = block_sum(y->requests);

	if (time_of(x) != time_of(y))
		return time_of(x) < time_of(y) ? 1 : -1;
	if (nx != ny)
		return nx < ny ? 1 : -1;
	return x < y ? -1 : x > y;
}

const struct block_row **block_sorted_rows(const struct block_sums *sums, size_t *nr)
{
	const struct block_row **rows = xcalloc((size_t)sums->nr + 1, sizeof(*rows));

	*nr = 0;
	for (u32 i = 1; i < sums->nr; i++)
		rows[(*nr)++] = &sums->rows[i];
	qsort(rows, *nr, sizeof(*rows), compare);
	return rows;
}

/* ---- keys ---- */

static void put_task(struct block_report *r, u32 id, struct strbuf *out)
{
	const struct task_at *task = task_table_last(r->tasks, id);

	if (task->comm)
		strbuf_addname(out, task->comm);
	strbuf_addf(out, "%s%u", task->comm ? "/" : ":", task->tid);
}

static void put_cgroup(struct block_report *r, u64 id, struct strbuf *out)
{
	struct analysis *a = r->source->a;
	const char *path = a ? machine_cgroup(analysis_recording(a)->machine, id) : NULL;

	if (path)
		strbuf_addname(out, path);
	else
		strbuf_addf(out, "cgroup:%" PRIu64, id);
}

static void put_stack(struct block_report *r, u32 id, struct strbuf *out)
{
	struct sched_chains *chains;
	const struct block_stack *s = &r->stacks[id];

	if (!id || id >= r->nr_stacks || !r->source->a)
		return;
	chains = sched_chains_new(analysis_recording(r->source->a), MAX_STACK);
	sched_chains_put_at(chains,
			    &(struct sched_chain_at){
				    .pid = s->pid,
				    .tid = s->tid,
				    .time = s->time,
				    .ips = (const u64_una *)intern_str(&r->chains, id),
				    .nr = r->chains.lens[id] / sizeof(u64),
			    },
			    out);
	sched_chains_free(chains);
}

void block_put_key(struct block_report *r, const struct block_key *key, u32 by, struct strbuf *out)
{
	switch (by) {
	case BLOCK_BY_DEV:
		strbuf_addstr(out, block_name(&r->names, key->dev));
		break;
	case BLOCK_BY_TASK:
		put_task(r, key->task, out);
		break;
	case BLOCK_BY_OP:
		strbuf_addname(out, key->rwbs);
		break;
	case BLOCK_BY_CGROUP:
		put_cgroup(r, key->cgroup, out);
		break;
	case BLOCK_BY_STACK:
		put_stack(r, key->stack, out);
		break;
	}
}

/* ---- text ---- */

/* Columns of keys are so wide, by the number of their bit. Stacks stand behind all else. */
static const u8 widths[] = { 12, 24, 6, 32, 0 };

static void put_title(u32 by, struct strbuf *out)
{
	strbuf_addstr(out, "\n# ");
	for (u32 i = 0; block_by_name(i); i++)
		if (by >> i & 1 && widths[i])
			strbuf_addf(out, "%-*s ", widths[i], block_by_name(i));
	strbuf_addf(out, "%8s %8s %8s %7s %8s %10s %10s %6s %11s %11s %11s", "reads", "writes",
		    "discards", "flushes", "merges", "read KiB", "write KiB", "sync", "Q2C mean",
		    "Q2C 99%", "D2C mean");
	strbuf_addstr(out, by & BLOCK_BY_STACK ? " us  stack\n" : " us\n");
}

static void put_figures(const struct block_row *row, struct strbuf *out)
{
	static const struct block_times none;
	const struct block_times *q2c = row->times[BLOCK_Q2C] ?: &none;
	const struct block_times *d2c = row->times[BLOCK_D2C] ?: &none;
	u64 nr = block_sum(row->requests);

	strbuf_addf(out,
		    "%8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %7" PRIu64 " %8" PRIu64
		    " %10.0f %10.0f %5.0f%% %11.1f %11.1f %11.1f",
		    row->requests[BLOCK_READ], row->requests[BLOCK_WRITE],
		    row->requests[BLOCK_DISCARD], row->requests[BLOCK_FLUSH],
		    block_sum(row->merges), (double)row->sectors[BLOCK_READ] / 2,
		    (double)row->sectors[BLOCK_WRITE] / 2,
		    nr ? 100.0 * (double)row->sync / (double)nr : 0.0,
		    (double)block_times_mean(q2c) / 1e3,
		    (double)block_times_quantile(q2c, 990000) / 1e3,
		    (double)block_times_mean(d2c) / 1e3);
}

void block_put_rows(struct block_report *r, const struct block_sums *sums, size_t most,
		    struct strbuf *out)
{
	size_t nr;
	const struct block_row **rows = block_sorted_rows(sums, &nr);

	put_title(sums->by, out);
	for (size_t i = 0; i < MIN(nr, most); i++) {
		size_t at = out->len;

		strbuf_addstr(out, "  ");
		at += 2;
		for (u32 k = 0; block_by_name(k); k++) {
			if (!(sums->by >> k & 1) || !widths[k])
				continue;
			block_put_key(r, &rows[i]->key, 1U << k, out);
			strbuf_pad(out, at + widths[k]);
			strbuf_addch(out, ' ');
			at = out->len;
		}
		put_figures(rows[i], out);
		if (sums->by & BLOCK_BY_STACK) {
			strbuf_addstr(out, "     ");
			block_put_key(r, &rows[i]->key, BLOCK_BY_STACK, out);
		}
		strbuf_addch(out, '\n');
	}
	free(rows);
}
