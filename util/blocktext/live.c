// SPDX-License-Identifier: GPL-2.0-or-later
/* I/O is shown while it happens: what there was since the last look, and at the end all of it. */
#include "base/compat.h"

#include "blocktext/blocktext-internal.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <time.h>

#define LIVE_ROWS 20 /* of a table, which is to fit on a screen */

struct block_live {
	struct block_report *r; /* its sums are those since the last look */
	const struct block_source *source;
	struct block_sums total; /* before that */
	u64 looked;              /* ns: when that was */
};

struct block_live *block_live_new(const struct block_show *show, const struct block_source *source)
{
	struct block_live *l = xzalloc(sizeof(*l));

	l->r = block_report_new(show, source);
	l->source = source;
	l->total.by = l->r->sums.by;
	l->looked = clock_ns(CLOCK_MONOTONIC);
	return l;
}

void block_live_free(struct block_live *l)
{
	block_report_free(l->r);
	block_sums_release(&l->total);
	free(l);
}

/* ---- since the last look ---- */

static void put_rates(struct block_live *l, const struct block_sums *devices, double seconds,
		      struct strbuf *out)
{
	static const struct block_times none;
	size_t nr;
	const struct block_row **rows = block_sorted_rows(devices, &nr);

	strbuf_addf(out, "# %-12s %9s %9s %9s %9s %11s %11s %11s %11s\n", "device", "reads/s",
		    "writes/s", "discards/s", "flushes/s", "read KiB/s", "write KiB/s", "Q2C mean",
		    "Q2C 99% us");
	for (size_t i = 0; i < nr; i++) {
		const struct block_row *row = rows[i];
		const struct block_times *q2c = row->times[BLOCK_Q2C] ?: &none;

		strbuf_addf(out, "  %-12s", block_name(&l->r->names, row->key.dev));
		for (u32 kind = 0; kind <= BLOCK_FLUSH; kind++)
			strbuf_addf(out, " %9.1f", (double)row->requests[kind] / seconds);
		strbuf_addf(out, "  %11.1f %11.1f %11.1f %11.1f\n",
			    (double)row->sectors[BLOCK_READ] / 2 / seconds,
			    (double)row->sectors[BLOCK_WRITE] / 2 / seconds,
			    (double)block_times_mean(q2c) / 1e3,
			    (double)block_times_quantile(q2c, 990000) / 1e3);
	}
	free(rows);
}

void block_live_put(struct block_live *l, struct strbuf *out)
{
	struct block_sums devices = { .by = BLOCK_BY_DEV };
	u64 now = clock_ns(CLOCK_MONOTONIC);
	double seconds = MAX((double)(now - l->looked) / 1e9, 1e-9);

	block_sums_fold(&devices, &l->r->sums);
	if (l->r->show->form != TABLE_TEXT) {
		block_put_cells(l->r, l->r->show->by ? &l->r->sums : &devices, out);
	} else {
		strbuf_addf(out, "# in %.1f s\n", seconds);
		put_rates(l, &devices, seconds, out);
		block_put_rows(l->r, &l->r->sums, LIVE_ROWS, out);
		strbuf_addch(out, '\n');
	}
	block_sums_fold(&l->total, &l->r->sums);
	block_sums_release(&l->r->sums);
	block_sums_release(&devices);
	l->r->sums.by = l->total.by;
	l->looked = now;
}

/* ---- the run ---- */

int block_live_run(struct block_live *l, struct strbuf *out, struct err *err)
{
	const struct block_taker taker = block_report_taker(l->r);
	int ret = block_source_run(l->source, "block live", &taker, err);

	block_sums_fold(&l->total, &l->r->sums);
	block_sums_release(&l->r->sums);
	l->r->sums = l->total;
	l->total = (struct block_sums){ 0 };
	return ret ?: block_report_put(l->r, out, err);
}
