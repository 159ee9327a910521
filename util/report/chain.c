// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Call graphs as text. Each branch has a prefix for its own lines and those of its branches: a bar
 * and ten blanks below a branch that is followed by others, otherwise eleven blanks.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "wire/field-text.h"
#include "report/report.h"

#define MARGIN "            "
#define LEAST_NAME 16 /* columns that are left of a name, however deep it stands */

struct graph {
	const struct hist *h;
	const struct chain_conf *conf;
	u64 total; /* total of the event */
	const struct hist_row *row;
	bool skip_first; /* the row itself shows the first frame */
	const struct palette *palette;
	const char *sep; /* separator of folded stacks; NULL: ";" */
	struct fit fit;
	struct strbuf *out;
	struct strbuf prefix;
};

static u64 node_sum(const struct chain_node *n)
{
	return n->period + n->children_period;
}

static void add_frame(struct graph *g, u32 id)
{
	const struct hist_frame *f = hist_frame(g->h, id);
	const char *name = hist_symbol_name(g->h, f->place);

	if (name)
		strbuf_addname(g->out, name);
	else
		strbuf_addf(g->out, "%#" PRIx64, f->ip);
	if ((g->conf->address || g->conf->line) && name && *hist_frame_line(g->h, id)) {
		strbuf_addch(g->out, ' ');
		strbuf_addname(g->out, hist_frame_line(g->h, id));
	}
	strbuf_addstr(g->out, hist_inlined_mark(g->h, f->place));
}

/* Append a word to the brackets after a frame. *@nr: the number of words before it */
static void add_word(struct graph *g, u32 *nr, const char *text)
{
	strbuf_addstr(g->out, (*nr)++ ? " " : " (");
	strbuf_addstr(g->out, text);
}

static void add_part(struct graph *g, u32 *nr, const char *what, u64 part, u64 of)
{
	add_word(g, nr, what);
	strbuf_addf(g->out, ":%.1f%%", part * 100.0 / of);
}

static void add_number(struct graph *g, u32 *nr, const char *what, u64 n)
{
	add_word(g, nr, what);
	strbuf_addch(g->out, ':');
	strbuf_dec(g->out, n, 0);
}

/* Append facts about the branches: their kinds, and shares that are unusual. */
static void add_mark(struct graph *g, const struct chain_mark *m)
{
	u32 nr = 0;
	u64 i;

	if (m->to) {
		if (m->types[1] > m->back)
			add_word(g, &nr, "COND_FWD");
		if (m->back)
			add_word(g, &nr, "COND_BWD");
		for (i = 2; i < ARRAY_SIZE(m->types); i++)
			if (m->types[i])
				add_word(g, &nr, branch_type(i << 20));
		if (m->pages)
			add_word(g, &nr, "CROSS_4K");
		if (m->large_pages)
			add_word(g, &nr, "CROSS_2M");
		if (m->predicted < m->nr)
			add_part(g, &nr, "predicted", m->predicted, m->nr);
		if (m->aborts)
			add_part(g, &nr, "abort", m->aborts, m->nr);
	} else {
		if (m->cycles / m->nr)
			add_number(g, &nr, "cycles", m->cycles / m->nr);
		if (m->rounds && m->nr > 1) { /* the first round does not count */
			add_number(g, &nr, "iter", m->rounds / (m->nr - 1));
			add_number(g, &nr, "avg_cycles", m->round_cycles / m->rounds);
		}
	}
	if (nr)
		strbuf_addch(g->out, ')');
}

static void add_marked(struct graph *g, const struct chain_node *n, u32 i)
{
	size_t at = g->out->len, end;

	add_frame(g, n->frames[i]);
	end = g->out->len;
	if (n->marks && n->marks[i].nr)
		add_mark(g, &n->marks[i]);
	else if (n->marks)
		strbuf_addstr(g->out, " (calltrace)");
	if (g->fit.columns)
		fit_in_line(g->out, at, end, &g->fit, LEAST_NAME);
}

static void add_value(struct graph *g, u64 period, u64 nr, u64 total)
{
	switch (g->conf->value) {
	case CHAIN_PERIOD:
		strbuf_dec(g->out, period, 0);
		break;
	case CHAIN_COUNT:
		strbuf_dec(g->out, nr, 0);
		break;
	default:
		strbuf_add_percent(g->out, g->palette, total ? period * 100.0 / total : 0.0, 0);
	}
}

static void add_prefix(struct graph *g)
{
	strbuf_add(g->out, g->prefix.buf, g->prefix.len);
}

static void add_branches(struct graph *g, const struct chain_node *parent, u64 total);

