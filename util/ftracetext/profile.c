// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ftracetext/profile.h"

#include "base/alloc.h"
#include "codec/json.h"

#include <stdlib.h>

#define DEPTHS 64 /* deeper functions count as called by nobody */

struct row {
	u64 function;
	s32 pid; /* 0 unless rows are by thread */
	u64 count, total, max, self;
	char *name; /* owned; while rows are sorted and shown */
};

/* The time that the functions which a thread runs at this moment have spent in others. */
struct thread {
	s32 pid;
	bool used;
	u64 below[DEPTHS + 1];
};

struct fprofile {
	bool by_thread;
	struct row *rows; /* owned; a hash table, free places have count 0 */
	size_t nr, cap;
	struct thread *threads; /* owned; a hash table */
	size_t nr_threads, cap_threads;
};

struct fprofile *fprofile_new(bool by_thread)
{
	struct fprofile *p = xzalloc(sizeof(*p));

	p->by_thread = by_thread;
	p->cap = 1024;
	p->rows = xcalloc(p->cap, sizeof(*p->rows));
	p->cap_threads = 64;
	p->threads = xcalloc(p->cap_threads, sizeof(*p->threads));
	return p;
}

void fprofile_free(struct fprofile *p)
{
	if (!p)
		return;
	free(p->rows);
	free(p->threads);
	free(p);
}

static struct row *row_at(struct row *rows, size_t cap, u64 function, s32 pid)
{
	size_t i = ((function ^ (u64)(u32)pid << 40) * 0x9e3779b97f4a7c15ull >> 20) & (cap - 1);

	while (rows[i].count && (rows[i].function != function || rows[i].pid != pid))
		i = (i + 1) & (cap - 1);
	return &rows[i];
}

static struct row *find_row(struct fprofile *p, u64 function, s32 pid)
{
	struct row *old = p->rows, *r;

	if (p->nr * 2 >= p->cap) {
		p->rows = xcalloc(p->cap * 2, sizeof(*p->rows));
		for (size_t i = 0; i < p->cap; i++)
			if (old[i].count)
				*row_at(p->rows, p->cap * 2, old[i].function, old[i].pid) = old[i];
		p->cap *= 2;
		free(old);
	}
	r = row_at(p->rows, p->cap, function, pid);
	p->nr += !r->count;
	r->function = function;
	r->pid = pid;
	return r;
}

static struct thread *thread_at(struct thread *threads, size_t cap, s32 pid)
{
	size_t i = ((u32)pid * 2654435761u) & (cap - 1);

	while (threads[i].used && threads[i].pid != pid)
		i = (i + 1) & (cap - 1);
	return &threads[i];
}

static struct thread *find_thread(struct fprofile *p, s32 pid)
{
	struct thread *old = p->threads, *t;

	if (p->nr_threads * 2 >= p->cap_threads) {
		p->threads = xcalloc(p->cap_threads * 2, sizeof(*p->threads));
		for (size_t i = 0; i < p->cap_threads; i++)
			if (old[i].used)
				*thread_at(p->threads, p->cap_threads * 2, old[i].pid) = old[i];
		p->cap_threads *= 2;
		free(old);
	}
	t = thread_at(p->threads, p->cap_threads, pid);
	p->nr_threads += !t->used;
	t->used = true;
	t->pid = pid;
	return t;
}

void fprofile_add(struct fprofile *p, const struct fgraph_exit *x)
{
	const u64 ns = x->end > x->start ? x->end - x->start : 0;
	const u32 depth = x->depth < 0 ? 0 : MIN((u32)x->depth, (u32)DEPTHS - 1);
	struct thread *t = find_thread(p, x->pid);
	struct row *r = find_row(p, x->function, p->by_thread ? x->pid : 0);
	const u64 below = t->below[depth + 1];

	/* Functions that it has called have returned before, and have added their times. */
	t->below[depth + 1] = 0;
	t->below[depth] += ns;
	r->count++;
	r->total += ns;
	r->max = MAX(r->max, ns);
	r->self += ns > below ? ns - below : 0;
}

