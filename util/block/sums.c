// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "block/sums.h"

#include "base/alloc.h"

/* ---- rows ---- */

static struct block_row *row_of(struct block_sums *s, const struct block_key *from)
{
	struct block_key key = { 0 };
	u32 at;

	key.dev = s->by & BLOCK_BY_DEV ? from->dev : 0;
	key.task = s->by & BLOCK_BY_TASK ? from->task : 0;
	key.cgroup = s->by & BLOCK_BY_CGROUP ? from->cgroup : 0;
	key.stack = s->by & BLOCK_BY_STACK ? from->stack : 0;
	if (s->by & BLOCK_BY_OP)
		memcpy(key.rwbs, from->rwbs, sizeof(key.rwbs));
	at = intern_id(&s->keys, (const char *)&key, sizeof(key));
	if (at >= s->nr) {
		VEC_GROW(s->rows, (size_t)at + 1, s->cap);
		memset(s->rows + s->nr, 0, (at + 1 - s->nr) * sizeof(*s->rows));
		s->nr = at + 1;
		s->rows[at].key = key;
	}
	return &s->rows[at];
}

void block_sums_release(struct block_sums *s)
{
	for (u32 i = 0; i < s->nr; i++)
		for (u32 span = 0; span < BLOCK_SPANS; span++)
			free(s->rows[i].times[span]);
	free(s->rows);
	intern_release(&s->keys);
	*s = (struct block_sums){ 0 };
}

/* ---- latencies ---- */

static const struct {
	const char *name;
	u8 from, to;
} spans[BLOCK_SPANS] = {
	[BLOCK_Q2G] = { "Q2G", BLOCK_AT_Q, BLOCK_AT_G },
	[BLOCK_G2I] = { "G2I", BLOCK_AT_G, BLOCK_AT_I },
	[BLOCK_I2D] = { "I2D", BLOCK_AT_I, BLOCK_AT_D },
	[BLOCK_G2D] = { "G2D", BLOCK_AT_G, BLOCK_AT_D },
	[BLOCK_D2C] = { "D2C", BLOCK_AT_D, BLOCK_AT_C },
	[BLOCK_C2E] = { "C2E", BLOCK_AT_C, BLOCK_AT_E },
	[BLOCK_G2E] = { "G2E", BLOCK_AT_G, BLOCK_AT_E },
	[BLOCK_Q2C] = { "Q2C", BLOCK_AT_Q, BLOCK_AT_E },
	[BLOCK_Q2M] = { "Q2M", BLOCK_AT_Q, BLOCK_AT_G },
	[BLOCK_M2C] = { "M2C", BLOCK_AT_G, BLOCK_AT_E },
};

const char *block_span_name(enum block_span span)
{
	return spans[span].name;
}

static struct block_times *times_of(struct block_row *row, enum block_span span)
{
	if (!row->times[span]) {
		row->times[span] = xzalloc(sizeof(struct block_times));
		row->times[span]->min = UINT64_MAX;
	}
	return row->times[span];
}

static bool has(const struct block_io *io, enum block_moment moment)
{
	return io->seen >> moment & 1;
}

/* Tell whether a request has a latency, given that both moments are known. */
static bool applies(const struct block_io *io, enum block_span span)
{
	switch (span) {
	case BLOCK_Q2M:
	case BLOCK_M2C:
		return false;
	case BLOCK_G2D:
		return !has(io, BLOCK_AT_I);
	case BLOCK_C2E:
		return io->at[BLOCK_AT_E] != io->at[BLOCK_AT_C];
	case BLOCK_G2E:
		return !has(io, BLOCK_AT_D);
	default:
		return true;
	}
}

bool block_span_of(const struct block_io *io, enum block_span span, bool member, u64 *ns)
{
	if (member ? span != BLOCK_Q2M && span != BLOCK_M2C : !applies(io, span))
		return false;
	return block_io_span(io, spans[span].from, spans[span].to, ns);
}

static void add_time(struct block_row *row, enum block_span span, u64 ns, bool part)
{
	struct block_times *t = times_of(row, span);

	block_times_add(t, ns);
	t->part += part ? ns : 0;
}

static void add_times(struct block_row *row, const struct block_io *io, bool member)
{
	u64 ns;

	for (u32 span = 0; span < BLOCK_SPANS; span++)
		if (block_span_of(io, span, member, &ns))
			add_time(row, span, ns, !member && has(io, BLOCK_AT_Q));
}

/* ---- counts ---- */

void block_sums_end(struct block_sums *s, const struct block_key *key, const struct block_io *io)
{
	struct block_row *row = row_of(s, key);
	u32 kind = io->rw.kind;

	row->requests[kind]++;
	row->sectors[kind] += io->done;
	row->sync += !!(io->rw.flags & BLOCK_SYNC);
	row->errors += io->error != 0;
	add_times(row, io, false);
}

void block_sums_member(struct block_sums *s, const struct block_key *key, const struct block_io *io)
{
	add_times(row_of(s, key), io, true);
}

void block_sums_merge(struct block_sums *s, const struct block_key *key, u32 kind)
{
	row_of(s, key)->merges[kind]++;
}

static void fold_times(struct block_row *to, const struct block_row *from, enum block_span span)
{
	const struct block_times *times = from->times[span];
	struct block_times *t;

	if (!times)
		return;
	t = times_of(to, span);
	t->nr += times->nr;
	t->sum += times->sum;
	t->part += times->part;
	t->min = MIN(t->min, times->min);
	t->max = MAX(t->max, times->max);
	steps_fold(t->steps, times->steps);
}

void block_sums_fold(struct block_sums *to, const struct block_sums *from)
{
	for (u32 i = 1; i < from->nr; i++) {
		const struct block_row *row = &from->rows[i];
		struct block_row *sum = row_of(to, &row->key);

		for (u32 kind = 0; kind < BLOCK_KINDS; kind++) {
			sum->requests[kind] += row->requests[kind];
			sum->merges[kind] += row->merges[kind];
			sum->sectors[kind] += row->sectors[kind];
		}
		sum->sync += row->sync;
		sum->errors += row->errors;
		for (u32 span = 0; span < BLOCK_SPANS; span++)
			fold_times(sum, row, span);
	}
}
