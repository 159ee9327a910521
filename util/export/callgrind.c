// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The profile format of callgrind, for KCachegrind and callgrind_annotate. The costs are, for each
 * event, its count and the number of samples; "calls" are samples in which a call was seen.
 *
 * Readers compute the inclusive cost of a function from the costs of its calls, which is wrong if
 * the function is on the stack twice. So a call to a function that is already on the stack is not
 * written as a call: the costs below it count as if they were directly below the outer one. And
 * because some readers add up the calls of a function from the callers' side and others from its
 * own, the outermost functions are called by a function "[all]".
 */
#include "base/compat.h"
#include "export/formats.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "export/places.h"

/* A line with costs, of the function itself or of a call. */
struct line {
	u32 func, file, line; /* place of the line; func: the frame that represents the function */
	u32 callee;           /* UINT32_MAX: not a call */
	u64 *costs;
};

struct callgrind {
	const struct stacks *s;
	struct export_out *o;
	u32 *context; /* by node: the node in whose context it continues; mostly the node itself */
	struct map64 line_of;
	struct line *lines;
	u32 nr_lines, nr_costs;
	size_t cap_lines;
	bool *named_func, *named_text; /* the name was written in full, with this number */
	bool *named_object;
	u32 only;   /* an event, or EXPORT_ALL */
	u64 *whole; /* totals, by cost */
};

static void find_contexts(struct callgrind *w)
{
	const struct stacks *s = w->s;
	u32 *above = stacks_room(s), *active = xcalloc(s->nr_frames + (size_t)1, sizeof(*active));
	u32 depth = 0;

	for (u32 n = 1; n < s->nr_nodes; n++) {
		u32 *first;

		for (; depth && s->nodes[above[depth - 1]].end <= n; depth--) {
			first = &active[stacks_func(s, above[depth - 1])];
			if (*first == above[depth - 1])
				*first = 0;
		}
		above[depth++] = n;
		first = &active[stacks_func(s, n)];
		if (!*first)
			*first = n;
		w->context[n] = *first;
	}
	free(above);
	free(active);
}

/*
 * Two numbers identify a line. The map has one key that is mixed from both, so the lines are
 * compared as well.
 */
static struct line *line_at(struct callgrind *w, u32 node, u32 callee)
{
	const struct stacks_frame all = { .func = w->s->nr_frames };
	const struct stacks_frame *f = node ? &w->s->frames[w->s->nodes[node].frame] : &all;
	u64 key = hash_mix(hash_mix((u64)f->func << 32 | callee, f->file), f->line);
	u32 *slot;

	for (;; key++) {
		const struct line *l;

		slot = map64_slot(&w->line_of, key);
		if (*slot == MAP64_NONE)
			break;
		l = &w->lines[*slot];
		if (l->func == f->func && l->file == f->file && l->line == f->line &&
		    l->callee == callee)
			return &w->lines[*slot];
	}
	*slot = w->nr_lines;
	VEC_GROW(w->lines, w->nr_lines + (size_t)1, w->cap_lines);
	w->lines[w->nr_lines] = (struct line){ f->func, f->file, f->line, callee,
					       xcalloc(w->nr_costs, sizeof(u64)) };
	return &w->lines[w->nr_lines++];
}

static void sum_cost(struct callgrind *w, u32 event, enum stacks_weight weight, u32 cost)
{
	const struct stacks *s = w->s;
	u64 *self = xcalloc(s->nr_nodes, sizeof(u64)), *total = xcalloc(s->nr_nodes, sizeof(u64));

	stacks_node_sums(s, event, weight, self, total);
	for (u32 n = 0; n < s->nr_nodes; n++) {
		w->whole[cost] += self[n];
		if (self[n])
			line_at(w, n, UINT32_MAX)->costs[cost] += self[n];
	}
	/*
	 * Nodes below a node have higher numbers, so nothing is added to a node after its costs
	 * were passed on.
	 */
	for (u32 n = s->nr_nodes; n-- > 1;) {
		u32 parent = s->nodes[n].parent;

		if (w->context[n] != n) {
			self[w->context[n]] += self[n];
			continue;
		}
		if (self[n])
			line_at(w, parent, stacks_func(s, n))->costs[cost] += self[n];
		self[w->context[parent]] += self[n];
	}
	free(self);
	free(total);
}

/* Append "(5) name" for the first time and "(5)" later. */
static void put_name(struct callgrind *w, const char *key, bool *named, u32 number,
		     const char *text)
{
	export_f(w->o, "%s=(%u)", key, number + 1);
	if (!named[number]) {
		export_ch(w->o, ' ');
		quote_callgrind(export_buf(w->o), *text ? text : "???");
		named[number] = true;
	}
	export_ch(w->o, '\n');
}

/* Return the frame of a function; "[all]" has a number that no function has, and an empty frame. */
static const struct stacks_frame *func_frame(const struct callgrind *w, u32 func)
{
	static const struct stacks_frame all;

	return func < w->s->nr_frames ? &w->s->frames[func] : &all;
}

static void put_function(struct callgrind *w, u32 func, bool callee)
{
	const struct stacks_frame *f = func_frame(w, func);
	u32 object = f->path ? f->path : f->dso;

	put_name(w, callee ? "cob" : "ob", w->named_object, object, stacks_text(w->s, object));
	put_name(w, callee ? "cfi" : "fl", w->named_text, f->file, stacks_text(w->s, f->file));
	put_name(w, callee ? "cfn" : "fn", w->named_func, func,
		 func < w->s->nr_frames ? stacks_text(w->s, f->name) : "[all]");
}

