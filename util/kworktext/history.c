// SPDX-License-Identifier: GPL-2.0-or-later
/* The history of work has a row for each run, in the order in which runs end. */
#include "base/compat.h"

#include "kworktext/kworktext-internal.h"

#include "schedtext/chains.h"

#define MS 1e6
#define FLUSH_BYTES 65536 /* text of rows is handed on in pieces of this size */

/* This is kept while the recording is read. */
struct history {
	const struct kwork_show *show;
	struct kwork_symbols symbols;
	struct sched_chains *chains; /* owned; NULL: none are shown */
	struct span_map *map;        /* owned; of delays; NULL: none is wanted */
	int (*write)(void *ctx, const char *text, size_t len);
	void *ctx;
	struct strbuf out;
};

static void flush(struct history *h, size_t least)
{
	if (h->out.len < least)
		return;
	h->write(h->ctx, strbuf_str(&h->out), h->out.len);
	strbuf_reset(&h->out);
}

static void put_head(struct strbuf *out)
{
	strbuf_addstr(
		out,
		" Runtime start      Runtime end        Cpu     Kwork name                      "
		"Runtime     Delaytime \n"
		"                                               (TYPE)NAME:NUM                  "
		"(msec)      (msec)    \n"
		" -----------------  -----------------  ------  ------------------------------  "
		"----------  ----------\n");
}

static void put_row(struct history *h, const struct kwork_run *run, const struct engine_input *in)
{
	struct strbuf *out = &h->out;

	strbuf_addch(out, ' ');
	kwork_put_time(run->start, out);
	strbuf_addstr(out, "  ");
	kwork_put_time(run->end, out);
	strbuf_addf(out, "  [%04u]  ", run->item->cpu);
	kwork_put_name(h->show, &h->symbols, run->item, out);
	strbuf_addf(out, "  %10.3f", (double)(run->end - run->start) / MS);
	if (run->delayed)
		strbuf_addf(out, "  %10.3f ", (double)run->delay / MS);
	else
		strbuf_addf(out, "  %10s ", "");
	if (h->chains && in->sample && in->sample->nr_callchain) {
		strbuf_addstr(out, "  ");
		sched_chains_put(h->chains, in, out);
	}
	strbuf_addch(out, '\n');
}

static void on_run(void *ctx, const struct kwork_run *run, const struct engine_input *in)
{
	struct history *h = ctx;

	if (!kwork_shows(h->show, &h->symbols, run->item))
		return;
	put_row(h, run, in);
	if (h->map && run->delayed)
		span_map_add(h->map, run->start - run->delay, run->start);
	flush(h, FLUSH_BYTES);
}

int kwork_history_run(const struct kwork_show *show, struct analysis *a,
		      int (*write)(void *ctx, const char *text, size_t len), void *ctx,
		      struct err *err)
{
	struct recording *r = analysis_recording(a);
	const struct engine e = kwork_engine("kwork timehist", show->classes);
	struct history h = {
		.show = show,
		.symbols = kwork_symbols_of(r),
		.chains = show->chains ? sched_chains_new(r, show->max_stack) : NULL,
		.map = kwork_map_new(show, true),
		.write = write,
		.ctx = ctx,
	};
	struct kwork *k = kwork_new(
		&(struct kwork_conf){ .classes = show->classes, .run = on_run, .ctx = &h });
	int ret;

	put_head(&h.out);
	ret = analysis_run(a, &e, k, err);
	if (!ret) {
		kwork_put_losses(a, &h.out);
		flush(&h, 1);
	}
	if (!ret && h.map)
		ret = span_map_write(h.map, show->heatmap, err);
	span_map_free(h.map);
	kwork_free(k);
	sched_chains_free(h.chains);
	strbuf_release(&h.out);
	return ret;
}
