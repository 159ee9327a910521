// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A call graph for Graphviz: functions with their own cost and with the cost of what they called,
 * and the calls between them. A function or call that occurs several times in a stack counts once.
 * Functions and calls below a share of the total are left out.
 */
#include "base/compat.h"
#include "export/formats.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "export/places.h"

#define MIN_PERCENT 0.5

struct call {
	u32 from, to; /* the frames that represent the functions */
	u32 active;   /* number of its nodes on the path to the current node */
	u64 weight;
};

struct dot {
	const struct stacks *s;
	struct export_out *o;
	u64 *self, *total;           /* by node */
	u64 *func_self, *func_total; /* by the frame that represents the function */
	struct map64 call_of;
	struct call *calls;
	u32 nr_calls;
	size_t cap_calls;
	u64 whole, least;
};

static struct call *call_to(struct dot *w, u32 node)
{
	const struct stacks *s = w->s;
	u32 parent = s->nodes[node].parent, *slot;

	if (!parent)
		return NULL;
	slot = map64_slot(&w->call_of, (u64)stacks_func(s, parent) << 32 | stacks_func(s, node));
	if (*slot == MAP64_NONE) {
		*slot = w->nr_calls;
		VEC_GROW(w->calls, w->nr_calls + (size_t)1, w->cap_calls);
		w->calls[w->nr_calls++] =
			(struct call){ stacks_func(s, parent), stacks_func(s, node), 0, 0 };
	}
	return &w->calls[*slot];
}

/*
 * Nodes are in depth-first order: the ancestors of a node are those that have not ended before it.
 */
static void sum_up(struct dot *w)
{
	const struct stacks *s = w->s;
	u32 *above = stacks_room(s), *active = xcalloc(s->nr_frames + (size_t)1, sizeof(*active));
	u32 depth = 0;

	for (u32 n = 1; n < s->nr_nodes; n++) {
		struct call *call;
		u32 func = stacks_func(s, n);

		for (; depth && s->nodes[above[depth - 1]].end <= n; depth--) {
			active[stacks_func(s, above[depth - 1])]--;
			call = call_to(w, above[depth - 1]);
			if (call)
				call->active--;
		}
		above[depth++] = n;
		w->func_self[func] += w->self[n];
		if (!active[func]++)
			w->func_total[func] = stacks_add(w->func_total[func], w->total[n]);
		call = call_to(w, n);
		if (call && !call->active++)
			call->weight = stacks_add(call->weight, w->total[n]);
	}
	free(above);
	free(active);
}

static double percent(const struct dot *w, u64 weight)
{
	return w->whole ? 100.0 * (double)weight / (double)w->whole : 0;
}

/* Functions are drawn from grey to red, and larger, as the share of the function itself grows. */
static void put_function(struct dot *w, u32 func)
{
	const struct stacks_frame *f = &w->s->frames[func];
	double self = percent(w, w->func_self[func]), total = percent(w, w->func_total[func]);
	struct strbuf label = STRBUF_INIT;

	strbuf_addstr(&label, stacks_text(w->s, f->name));
	strbuf_addf(&label, "\n%.2f%%", self);
	if (w->func_total[func] != w->func_self[func])
		strbuf_addf(&label, " of %.2f%%", total);
	export_f(w->o, "f%u [label=", func);
	quote_dot(export_buf(w->o), strbuf_str(&label));
	export_str(w->o, ", tooltip=");
	quote_dot(export_buf(w->o), stacks_text(w->s, f->path ? f->path : f->dso));
	export_f(w->o,
		 ", fontsize=%.1f, fillcolor=\"0.02 %.3f 1.0\", self=%" PRIu64 ", total=%" PRIu64
		 "];\n",
		 9 + self / 4, MIN(0.02 + total / 110, 0.9), w->func_self[func],
		 w->func_total[func]);
	export_more(w->o);
	strbuf_release(&label);
}

static void put_call(struct dot *w, const struct call *c)
{
	double share = percent(w, c->weight);

	export_f(w->o,
		 "f%u -> f%u [label=\"%.2f%%\", weight=%u, penwidth=%.2f, total=%" PRIu64 "];\n",
		 c->from, c->to, share, 1 + (u32)share, 0.5 + share / 20, c->weight);
	export_more(w->o);
}

static void put_graph(struct dot *w, const struct export_opts *opts, const char *event)
{
	struct strbuf title = STRBUF_INIT;
	u32 nr = 0, left_out = 0;

	for (u32 i = 0; i < w->s->nr_frames; i++) {
		nr += w->func_total[i] >= w->least && w->func_total[i];
		left_out += w->func_total[i] < w->least && w->func_total[i];
	}
	if (opts->title)
		strbuf_addf(&title, "%s\n", opts->title);
	strbuf_addf(&title, "%s: %" PRIu64 " %s\n%u function%s", event, w->whole,
		    opts->weight == WEIGHT_SAMPLES ? "samples" : "in all", nr, nr == 1 ? "" : "s");
	if (left_out)
		strbuf_addf(&title, ", %u of less than %.2f%% left out", left_out,
			    percent(w, w->least));
	export_str(w->o, "digraph perf {\ngraph [label=");
	quote_dot(export_buf(w->o), strbuf_str(&title));
	export_str(w->o, ", labelloc=t, fontname=\"sans-serif\"];\n"
			 "node [shape=box, style=filled, fontname=\"sans-serif\"];\n"
			 "edge [fontname=\"sans-serif\", fontsize=8];\n");
	for (u32 i = 0; i < w->s->nr_frames; i++)
		if (w->func_total[i] && w->func_total[i] >= w->least)
			put_function(w, i);
	for (u32 i = 0; i < w->nr_calls; i++)
		if (w->calls[i].weight && w->calls[i].weight >= w->least)
			put_call(w, &w->calls[i]);
	export_str(w->o, "}\n");
	strbuf_release(&title);
}

static int write_dot(const struct stacks *s, const struct export_opts *opts, struct export_out *o,
		     struct err *err)
{
	struct dot w = { .s = s, .o = o };
	int event = export_event(s, opts, err);
	double least;

	if (event < 0)
		return event;
	w.self = xcalloc(s->nr_nodes, sizeof(u64));
	w.total = xcalloc(s->nr_nodes, sizeof(u64));
	w.func_self = xcalloc(s->nr_frames + (size_t)1, sizeof(u64));
	w.func_total = xcalloc(s->nr_frames + (size_t)1, sizeof(u64));
	stacks_node_sums(s, (u32)event, opts->weight, w.self, w.total);
	sum_up(&w);
	w.whole = w.total[0];
	least = opts->min_percent > 0 ? opts->min_percent : MIN_PERCENT;
	w.least = (u64)((double)w.whole * least / 100);
	put_graph(&w, opts, stacks_text(s, s->events[event].name));
	map64_release(&w.call_of);
	free(w.calls);
	free(w.self);
	free(w.total);
	free(w.func_self);
	free(w.func_total);
	return 0;
}

const struct export_ops export_dot = {
	.name = "dot",
	.arg = "FILE",
	.help = "write a call graph for graphviz",
	.write = write_dot,
};
