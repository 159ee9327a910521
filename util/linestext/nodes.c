// SPDX-License-Identifier: GPL-2.0-or-later
/* NUMA nodes: of CPUs, of physical memory, and the column that shows them. */
#include "base/compat.h"

#include "linestext/linestext-internal.h"

#include "base/alloc.h"
#include "base/cur.h"

#define MAX_BLOCKS (1u << 24)

/* ---- of which node something is ---- */

u32 clines_line_size(const struct recording *r, bool twice)
{
	const struct perf_file *f = r->session.file;
	size_t size;
	const void *body = perf_file_feature(f, HEADER_CLN_SIZE, &size);
	struct cur c = cur_make(body, body ? size : 0, f->swap);
	u32 line = cur_u32(&c);

	if (!cur_ok(&c) || line < 16 || line > 4096 || line & (line - 1))
		line = 64;
	return twice ? line * 2 : line;
}

s32 clines_node_of_cpu(const struct clines_table *t, u32 cpu)
{
	const struct env *env = &t->r->session.file->env;
	s32 node = cpu < env->nr_node_of ? env->node_of[cpu] : -1;

	return node < CLINES_MAX_NODES ? node : -1;
}

/* Read one node: u64 number, u64 size, and a bitmap of blocks (u64 bits, words). */
static bool read_node(struct cur *c, struct memory_node *m)
{
	u64 node = cur_u64(c);

	cur_skip(c, 8);
	m->nr_bits = cur_u64(c);
	if (!cur_ok(c) || node >= CLINES_MAX_NODES || m->nr_bits > MAX_BLOCKS)
		return false;
	m->node = (u32)node;
	m->bits = cur_bytes(c, (m->nr_bits + 63) / 64 * 8);
	return m->bits;
}

void clines_memory_read(struct clines_table *t)
{
	const struct perf_file *f = t->r->session.file;
	const struct env *env = &f->env;
	size_t size;
	const void *body = perf_file_feature(f, HEADER_MEM_TOPOLOGY, &size);
	struct cur c = cur_make(body, body ? size : 0, f->swap);
	u64 nr;

	for (u32 i = 0; i < env->nr_node_of; i++)
		t->nr_nodes = (u32)MAX((s32)t->nr_nodes, clines_node_of_cpu(t, i) + 1);
	cur_skip(&c, 8);
	t->block_size = cur_u64(&c);
	nr = cur_u64(&c);
	while (cur_ok(&c) && nr-- && t->nr_memory < CLINES_MAX_NODES &&
	       read_node(&c, &t->memory[t->nr_memory]))
		t->nr_memory++;
	if (!t->nr_memory)
		t->block_size = 0;
}

static bool has_block(const struct clines_table *t, const struct memory_node *m, u64 block)
{
	u64 word;

	if (block >= m->nr_bits)
		return false;
	memcpy(&word, m->bits + block / 64 * 8, sizeof(word));
	if (t->r->session.file->swap)
		word = __builtin_bswap64(word);
	return word >> block % 64 & 1;
}

s32 clines_node_of_page(const struct clines_table *t, u64 page)
{
	u64 block;

	if (!t->block_size)
		return -1;
	block = page * t->line_size / t->block_size;
	for (u32 i = 0; i < t->nr_memory; i++)
		if (has_block(t, &t->memory[i], block))
			return (s32)t->memory[i].node;
	return -1;
}

