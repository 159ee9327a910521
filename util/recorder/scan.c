// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One walk over the headers of records on their way from the ring to the file; the write that
 * follows finds them in the cache. The file need not be read again at the end.
 */
#include "base/compat.h"
#include "recorder/scan-internal.h"

#include "base/alloc.h"
#include "recorder/existing.h"
#include "wire/framing.h"

#include <sys/mman.h>
#include <unistd.h>

#define MMAP2_ID 40 /* where a record has a build-id, or a device */

struct scan {
	u32 pid; /* ours */
	struct scan_opts o;
	struct record_scan *out;
	struct wire_layout l; /* when all events agree on where things are */
	bool same;
	struct scan_objects objects;
	bool wrong;                     /* a record says that it has a build-id, and has none */
	struct strbuf mended;           /* owned: what was in a ring with such records, put right */
	_Alignas(8) u8 joined[1 << 16]; /* a record of two spans */
};

static void mark_chain(struct scan *s, const struct sample *sm)
{
	bool user = sm->cpumode == PERF_RECORD_MISC_USER;

	for (u64 i = 0; i < sm->nr_callchain; i++) {
		u64 ip = sm->callchain[i];

		if (ip >= (u64)PERF_CONTEXT_MAX)
			user = ip == (u64)PERF_CONTEXT_USER;
		else if (user)
			objects_user(&s->objects, sm->pid, ip);
	}
}

/* The user part of chains that were recorded without it. */
static void scan_deferred(struct scan *s, const u8 *rec, size_t size)
{
	struct sample part = { .cpumode = PERF_RECORD_MISC_USER };
	struct rec_deferred d;
	struct sample_id id;

	if (rec_deferred_decode(rec, size, &d) || !evlist_trailer(s->o.list, rec, size, &id))
		return;
	part.pid = id.pid;
	part.callchain = d.ips;
	part.nr_callchain = d.nr;
	mark_chain(s, &part);
}

static const struct wire_layout *layout_of(struct scan *s, const u8 *rec, size_t size)
{
	const struct evsel *e;

	if (s->same)
		return &s->l;
	e = evlist_of_sample(s->o.list, rec, size);
	return e ? &e->layout : NULL;
}

/* Add 1 to a counter that the main thread looks at while another one counts. */
static void count_up(u64 *n)
{
	__atomic_store_n(n, *n + 1, __ATOMIC_RELAXED);
}

/* Tell whether a sample is of the recorder itself. */
static bool is_own(const struct scan *s, const struct wire_layout *l, const u8 *rec, size_t size)
{
	return l && l->off_tid >= 0 && (size_t)l->off_tid + 8 <= size &&
	       *(const u32_una *)(rec + l->off_tid) == s->pid;
}

static void scan_sample(struct scan *s, const u8 *rec, size_t size)
{
	const struct wire_layout *l = layout_of(s, rec, size);
	u16 mode = ((const struct perf_event_header *)rec)->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	u64 ip, time;
	u32 pid;

	count_up(&s->out->samples);
	if (!l || l->off_ip < 0 || l->off_tid < 0 || (size_t)l->off_tid + 8 > size ||
	    (size_t)l->off_ip + 8 > size)
		return;
	if (l->off_time >= 0 && (size_t)l->off_time + 8 <= size) {
		time = *(const u64_una *)(rec + l->off_time);
		if (!s->out->first_time || time < s->out->first_time)
			s->out->first_time = time;
		if (time > s->out->last_time)
			s->out->last_time = time;
	}
	pid = *(const u32_una *)(rec + l->off_tid);
	if (is_own(s, l, rec, size))
		count_up(&s->out->own);
	/* the record of its fork may have been overwritten */
	if (s->o.tasks && s->o.note_samples)
		map64_set(s->o.tasks, pid, 1);
	if (!s->o.objects)
		return;
	ip = *(const u64_una *)(rec + l->off_ip);
	if (mode == PERF_RECORD_MISC_KERNEL)
		objects_kernel(&s->objects, ip);
	else if (mode == PERF_RECORD_MISC_USER)
		objects_user(&s->objects, pid, ip);
	if (l->sample_type & PERF_SAMPLE_CALLCHAIN) {
		struct sample sm;

		if (!sample_decode(l, rec, size, &sm))
			mark_chain(s, &sm);
	}
}

