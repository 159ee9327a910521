// SPDX-License-Identifier: GPL-2.0-or-later
/* Count the stretches of code between branches by address, and assign them to functions. */
#include "base/compat.h"

#include "hist/blocks.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "hist/index.h"
#include "hist/sort.h"
#include "hist/hist.h"

#define NO_START UINT64_MAX

/* The cycles that a block took once, and the place of that in the order of time. */
struct timed {
	u64 order, cycles;
};

/* A block, told apart by addresses. */
struct raw_block {
	u64 start, end; /* start: NO_START when the branch before is not known */
	u32 epoch, kernel_epoch, nr_first;
	u64 cycles, nr, least, most;
	struct timed first[BLOCK_TIMES]; /* in order */
};

struct blocks_worker {
	struct raw_block *raws;
	size_t nr, cap;
	struct index by_address;
};

/* A block of a function, and the addresses that it is made of. */
struct found {
	struct block b;
	const struct raw_block *raw;
	bool open; /* its start is not known */
};

struct blocks {
	struct blocks_worker **workers;
	int nr_workers;
	struct block *v;
	size_t nr;
};

struct blocks *blocks_new(void)
{
	return xzalloc(sizeof(struct blocks));
}

struct blocks_worker *blocks_worker_new(struct blocks *b)
{
	struct blocks_worker *w = xzalloc(sizeof(*w));

	b->workers = xrealloc(b->workers, b->nr_workers + 1, sizeof(*b->workers));
	b->workers[b->nr_workers++] = w;
	return w;
}

void blocks_free(struct blocks *b)
{
	if (!b)
		return;
	for (int i = 0; i < b->nr_workers; i++) {
		free(b->workers[i]->raws);
		index_release(&b->workers[i]->by_address);
		free(b->workers[i]);
	}
	free(b->workers);
	free(b->v);
	free(b);
}

/* ---- counting ---- */

/* Keep the times that came first, on whichever thread they were counted. */
static void note_time(struct raw_block *r, u64 order, u64 cycles)
{
	u32 at = MIN(r->nr_first, (u32)BLOCK_TIMES);

	while (at && r->first[at - 1].order > order)
		at--;
	if (at == BLOCK_TIMES)
		return;
	if (r->nr_first < BLOCK_TIMES)
		r->nr_first++;
	memmove(r->first + at + 1, r->first + at, (r->nr_first - 1 - at) * sizeof(*r->first));
	r->first[at] = (struct timed){ order, cycles };
}

static void count(struct blocks_worker *w, const struct raw_block *key, u64 cycles, u64 order)
{
	u64 hash = hash_u64(key->end ^ hash_u64(key->start ^ (u64)key->epoch << 20));
	struct raw_block *r = NULL;
	size_t pos;

	index_reserve(&w->by_address);
	index_for_each(&w->by_address, hash, pos)
	{
		r = &w->raws[index_at(&w->by_address, pos)];
		if (r->start == key->start && r->end == key->end && r->epoch == key->epoch &&
		    r->kernel_epoch == key->kernel_epoch)
			break;
		r = NULL;
	}
	if (!r) {
		VEC_GROW(w->raws, w->nr + 1, w->cap);
		index_put(&w->by_address, pos, hash, (u32)w->nr);
		r = &w->raws[w->nr++];
		*r = *key;
		r->least = UINT64_MAX;
	}
	r->cycles += cycles;
	r->nr++;
	r->least = MIN(r->least, cycles);
	r->most = MAX(r->most, cycles);
	note_time(r, order, cycles);
}

void blocks_add(struct blocks_worker *w, const struct sample *s, u32 epoch, u32 kernel_epoch,
		u64 order)
{
	struct raw_block key = { .start = NO_START, .epoch = epoch, .kernel_epoch = kernel_epoch };
	u64 i;

	if (!s->nr_branches || !HIST_CYCLES(s->branches[2]))
		return;
	for (i = s->nr_branches; i--;) { /* the oldest is the last */
		u64 cycles = HIST_CYCLES(s->branches[i * 3 + 2]);

		key.end = s->branches[i * 3];
		if (key.start > key.end) /* something went on in between */
			key.start = NO_START;
		if (cycles)
			count(w, &key, cycles, order << 16 | ((s->nr_branches - i) & 0xffff));
		key.start = s->branches[i * 3 + 1];
	}
}

/* ---- functions ---- */

static void locate(const struct resolver *r, const struct raw_block *raw, u64 ip,
		   struct location *l)
{
	struct resolve_near near = { 0 };
	bool kernel = (s64)ip < 0 && ip < 0xffffffffff600000ULL;

