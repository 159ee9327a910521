// SPDX-License-Identifier: GPL-2.0-or-later
/* A recording is read, and the I/O in it is reported. */
#include "base/compat.h"

#include "blocktext/blocktext-internal.h"

#include "export/heatmap.h"
#include "schedtext/chains.h"
#include "schedtext/schedtext.h"

#include <errno.h>

/* Tell whether the samples have what rows differ in. Return: 0, or -ENOENT and a sentence. */
static int check(const struct block_show *show, struct analysis *a, struct err *err)
{
	const struct evlist none = { 0 };
	const struct evlist *l = a ? &analysis_recording(a)->session.evlist : &none;
	bool cgroups = false;

	for (size_t i = 0; i < l->nr; i++)
		cgroups |= l->evsels[i]->attr.sample_type & PERF_SAMPLE_CGROUP;
	if (show->by & BLOCK_BY_CGROUP && !cgroups)
		return err_set(err, -ENOENT,
			       "block: the recording does not tell the cgroups of tasks.\nRecord "
			       "them with: perf block record --all-cgroups");
	if (show->by & BLOCK_BY_STACK && !sched_has_chains(l))
		return err_set(err, -ENOENT,
			       "block: the recording has no call chains.\nRecord them with: perf "
			       "block record -g");
	return 0;
}

static int write_heatmap(struct block_report *r, const char *title, struct err *err)
{
	const struct heatmap_conf map = {
		.title = title,
		.subtitle = "each I/O at its end",
		.grid = &pairs_result(r->pairs)->grid,
		.pairs = r->pairs,
		.what = "I/Os",
		.begin = r->first,
	};

	return heatmap_write(&map, 1, r->show->heatmap, err);
}

/* Append what is told of single latencies, and write the heat map. */
static int put_pairs(struct block_report *r, struct strbuf *out, struct err *err)
{
	struct strbuf title = STRBUF_INIT;
	int ret = 0;

	strbuf_addf(&title, "Latency %s of block I/O", block_span_name(r->show->span));
	if (r->show->histogram) {
		strbuf_addch(out, '\n');
		pair_text(r->pairs, strbuf_str(&title), "each I/O", out);
	}
	if (r->show->heatmap)
		ret = write_heatmap(r, strbuf_str(&title), err);
	strbuf_release(&title);
	return ret;
}

static void put_misfits(const struct block_report *r, struct strbuf *out)
{
	const struct sched_counts none = { 0 };
	struct analysis_losses losses = { 0 };
	struct block_misfits m = block_flow_misfits(r->flow);

	if (r->source->a)
		losses = analysis_losses(r->source->a);
	if (r->sums.nr < 2)
		strbuf_addstr(out, "  INFO: no I/O that is looked at was completed\n");
	if (m.alone)
		strbuf_addf(out, "  INFO: %" PRIu64 " completions without a beginning\n", m.alone);
	if (m.open)
		strbuf_addf(out, "  INFO: %" PRIu64 " I/Os were on their way at the end\n", m.open);
	if (m.torn)
		strbuf_addf(out,
			    "  INFO: %" PRIu64 " I/Os were on their way when events were lost\n",
			    m.torn);
	sched_put_losses(&none, &losses, out);
}

static void put(struct block_report *r, struct strbuf *out)
{
	struct block_sums devices = { .by = BLOCK_BY_DEV };
	const struct block_sums *rows = r->show->by ? &r->sums : &devices;

	block_sums_fold(&devices, &r->sums);
	if (r->show->form != TABLE_TEXT) {
		block_put_cells(r, rows, out);
	} else {
		if (!r->show->by)
			block_put_devices(r, &devices, out);
		if (!r->show->by)
			block_put_layers(r, out);
		block_put_rows(r, &r->sums, SIZE_MAX, out);
		put_misfits(r, out);
	}
	block_sums_release(&devices);
}

int block_report_put(struct block_report *r, struct strbuf *out, struct err *err)
{
	put(r, out);
	return r->pairs ? put_pairs(r, out, err) : 0;
}

int block_report_run(const struct block_show *show, const struct block_source *source,
		     struct strbuf *out, struct err *err)
{
	struct block_report *r = block_report_new(show, source);
	const struct block_taker taker = block_report_taker(r);
	int ret = block_source_run(source, "block report", &taker, err)
			  ?: check(show, source->a, err);

	block_names_of(&r->names, source->a);
	if (!ret)
		ret = block_report_put(r, out, err);
	block_report_free(r);
	return ret;
}