static void add_lost(struct record_scan *out, u64 id, u64 lost)
{
	size_t i = 0;

	while (i < out->nr_lost && out->lost[i].id != id)
		i++;
	if (i == out->nr_lost) {
		VEC_GROW(out->lost, i + 1, out->cap_lost);
		out->lost[out->nr_lost++] = (struct seen_lost){ .id = id };
	}
	out->lost[i].lost += lost;
}

static void scan_lost(struct scan *s, const u8 *rec, size_t size)
{
	const struct perf_event_header *h = (const void *)rec;
	struct rec_lost l;

	if (rec_lost_decode(rec, size, &l))
		return;
	if (h->type == PERF_RECORD_LOST) {
		s->out->lost_chunks++;
		s->out->lost_events += l.lost;
		add_lost(s->out, l.id, l.lost);
	} else if (!(h->misc & RECORD_MISC_LOST_BPF)) {
		s->out->lost_samples += l.lost;
	}
}

/* Tell whether this is a record of ours about a process in another mount namespace: it has the
 * size of a build-id where the kernel puts the major number of a device, and no device has that
 * number. */
static bool own_id(const wire_header *h)
{
	const u8 *p = (const u8 *)h;

	return h->size > MMAP2_ID + 4 && (p[MMAP2_ID] == 16 || p[MMAP2_ID] == 20) &&
	       !p[MMAP2_ID + 1] && !p[MMAP2_ID + 2] && !p[MMAP2_ID + 3];
}

/* Beside a recorder that asks for build-ids in records of maps the kernel says of ours that they
 * have them, too, and still writes the numbers of the file: the reference aborts when it reads
 * that. */
static bool wrong_id(const struct scan *s, const wire_header *h)
{
	return h->type == PERF_RECORD_MMAP2 && h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID &&
	       !s->o.build_ids && !own_id(h);
}

static void mend(const struct scan *s, u8 *p, size_t len)
{
	wire_header *h;

	for (size_t at = 0; (h = (wire_header *)frame_whole(p, len, at)); at += h->size)
		if (wrong_id(s, h))
			h->misc &= (u16)~PERF_RECORD_MISC_MMAP_BUILD_ID;
}

/* Return: bytes of whole records. */
static size_t walk(struct scan *s, const u8 *p, size_t len)
{
	const wire_header *h;
	size_t at;

	for (at = 0; (h = frame_whole(p, len, at)); at += h->size) {
		s->out->events++;
		s->wrong |= wrong_id(s, h);
		if (h->type == PERF_RECORD_SAMPLE)
			scan_sample(s, p + at, h->size);
		else if (s->o.objects &&
			 (h->type == PERF_RECORD_MMAP || h->type == PERF_RECORD_MMAP2))
			objects_mmap(&s->objects, p + at, h->size);
		else if (h->type == PERF_RECORD_COMM)
			s->objects.looked_at =
				0; /* it may have gone into a container before exec */
		else if (h->type == PERF_RECORD_FORK)
			objects_fork(&s->objects, p + at, h->size);
		else if (s->o.objects && h->type == PERF_RECORD_CALLCHAIN_DEFERRED_)
			scan_deferred(s, p + at, h->size);
		else if (h->type == PERF_RECORD_LOST || h->type == PERF_RECORD_LOST_SAMPLES)
			scan_lost(s, p + at, h->size);
		if (s->o.tasks)
			tasks_note(s->o.tasks, p + at, h->size);
	}
	return at;
}

void scan_walk(void *ctx, void *data, size_t len)
{
	struct scan *s = ctx;

	s->wrong = false;
	walk(s, data, len);
	if (s->wrong)
		mend(s, data, len);
}

/* Return how much of the record that goes around the end of the ring is in the second span. Whole
 * records take @done bytes of the first. Headers never go around it, as all sizes are multiples of
 * 8. */
static size_t beyond(const struct iovec *first, size_t done)
{
	size_t left = first->iov_len - done;
	const wire_header *h = (const void *)((const u8 *)first->iov_base + done);

	return left >= sizeof(*h) && h->size > left ? h->size - left : 0;
}

static void walk_spans(struct scan *s, const struct iovec *iov, int nr)
{
	const u8 *first = iov[0].iov_base, *second = nr > 1 ? iov[1].iov_base : NULL;
	size_t done = walk(s, first, iov[0].iov_len), left = iov[0].iov_len - done, more;

	if (!second)
		return;
	more = beyond(&iov[0], done);
	if (more > iov[1].iov_len)
		return;
	if (more) {
		memcpy(s->joined, first + done, left);
		memcpy(s->joined + left, second, more);
		walk(s, s->joined, left + more);
	}
	walk(s, second + more, iov[1].iov_len - more);
}