static int page_cmp(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

u64 clines_memory_nodes(const struct clines_table *t, u32 row, u32 nr_rows, u64 *pages)
{
	const struct line_row *rows = clines_rows(t->lines) + row;
	u64 *all = xcalloc(nr_rows + 1UL, sizeof(*all)), nodes = 0;
	u32 nr = 0;

	for (u32 i = 0; i < nr_rows; i++)
		if (rows[i].page)
			all[nr++] = rows[i].page;
	qsort(all, nr, sizeof(*all), page_cmp);
	*pages = 0;
	for (u32 i = 0; i < nr; i++) {
		s32 node;

		if (i && all[i] == all[i - 1])
			continue;
		node = clines_node_of_page(t, all[i]);
		nodes |= node < 0 ? 0 : 1ULL << node;
		(*pages)++;
	}
	free(all);
	return nodes;
}

/* ---- sets of numbers ---- */

void clines_put_set(const u64 *bits, u32 nr, struct strbuf *out)
{
	size_t at = out->len;

	for (u32 i = 0; i < nr; i++) {
		u32 first = i;

		if (!(bits[i / 64] >> i % 64 & 1))
			continue;
		while (i + 1 < nr && bits[(i + 1) / 64] >> (i + 1) % 64 & 1)
			i++;
		strbuf_addf(out, "%s%u", out->len > at ? "," : "", first);
		if (i > first)
			strbuf_addf(out, "-%u", i);
	}
}

#define MAX_CPUS 65536

/* This is known of a node and an entry. */
struct node_use {
	u64 cpus[MAX_CPUS / 64];
	u32 end; /* of the CPUs */
	u64 measure, stores;
};

static void use_add(struct node_use *u, const struct clines_table *t, const struct line_row *r)
{
	struct line_counts c = { 0 };

	for (u32 set = r->set; set; set &= set - 1)
		c.nr[__builtin_ctz(set)] = r->nr;
	u->cpus[r->cpu / 64] |= 1ULL << r->cpu % 64;
	u->end = MAX(u->end, r->cpu + 1);
	u->measure += clines_measure(t->display, &c);
	u->stores += c.nr[ACCESS_STORE];
}

/* Add up the accesses of an entry from one node; -1: from CPUs of all nodes. Return: whether there
 * were any. */
static bool use_of(struct node_use *u, const struct clines_table *t, const struct line_entry *e,
		   s32 node)
{
	const struct line_row *rows = clines_rows(t->lines) + e->row;

	memset(u, 0, sizeof(*u));
	for (u32 i = 0; i < e->nr_rows; i++)
		if (rows[i].cpu < MAX_CPUS &&
		    (node < 0 || clines_node_of_cpu(t, rows[i].cpu) == node))
			use_add(u, t, &rows[i]);
	return u->end;
}

static u32 nr_cpus(const struct node_use *u)
{
	u32 nr = 0;

	for (u32 i = 0; i < (u->end + 63) / 64; i++)
		nr += (u32)__builtin_popcountll(u->cpus[i]);
	return nr;
}

u64 clines_nr_cpus(const struct clines_table *t, const struct line_entry *e)
{
	struct node_use *u = xmalloc(sizeof(*u));
	u32 nr = use_of(u, t, e, -1) ? nr_cpus(u) : 0;

	free(u);
	return nr;
}

/* ---- the column ---- */

static void put_share(u64 part, u64 all, const char *behind, struct strbuf *out)
{
	if (all)
		strbuf_addf(out, "%5.1f%%%s", 100.0 * (double)part / (double)all, behind);
	else
		strbuf_addf(out, "%6s%s", "n/a", behind);
}

#define SHARES_WIDTH 20 /* of what put_node() writes with shares */

static void put_node(const struct clines_table *t, const struct line_counts *c, u32 node,
		     const struct node_use *u, struct strbuf *out)
{
	strbuf_addf(out, "%2u", node);
	switch (t->show->nodes) {
	case NODES_SHARES:
		strbuf_addf(out, "{%2u ", nr_cpus(u));
		put_share(u->measure, clines_measure(t->display, c), " ", out);
		put_share(u->stores, c->nr[ACCESS_STORE], "}", out);
		break;
	case NODES_CPUS:
		strbuf_addch(out, '{');
		clines_put_set(u->cpus, u->end, out);
		strbuf_addch(out, '}');
		break;
	default:
		break;
	}
}

void clines_put_nodes(const struct clines_table *t, const struct shown_entry *s, struct strbuf *out)
{
	struct node_use *u = xmalloc(sizeof(*u));
	bool any = false;

	for (u32 node = 0; node < t->nr_nodes; node++) {
		bool used = use_of(u, t, s->e, (s32)node);

		if (!used && t->show->nodes != NODES_SHARES)
			continue;
		if (any)
			strbuf_addch(out, ' ');
		any = true;
		if (used)
			put_node(t, &s->sums.counts, node, u, out);
		else
			strbuf_pad(out, out->len + SHARES_WIDTH);
	}
	free(u);
}
