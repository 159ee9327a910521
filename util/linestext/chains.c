// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Call graphs of the places in a line. Each access has the number of its call chain. A line that is
 * shown gets a histogram of its own, in which a row is an entry of that line, so that the graphs
 * are made and written as those of `perf report`.
 */
#include "base/compat.h"

#include "linestext/linestext-internal.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "codec/json.h"
#include "hist/values.h"
#include "report/report.h"
#include "resolve/callchain.h"

/* Chains are told apart by this and by their addresses, which follow it. There is no padding. */
struct chain_head {
	u32 epoch, kernel_epoch;
	u8 cpumode, calls, unused[6];
};

struct clines_chains {
	struct callchain_conf sources;
	struct callchain_maker maker;
	struct intern seen; /* a head and addresses; number 0 is that of an access without */
	struct strbuf key;
	struct resolver *resolver;
};

static u64 entry_number(const struct hist_conf *conf __unused, const struct hist_sample *s)
{
	return s->nth;
}

static u64 entry_rank(const struct hist *h, const struct hist_column *col,
		      const struct hist_row *row, u32 member __unused)
{
	return ~hist_value(h, row, col);
}

/* The number of an entry among those of its line. */
static const struct hist_column entry_column = {
	.name = "entry",
	.header = "",
	.key = KEY_NUMBER,
	.number = entry_number,
	.wide = true,
	.rank = entry_rank,
};

static bool has_chains(const struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->attr.sample_type & PERF_SAMPLE_CALLCHAIN ||
		    layout_lbr_chain(&l->evsels[i]->layout))
			return true;
	return false;
}

bool clines_wants_chains(const struct clines_table *t)
{
	return t->show->graph.mode != CHAIN_NONE &&
	       (recording_is_stream(t->r) || has_chains(&t->r->session.evlist));
}

void clines_chains_open(struct clines_table *t)
{
	const struct session *s = &t->r->session;
	const struct callchain_source from = { .machine = t->r->machine,
					       .symbols = t->r->symbols,
					       .arch = s->file->env.arch,
					       .copies = evlist_copies_stacks(&s->evlist),
					       .swap = s->file->swap,
					       .unwind_style = t->r->unwind_style };
	struct clines_chains *c;

	if (t->show->graph.mode == CHAIN_NONE || !has_chains(&s->evlist))
		return;
	c = t->chains = xzalloc(sizeof(*c));
	c->sources.call_stacks = true;
	callchain_conf_open(&c->sources, &from);
	c->maker.conf = &c->sources;
	c->resolver = resolver_new(t->r->machine, t->r->symbols);
}

void clines_chains_free(struct clines_chains *c)
{
	if (!c)
		return;
	callchain_maker_release(&c->maker);
	callchain_conf_close(&c->sources);
	resolver_free(c->resolver);
	intern_release(&c->seen);
	strbuf_release(&c->key);
	free(c);
}

u32 clines_chain_number(struct clines_chains *c, const struct session_event *ev,
			const struct thread_at *at)
{
	const struct sample *s = ev->sample;
	struct chain_head head = { .epoch = at->epoch,
				   .kernel_epoch = at->kernel_epoch,
				   .cpumode = s->cpumode };
	struct callchain chain;

	callchain_make(&c->maker, layout_lbr_chain(&ev->evsel->layout), at->epoch, s, &chain);
	if (!chain.nr)
		return 0;
	head.calls = chain.calls;
	strbuf_reset(&c->key);
	strbuf_add(&c->key, (const char *)&head, sizeof(head));
	strbuf_add(&c->key, (const char *)chain.ips, chain.nr * sizeof(*chain.ips));
	return intern_id(&c->seen, c->key.buf, c->key.len);
}

/* ---- graphs of one line ---- */