/* Append one branch: the line with its share, the frames below it, then its own branches. */
static void add_branch(struct graph *g, const struct chain_node *n, bool last, u64 total)
{
	size_t len = g->prefix.len;
	u32 i;

	add_prefix(g);
	strbuf_addstr(g->out, "|          \n");
	for (i = 0; i < n->nr_frames; i++) {
		add_prefix(g);
		strbuf_addch(g->out, last ? ' ' : '|');
		if (!i) {
			strbuf_addstr(g->out, "--");
			add_value(g, node_sum(n), n->nr + n->children_nr, total);
			strbuf_addstr(g->out, "--");
		} else {
			strbuf_addstr(g->out, "          ");
		}
		add_marked(g, n, i);
		strbuf_addch(g->out, '\n');
	}
	strbuf_addstr(&g->prefix, last ? "           " : "|          ");
	add_branches(g, n, g->conf->mode == CHAIN_FRACTAL ? n->children_period : total);
	g->prefix.len = len;
}

static void add_branches(struct graph *g, const struct chain_node *parent, u64 total)
{
	bool fractal = g->conf->mode == CHAIN_FRACTAL;
	u32 limit = g->conf->print_limit, nr = parent->nr_children, i;
	u64 left = total, left_nr = parent->children_nr;

	for (i = 0; i < nr && (!limit || i < limit); i++) {
		const struct chain_node *n = parent->children[i];

		left -= MIN(left, node_sum(n));
		left_nr -= MIN(left_nr, n->nr + n->children_nr);
		add_branch(g, n, i + 1 == nr && (!fractal || !left), total);
	}
	if (!fractal || !left || left == total || (g->conf->value == CHAIN_COUNT && !left_nr))
		return;
	add_prefix(g);
	strbuf_addstr(g->out, " --");
	add_value(g, left, left_nr, total);
	strbuf_addstr(g->out, "--[...]\n");
}

/* Tell whether the row itself shows the first frame. An inlined function in it is shown as well. */
static bool said_by_row(const struct graph *g, const struct chain_node *n)
{
	u32 place = n->nr_frames ? hist_frame(g->h, n->frames[0])->place : 0;

	return g->skip_first && (place == g->row->place || !hist_place(g->h, place)->inlined);
}

/* Return the sum that the chains of a row are parts of. */
static u64 row_sum(const struct hist *h, const struct hist_row *row)
{
	return hist_config(h)->children ? row->more->acc_period : row->period;
}

/* Append the common beginning of all chains below the row, without a share. */
static bool add_trunk(struct graph *g, const struct chain_node *n)
{
	u32 limit = g->conf->print_limit, from = said_by_row(g, n), i;
	bool any = false;

	for (i = from; i < n->nr_frames && (!limit || i < limit + from); i++) {
		strbuf_addstr(g->out, any ? MARGIN "   " : MARGIN "|\n" MARGIN "---");
		any = true;
		add_marked(g, n, i);
		strbuf_addch(g->out, '\n');
	}
	return any;
}

static void add_graph(struct graph *g, const struct chain_node *root, u64 row_total)
{
	const struct chain_node *n = root;
	size_t from = g->out->len;

	strbuf_addstr(&g->prefix, MARGIN);
	if (root->nr_children == 1 && node_sum(root->children[0]) == row_total) {
		n = root->children[0];
		if (add_trunk(g, n))
			strbuf_addstr(&g->prefix, "   ");
	}
	add_branches(g, n, g->conf->mode == CHAIN_FRACTAL ? row_total : g->total);
	if (g->out->len > from)
		strbuf_addch(g->out, '\n');
}

/* ---- flat and folded: one whole chain after the other ---- */

struct line {
	const struct chain_node **path;
	u32 depth;
	size_t seq;
};

struct lines {
	struct line *v;
	size_t nr, cap;
};

static void collect(struct graph *g, const struct chain_node *n, const struct chain_node **path,
		    u32 depth, u64 min, struct lines *l)
{
	u32 i;

	path[depth] = n;
	for (i = 0; i < n->nr_children; i++)
		collect(g, n->children[i], path, depth + 1, min, l);
	if (!n->period || n->period < min)
		return;
	VEC_GROW(l->v, l->nr + 1, l->cap);
	l->v[l->nr].path = xmalloc((depth + 1) * sizeof(*path));
	memcpy(l->v[l->nr].path, path, (depth + 1) * sizeof(*path));
	l->v[l->nr].depth = depth + 1;
	l->v[l->nr].seq = l->nr;
	l->nr++;
}

