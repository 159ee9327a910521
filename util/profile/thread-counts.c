// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "profile/thread-counts.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "base/hash.h"

#include <errno.h>
#include <inttypes.h>

struct row {
	u32 pid, tid;
	u64 *values; /* by event */
};

struct thread_counts {
	const struct evlist *events;
	struct row *rows;
	size_t nr, cap;
	struct map64 by_thread;
	size_t nr_events; /* when the first was read */
	bool *read;       /* by event: any value of it */
};

struct thread_counts *thread_counts_new(const struct evlist *l)
{
	struct thread_counts *c = xzalloc(sizeof(*c));

	c->events = l;
	return c;
}

void thread_counts_free(struct thread_counts *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->nr; i++)
		free(c->rows[i].values);
	free(c->rows);
	free(c->read);
	map64_release(&c->by_thread);
	free(c);
}

static struct row *row_of(struct thread_counts *c, u32 pid, u32 tid)
{
	u32 *slot = map64_slot(&c->by_thread, (u64)pid << 32 | tid);

	if (*slot != MAP64_NONE)
		return &c->rows[*slot];
	VEC_GROW(c->rows, c->nr + 1, c->cap);
	*slot = c->nr;
	c->rows[c->nr] = (struct row){ pid, tid, xcalloc(c->nr_events + 1, sizeof(u64)) };
	return &c->rows[c->nr++];
}

int thread_counts_add(struct thread_counts *c, const struct session_event *ev)
{
	const struct evsel *e = ev->evsel;
	struct wire_read w;
	struct rec_read r;
	u64 id, lost, value;

	if (ev->hdr->type != PERF_RECORD_READ || !e)
		return 0;
	if (!c->read) {
		c->nr_events = c->events->nr;
		c->read = xcalloc(c->nr_events + 1, sizeof(*c->read));
	}
	if (rec_read_decode(&e->layout, ev->hdr, ev->hdr->size, &r) ||
	    wire_read_init(&w, e->attr.read_format, r.values, r.nr_values * 8))
		return -EINVAL;
	for (u64 i = 0; i < w.nr; i++) {
		const struct evsel *of = e;

		value = wire_read_value(&w, i, &id, &lost);
		if (e->attr.read_format & PERF_FORMAT_ID)
			of = evlist_find_id(c->events, id);
		if (!of || of->idx >= c->nr_events)
			continue;
		row_of(c, r.pid, r.tid)->values[of->idx] += value;
		c->read[of->idx] = true;
	}
	return 0;
}

static int digits(u64 n)
{
	return snprintf(NULL, 0, "%" PRIu64, n);
}

struct widths {
	int pid, tid, name, count, *event;
};

static void measure(const struct thread_counts *c, struct widths *w)
{
	*w = (struct widths){ 3, 3, 4, 5, xcalloc(c->nr_events + 1, sizeof(int)) };
	for (size_t k = 0; k < c->nr_events; k++) {
		if (!c->read[k])
			continue;
		w->event[k] = (int)strlen(c->events->evsels[k]->name);
		w->name = MAX(w->name, w->event[k]);
	}
	for (size_t i = 0; i < c->nr; i++) {
		w->pid = MAX(w->pid, digits(c->rows[i].pid));
		w->tid = MAX(w->tid, digits(c->rows[i].tid));
		for (size_t k = 0; k < c->nr_events; k++) {
			w->event[k] = MAX(w->event[k], digits(c->rows[i].values[k]));
			w->count = MAX(w->count, digits(c->rows[i].values[k]));
		}
	}
}

static void put_name(const char *name, int width, struct strbuf *out)
{
	char text[512];

	escape_name(text, sizeof(text), name);
	strbuf_addf(out, "  %*s", width, text);
}

void thread_counts_text(const struct thread_counts *c, bool raw, struct strbuf *out)
{
	struct widths w;
	size_t i, k;

	measure(c, &w);
	strbuf_addf(out, "# %*s  %*s", w.pid, "PID", w.tid, "TID");
	if (raw)
		strbuf_addf(out, "  %*s  %*s  %*s", w.name, "Name", 3, "Raw", w.count, "Count");
	for (k = 0; !raw && k < c->nr_events; k++)
		if (c->read[k])
			put_name(c->events->evsels[k]->name, w.event[k], out);
	strbuf_addch(out, '\n');
	for (i = 0; i < c->nr; i++) {
		const struct row *r = &c->rows[i];

		if (!raw)
			strbuf_addf(out, "  %*d  %*d", w.pid, (s32)r->pid, w.tid, (s32)r->tid);
		for (k = 0; k < c->nr_events; k++) {
			if (!c->read[k])
				continue;
			if (!raw) {
				strbuf_addf(out, "  %*" PRIu64, w.event[k], r->values[k]);
				continue;
			}
			strbuf_addf(out, "  %*d  %*d", w.pid, (s32)r->pid, w.tid, (s32)r->tid);
			put_name(c->events->evsels[k]->name, w.name, out);
			strbuf_addf(out, "  %3zx  %*" PRIu64 "\n", k, w.count, r->values[k]);
		}
		if (!raw)
			strbuf_addch(out, '\n');
	}
	free(w.event);
}
