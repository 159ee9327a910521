// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A look at the records as they pass, on their way from the ring to the file: how many samples,
 * from when to when, and which objects they hit, so that only those objects' build-ids are looked
 * up. The file need not be read again at the end.
 *
 * One walk over record headers; the write that follows finds them in the cache. Samples are reduced
 * to the set of (process, page) they touched; maps and forks are collected beside it and the two
 * are joined at the end, whatever the order in the file. A map that held the page at any time
 * counts: too many build-ids do no harm, a missing one does.
 */
#include "base/compat.h"
#include "symbol/object-id.h"
#include "recorder/recorder-internal.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "file/feature.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE_SHIFT 12
#define RECENT_BITS 12
#define RECENT (1 << RECENT_BITS)
#define MAX_FORKS 16 /* how far up a page is looked for in parents */

struct seen_map {
	u32 pid, dso;
	u64 start, end;
};

struct seen_dso {
	bool hit, kernel;
	u32 pid; /* one that mapped it: its mount namespace may be the only one that has the file */
	/* the file that the name leads to here, once that is known; most processes share theirs */
	u64 ino;
	u32 maj, min;
	bool here;
	u8 id[20], id_size; /* the record had it, or it was read while that process lived */
};

struct scan {
	u32 pid; /* ours */
	struct record *r;
	struct record_scan *out;
	struct wire_layout l; /* when all events agree on where things are */
	bool same;
	bool objects; /* what samples hit is asked for, as build-ids are written at the end */
	struct map64 *tasks; /* borrowed: processes are noted there; NULL: nobody asks for them */
	bool kernel_hit;
	u64 last_kernel_page;
	struct map64 user_pages, kernel_pages; /* key: see page_key() */
	u64 recent[RECENT];    /* keys seen lately, by hash: chains repeat themselves */
	struct map64 parents;  /* pid -> ppid */
	struct seen_map *maps; /* owned */
	size_t nr_maps, cap_maps;
	struct intern names;   /* dso id -> name */
	struct seen_dso *dsos; /* owned; by dso id */
	size_t nr_dsos, cap_dsos;
	struct root_view own;
	u32 looked_at;        /* the process whose mount namespace was looked at last; 0: none */
	bool elsewhere;       /* it is not ours */
	bool wrong;           /* a record says that it has a build-id, and has none */
	struct strbuf mended; /* owned: what was in a ring with such records, put right */
	_Alignas(8) u8 joined[1 << 16]; /* a record of two spans */
};

/* Addresses of user space have at most 57 bits, pids 22: the key is exact up to 52 bits. */
static u64 page_key(u32 pid, u64 ip)
{
	return ((u64)pid << 40) ^ (ip >> PAGE_SHIFT) ^ 1ULL << 63;
}

static void mark_user(struct scan *s, u32 pid, u64 ip)
{
	u64 key = page_key(pid, ip);

	u64 *slot = &s->recent[key * 0x9e3779b97f4a7c15ULL >> (64 - RECENT_BITS)];

	if (*slot == key)
		return;
	*slot = key;
	/* the value is only there to tell used slots; a thread that is gone has no process */
	if (pid != MAP64_NONE)
		map64_set(&s->user_pages, key, pid);
}

static void mark_kernel(struct scan *s, u64 ip)
{
	u64 page = ip >> PAGE_SHIFT;

	s->kernel_hit = true;
	if (page == s->last_kernel_page)
		return;
	s->last_kernel_page = page;
	map64_set(&s->kernel_pages, page, 0);
}

static void mark_chain(struct scan *s, const struct sample *sm)
{
	bool user = sm->cpumode == PERF_RECORD_MISC_USER;

	for (u64 i = 0; i < sm->nr_callchain; i++) {
		u64 ip = sm->callchain[i];

		if (ip >= (u64)PERF_CONTEXT_MAX)
			user = ip == (u64)PERF_CONTEXT_USER;
		else if (user)
			mark_user(s, sm->pid, ip);
	}
}

static const struct wire_layout *layout_of(struct scan *s, const u8 *rec, size_t size)
{
	const struct evlist *l = &s->r->evlist;
	s16 at = l->evsels[0]->layout.off_id;
	struct evsel *e;

	if (s->same)
		return &s->l;
	if (at < 0 || (size_t)at + 8 > size)
		return NULL;
	e = evlist_find_id(l, *(const u64_una *)(rec + at));
	return e ? &e->layout : NULL;
}

