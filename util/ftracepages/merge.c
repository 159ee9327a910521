// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "ftracepages/merge.h"

#include "base/alloc.h"

/* The pages of one CPU. */
struct queue {
	struct strbuf pages; /* whole ones; @at is where the next one begins */
	size_t at;
	struct fpage page;
	struct fpage_event next; /* the event that is handed out next, when @ready */
	bool open, ready, ended;
	bool lost; /* in front of @next */
	u64 nr_lost;
};

struct fmerge {
	struct fpage_layout layout;
	struct queue *queues; /* owned */
	u32 nr;
	fmerge_more more;
	void *ctx;
	u64 newest, bad;
	u32 last;   /* the queue that was read last */
	u64 others; /* the oldest event of all others: until then only @last has to be looked at */
	bool settled;
};

struct fmerge *fmerge_new(const struct fpage_layout *l, u32 nr_cpus, fmerge_more more, void *ctx)
{
	struct fmerge *m = xzalloc(sizeof(*m));

	*m = (struct fmerge){ .layout = *l, .nr = nr_cpus, .more = more, .ctx = ctx };
	m->queues = xcalloc(nr_cpus + 1, sizeof(*m->queues));
	return m;
}

void fmerge_free(struct fmerge *m)
{
	if (!m)
		return;
	for (u32 i = 0; i < m->nr; i++)
		strbuf_release(&m->queues[i].pages);
	free(m->queues);
	free(m);
}

/* Begin with the next page of a queue. Return: false when it has none. */
static bool next_page(struct fmerge *m, struct queue *q)
{
	const size_t size = m->layout.page_size;

	if (q->pages.len - q->at < size) {
		strbuf_reset(&q->pages);
		q->at = 0;
		if (q->ended || !m->more)
			return false;
		if (m->more(m->ctx, q - m->queues, &q->pages) || q->pages.len < size) {
			q->ended = true;
			return false;
		}
	}
	q->open = !fpage_open(&q->page, &m->layout, q->pages.buf + q->at, size);
	q->at += size;
	if (!q->open)
		m->bad++;
	else if (q->page.lost) {
		q->lost = true;
		q->nr_lost += q->page.nr_lost;
	}
	return true;
}

static void find_next(struct fmerge *m, struct queue *q)
{
	do {
		if (q->open && fpage_next(&q->page, &q->next)) {
			q->ready = true;
			m->newest = MAX(m->newest, q->next.time);
			return;
		}
		if (q->open && q->page.bad)
			m->bad++;
		q->open = false;
	} while (next_page(m, q));
}

/* Make room for a page. What has been read is dropped; reading goes on at the same place. */
static void make_room(struct fmerge *m, struct queue *q)
{
	const size_t page = m->layout.page_size, begin = q->open || q->ready ? q->at - page : q->at;
	const size_t in_page = q->open ? (char *)q->page.cur.p - (q->pages.buf + begin) : 0;
	const size_t left = cur_left(&q->page.cur);
	const size_t in_next = q->ready ? (char *)q->next.data - (q->pages.buf + begin) : 0;
	size_t keep = begin;

	if (begin * 2 >= q->pages.len && begin) {
		memmove(q->pages.buf, q->pages.buf + begin, q->pages.len - begin);
		q->pages.len -= begin;
		q->at -= begin;
		keep = 0;
	}
	strbuf_grow(&q->pages, page);
	if (q->open) {
		q->page.cur.p = (u8 *)q->pages.buf + keep + in_page;
		q->page.cur.end = q->page.cur.p + left;
	}
	if (q->ready)
		q->next.data = (u8 *)q->pages.buf + keep + in_next;
}

void fmerge_put(struct fmerge *m, u32 cpu, const void *page, size_t size)
{
	struct fpage p;
	struct fpage_event ev;
	struct queue *q;

	if (cpu >= m->nr || size > m->layout.page_size)
		return;
	q = &m->queues[cpu];
	m->settled = false;
	if (fpage_open(&p, &m->layout, page, size)) {
		m->bad++;
		return;
	}
	if (fpage_next(&p, &ev))
		m->newest = MAX(m->newest, ev.time);
	make_room(m, q);
	strbuf_add(&q->pages, page, size);
	/* Reads of a part of a page may be shorter than a page. */
	for (; size < m->layout.page_size; size++)
		strbuf_addch(&q->pages, 0);
}

/* Find the queue with the oldest event, and the time of the oldest one of all others. */
static void settle(struct fmerge *m)
{
	u64 first = ~0ull, second = ~0ull;

	for (u32 i = 0; i < m->nr; i++) {
		struct queue *q = &m->queues[i];

		if (!q->ready)
			find_next(m, q);
		if (!q->ready)
			continue;
		if (q->next.time < first) {
			second = first;
			first = q->next.time;
			m->last = i;
		} else {
			second = MIN(second, q->next.time);
		}
	}
	m->others = second;
	m->settled = true;
}

bool fmerge_next(struct fmerge *m, u64 until, struct fmerge_event *out)
{
	struct queue *q;

	if (!m->nr)
		return false;
	q = &m->queues[m->last];
	if (m->settled && !q->ready)
		find_next(m, q);
	if (!m->settled || !q->ready || q->next.time > m->others) {
		settle(m);
		q = &m->queues[m->last];
	}
	if (!q->ready || q->next.time > until)
		return false;
	*out = (struct fmerge_event){ q->next, m->last, q->lost, q->nr_lost };
	q->ready = q->lost = false;
	q->nr_lost = 0;
	return true;
}

bool fmerge_peek(struct fmerge *m, u32 cpu, struct fpage_event *out)
{
	struct queue *q;

	if (cpu >= m->nr)
		return false;
	q = &m->queues[cpu];
	if (!q->ready)
		find_next(m, q);
	if (q->ready)
		*out = q->next;
	return q->ready;
}

void fmerge_skip(struct fmerge *m, u32 cpu)
{
	if (cpu < m->nr)
		m->queues[cpu].ready = false;
}

u64 fmerge_newest(const struct fmerge *m)
{
	return m->newest;
}

u64 fmerge_bad(const struct fmerge *m)
{
	return m->bad;
}