	resolver_find(r, &near, kernel ? raw->kernel_epoch : raw->epoch,
		      kernel ? PERF_RECORD_MISC_KERNEL : RESOLVE_ANY_MODE, ip, l);
}

static bool find(const struct resolver *r, const struct raw_block *raw, struct found *f)
{
	struct location start, end;
	u64 from;

	locate(r, raw, raw->end, &end);
	if (!end.symtab || end.sym == UINT32_MAX)
		return false;
	from = symtab_get(end.symtab, end.sym).start;
	*f = (struct found){
		.b = { .symtab = end.symtab,
		       .sym = end.sym,
		       .end = end.addr - from,
		       .object = location_dso(&end) },
		.raw = raw,
		.open = true,
	};
	if (raw->start == NO_START)
		return true;
	locate(r, raw, raw->start, &start);
	if (start.symtab == end.symtab && start.sym == end.sym) {
		f->b.start = start.addr - from;
		f->open = false;
	}
	return true;
}

static int symbol_cmp(const struct block *a, const struct block *b)
{
	if (a->symtab != b->symtab)
		return (uintptr_t)a->symtab < (uintptr_t)b->symtab ? -1 : 1;
	return a->sym < b->sym ? -1 : a->sym > b->sym;
}

/* Order blocks by end, the longest first and those of unknown length last. */
static int end_cmp(const void *pa, const void *pb)
{
	const struct found *a = pa, *b = pb;
	int c = symbol_cmp(&a->b, &b->b);

	if (c)
		return c;
	if (a->b.end != b->b.end)
		return a->b.end < b->b.end ? -1 : 1;
	if (a->open != b->open)
		return a->open - b->open;
	return a->b.start < b->b.start ? -1 : a->b.start > b->b.start;
}

static int block_cmp(const void *pa, const void *pb)
{
	const struct block *a = pa, *b = pb;
	int c = symbol_cmp(a, b);

	if (c)
		return c;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

/* Make one block of @nr blocks that end alike. */
static struct block join(const struct found *f, size_t nr)
{
	struct raw_block all = { 0 };
	struct block b = f[0].b;

	b.least = UINT64_MAX;

	for (size_t i = 0; i < nr; i++) {
		b.cycles += f[i].raw->cycles;
		b.nr += f[i].raw->nr;
		b.least = MIN(b.least, f[i].raw->least);
		b.most = MAX(b.most, f[i].raw->most);
		if (f[i].open || f[i].b.start != b.start)
			continue;
		for (u32 k = 0; k < f[i].raw->nr_first; k++)
			note_time(&all, f[i].raw->first[k].order, f[i].raw->first[k].cycles);
	}
	b.nr_times = all.nr_first;
	for (u32 k = 0; k < b.nr_times; k++)
		b.times[k] = all.first[k].cycles;
	return b;
}

void blocks_finish(struct blocks *b, const struct resolver *r)
{
	size_t nr = 0, kept = 0, i, k;
	struct found *f;

	for (int w = 0; w < b->nr_workers; w++)
		nr += b->workers[w]->nr;
	f = xcalloc(nr + 1, sizeof(*f));
	for (int w = 0; r && w < b->nr_workers; w++)
		for (i = 0; i < b->workers[w]->nr; i++)
			kept += find(r, &b->workers[w]->raws[i], &f[kept]);
	qsort(f, kept, sizeof(*f), end_cmp);
	b->v = xcalloc(kept + 1, sizeof(*b->v));
	for (i = 0; i < kept; i = k) {
		for (k = i + 1; k < kept; k++)
			if (symbol_cmp(&f[i].b, &f[k].b) || f[i].b.end != f[k].b.end)
				break;
		b->v[b->nr++] = join(f + i, k - i);
	}
	qsort(b->v, b->nr, sizeof(*b->v), block_cmp);
	free(f);
}

const struct block *blocks_of(const struct blocks *b, const struct symtab *symtab, u32 sym,
			      size_t *nr)
{
	const struct block key = { .symtab = symtab, .sym = sym };
	size_t low = 0, high = b->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (symbol_cmp(&b->v[mid], &key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (*nr = 0; low + *nr < b->nr && !symbol_cmp(&b->v[low + *nr], &key);)
		++*nr;
	return b->v + low;
}

const struct block *blocks_all(const struct blocks *b, size_t *nr)
{
	*nr = b->nr;
	return b->v;
}