static int line_cmp(const void *a, const void *b)
{
	const struct line *la = a, *lb = b;
	u64 pa = la->path[la->depth - 1]->period, pb = lb->path[lb->depth - 1]->period;

	if (pa != pb)
		return pa > pb ? -1 : 1;
	return la->seq < lb->seq ? -1 : la->seq > lb->seq;
}

static u32 tree_depth(const struct chain_node *n)
{
	u32 depth = 0, i;

	for (i = 0; i < n->nr_children; i++)
		depth = MAX(depth, tree_depth(n->children[i]));
	return depth + 1;
}

static void add_line(struct graph *g, const struct line *l, bool folded)
{
	const struct chain_node *leaf = l->path[l->depth - 1];
	u32 i, k, nr = 0;
	size_t at;

	if (!folded)
		strbuf_addstr(g->out, "           ");
	if (folded)
		add_value(g, leaf->period, leaf->nr, g->total);
	else /* including everything that continues from there */
		add_value(g, node_sum(leaf), leaf->nr + leaf->children_nr, g->total);
	strbuf_addch(g->out, folded ? ' ' : '\n');
	for (i = 0; i < l->depth; i++) {
		for (k = 0; k < l->path[i]->nr_frames; k++, nr++) {
			if (folded && nr)
				strbuf_addstr(g->out, g->sep ? g->sep : ";");
			else if (!folded)
				strbuf_addstr(g->out, "                ");
			at = g->out->len;
			add_frame(g, l->path[i]->frames[k]);
			if (folded)
				continue;
			if (g->fit.columns)
				fit_in_line(g->out, at, g->out->len, &g->fit, LEAST_NAME);
			strbuf_addch(g->out, '\n');
		}
	}
	strbuf_addch(g->out, '\n');
}

static void add_lines(struct graph *g, const struct chain_node *root, bool folded)
{
	const struct chain_node **path = xcalloc(tree_depth(root) + 1, sizeof(*path));
	u64 min = g->total * (g->conf->min_percent / 100);
	struct lines l = { 0 };
	size_t i;

	collect(g, root, path, 0, min, &l);
	if (l.nr)
		qsort(l.v, l.nr, sizeof(*l.v), line_cmp);
	for (i = 0; i < l.nr; i++) {
		if (!g->conf->print_limit || i < g->conf->print_limit)
			add_line(g, &l.v[i], folded);
		free(l.v[i].path);
	}
	free(l.v);
	free(path);
}

void report_chain(const struct hist *h, u32 evsel, const struct hist_row *row,
		  const struct report_conf *as, struct strbuf *out)
{
	const struct hist_conf *conf = hist_config(h);
	struct graph g = {
		.h = h,
		.conf = &conf->chain,
		.sep = as->sep,
		.fit = as->fit,
		.total = hist_event(h, evsel)->period,
		.row = row,
		.skip_first = conf->cols.symbol_first,
		.palette = as->palette,
		.out = out,
	};

	switch (conf->chain.mode) {
	case CHAIN_GRAPH:
	case CHAIN_FRACTAL:
		add_graph(&g, hist_row_chain(row), row_sum(h, row));
		break;
	case CHAIN_FLAT:
	case CHAIN_FOLDED:
		add_lines(&g, hist_row_chain(row), conf->chain.mode == CHAIN_FOLDED);
		break;
	default:
		break;
	}
	strbuf_release(&g.prefix);
}

/* ---- parts of call graphs ---- */

void report_chain_frame(const struct hist *h, const struct chain_node *n, u32 i, struct strbuf *out)
{
	struct graph g = { .h = h, .conf = &hist_config(h)->chain, .out = out };

	add_marked(&g, n, i);
}

void report_chain_value(const struct hist *h, const struct chain_node *n, u64 total,
			const struct palette *palette, struct strbuf *out)
{
	struct graph g = { .h = h, .conf = &hist_config(h)->chain, .out = out, .palette = palette };

	add_value(&g, node_sum(n), n->nr + n->children_nr, total);
}

const struct chain_node *report_chain_trunk(const struct hist *h, const struct hist_row *row,
					    u32 *first)
{
	const struct hist_conf *conf = hist_config(h);
	const struct chain_node *root = hist_row_chain(row), *n;
	const struct graph g = {
		.h = h, .conf = &conf->chain, .row = row, .skip_first = conf->cols.symbol_first
	};

	n = root && root->nr_children == 1 ? root->children[0] : NULL;
	if (!n || node_sum(n) != row_sum(h, row))
		return NULL;
	*first = said_by_row(&g, n);
	return n;
}