static void add_row(const struct clines_chains *c, struct hist_worker *w, const struct line_row *r,
		    u32 entry)
{
	const char *chain = intern_str(&c->seen, r->chain);
	struct chain_head head = { .epoch = r->epoch, .kernel_epoch = r->epoch };
	struct hist_sample s;

	if (r->chain)
		memcpy(&head, chain, sizeof(head));
	s = (struct hist_sample){
		.epoch = head.epoch,
		.kernel_epoch = head.kernel_epoch,
		.pid = r->pid,
		.tid = r->tid,
		.cpu = r->cpu,
		.cpumode = r->cpumode,
		.ip = r->ip,
		.period = r->nr,
		.many = true,
		.nr = r->nr,
		.nth = entry,
		.lbr = head.calls,
	};
	if (r->chain) {
		s.chain = (const u64_una *)(chain + sizeof(head));
		s.nr_chain = (c->seen.lens[r->chain] - sizeof(head)) / sizeof(u64);
	}
	hist_add(w, &s);
}

struct hist *clines_graphs_new(const struct clines_table *t, const struct line *line)
{
	const struct line_entry *entries = clines_entries(t->lines) + line->entry;
	const struct line_row *rows = clines_rows(t->lines);
	struct hist_conf conf = {
		.chain = t->show->graph,
		.chains = true,
		.inlines = true,
		.nr_events = 1,
		.workers = 1,
		.cols = { .nr = 1,
			  .col = { &entry_column },
			  .nr_sort = 1,
			  .sort = { &entry_column },
			  .nr_keys = 1,
			  .keys = { { KEY_NUMBER, entry_number } } },
	};
	struct hist_worker *w;
	struct hist *h;

	if (!t->chains)
		return NULL;
	h = hist_new(&conf);
	w = hist_worker_new(h);
	for (u32 i = 0; i < line->nr_entries; i++)
		for (u32 k = 0; k < entries[i].nr_rows; k++)
			add_row(t->chains, w, &rows[entries[i].row + k], i);
	hist_finish(h, t->r->machine, t->chains->resolver);
	hist_chains(h, 0, 0);
	return h;
}

/* Return the row of an entry, or NULL: none of its accesses has a call chain. */
static const struct hist_row *graph_of(const struct clines_table *t, const struct hist *h,
				       const struct line *line, const struct line_entry *e)
{
	const u64 entry = (u64)(e - (clines_entries(t->lines) + line->entry));
	const struct hist_event *ev = h ? hist_event(h, 0) : NULL;

	for (size_t i = 0; ev && i < ev->nr_rows; i++)
		if (hist_row_chain(ev->rows[i]) &&
		    hist_value(h, ev->rows[i], &entry_column) == entry)
			return ev->rows[i];
	return NULL;
}

void clines_put_graph(const struct clines_table *t, const struct hist *h, const struct line *line,
		      const struct line_entry *e, struct strbuf *out)
{
	const struct hist_row *row = graph_of(t, h, line, e);
	const struct report_conf conf = { 0 };

	if (row)
		report_chain(h, 0, row, &conf, out);
}

/* Append the nodes below one as an array: frames without a fork, and those that go on. */
static void put_nodes(const struct hist *h, const struct chain_node *n, struct strbuf *out)
{
	struct strbuf frame = STRBUF_INIT;

	strbuf_addch(out, '[');
	for (u32 i = 0; i < n->nr_children; i++) {
		const struct chain_node *c = n->children[i];

		strbuf_addstr(out, i ? ",{\"frames\":[" : "{\"frames\":[");
		for (u32 k = 0; k < c->nr_frames; k++) {
			strbuf_reset(&frame);
			report_chain_frame(h, c, k, &frame);
			strbuf_addstr(out, k ? "," : "");
			json_string(out, strbuf_str(&frame));
		}
		strbuf_addf(out, "],\"accesses\":%" PRIu64, c->nr + c->children_nr);
		if (c->nr_children) {
			strbuf_addstr(out, ",\"callers\":");
			put_nodes(h, c, out);
		}
		strbuf_addch(out, '}');
	}
	strbuf_addch(out, ']');
	strbuf_release(&frame);
}

void clines_json_graph(const struct clines_table *t, const struct hist *h, const struct line *line,
		       const struct line_entry *e, struct strbuf *out)
{
	const struct hist_row *row = graph_of(t, h, line, e);

	if (!row)
		return;
	strbuf_addstr(out, ",\"callers\":");
	put_nodes(h, hist_row_chain(row), out);
}
