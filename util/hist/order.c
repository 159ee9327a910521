// SPDX-License-Identifier: GPL-2.0-or-later
/* Put rows in order, and measure the widths of their columns. */
#include "base/compat.h"

#include "hist/rows-internal.h"

/*
 * What a row is compared by, as words: first the keys of the sort columns in their order (sums are
 * inverted, so that smaller always comes first), then those that make the order total. A sum takes
 * one word, two ranks share one. Where rows are compared at random, in trees, a table has the
 * words of all rows.
 */
struct word {
	const struct hist_column *col, *low; /* @low is in the lower half; NULL: it is empty */
	int member;                          /* of a sum: the event */
	bool identity, low_identity;         /* hist_column.identity instead of .rank */
};

struct order {
	struct hist *h;
	struct hist_event *ev;
	struct word *words; /* owned */
	size_t nr_words, cap_words;
	u32 nr_keys;   /* the words of sort keys; identity keys follow */
	u32 acc;       /* the word with the sum of children, UINT32_MAX: none */
	bool in_trees; /* rows are ordered in trees, see below */
	u64 *entries;
	u32 *sorted; /* numbers of rows */
	struct seen *seen;
};

static u64 *entry_at(const struct order *o, u32 id)
{
	return o->entries + id * o->nr_words;
}

static struct word *add_word(struct order *o, const struct hist_column *col)
{
	VEC_GROW(o->words, o->nr_words + 1, o->cap_words);
	o->words[o->nr_words] = (struct word){ .col = col };
	return &o->words[o->nr_words++];
}

/* Add a rank. @half: the word whose lower half is free, or NULL. Return: the same afterwards. */
static struct word *add_rank(struct order *o, struct word *half, const struct hist_column *col,
			     bool identity)
{
	struct word *w;

	if (half) {
		half->low = col;
		half->low_identity = identity;
		return NULL;
	}
	w = add_word(o, col);
	w->identity = identity;
	return w;
}

/*
 * Return the @k-th event that decides; -1: there are no more. With children the leader is the
 * first, whichever member was asked for.
 */
static int sorted_member(const struct order *o, const struct hist_column *col, u32 k)
{
	if (o->h->conf.group_sort && col->children)
		return k < MAX(o->ev->nr_members, 1u) ? (int)k : -1;
	return hist_sorted_member(o->h, o->ev, k);
}

/* Return: the word whose lower half is free, or NULL */
static struct word *plan_keys(struct order *o)
{
	const struct hist_columns *c = &o->h->conf.cols;
	struct word *half = NULL;
	u32 i, k;
	int m;

	o->acc = UINT32_MAX;
	for (i = 0; i < c->nr_sort; i++) {
		const struct hist_column *col = c->sort[i];

		if (!col->metric && !col->wide) {
			half = add_rank(o, half, col, false);
			continue;
		}
		for (k = 0; col->metric && (m = sorted_member(o, col, k)) >= 0; k++)
			add_word(o, col)->member = m;
		if (col->wide)
			add_word(o, col);
		if (col->metric && col->children)
			o->acc = (u32)o->nr_words - 1;
		half = NULL;
	}
	o->nr_keys = (u32)o->nr_words;
	return half;
}

static void plan_words(struct order *o)
{
	const struct hist_columns *c = &o->h->conf.cols;
	struct word *half = plan_keys(o);
	bool alone = o->in_trees; /* identity keys are compared without the sort keys, too */
	u32 i;

	if (alone)
		half = NULL;
	for (i = 0; i < c->nr_sort; i++) {
		const struct hist_column *col = c->sort[i];

		if (col->wide && alone) {
			add_word(o, col);
			half = NULL;
		} else if (!col->metric && !col->wide && (col->identity || alone)) {
			half = add_rank(o, half, col, !!col->identity);
		}
	}
}

static u64 column_rank(const struct order *o, const struct hist_row *row,
		       const struct hist_column *col, bool identity)
{
	return identity ? col->identity(o->h, row) : (u32)col->rank(o->h, col, row, 0);
}

static u64 row_word(const struct order *o, const struct hist_row *row, const struct word *w)
{
	u64 low;

	if (w->col->metric)
		return ~w->col->rank(o->h, w->col, row, w->member);
	if (w->col->wide)
		return w->col->rank(o->h, w->col, row, 0);
	low = w->low ? column_rank(o, row, w->low, w->low_identity) : 0;
	return column_rank(o, row, w->col, w->identity) << 32 | low;
}