void fprofile_add_sum(struct fprofile *p, u64 function, u64 count, u64 total, u64 max)
{
	struct row *r = count ? find_row(p, function, 0) : NULL;

	if (!r)
		return;
	r->count += count;
	r->total += total;
	r->max = MAX(r->max, max);
	r->self += total;
}

static int down(u64 a, u64 b)
{
	return a < b ? 1 : a > b ? -1 : 0;
}

static int by_name(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return strcmp(x->name, y->name) ?: (x->pid > y->pid) - (x->pid < y->pid);
}

static int by_total(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return down(x->total, y->total) ?: by_name(a, b);
}

static int by_avg(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return down(x->total / x->count, y->total / y->count) ?: by_name(a, b);
}

static int by_max(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return down(x->max, y->max) ?: by_name(a, b);
}

static int by_count(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return down(x->count, y->count) ?: by_name(a, b);
}

static int by_self(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return down(x->self, y->self) ?: by_name(a, b);
}

static const struct {
	const char *name;
	int (*compare)(const void *a, const void *b);
} keys[] = {
	{ "total", by_total }, { "avg", by_avg },   { "max", by_max },
	{ "count", by_count }, { "self", by_self }, { "name", by_name },
};

bool fprofile_sort_check(const char *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(keys[i].name, key))
			return true;
	return false;
}

void fprofile_sort_words(struct strbuf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		strbuf_addf(out, "%s%s", i ? " " : "", keys[i].name);
}

static void put_row(const struct row *r, struct ftext *t, bool by_thread, struct strbuf *out)
{
	strbuf_addf(out, "%12.3f %10.3f %10.3f %10.3f %10" PRIu64 "   ", r->total / 1e3,
		    (double)r->total / r->count / 1e3, r->max / 1e3, r->self / 1e3, r->count);
	if (by_thread)
		strbuf_addf(out, "%16s %-7d   ", ftext_task(t, r->pid), r->pid);
	strbuf_addf(out, "%s\n", r->name);
}

static void put_json(const struct row *r, struct ftext *t, bool by_thread, struct strbuf *out)
{
	strbuf_addstr(out, "{\"function\":");
	json_string(out, r->name);
	if (by_thread) {
		strbuf_addf(out, ",\"tid\":%d,\"comm\":", r->pid);
		json_string(out, ftext_task(t, r->pid));
	}
	strbuf_addf(out,
		    ",\"count\":%" PRIu64 ",\"total_ns\":%" PRIu64 ",\"max_ns\":%" PRIu64
		    ",\"self_ns\":%" PRIu64 "}",
		    r->count, r->total, r->max, r->self);
}

void fprofile_put(struct fprofile *p, struct ftext *t, const char *key, bool json,
		  struct strbuf *out)
{
	struct row *rows = xcalloc(p->nr + 1, sizeof(*rows));
	size_t nr = 0;

	for (size_t i = 0; i < p->cap; i++)
		if (p->rows[i].count) {
			struct strbuf name = STRBUF_INIT;

			rows[nr] = p->rows[i];
			ftext_function(t, rows[nr].function, &name);
			rows[nr++].name = strbuf_detach(&name);
		}
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(keys[i].name, key))
			qsort(rows, nr, sizeof(*rows), keys[i].compare);
	if (json)
		strbuf_addch(out, '[');
	else
		strbuf_addf(
			out,
			"# Total (us)   Avg (us)   Max (us)  Self (us)      Count   %sFunction\n",
			p->by_thread ? "            Task TID       " : "");
	for (size_t i = 0; i < nr; i++) {
		if (json && i)
			strbuf_addstr(out, ",\n");
		(json ? put_json : put_row)(&rows[i], t, p->by_thread, out);
		free(rows[i].name);
	}
	if (json)
		strbuf_addstr(out, "]\n");
	free(rows);
}
