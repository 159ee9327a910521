// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A look back at what was just written: how many samples, from when to when, and which objects they
 * hit, so that only those objects' build-ids are looked up.
 *
 * One walk over record headers. Samples are reduced to the set of (process, page) they touched;
 * maps and forks are collected beside it and the two are joined at the end, whatever the order in
 * the file. A map that held the page at any time counts: too many build-ids do no harm, a missing
 * one does.
 */
#include "base/compat.h"
#include "builtin-record.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "file/feature.h"
#include "symbol/symbol.h"

#include <elf.h>
#include <sys/auxv.h>
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
};

struct scan {
	struct record *r;
	struct record_scan *out;
	struct wire_layout l; /* when all events agree on where things are */
	bool same, chains;
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
	/* the value is only there to tell used slots */
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

static void scan_sample(struct scan *s, const u8 *rec, size_t size)
{
	const struct wire_layout *l = layout_of(s, rec, size);
	u16 mode = ((const struct perf_event_header *)rec)->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	u64 ip, time;
	u32 pid;

	s->out->samples++;
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
	ip = *(const u64_una *)(rec + l->off_ip);
	pid = *(const u32_una *)(rec + l->off_tid);
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

static void scan_mmap(struct scan *s, const u8 *rec, size_t size)
{
	const struct perf_event_header *h = (const void *)rec;
	struct rec_mmap m;
	u32 dso;

	if (h->misc & PERF_RECORD_MISC_MMAP_DATA || rec_mmap_decode(rec, size, &m))
		return;
	dso = intern_str_id(&s->names, m.filename);
	while (s->nr_dsos <= dso) {
		VEC_GROW(s->dsos, s->nr_dsos + 1, s->cap_dsos);
		memset(&s->dsos[s->nr_dsos++], 0, sizeof(*s->dsos));
	}
	s->dsos[dso].kernel = (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	s->dsos[dso].pid = m.pid;
	VEC_GROW(s->maps, s->nr_maps + 1, s->cap_maps);
	s->maps[s->nr_maps++] = (struct seen_map){ m.pid, dso, m.start, m.start + m.len };
}

static void scan_fork(struct scan *s, const u8 *rec, size_t size)
{
	struct rec_task t;

	if (!rec_task_decode(rec, size, &t) && t.pid != t.ppid)
		map64_set(&s->parents, t.pid, t.ppid);
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
	} else {
		s->out->lost_samples += l.lost;
	}
}

static void walk(struct scan *s, const u8 *p, size_t len, bool build_ids)
{
	while (len >= sizeof(struct perf_event_header)) {
		const struct perf_event_header *h = (const void *)p;

		if (h->size < sizeof(*h) || h->size > len)
			break;
		s->out->events++;
		if (h->type == PERF_RECORD_SAMPLE)
			scan_sample(s, p, h->size);
		else if (build_ids && (h->type == PERF_RECORD_MMAP || h->type == PERF_RECORD_MMAP2))
			scan_mmap(s, p, h->size);
		else if (h->type == PERF_RECORD_FORK)
			scan_fork(s, p, h->size);
		else if (h->type == PERF_RECORD_LOST || h->type == PERF_RECORD_LOST_SAMPLES)
			scan_lost(s, p, h->size);
		p += h->size;
		len -= h->size;
		s->out->whole += h->size;
	}
}

u64 record_cut(struct record *r, u64 limit, u64 *dropped_samples)
{
	size_t size = r->writer.data_offset + r->writer.data_size, at = 0, keep = 0;
	u8 *map = mmap(NULL, size, PROT_READ, MAP_SHARED, r->writer.fd, 0);
	const u8 *data = map + r->writer.data_offset;

	*dropped_samples = 0;
	if (map == MAP_FAILED)
		return 0;
	while (r->writer.data_size - at >= sizeof(struct perf_event_header)) {
		const struct perf_event_header *h = (const void *)(data + at);

		if (h->size < sizeof(*h) || h->size > r->writer.data_size - at)
			break;
		at += h->size;
		if (at <= limit)
			keep = at;
		else
			*dropped_samples += h->type == PERF_RECORD_SAMPLE;
	}
	munmap(map, size);
	return keep;
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

static int notes_id(const struct sysroot *sr, const char *path, u8 id[20])
{
	struct strbuf sb = STRBUF_INIT;
	int n = sysroot_read(sr, &sb, "%s", path);

	if (!n)
		n = note_build_id(sb.buf, sb.len, id);
	strbuf_release(&sb);
	return n;
}

/* Every process has the same vdso: ours will do. */
static int vdso_id(u8 id[20])
{
	const u8 *base = (const u8 *)getauxval(AT_SYSINFO_EHDR);
	const Elf64_Ehdr *eh = (const void *)base;

	if (!base || eh->e_ident[EI_CLASS] != ELFCLASS64)
		return -1;
	for (u16 i = 0; i < eh->e_phnum; i++) {
		const Elf64_Phdr *ph =
			(const void *)(base + eh->e_phoff + (size_t)i * eh->e_phentsize);

		if (ph->p_type == PT_NOTE)
			return note_build_id(base + ph->p_offset, ph->p_filesz, id);
	}
	return -1;
}

static int file_id(const struct seen_dso *d, const char *name, u8 id[20])
{
	int n = elf_build_id(name, id);

	if (n <= 0 && d->pid && d->pid != (u32)-1) {
		char *path = xasprintf("/proc/%u/root%s", d->pid, name);

		n = elf_build_id(path, id);
		free(path);
	}
	return n;
}

static void add_build_id(struct scan *s, const char *name, const struct seen_dso *d)
{
	struct env_build_id b = { .pid = -1, .filename = (char *)name };
	int n = 0;

	b.misc = d->kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	if (d->kernel) {
		char *path = xasprintf("/sys/module/%.*s/notes/.note.gnu.build-id",
				       (int)strcspn(name + 1, "]"), name + 1);

		n = notes_id(&s->r->sysroot, path, b.id);
		free(path);
	} else if (!strcmp(name, "[vdso]")) {
		n = vdso_id(b.id);
	} else if (name[0] == '/' && strncmp(name, "//", 2) && strncmp(name, "/memfd:", 7) &&
		   strncmp(name, "/dev/zero", 9)) {
		n = file_id(d, name, b.id);
	}
	if (n <= 0)
		return;
	b.size = (u8)n;
	feature_build_id(&s->out->build_ids, &b);
	record_cache(s->r, name, b.id, b.size);
}

static void add_build_ids(struct scan *s)
{
	if (s->kernel_hit) {
		struct env_build_id b = { .pid = -1,
					  .misc = PERF_RECORD_MISC_KERNEL,
					  .filename = (char *)"[kernel.kallsyms]" };
		int n = notes_id(&s->r->sysroot, "/sys/kernel/notes", b.id);

		if (n > 0) {
			b.size = (u8)n;
			feature_build_id(&s->out->build_ids, &b);
		}
	}
	for (size_t i = 0; i < s->nr_dsos; i++) {
		const char *name = intern_str(&s->names, (u32)i);

		if (s->dsos[i].hit && strncmp(name, "[kernel.", 8))
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

int record_scan(struct record *r, bool build_ids, bool all, struct record_scan *out)
{
	struct scan s = { .r = r, .out = out };
	size_t size = r->writer.data_offset + r->writer.data_size;
	u8 *map = mmap(NULL, size, PROT_READ, MAP_SHARED, r->writer.fd, 0);

	if (map == MAP_FAILED)
		return -1;
	madvise(map, size, MADV_SEQUENTIAL);
	s.l = r->evlist.evsels[0]->layout;
	s.same = same_layouts(&r->evlist);
	walk(&s, map + r->writer.data_offset, r->writer.data_size, build_ids);
	munmap(map, size);
	if (build_ids) {
		join(&s, all);
		add_build_ids(&s);
	}
	map64_release(&s.user_pages);
	map64_release(&s.kernel_pages);
	map64_release(&s.parents);
	intern_release(&s.names);
	free(s.maps);
	free(s.dsos);
	return 0;
}