/* Counters that the main thread looks at while another one counts. */
static void count_up(u64 *n)
{
	__atomic_store_n(n, *n + 1, __ATOMIC_RELAXED);
}

/* Is it one of our own? */
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
	if (s->tasks && s->r->ro.overwrite)
		map64_set(s->tasks, pid, 1);
	if (!s->objects)
		return;
	ip = *(const u64_una *)(rec + l->off_ip);
	if (mode == PERF_RECORD_MISC_KERNEL)
		mark_kernel(s, ip);
	else if (mode == PERF_RECORD_MISC_USER)
		mark_user(s, pid, ip);
	if (l->sample_type & PERF_SAMPLE_CALLCHAIN) {
		struct sample sm;

		if (!sample_decode(l, rec, size, &sm))
			mark_chain(s, &sm);
	}
}

/* Objects of other mount namespaces can be looked at as long as the process lives. */
static void note_id(struct scan *s, struct seen_dso *d, const struct rec_mmap *m)
{
	u64 space;
	int n;

	if (m->build_id_size) {
		memcpy(d->id, m->build_id, sizeof(d->id));
		d->id_size = m->build_id_size;
		return;
	}
	if (d->kernel || m->filename[0] != '/')
		return;
	if (d->here && d->ino == m->ino && d->maj == m->maj && d->min == m->min)
		return;
	if (s->looked_at != m->pid) {
		s->looked_at = m->pid;
		s->elsewhere = in_other_root(&s->r->sysroot, &s->own, m->pid, &space);
	}
	if (!s->elsewhere) {
		d->here = m->ino;
		d->ino = m->ino;
		d->maj = m->maj;
		d->min = m->min;
	}
	if (!s->elsewhere || d->id_size)
		return;
	n = object_id(&s->r->sysroot, m->filename, false, m->pid, d->id);
	d->id_size = n > 0 ? (u8)n : 0;
}

static u32 dso_of(struct scan *s, const char *name)
{
	u32 dso = intern_str_id(&s->names, name);

	while (s->nr_dsos <= dso) {
		VEC_GROW(s->dsos, s->nr_dsos + 1, s->cap_dsos);
		memset(&s->dsos[s->nr_dsos++], 0, sizeof(*s->dsos));
	}
	return dso;
}