int scan_spans(struct scan *s, struct iovec *iov, int nr)
{
	s->wrong = false;
	walk_spans(s, iov, nr);
	if (!s->wrong)
		return nr;
	/* the kernel does not let us write into its ring */
	strbuf_reset(&s->mended);
	for (int i = 0; i < nr; i++)
		strbuf_add(&s->mended, iov[i].iov_base, iov[i].iov_len);
	mend(s, (u8 *)s->mended.buf, s->mended.len);
	iov[0] = (struct iovec){ s->mended.buf, s->mended.len };
	return 1;
}

/* Return: bytes of whole records. */
static size_t count_own(struct scan *s, const u8 *p, size_t len, struct own_share *share)
{
	const wire_header *h;
	size_t at;

	for (at = 0; (h = frame_whole(p, len, at)); at += h->size) {
		if (h->type != PERF_RECORD_SAMPLE)
			continue;
		share->samples++;
		share->own += is_own(s, layout_of(s, p + at, h->size), p + at, h->size);
	}
	return at;
}

void scan_count_own(struct scan *s, const struct iovec *iov, int nr, struct own_share *share)
{
	size_t done = count_own(s, iov[0].iov_base, iov[0].iov_len, share), more;

	/* the one that goes around the end of a ring is one of many */
	more = beyond(&iov[0], done);
	if (nr > 1 && more <= iov[1].iov_len)
		count_own(s, (const u8 *)iov[1].iov_base + more, iov[1].iov_len - more, share);
}

struct cut cut_find(int fd, u64 offset, u64 size, u64 limit)
{
	struct cut c = { 0 };
	u8 *map = mmap(NULL, offset + size, PROT_READ, MAP_SHARED, fd, 0);
	const wire_header *h;

	if (map == MAP_FAILED)
		return c;
	for (u64 at = 0; (h = frame_whole(map + offset, size, at));) {
		bool sample = h->type == PERF_RECORD_SAMPLE;

		at += h->size;
		if (at <= limit)
			c.keep = at;
		if (at <= limit)
			c.samples += sample;
		else
			c.dropped += sample;
	}
	munmap(map, offset + size);
	return c;
}

/* Do all events have the fields we look at in the same places? */
static bool same_layouts(const struct evlist *l)
{
	const struct wire_layout *a = &l->evsels[0]->layout;

	for (size_t i = 1; i < l->nr; i++) {
		const struct wire_layout *b = &l->evsels[i]->layout;

		if (a->off_ip != b->off_ip || a->off_tid != b->off_tid ||
		    a->off_time != b->off_time ||
		    (a->sample_type | b->sample_type) & PERF_SAMPLE_CALLCHAIN)
			return false;
	}
	return true;
}

struct scan *scan_new(const struct scan_opts *o, struct record_scan *out)
{
	struct scan *s = xzalloc(sizeof(*s));

	s->o = *o;
	s->out = out;
	s->pid = (u32)getpid();
	s->l = o->list->evsels[0]->layout;
	s->same = same_layouts(o->list);
	s->mended = (struct strbuf)STRBUF_INIT;
	objects_init(&s->objects, o->sysroot, o->hit);
	return s;
}

static void scan_free(struct scan *s)
{
	objects_release(&s->objects);
	strbuf_release(&s->mended);
	free(s);
}

static void add_seen(struct record_scan *into, const struct record_scan *from)
{
	if (from->first_time && (!into->first_time || from->first_time < into->first_time))
		into->first_time = from->first_time;
	into->last_time = MAX(into->last_time, from->last_time);
	into->samples += from->samples;
	into->events += from->events;
	into->lost_chunks += from->lost_chunks;
	into->lost_events += from->lost_events;
	into->lost_samples += from->lost_samples;
	for (size_t i = 0; i < from->nr_lost; i++)
		add_lost(into, from->lost[i].id, from->lost[i].lost);
}

void scan_merge(struct scan *into, struct scan *from)
{
	add_seen(into->out, from->out);
	objects_merge(&into->objects, &from->objects);
	scan_free(from);
}

void scan_end(struct scan *s)
{
	if (!s)
		return;
	s->out->kernel_hit = s->objects.kernel_hit;
	if (s->o.objects)
		objects_end(&s->objects, &s->o, &s->out->build_ids);
	scan_free(s);
}

void record_scan_release(struct record_scan *s)
{
	strbuf_release(&s->build_ids);
	free(s->lost);
	*s = (struct record_scan){ 0 };
}
