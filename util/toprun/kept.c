// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "toprun/kept.h"

#include "base/alloc.h"
#include "wire/encode.h"

/* These fields tell samples apart, but do not matter to a live profile. */
#define NOT_KEPT                                                                                   \
	(PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_STREAM_ID |      \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ)
/* Copies of stacks have become call chains. */
#define COPIED (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

static void kept_layout(struct wire_layout *l, const struct kept_conf *conf,
			const struct perf_event_attr *of)
{
	struct perf_event_attr attr = *of;
	u64 left_out = NOT_KEPT;

	if (attr.sample_type & PERF_SAMPLE_STACK_USER) {
		left_out |= COPIED;
		attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	}
	left_out |= conf->cpus ? 0 : PERF_SAMPLE_CPU;
	left_out |= conf->raw ? 0 : PERF_SAMPLE_RAW;
	attr.sample_type &= ~left_out;
	layout_init(l, &attr);
}

void kept_init(struct kept *k, const struct kept_conf *conf, const struct evlist *l)
{
	*k = (struct kept){ .conf = *conf, .nr_layouts = (u32)l->nr };
	k->layouts = xcalloc(l->nr + 1, sizeof(*k->layouts));
	for (size_t i = 0; i < l->nr; i++)
		kept_layout(&k->layouts[i], conf, &l->evsels[i]->attr);
}

void kept_release(struct kept *k)
{
	free(k->layouts);
	free(k->v);
	strbuf_release(&k->bytes);
	map64_release(&k->by_hash);
	*k = (struct kept){ 0 };
}

void kept_clear(struct kept *k)
{
	k->nr = 0;
	strbuf_reset(&k->bytes);
	map64_release(&k->by_hash);
}

/* ---- counting ---- */

static bool same(const struct kept *k, const struct kept_sample *a, const struct kept_sample *b)
{
	return a->evsel == b->evsel && a->comm == b->comm && a->epoch == b->epoch &&
	       a->size == b->size && !memcmp(k->bytes.buf + a->at, k->bytes.buf + b->at, a->size);
}

/* Return the place in by_hash of a sample that is equal to @s, or of a new one. */
static u32 *find(struct kept *k, const struct kept_sample *s)
{
	u64 hash = hash_mix(hash_bytes(k->bytes.buf + s->at, s->size),
			    (u64)s->epoch << 32 ^ (u64)s->comm << 8 ^ s->evsel);
	u32 *slot;

	for (;; hash++) {
		slot = map64_slot(&k->by_hash, hash);
		if (*slot == MAP64_NONE || same(k, &k->v[*slot], s))
			return slot;
	}
}

/* Add a sample whose record is the last one of the bytes. */
static void add(struct kept *k, const struct kept_sample *s)
{
	u32 *slot = find(k, s);
	struct kept_sample *to;

	if (*slot != MAP64_NONE) {
		to = &k->v[*slot];
		to->nr += s->nr;
		to->period += s->period;
		to->time = MAX(to->time, s->time);
		k->bytes.len = s->at;
		return;
	}
	*slot = (u32)k->nr;
	VEC_GROW(k->v, k->nr + 1, k->cap);
	k->v[k->nr++] = *s;
}

void kept_add(struct kept *k, const struct session_event *ev, const struct sample *s,
	      const struct thread_at *at)
{
	u32 evsel = ev->evsel->idx;
	struct kept_sample new = {
		.time = ev->time,
		.period = s->period,
		.nr = 1,
		.evsel = evsel,
		.comm = at->comm,
		.epoch = at->epoch,
	};

	while (k->bytes.len > k->conf.limit)
		kept_age(k);
	new.at = k->bytes.len;
	if (evsel >= k->nr_layouts || enc_sample(&k->bytes, &k->layouts[evsel], s)) {
		k->dropped++;
		return;
	}
	new.size = (u32)(k->bytes.len - new.at);
	add(k, &new);
}

u32 kept_get(const struct kept *k, size_t i, struct sample *out)
{
	const struct kept_sample *s = &k->v[i];

	if (sample_decode(&k->layouts[s->evsel], k->bytes.buf + s->at, s->size, out))
		return 0;
	out->time = s->time;
	out->period = s->period;
	return s->nr;
}

u64 kept_oldest(const struct kept *k)
{
	u64 oldest = UINT64_MAX;

	for (size_t i = 0; i < k->nr; i++)
		oldest = MIN(oldest, k->v[i].time);
	return oldest;
}

u64 kept_total(const struct kept *k)
{
	u64 sum = 0;

	for (size_t i = 0; i < k->nr; i++)
		sum += k->v[i].nr;
	return sum;
}

/* ---- forgetting ---- */

/* Make the tables anew of the samples that there were before in @old. */
static void add_again(struct kept *k, const struct kept_sample *s, const struct strbuf *old)
{
	struct kept_sample copy = *s;

	copy.at = k->bytes.len;
	strbuf_add(&k->bytes, old->buf + s->at, s->size);
	add(k, &copy);
}

/* Return what is left of the samples that @s stands for. */
static struct kept_sample aged(struct kept *k, const struct kept_sample *s)
{
	struct kept_sample left = *s;
	u32 gone = (u32)(((u64)k->owed + s->nr) / KEPT_FORGOTTEN);

	k->owed = (u32)(((u64)k->owed + s->nr) % KEPT_FORGOTTEN);
	left.nr -= gone;
	left.period -= (u64)((double)s->period * gone / s->nr);
	return left;
}

static void rebuild(struct kept *k,
		    struct kept_sample (*change)(struct kept *, const struct kept_sample *))
{
	struct kept_sample *was = k->v;
	struct strbuf bytes = k->bytes;
	size_t nr = k->nr;

	k->v = NULL;
	k->nr = k->cap = 0;
	k->bytes = (struct strbuf)STRBUF_INIT;
	map64_release(&k->by_hash);
	for (size_t i = 0; i < nr; i++) {
		struct kept_sample s = change ? change(k, &was[i]) : was[i];

		if (s.nr)
			add_again(k, &s, &bytes);
	}
	free(was);
	strbuf_release(&bytes);
}

void kept_age(struct kept *k)
{
	rebuild(k, aged);
}

void kept_move(struct kept *k, kept_thread_fn *fn, void *ctx)
{
	struct thread_at at;
	struct sample s;

	for (size_t i = 0; i < k->nr; i++) {
		kept_get(k, i, &s);
		fn(ctx, s.pid, s.tid, s.time, &at);
		k->v[i].comm = at.comm;
		k->v[i].epoch = at.epoch;
	}
	rebuild(k, NULL);
}