static void scan_mmap(struct scan *s, const u8 *rec, size_t size)
{
	const struct perf_event_header *h = (const void *)rec;
	struct rec_mmap m;
	u32 dso;

	if (h->misc & PERF_RECORD_MISC_MMAP_DATA || rec_mmap_decode(rec, size, &m))
		return;
	dso = dso_of(s, m.filename);
	s->dsos[dso].kernel = (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	s->dsos[dso].pid = m.pid;
	note_id(s, &s->dsos[dso], &m);
	VEC_GROW(s->maps, s->nr_maps + 1, s->cap_maps);
	s->maps[s->nr_maps++] = (struct seen_map){ m.pid, dso, m.start, m.start + m.len };
}

static void scan_fork(struct scan *s, const u8 *rec, size_t size)
{
	struct rec_task t;

	if (!rec_task_decode(rec, size, &t) && t.pid != t.ppid)
		map64_set(&s->parents, t.pid, t.ppid);
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

/* Beside a recorder that asks for build-ids in records of maps the kernel says of ours that they
 * have them, too, and still writes the numbers of the file: the reference aborts when it reads
 * that. */
static bool wrong_id(const struct scan *s, const wire_header *h)
{
	return h->type == PERF_RECORD_MMAP2 && h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID &&
	       !s->r->buildid_mmap;
}

static void mend(const struct scan *s, u8 *p, size_t len)
{
	size_t at = 0;

	while (len - at >= sizeof(struct perf_event_header)) {
		wire_header *h = (void *)(p + at);

		if (h->size < sizeof(*h) || h->size > len - at)
			break;
		if (wrong_id(s, h))
			h->misc &= (u16)~PERF_RECORD_MISC_MMAP_BUILD_ID;
		at += h->size;
	}
}

/* Return: bytes of whole records. */
static size_t walk(struct scan *s, const u8 *p, size_t len)
{
	size_t at = 0;

	while (len - at >= sizeof(struct perf_event_header)) {
		const wire_header *h = (const void *)(p + at);

		if (h->size < sizeof(*h) || h->size > len - at)
			break;
		s->out->events++;
		s->wrong |= wrong_id(s, h);
		if (h->type == PERF_RECORD_SAMPLE)
			scan_sample(s, p + at, h->size);
		else if (s->objects &&
			 (h->type == PERF_RECORD_MMAP || h->type == PERF_RECORD_MMAP2))
			scan_mmap(s, p + at, h->size);
		else if (h->type == PERF_RECORD_COMM)
			s->looked_at = 0; /* it may have gone into a container before exec */
		else if (h->type == PERF_RECORD_FORK)
			scan_fork(s, p + at, h->size);
		else if (h->type == PERF_RECORD_LOST || h->type == PERF_RECORD_LOST_SAMPLES)
			scan_lost(s, p + at, h->size);
		if (s->tasks)
			record_task_seen(s->tasks, p + at, h->size);
		at += h->size;
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

/* Of the record that goes around the end of the ring, behind the first @done bytes of whole ones:
 * how much is in the second span. Its header is not: all sizes are multiples of 8. */
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
static size_t count_own(struct scan *s, const u8 *p, size_t len, u64 *samples, u64 *own)
{
	size_t at = 0;

	while (len - at >= sizeof(struct perf_event_header)) {
		const wire_header *h = (const void *)(p + at);

		if (h->size < sizeof(*h) || h->size > len - at)
			break;
		if (h->type == PERF_RECORD_SAMPLE) {
			++*samples;
			*own += is_own(s, layout_of(s, p + at, h->size), p + at, h->size);
		}
		at += h->size;
	}
	return at;
}

void scan_count_own(struct scan *s, const struct iovec *iov, int nr, u64 *samples, u64 *own)
{
	size_t done = count_own(s, iov[0].iov_base, iov[0].iov_len, samples, own), more;

	/* the one that goes around the end of a ring is one of many */
	more = beyond(&iov[0], done);
	if (nr > 1 && more <= iov[1].iov_len)
		count_own(s, (const u8 *)iov[1].iov_base + more, iov[1].iov_len - more, samples,
			  own);
}

struct cut record_cut(int fd, u64 offset, u64 size, u64 limit)
{
	struct cut c = { 0 };
	u8 *map = mmap(NULL, offset + size, PROT_READ, MAP_SHARED, fd, 0);
	u64 at = 0;

	if (map == MAP_FAILED)
		return c;
	while (size - at >= sizeof(struct perf_event_header)) {
		const wire_header *h = (const void *)(map + offset + at);
		bool sample = h->type == PERF_RECORD_SAMPLE;

		if (h->size < sizeof(*h) || h->size > size - at)
			break;
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

/* --- joining pages and maps ----------------------------------------------- */

static int cmp_map(const void *a, const void *b)
{
	const struct seen_map *x = a, *y = b;

	return x->pid != y->pid      ? (x->pid < y->pid ? -1 : 1)
	       : x->start < y->start ? -1
				     : x->start > y->start;
}

/* The first map of @pid. */
static size_t first_map(const struct scan *s, u32 pid)
{
	size_t lo = 0, hi = s->nr_maps;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->maps[mid].pid < pid)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool hit_in(struct scan *s, u32 pid, u64 addr)
{
	bool any = false;

	for (size_t i = first_map(s, pid);
	     i < s->nr_maps && s->maps[i].pid == pid && s->maps[i].start <= addr; i++) {
		if (addr < s->maps[i].end) {
			s->dsos[s->maps[i].dso].hit = true;
			any = true;
		}
	}
	return any;
}

/* A child that never ran exec uses the maps of its parents. */
static void hit_page(struct scan *s, u32 pid, u64 addr)
{
	for (int up = 0; up < MAX_FORKS && !hit_in(s, pid, addr); up++) {
		u32 parent = map64_get(&s->parents, pid);

		if (parent == MAP64_NONE || parent == pid)
			break;
		pid = parent;
	}
}

static void join(struct scan *s, bool all)
{
	if (s->nr_maps)
		qsort(s->maps, s->nr_maps, sizeof(*s->maps), cmp_map);
	for (size_t i = 0; s->user_pages.keys && i <= s->user_pages.mask; i++) {
		u64 key = s->user_pages.keys[i] ^ 1ULL << 63;
		u32 pid = s->user_pages.vals[i];

		if (pid != MAP64_NONE)
			hit_page(s, pid, (key ^ (u64)pid << 40) << PAGE_SHIFT);
	}
	for (size_t i = 0; s->kernel_pages.keys && i <= s->kernel_pages.mask; i++)
		if (s->kernel_pages.vals[i] != MAP64_NONE)
			hit_in(s, (u32)-1, s->kernel_pages.keys[i] << PAGE_SHIFT);
	for (size_t i = 0; all && i < s->nr_dsos; i++)
		s->dsos[i].hit = true;
}

/* --- build-ids ------------------------------------------------------------ */

static void add_build_id(struct scan *s, const char *name, const struct seen_dso *d)
{
	struct env_build_id b = { .pid = -1, .filename = (char *)name };
	int n;

	b.misc = d->kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	n = d->id_size;
	if (n)
		memcpy(b.id, d->id, sizeof(b.id));
	else
		n = object_id(&s->r->sysroot, name, d->kernel, d->pid, b.id);
	if (n <= 0)
		return;
	b.size = (u8)n;
	feature_build_id(&s->out->build_ids, &b);
	record_cache(s->r, name, d->pid, b.id, b.size);
}

/* Where report looks for the symbols of a kernel it has the build-id of. */
static void cache_vmlinux(struct record *r, const u8 *id, u8 size)
{
	char *path = realpath(r->vmlinux, NULL);

	if (path)
		record_cache(r, path, 0, id, size);
	free(path);
}

static void add_build_ids(struct scan *s)
{
	if (s->kernel_hit || s->r->buildid_all) {
		struct env_build_id b = { .pid = -1,
					  .misc = PERF_RECORD_MISC_KERNEL,
					  .filename = (char *)"[kernel.kallsyms]" };
		int n = object_id(&s->r->sysroot, b.filename, true, 0, b.id);

		if (n > 0) {
			b.size = (u8)n;
			feature_build_id(&s->out->build_ids, &b);
			if (s->r->vmlinux)
				cache_vmlinux(s->r, b.id, b.size);
		}
	}
	for (size_t i = 0; i < s->nr_dsos; i++) {
		const char *name = intern_str(&s->names, (u32)i);

		/* the vdso's costs nothing, and another tool may look for it */
		if ((s->dsos[i].hit || !strcmp(name, "[vdso]")) && strncmp(name, "[kernel.", 8))
			add_build_id(s, name, &s->dsos[i]);
	}
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

struct scan *scan_new(struct record *r, struct record_scan *out, struct map64 *tasks)
{
	struct scan *s = xzalloc(sizeof(*s));

	s->r = r;
	s->out = out;
	s->pid = (u32)getpid();
	s->l = r->evlist.evsels[0]->layout;
	s->same = same_layouts(&r->evlist);
	s->objects = !r->no_buildid && !r->writer.pipe;
	s->mended = (struct strbuf)STRBUF_INIT;
	if ((r->ro.sw.enabled || r->ro.tail_synthesize) && !r->sample.system_wide)
		s->tasks = tasks;
	root_view_read(&r->sysroot, 0, &s->own);
	return s;
}

static void scan_free(struct scan *s)
{
	map64_release(&s->user_pages);
	map64_release(&s->kernel_pages);
	map64_release(&s->parents);
	intern_release(&s->names);
	strbuf_release(&s->mended);
	free(s->maps);
	free(s->dsos);
	free(s);
}

static void add_map64(struct map64 *into, const struct map64 *from)
{
	for (size_t i = 0; from->keys && i <= from->mask; i++)
		if (from->vals[i] != MAP64_NONE)
			map64_set(into, from->keys[i], from->vals[i]);
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
	into->kernel_hit |= from->kernel_hit;
	add_map64(&into->user_pages, &from->user_pages);
	add_map64(&into->kernel_pages, &from->kernel_pages);
	add_map64(&into->parents, &from->parents);
	for (size_t i = 0; i < from->nr_maps; i++) {
		struct seen_map m = from->maps[i];
		u32 dso = dso_of(into, intern_str(&from->names, m.dso));

		if (!into->dsos[dso].id_size)
			into->dsos[dso] = from->dsos[m.dso];
		m.dso = dso;
		VEC_GROW(into->maps, into->nr_maps + 1, into->cap_maps);
		into->maps[into->nr_maps++] = m;
	}
	scan_free(from);
}

void scan_end(struct scan *s)
{
	if (!s)
		return;
	s->out->kernel_hit = s->kernel_hit;
	if (s->objects) {
		join(s, s->r->buildid_all);
		add_build_ids(s);
	}
	scan_free(s);
}
