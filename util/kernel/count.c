// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading the counts of events. */
#include "base/compat.h"
#include "kernel/count.h"

#include "base/alloc.h"
#include "kernel/walk.h"

#include <unistd.h>

/* Return the number of words of a value in a group, and those before the first value. */
static size_t words_each(u64 format)
{
	return 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
}

static size_t words_of_time(u64 format)
{
	return !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
	       !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
}

static void take_times(struct kcount *c, const u64 *v, u64 format)
{
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		c->enabled = *v++;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		c->running = *v;
}

static void read_one(const struct kfd *k, u64 format, kcount_fn *fn, void *ctx)
{
	struct kcount c = { 0 };
	u64 v[8];

	if (read(k->fd, v, sizeof(v)) < (ssize_t)((1 + words_of_time(format)) * sizeof(*v)))
		return;
	c.val = v[0];
	take_times(&c, v + 1, format);
	fn(ctx, k, &c);
}

/*
 * The members of a group have the order in which they were opened: that of the list, without events
 * that the kernel does not count.
 */
static void read_group(const struct kevents *k, size_t leader, const struct evsel *e, u64 *v,
		       size_t room, kcount_fn *fn, void *ctx)
{
	u64 format = e->attr.read_format;
	const struct kfd *at = &k->fds[leader];
	size_t head = 1 + words_of_time(format), each = words_each(format), member = 0, got;
	struct kcount c = { 0 };
	ssize_t n = read(at->fd, v, room);

	got = n < 0 ? 0 : (size_t)n / sizeof(*v);
	if (got < head)
		return;
	take_times(&c, v + 1, format);
	for (size_t i = leader; i < k->nr && k->fds[i].evsel < e->idx + e->nr_members; i++) {
		const u64 *value = v + head + member * each;

		if (k->fds[i].cpu != at->cpu || k->fds[i].tid != at->tid)
			continue;
		if (member >= v[0] || head + (member + 1) * each > got)
			return;
		c.val = value[0];
		fn(ctx, &k->fds[i], &c);
		member++;
	}
}

static size_t room_for(const struct evlist *l)
{
	size_t most = 0;

	for (size_t i = 0; i < l->nr; i++)
		most = MAX(most, (size_t)l->evsels[i]->nr_members);
	return (3 + 3 * most) * sizeof(u64);
}

struct reading {
	const struct kevents *k;
	const struct evlist *l;
	u64 *v; /* owned; @room bytes, enough for a group */
	size_t room;
	kcount_fn *fn;
	void *ctx;
};

/* Members of a group are read with their leader. */
static void read_place(void *ctx, size_t i)
{
	const struct reading *r = ctx;
	const struct kfd *k = &r->k->fds[i];
	const struct evsel *e = r->l->evsels[k->evsel];

	if (!(r->l->evsels[e->leader]->attr.read_format & PERF_FORMAT_GROUP))
		read_one(k, e->attr.read_format, r->fn, r->ctx);
	else if (e->leader == e->idx)
		read_group(r->k, i, e, r->v, r->room, r->fn, r->ctx);
}

static struct reading reading_of(const struct kevents *k, const struct evlist *l, kcount_fn *fn,
				 void *ctx)
{
	size_t room = room_for(l);

	return (struct reading){ k, l, xmalloc(room), room, fn, ctx };
}

void kevents_read(const struct kevents *k, const struct evlist *l, kcount_fn *fn, void *ctx)
{
	struct reading r = reading_of(k, l, fn, ctx);

	kevents_walk(k, read_place, &r);
	free(r.v);
}

struct sum {
	u32 evsel;
	u64 val;
};

static void add_up(void *ctx, const struct kfd *k, const struct kcount *c)
{
	struct sum *s = ctx;

	if (k->evsel == s->evsel)
		s->val += c->val;
}

u64 kevents_count(const struct kevents *k, const struct evlist *l, const struct evsel *e)
{
	struct sum s = { .evsel = e->idx };
	struct reading r = reading_of(k, l, add_up, &s);

	for (size_t i = 0; i < k->nr; i++)
		if (k->fds[i].evsel == e->idx)
			read_place(&r, i);
	free(r.v);
	return s.val;
}