static void put_costs(struct callgrind *w, const struct line *l)
{
	export_dec(w->o, l->line);
	for (u32 i = 0; i < w->nr_costs; i++) {
		export_ch(w->o, ' ');
		export_dec(w->o, l->costs[i]);
	}
	export_ch(w->o, '\n');
}

static int compare_lines(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->func != y->func)
		return x->func < y->func ? -1 : 1;
	if ((x->callee == UINT32_MAX) != (y->callee == UINT32_MAX))
		return x->callee == UINT32_MAX ? -1 : 1;
	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->callee < y->callee ? -1 : x->callee > y->callee;
}

/*
 * Append a call. The number of samples is the second of an event's costs, or the first one with
 * --weight=samples.
 */
static void put_call(struct callgrind *w, const struct line *l, enum stacks_weight weight)
{
	u64 calls = 0;

	for (u32 i = weight == WEIGHT_SAMPLES ? 0 : 1; i < w->nr_costs; i += 2)
		calls += l->costs[i];
	put_function(w, l->callee, true);
	export_str(w->o, "calls=");
	export_dec(w->o, calls);
	export_f(w->o, " %u\n", w->s->frames[l->callee].line);
}

static void put_lines(struct callgrind *w, enum stacks_weight weight)
{
	u32 func = UINT32_MAX, file = 0;

	if (w->nr_lines)
		qsort(w->lines, w->nr_lines, sizeof(*w->lines), compare_lines);
	for (u32 i = 0; i < w->nr_lines && !export_failed(w->o); i++) {
		const struct line *l = &w->lines[i];

		if (l->func != func) {
			export_ch(w->o, '\n');
			put_function(w, l->func, false);
			file = func_frame(w, l->func)->file;
		}
		func = l->func;
		if (l->file != file)
			put_name(w, l->file == func_frame(w, func)->file ? "fe" : "fi",
				 w->named_text, l->file, stacks_text(w->s, l->file));
		file = l->file;
		if (l->callee != UINT32_MAX)
			put_call(w, l, weight);
		put_costs(w, l);
		export_more(w->o);
	}
}

/* Append a text as one word, without blanks. */
static void put_word(struct export_out *o, const char *s)
{
	for (; *s; s++)
		export_ch(o, (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') ||
					     (*s >= '0' && *s <= '9') || *s == '-' || *s == ':'
				     ? *s
				     : '_');
}

static void put_event(struct callgrind *w, u32 event, enum stacks_weight weight)
{
	put_word(w->o, stacks_text(w->s, w->s->events[event].name));
	export_str(w->o, weight == WEIGHT_SAMPLES ? "_samples" : "");
}

static void put_head(struct callgrind *w, const struct export_opts *opts)
{
	export_str(w->o, "# callgrind format\nversion: 1\ncreator: perf\npositions: line\n");
	for (u32 i = 0; i < opts->nr_facts; i++) {
		export_f(w->o, strcmp(opts->facts[i].key, "command line") ? "desc: %s: " : "cmd: ",
			 opts->facts[i].key);
		quote_callgrind(export_buf(w->o), opts->facts[i].value);
		export_ch(w->o, '\n');
	}
	export_str(w->o, "events:");
	for (u32 i = 0; i < w->s->nr_events; i++) {
		if (!export_takes(w->only, i))
			continue;
		export_ch(w->o, ' ');
		put_event(w, i, opts->weight);
		export_ch(w->o, ' ');
		put_event(w, i, !opts->weight);
	}
	export_str(w->o, "\nsummary:");
	for (u32 i = 0; i < w->nr_costs; i++) {
		export_ch(w->o, ' ');
		export_dec(w->o, w->whole[i]);
	}
	export_ch(w->o, '\n');
}

static int write_callgrind(const struct stacks *s, const struct export_opts *opts,
			   struct export_out *o, struct err *err)
{
	struct callgrind w = { .s = s, .o = o };
	int ret = export_only(s, opts, &w.only, err);
	u32 cost = 0;

	if (ret)
		return ret;
	w.nr_costs = opts->event ? 2 : 2 * s->nr_events;
	w.context = xcalloc(s->nr_nodes, sizeof(u32));
	w.named_func = xcalloc(s->nr_frames + (size_t)1, sizeof(bool));
	w.named_text = xcalloc(s->texts.nr + 1, sizeof(bool));
	w.named_object = xcalloc(s->texts.nr + 1, sizeof(bool));
	w.whole = xcalloc(w.nr_costs + (size_t)1, sizeof(u64));
	find_contexts(&w);
	for (u32 i = 0; i < s->nr_events; i++) {
		if (!export_takes(w.only, i))
			continue;
		sum_cost(&w, i, opts->weight, cost++);
		sum_cost(&w, i, !opts->weight, cost++);
	}
	put_head(&w, opts);
	put_lines(&w, opts->weight);
	for (u32 i = 0; i < w.nr_lines; i++)
		free(w.lines[i].costs);
	free(w.lines);
	map64_release(&w.line_of);
	free(w.context);
	free(w.named_func);
	free(w.named_text);
	free(w.named_object);
	free(w.whole);
	return 0;
}

const struct export_ops export_callgrind = {
	.name = "callgrind",
	.arg = "FILE",
	.help = "write a profile for KCachegrind",
	.dims = { .lines = true },
	.write = write_callgrind,
};