static u64 word_key(const void *ctx, u32 id, u32 level)
{
	const struct order *o = ctx;

	return row_word(o, o->ev->rows[id], &o->words[level]);
}

/* ---- words in few numbers ---- */

/*
 * Rows with key values are as good as random in memory once they are sorted by a first word, and
 * each further word would have to be fetched again. Most words differ in a few bits only. Those
 * bits, word after word, make one number or few, which order the rows as the words do.
 */
struct bit_run {
	u32 word;
	u8 from, nr; /* bits of the word */
};

struct packing {
	struct order *o;
	u64 *ref;             /* the words of the first row */
	u64 *differ;          /* by block of rows and by word: the bits that are not as in @ref */
	struct bit_run *runs; /* from the first word and its highest bits on */
	u32 *level;           /* by level: its first run; behind the last level their number */
	u32 nr_runs, nr_levels;
	size_t cap_runs;
};

#define BLOCK 4096

static void differ_in_block(void *ctx, int worker, size_t block)
{
	struct packing *p = ctx;
	const struct order *o = p->o;
	size_t i = block * BLOCK, end = MIN(i + BLOCK, o->ev->nr_rows);
	u64 *differ = p->differ + block * o->nr_words;

	(void)worker;
	for (; i < end; i++)
		for (u32 k = 0; k < o->nr_words; k++)
			differ[k] |= row_word(o, o->ev->rows[i], &o->words[k]) ^ p->ref[k];
}

/* Add the runs of ones of @bits, the highest first. */
static void add_runs(struct packing *p, u32 word, u64 bits)
{
	while (bits) {
		u32 top = 64 - (u32)__builtin_clzll(bits), from = top;

		while (from && bits >> (from - 1) & 1)
			from--;
		VEC_GROW(p->runs, p->nr_runs + 1, p->cap_runs);
		p->runs[p->nr_runs++] = (struct bit_run){ word, (u8)from, (u8)(top - from) };
		bits &= from ? (1ULL << from) - 1 : 0;
	}
}

/* Find the bits in which rows differ, and give as many of them to each level as a number has. */
static void packing_init(struct packing *p, struct order *o)
{
	size_t blocks = (o->ev->nr_rows + BLOCK - 1) / BLOCK;
	u32 used = 0;

	*p = (struct packing){ .o = o };
	p->ref = xcalloc(o->nr_words + 1, sizeof(*p->ref));
	p->differ = xcalloc(blocks * o->nr_words + 1, sizeof(*p->differ));
	for (u32 k = 0; k < o->nr_words; k++)
		p->ref[k] = row_word(o, o->ev->rows[0], &o->words[k]);
	crew_run(o->h->crew, blocks, differ_in_block, p);
	for (u32 k = 0; k < o->nr_words; k++) {
		for (size_t i = 1; i < blocks; i++)
			p->differ[k] |= p->differ[i * o->nr_words + k];
		add_runs(p, k, p->differ[k]);
	}
	p->level = xcalloc(p->nr_runs + 2, sizeof(*p->level));
	for (u32 i = 0; i < p->nr_runs; i++) {
		if (!i || used + p->runs[i].nr > 64) {
			p->level[p->nr_levels++] = i;
			used = 0;
		}
		used += p->runs[i].nr;
	}
	p->level[p->nr_levels] = p->nr_runs;
}

static void packing_release(struct packing *p)
{
	free(p->ref);
	free(p->differ);
	free(p->runs);
	free(p->level);
}

static u64 packed_key(const void *ctx, u32 id, u32 level)
{
	const struct packing *p = ctx;
	const struct hist_row *row = p->o->ev->rows[id];
	u32 last = UINT32_MAX;
	u64 key = 0, word = 0;

	for (u32 i = p->level[level]; i < p->level[level + 1]; i++) {
		const struct bit_run *r = &p->runs[i];

		if (r->word != last)
			word = row_word(p->o, row, &p->o->words[r->word]);
		last = r->word;
		if (r->nr == 64)
			return word;
		key = key << r->nr | (word >> r->from & ((1ULL << r->nr) - 1));
	}
	return key;
}

static void ask_packed(const void *ctx, u32 id, int step)
{
	const struct packing *p = ctx;
	const struct hist_row *row = p->o->ev->rows[id];

	if (!step) {
		__builtin_prefetch(row);
		return;
	}
	__builtin_prefetch(&p->o->h->key_values[(size_t)row->base * p->o->h->set_size]);
	__builtin_prefetch(&p->o->h->places[row->place]);
}

