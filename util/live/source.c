// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The source that reads live rings. Each ring is read up to the kernel's position at that moment,
 * and after the last ring a FINISHED_ROUND record is generated: a record that the kernel writes
 * later cannot be older than what the round before had seen.
 *
 * A record that wraps around the end of a ring is copied to a buffer. All others are borrowed from
 * the ring, whose space is given back to the kernel when the next ring is read.
 */
#include "base/compat.h"
#include "live/live.h"

#include "base/alloc.h"

#include <errno.h>

#define RECORD_MAX ((size_t)1 << 16)

enum live_phase {
	LIVE_BEFORE,  /* deliver the records of the state before */
	LIVE_READING, /* read all rings */
	LIVE_WAITING, /* a round is finished: wait for more data */
	LIVE_LAST,    /* the end has come: read all rings once more */
	LIVE_ENDED
};

struct live_source {
	struct source base;
	struct live_conf conf;
	enum live_phase phase;
	size_t ring;         /* the ring that is being read */
	bool open;           /* its spans have been read */
	struct iovec iov[2]; /* the rest of the spans */
	int nr_iov;
	u64 head;      /* their end */
	size_t before; /* bytes of conf.before that were delivered */
	u64 taken;     /* bytes of all records so far */
	struct perf_event_header round;
	u8 *whole; /* owned; buffer for a record that wraps around */
};

static struct live_source *live_source(struct source *src)
{
	return (struct live_source *)src;
}

static size_t spans_len(const struct live_source *l)
{
	return (l->nr_iov > 0 ? l->iov[0].iov_len : 0) + (l->nr_iov > 1 ? l->iov[1].iov_len : 0);
}

/* Skip @n bytes. */
static void spans_skip(struct live_source *l, size_t n)
{
	while (n && l->nr_iov) {
		size_t step = MIN(n, l->iov[0].iov_len);

		l->iov[0].iov_base = (u8 *)l->iov[0].iov_base + step;
		l->iov[0].iov_len -= step;
		n -= step;
		if (l->iov[0].iov_len)
			break;
		l->iov[0] = l->iov[1];
		l->nr_iov--;
	}
}

/* Return the next @n bytes in one piece: in the ring, or a copy when they wrap around. */
static void *spans_whole(struct live_source *l, size_t n)
{
	size_t first = l->iov[0].iov_len;

	if (n <= first)
		return l->iov[0].iov_base;
	memcpy(l->whole, l->iov[0].iov_base, first);
	memcpy(l->whole + first, l->iov[1].iov_base, n - first);
	return l->whole;
}

static void hand_out(struct live_source *l, void *rec, struct pipe_record *out)
{
	const wire_header *h = rec;

	*out = (struct pipe_record){
		.rec = rec, .type = h->type, .misc = h->misc, .size = h->size, .offset = l->taken
	};
	l->taken += h->size;
}

/* Read the next record of the current ring. Return: false when there is none. */
static bool ring_record(struct live_source *l, struct pipe_record *out, struct diag *diag)
{
	size_t len = spans_len(l);
	struct perf_event_header h;

	if (!len)
		return false;
	if (len >= sizeof(h))
		memcpy(&h, spans_whole(l, sizeof(h)), sizeof(h));
	if (len < sizeof(h) || h.size < sizeof(h) || h.size > len) {
		/*
		 * The kernel never writes that, and the start of the next record cannot be known.
		 */
		diag_add(diag, DIAG_BAD_SIZE, 1, l->taken);
		spans_skip(l, len);
		return false;
	}
	hand_out(l, spans_whole(l, h.size), out);
	spans_skip(l, h.size);
	return true;
}

/* Read the next record of this round. Return: false when all rings have been read. */
static bool round_record(struct live_source *l, struct pipe_record *out, struct diag *diag)
{
	struct rings *rings = l->conf.rings;

	for (; l->ring < rings->nr; l->ring++) {
		struct ring *r = &rings->v[l->ring];

		if (r->backward)
			continue;
		if (!l->open)
			l->nr_iov = ring_spans(r, l->iov, &l->head);
		l->open = true;
		if (ring_record(l, out, diag))
			return true;
		ring_consume(r, l->head);
		l->open = false;
	}
	l->ring = 0;
	return false;
}

/* Read the next record of the state before. Return: false when there is none. */
static bool before_record(struct live_source *l, struct pipe_record *out)
{
	const struct strbuf *b = l->conf.before;

	if (!b || l->before >= b->len)
		return false;
	hand_out(l, b->buf + l->before, out);
	l->before += out->size;
	return true;
}

static int live_next(struct source *src, struct pipe_record *out, struct diag *diag,
		     struct err *err)
{
	struct live_source *l = live_source(src);
	int ret;

	if (l->phase == LIVE_BEFORE) {
		if (before_record(l, out))
			return 1;
		l->phase = LIVE_READING;
	}
	if (l->phase == LIVE_WAITING) {
		ret = l->conf.wait(l->conf.ctx, err);
		if (ret < 0)
			return ret;
		l->phase = ret ? LIVE_READING : LIVE_LAST;
	}
	if (l->phase == LIVE_ENDED)
		return 0;
	if (round_record(l, out, diag))
		return 1;
	l->phase = l->phase == LIVE_LAST ? LIVE_ENDED : LIVE_WAITING;
	hand_out(l, &l->round, out);
	return 1;
}

static u64 live_tell(const struct source *src)
{
	return ((const struct live_source *)src)->taken;
}

static void live_close(struct source *src)
{
	free(live_source(src)->whole);
	free(src);
}

struct source *live_source_new(const struct live_conf *conf)
{
	static const struct source_ops ops = {
		.next = live_next,
		.tell = live_tell,
		.close = live_close,
	};
	struct live_source *l = xzalloc(sizeof(*l));

	l->base.ops = &ops;
	l->conf = *conf;
	l->whole = xmalloc(RECORD_MAX);
	l->round = (struct perf_event_header){ .type = PERF_RECORD_FINISHED_ROUND,
					       .size = sizeof(l->round) };
	return &l->base;
}
