// SPDX-License-Identifier: GPL-2.0-or-later
/* Each device has its figures: what it was asked to do, how busy it was, and where time went. */
#include "base/compat.h"

#include "blocktext/blocktext-internal.h"

#define SECTOR 512.0
#define KIB 1024.0
#define US 1e3

static double seconds_of(const struct block_report *r)
{
	return (double)(r->last - r->first) / 1e9;
}

static void put_head(struct block_report *r, u32 dev, struct strbuf *out)
{
	const struct block_depth *d = block_flow_depth(r->flow, dev);
	double ns = (double)(r->last - r->first);

	strbuf_addf(out, "\n# %s (%u,%u)", block_name(&r->names, dev), block_major(dev),
		    block_minor(dev));
	if (d && d->max && ns > 0)
		strbuf_addf(out, ": busy %.1f%% of %.3f s, %.2f requests at a time, at most %u",
			    100.0 * (double)MIN(d->busy, (u64)ns) / ns, ns / 1e9,
			    (double)d->sum / ns, d->max);
	strbuf_addch(out, '\n');
}

static void put_kinds(const struct block_report *r, const struct block_row *row, struct strbuf *out)
{
	double seconds = seconds_of(r);

	strbuf_addf(out, "#\n# %-8s %10s %10s %12s %12s %12s %12s\n", "", "requests", "merges",
		    "KiB", "KiB/request", "requests/s", "KiB/s");
	for (u32 kind = 0; kind < BLOCK_KINDS; kind++) {
		u64 nr = row->requests[kind];
		double kib = (double)row->sectors[kind] * SECTOR / KIB;

		if (!nr && !row->merges[kind])
			continue;
		strbuf_addf(out, "  %-8s %10" PRIu64 " %10" PRIu64 " %12.1f %12.1f %12.1f %12.1f\n",
			    block_kind_name(kind), nr, row->merges[kind], kib,
			    nr ? kib / (double)nr : 0, seconds > 0 ? (double)nr / seconds : 0,
			    seconds > 0 ? kib / seconds : 0);
	}
	strbuf_addf(out, "  somebody waited for %" PRIu64 " of %" PRIu64 " (sync)", row->sync,
		    block_sum(row->requests));
	if (row->errors)
		strbuf_addf(out, "; %" PRIu64 " failed", row->errors);
	strbuf_addch(out, '\n');
}

static void put_time(struct strbuf *out, u64 ns)
{
	strbuf_addf(out, " %11.1f", (double)ns / US);
}

/* Append a line for each latency. Their shares are of the time of all requests, from Q to C. */
static void put_spans(const struct block_row *row, struct strbuf *out)
{
	const struct block_times *all = row->times[BLOCK_Q2C];

	strbuf_addf(out, "#\n# %-8s %10s %8s %11s %11s %11s %11s %11s %11s\n", "time", "count",
		    "share", "mean us", "min us", "50%", "90%", "99%", "max us");
	for (u32 span = 0; span < BLOCK_SPANS; span++) {
		const struct block_times *t = row->times[span];

		if (!t)
			continue;
		strbuf_addf(out, "  %-8s %10" PRIu64, block_span_name(span), t->nr);
		if (all && all->sum && t->part)
			strbuf_addf(out, " %7.2f%%", 100.0 * (double)t->part / (double)all->sum);
		else
			strbuf_addf(out, " %8s", "");
		put_time(out, block_times_mean(t));
		put_time(out, t->min);
		put_time(out, block_times_quantile(t, 500000));
		put_time(out, block_times_quantile(t, 900000));
		put_time(out, block_times_quantile(t, 990000));
		put_time(out, t->max);
		strbuf_addch(out, '\n');
	}
}

void block_put_devices(struct block_report *r, const struct block_sums *sums, struct strbuf *out)
{
	size_t nr;
	const struct block_row **rows = block_sorted_rows(sums, &nr);

	for (size_t i = 0; i < nr; i++) {
		put_head(r, rows[i]->key.dev, out);
		put_kinds(r, rows[i], out);
		put_spans(rows[i], out);
		if (r->show->details)
			block_put_details(r, rows[i]->key.dev, out);
	}
	free(rows);
}