static u32 *sort_packed(struct order *o)
{
	struct id_order by = { .key = packed_key, .ask = ask_packed };
	struct packing p;
	u32 *sorted;

	packing_init(&p, o);
	by.levels = p.nr_levels;
	by.ctx = &p;
	sorted = sort_ids(NULL, o->ev->nr_rows, &by, o->h->crew);
	packing_release(&p);
	return sorted;
}

/* ---- words one after the other ---- */

static void ask_row(const void *ctx, u32 id, int step)
{
	const struct order *o = ctx;
	const struct hist_row *row = o->ev->rows[id];

	if (!step) {
		__builtin_prefetch(row);
		return;
	}
	__builtin_prefetch(&o->h->places[row->place]);
	if (o->h->name_rank)
		__builtin_prefetch(&o->h->name_rank[row->place]);
}

static void fill_block(void *ctx, int worker, size_t block)
{
	struct order *o = ctx;
	size_t i = block * BLOCK, end = MIN(i + BLOCK, o->ev->nr_rows);

	for (; i < end; i++)
		for (u32 k = 0; k < o->nr_words; k++)
			entry_at(o, (u32)i)[k] = row_word(o, o->ev->rows[i], &o->words[k]);
}

static int keys_cmp(const u64 *a, const u64 *b, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static int identity_cmp(const void *a, const void *b, void *ctx)
{
	const struct order *o = ctx;

	return keys_cmp(entry_at(o, *(const u32 *)a) + o->nr_keys,
			entry_at(o, *(const u32 *)b) + o->nr_keys, o->nr_words - o->nr_keys);
}

/* ---- ordering with callers before callees ---- */

/*
 * Rows of equal share and thread are ordered by chain depth, those of different threads by name.
 * That is no total order (a < b < c < a is possible), so the result depends on which rows are
 * compared with each other. To print the order that users of the format know, rows are inserted,
 * in the order of their keys, into a red-black tree as that format does.
 */
enum { RED, BLACK };

struct node {
	u32 entry;
	u32 parent, child[2]; /* 0: none */
	u8 colour;
};

static void rotate(struct node *t, u32 *root, u32 x, int dir)
{
	u32 y = t[x].child[!dir], p = t[x].parent;

	t[x].child[!dir] = t[y].child[dir];
	if (t[y].child[dir])
		t[t[y].child[dir]].parent = x;
	t[y].parent = p;
	if (!p)
		*root = y;
	else
		t[p].child[t[p].child[1] == x] = y;
	t[y].child[dir] = x;
	t[x].parent = y;
}

static void rebalance(struct node *t, u32 *root, u32 x)
{
	while (t[x].parent && t[t[x].parent].colour == RED) {
		u32 p = t[x].parent, g = t[p].parent, uncle;
		int side = t[g].child[1] == p;

		uncle = t[g].child[!side];
		if (uncle && t[uncle].colour == RED) {
			t[p].colour = t[uncle].colour = BLACK;
			t[g].colour = RED;
			x = g;
			continue;
		}
		if (t[p].child[!side] == x) {
			rotate(t, root, p, side);
			x = p;
			p = t[x].parent;
		}
		t[p].colour = BLACK;
		t[g].colour = RED;
		rotate(t, root, g, !side);
	}
	t[*root].colour = BLACK;
}

static u32 leftmost(const struct node *t, u32 x)
{
	while (t[x].child[0])
		x = t[x].child[0];
	return x;
}

static int callchain_cmp(const struct order *o, u32 ia, u32 ib)
{
	const struct hist_row *ra = o->ev->rows[ia], *rb = o->ev->rows[ib];
	const u64 *a = entry_at(o, ia), *b = entry_at(o, ib);
	u32 i;

	for (i = 0; i < o->nr_keys; i++) {
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
		if (i != o->acc || ra->thread != rb->thread || ra->more->depth == rb->more->depth)
			continue;
		/*
		 * Callers stand above callees: their chains are longer when the root is printed
		 * first, else shorter.
		 */
		return (ra->more->depth < rb->more->depth) == o->h->conf.chain.caller ? 1 : -1;
	}
	return 0;
}

/*
 * Insert all entries, as they are sorted, into a tree that @cmp steers, and take them out in its
 * order.
 */
static void tree_sort(struct order *o, int (*cmp)(const struct order *, u32, u32))
{
	size_t nr = o->ev->nr_rows, i;
	struct node *t = xcalloc(nr + 1, sizeof(*t));
	u32 root = 0, x, p;

	for (i = 1; i <= nr; i++) {
		int side = 0;

		t[i].entry = o->sorted[i - 1];
		for (p = 0, x = root; x; x = t[x].child[side]) {
			p = x;
			side = cmp(o, t[i].entry, t[x].entry) >= 0;
		}
		t[i].parent = p;
		if (p)
			t[p].child[side] = i;
		else
			root = i;
		rebalance(t, &root, i);
	}
	for (i = 0, x = root ? leftmost(t, root) : 0; x; i++) {
		o->sorted[i] = t[x].entry;
		if (t[x].child[1]) {
			x = leftmost(t, t[x].child[1]);
			continue;
		}
		for (p = t[x].parent; p && t[p].child[1] == x; p = t[p].parent)
			x = p;
		x = p;
	}
	free(t);
}

/* ---- garbage ---- */

/*
 * Addresses without symbol are compared by their distance, as a signed number. Addresses that
 * frame pointers seem to give where there are none may be further apart than such a number can
 * say. Then the comparison is no order either, and the result is that of a tree into which rows
 * are inserted as they were first seen, and of a second tree made from the first.
 */
static bool is_garbage(const struct hist *h, const struct hist_row *row)
{
	const struct hist_place *p = &h->places[row->place];

	return p->sym == UINT32_MAX && p->start + (1ULL << 62) >= 1ULL << 63;
}

static bool any_garbage(const struct order *o)
{
	size_t i;

	for (i = 0; i < o->ev->nr_rows; i++)
		if (is_garbage(o->h, o->ev->rows[i]))
			return true;
	return false;
}

/*
 * The values that distance_cmp() reads. They are close together, as they are read often and at
 * random.
 */
struct seen {
	u64 major; /* the keys before the symbol */
	u64 minor; /* the symbol's rank, or without symbol the address */
	bool addr; /* there is no symbol */
};

/* Compare the identity keys of two rows, and their addresses by distance. */
static int distance_cmp(const struct order *o, u32 ia, u32 ib)
{
	const struct seen *a = &o->seen[ia], *b = &o->seen[ib];

	if (a->major != b->major)
		return a->major < b->major ? -1 : 1;
	if (a->addr && b->addr)
		return (s64)(b->minor - a->minor) > 0 ? -1 : a->minor != b->minor;
	if (a->addr != b->addr)
		return b->addr ? -1 : 1;
	return a->minor < b->minor ? -1 : a->minor > b->minor;
}

/*
 * Can rows with such addresses be ordered by these columns? They need at most two keys before the
 * symbol, and none after it.
 */
static bool garbage_keys(const struct hist_columns *c)
{
	u32 i, nr = 0;

	for (i = 0; i < c->nr_sort && c->sort[i]->need != NEED_SYM; i++)
		nr += c->sort[i]->wide ? 3 : !c->sort[i]->metric;
	for (i++; i < c->nr_sort && c->sort[i]->metric;)
		i++;
	return nr <= 2 && i == c->nr_sort;
}

static struct seen *make_seen(const struct order *o)
{
	const struct hist_columns *c = &o->h->conf.cols;
	struct seen *seen = xcalloc(o->ev->nr_rows + 1, sizeof(*seen));
	size_t i;
	u32 k;

	for (i = 0; i < o->ev->nr_rows; i++) {
		const struct hist_row *row = o->ev->rows[i];
		const struct hist_place *p = &o->h->places[row->place];

		for (k = 0; c->sort[k]->need != NEED_SYM; k++)
			if (!c->sort[k]->metric)
				seen[i].major = seen[i].major << 32 |
						(u32)c->sort[k]->rank(o->h, c->sort[k], row, 0);
		seen[i].addr = p->sym == UINT32_MAX;
		seen[i].minor = seen[i].addr ? p->start : o->h->place_rank[row->place];
	}
	return seen;
}

static int seen_cmp(const void *a, const void *b, void *ctx)
{
	const struct order *o = ctx;
	const struct hist_row *ra = o->ev->rows[*(const u32 *)a],
			      *rb = o->ev->rows[*(const u32 *)b];

	if (ra->first != rb->first)
		return ra->first < rb->first ? -1 : 1;
	if (ra->thread != rb->thread)
		return ra->thread < rb->thread ? -1 : 1;
	if (ra->more->first_pos != rb->more->first_pos)
		return ra->more->first_pos < rb->more->first_pos ? -1 : 1;
	return identity_cmp(a, b, ctx);
}

static int sort_cmp(const struct order *o, u32 ia, u32 ib)
{
	return keys_cmp(entry_at(o, ia), entry_at(o, ib), o->nr_keys);
}

static void order_in_trees(struct order *o, bool garbage)
{
	size_t nr = o->ev->nr_rows;

	o->entries = xmalloc((nr + 1) * o->nr_words * sizeof(u64));
	crew_run(o->h->crew, (nr + BLOCK - 1) / BLOCK, fill_block, o);
	o->sorted = xcalloc(nr + 1, sizeof(*o->sorted));
	for (size_t i = 0; i < nr; i++)
		o->sorted[i] = (u32)i;
	parallel_sort(o->sorted, nr, sizeof(*o->sorted), garbage ? seen_cmp : identity_cmp, o,
		      o->h->conf.workers);
	if (garbage) {
		o->seen = make_seen(o);
		tree_sort(o, distance_cmp);
		tree_sort(o, distance_cmp);
		free(o->seen);
	}
	tree_sort(o, o->h->conf.by_callchain ? callchain_cmp : sort_cmp);
	free(o->entries);
}

static void order_rows(struct hist *h, struct hist_event *ev)
{
	struct order o = { .h = h, .ev = ev };
	struct id_order by = { .key = word_key, .ask = ask_row, .ctx = &o };
	struct hist_row **rows = ev->rows;
	bool garbage = h->conf.children && garbage_keys(&h->conf.cols) && any_garbage(&o);

	o.in_trees = h->conf.by_callchain || garbage;
	plan_words(&o);
	by.levels = (u32)o.nr_words;
	if (o.in_trees)
		order_in_trees(&o, garbage);
	else if (h->own_sets && ev->nr_rows > BLOCK)
		o.sorted = sort_packed(&o);
	else
		o.sorted = sort_ids(NULL, ev->nr_rows, &by, h->crew);
	ev->rows = xcalloc(ev->nr_rows + 1, sizeof(struct hist_row *));
	for (size_t i = 0; i < ev->nr_rows; i++)
		ev->rows[i] = rows[o.sorted[i]];
	free(rows);
	free(o.sorted);
	free(o.words);
}

/* ---- names and widths ---- */

#define NAMED 1024 /* places in one turn of a thread */

/* The first turn ranks the places, which takes long and needs no names. */
static void name_or_rank(void *ctx, int worker, size_t turn)
{
	struct hist *h = ctx;
	size_t i, end = MIN(turn * NAMED, h->nr_places);

	if (!turn) {
		rank_places(h);
		return;
	}
	for (i = (turn - 1) * NAMED; i < end; i++)
		if (h->place_used[i] && h->places[i].sym != UINT32_MAX)
			h->place_names[i] = hist_symbol_name(h, (u32)i);
}

/* Name the places that rows show, in parallel as demangling takes time, and make all ranks. */
static void name_and_rank(struct hist *h)
{
	size_t i;

	rank_dsos(h);
	if (!h->place_used)
		return;
	for (i = 0; i < h->nr_bases && hist_keeps_from(h); i++)
		h->place_used[h->bases[i].from] = true;
	/* two turns of few places end before a thread has started */
	crew_run(h->nr_places > NAMED ? h->crew : NULL, 1 + (h->nr_places + NAMED - 1) / NAMED,
		 name_or_rank, h);
	rank_names(h);
}

struct widths {
	u16 col[HIST_MAX_COLUMNS], dso;
};

struct measuring {
	const struct hist *h;
	const struct hist_event *ev;
	struct widths *blocks;
	bool *compared; /* from rows_compared(); NULL: no column asks */
};

#define SEEN 64 /* numbers of hist_column.measured that are remembered */

/* Tell whether a row of this number was measured lately, and note it. */
static bool seen_before(u32 seen[SEEN], u32 number)
{
	u32 *at = &seen[number % SEEN];
	bool ret = *at == number + 1;

	*at = number + 1;
	return ret;
}

static void measure_column(const struct measuring *m, const struct hist_column *col, size_t from,
			   size_t to, u16 *width, u16 *dso)
{
	u32 seen[SEEN] = { 0 };

	for (size_t i = from; i < to; i++) {
		const struct hist_row *row = m->ev->rows[i];

		if (col->if_compared && !m->compared[i])
			continue;
		if (col->measured && seen_before(seen, col->measured(m->h, row)))
			continue;
		col->measure(m->h, col, row, width, dso);
	}
}

static void measure_block(void *ctx, int worker, size_t block)
{
	struct measuring *m = ctx;
	const struct hist_columns *c = &m->h->conf.cols;
	size_t from = block * BLOCK, to = MIN(from + BLOCK, m->ev->nr_rows);
	struct widths *w = &m->blocks[block];

	for (u32 k = 0; k < c->nr; k++)
		if (c->col[k]->measure)
			measure_column(m, c->col[k], from, to, &w->col[k], &w->dso);
}

static void measure(struct hist *h, struct hist_event *ev)
{
	size_t nr_blocks = (ev->nr_rows + BLOCK - 1) / BLOCK, i;
	const struct hist_columns *c = &h->conf.cols;
	struct measuring m = { h, ev, xcalloc(nr_blocks + 1, sizeof(*m.blocks)) };
	u16 dso = 0;
	u32 k;

	for (k = 0; k < c->nr; k++)
		if (c->col[k]->if_compared && !m.compared)
			m.compared = rows_compared(h, ev);
	crew_run(h->crew, nr_blocks, measure_block, &m);
	free(m.compared);
	for (k = 0; k < c->nr; k++) {
		ev->width[k] = strlen(c->col[k]->header);
		if (ev->nr_rows || c->col[k]->metric)
			ev->width[k] = MAX(ev->width[k], c->col[k]->width);
		if (c->col[k]->metric)
			ev->width[k] *= MAX(ev->nr_members, 1u);
		for (i = 0; i < nr_blocks; i++) {
			ev->width[k] = MAX(ev->width[k], m.blocks[i].col[k]);
			dso = MAX(dso, m.blocks[i].dso);
		}
	}
	for (k = 0; k < c->nr; k++)
		if (c->col[k]->need == NEED_DSO && !c->branches && !h->conf.fixed_widths)
			ev->width[k] = MAX(ev->width[k], dso);
	free(m.blocks);
}

static bool shown(const struct hist *h, const struct hist_row *row)
{
	const char *name;

	if (!h->conf.symbol_filter || !(h->conf.cols.need & NEED_SYM))
		return true;
	name = hist_symbol_name(h, row->place);
	return name && strstr(name, h->conf.symbol_filter);
}

/* Gather the rows of each event, and note which places they have. */
static void gather_rows(struct hist *h)
{
	size_t *cap = xcalloc(h->conf.nr_events + 1, sizeof(*cap)), i;
	struct hist_event *ev;

	if (h->conf.cols.need & (NEED_SYM | NEED_SYM_FROM)) {
		h->place_used = xcalloc(h->nr_places + 1, sizeof(*h->place_used));
		h->place_samples = xcalloc(h->nr_places + 1, sizeof(*h->place_samples));
	}
	for (i = 0; i < h->nr_rows; i++) {
		struct hist_row *row = &h->rows[i];
		u32 e = h->conf.nr_events > 1 ? hist_base(h, row->base)->evsel : 0;

		if (h->place_used)
			h->place_used[row->place] = true;
		row->filtered |= !shown(h, row);
		if (row->filtered)
			continue;
		if (h->place_samples)
			h->place_samples[row->place] += row->nr;
		ev = &h->events[e];
		if (!cap[e])
			VEC_GROW_FROM(ev->rows, 1, cap[e], h->nr_rows / h->conf.nr_events + 1);
		VEC_GROW(ev->rows, ev->nr_rows + 1, cap[e]);
		ev->rows[ev->nr_rows++] = row;
	}
	free(cap);
}

void rows_order(struct hist *h)
{
	u32 e;

	h->place_names = xcalloc(h->nr_places + 1, sizeof(*h->place_names));
	heap_populate(h->place_names,
		      h->nr_places * sizeof(*h->place_names)); /* read before it is written */
	gather_rows(h);
	name_and_rank(h);
	for (e = 0; e < h->conf.nr_events; e++) {
		struct hist_event *ev = &h->events[e];

		measure(h, ev); /* while rows stand in the order of memory */
		order_rows(h, ev);
		if (h->conf.cols.hierarchy && ev->nr_members)
			rows_to_tree(h, e);
	}
}

void hist_cut(struct hist *h, u32 evsel, u64 least, size_t nr)
{
	struct hist_event *ev = &h->events[evsel];
	size_t kept = 0;

	for (size_t i = 0; i < ev->nr_rows && kept < nr; i++)
		if (ev->rows[i]->nr >= least)
			ev->rows[kept++] = ev->rows[i];
	ev->nr_rows = kept;
	measure(h, ev);
}
