// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which objects samples hit, so that only those objects' build-ids are looked up. Samples are
 * reduced to the set of (process, page) they touched; maps and forks are collected beside it and
 * the two are joined at the end, whatever the order in the file. A map that held the page at any
 * time counts: too many build-ids do no harm, a missing one does.
 */
#include "base/compat.h"
#include "base/bisect.h"
#include "recorder/scan-internal.h"

#include "base/alloc.h"
#include "file/feature.h"
#include "symbol/debug-file.h"
#include "symbol/process-files.h"

#include <unistd.h>

#define PAGE_SHIFT 12
#define MAX_FORKS 16 /* how far up a page is looked for in parents */

/* Addresses of user space have at most 57 bits, pids 22: the key is exact up to 52 bits. */
static u64 page_key(u32 pid, u64 ip)
{
	return ((u64)pid << 40) ^ (ip >> PAGE_SHIFT) ^ 1ULL << 63;
}

void objects_user(struct scan_objects *s, u32 pid, u64 ip)
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

void objects_kernel(struct scan_objects *s, u64 ip)
{
	u64 page = ip >> PAGE_SHIFT;

	s->kernel_hit = true;
	if (page == s->last_kernel_page)
		return;
	s->last_kernel_page = page;
	map64_set(&s->kernel_pages, page, 0);
}

#define MAX_HELD 256 /* objects of other mount namespaces, two descriptors each */

/* Keep the files of an object open: its process may end before the recording does. */
static void hold(struct scan_objects *s, struct seen_dso *d, const struct rec_mmap *m)
{
	struct held_files *h = &d->held;
	int fd;

	if (!s->hold || h->object || !d->id_size || s->nr_held >= MAX_HELD)
		return;
	fd = process_file_open(s->sysroot, m->pid, m->filename);
	if (fd <= 0)
		return;
	if (!file_has_build_id(fd, d->id, d->id_size)) {
		close(fd);
		return;
	}
	s->nr_held++;
	h->object = fd;
	fd = debug_file_open(s->sysroot, NULL, m->pid, m->filename, fd, d->id, d->id_size);
	h->debug = MAX(fd, 0);
}

static void let_go(struct held_files *h)
{
	if (h->object)
		close(h->object);
	if (h->debug)
		close(h->debug);
	*h = (struct held_files){ 0 };
}

static bool is_elsewhere(struct scan_objects *s, u32 pid)
{
	u64 space;

	if (s->looked_at != pid) {
		s->looked_at = pid;
		s->elsewhere = in_other_root(s->sysroot, &s->own, pid, &space);
	}
	return s->elsewhere;
}

/* Objects of other mount namespaces can be looked at as long as the process lives. */
static void note_id(struct scan_objects *s, struct seen_dso *d, const struct rec_mmap *m)
{
	int n;

	if (m->build_id_size) {
		memcpy(d->id, m->build_id, sizeof(d->id));
		d->id_size = m->build_id_size;
		if (s->hold && !d->held.object && m->filename[0] == '/' && is_elsewhere(s, m->pid))
			hold(s, d, m);
		return;
	}
	if (d->kernel || m->filename[0] != '/')
		return;
	if (d->here && d->ino == m->ino && d->maj == m->maj && d->min == m->min)
		return;
	if (!is_elsewhere(s, m->pid)) {
		d->here = m->ino;
		d->ino = m->ino;
		d->maj = m->maj;
		d->min = m->min;
	}
	if (!s->elsewhere || d->id_size)
		return;
	n = object_id(s->sysroot, m->filename, false, m->pid, d->id);
	d->id_size = n > 0 ? (u8)n : 0;
	hold(s, d, m);
}

static u32 dso_of(struct scan_objects *s, const char *name)
{
	u32 dso = intern_str_id(&s->names, name);

	while (s->nr_dsos <= dso) {
		VEC_GROW(s->dsos, s->nr_dsos + 1, s->cap_dsos);
		memset(&s->dsos[s->nr_dsos++], 0, sizeof(*s->dsos));
	}
	return dso;
}

void objects_mmap(struct scan_objects *s, const u8 *rec, size_t size)
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

void objects_fork(struct scan_objects *s, const u8 *rec, size_t size)
{
	struct rec_task t;

	if (!rec_task_decode(rec, size, &t) && t.pid != t.ppid)
		map64_set(&s->parents, t.pid, t.ppid);
}

/* --- joining pages and maps ----------------------------------------------- */

static int cmp_map(const void *a, const void *b)
{
	const struct seen_map *x = a, *y = b;

	return x->pid != y->pid      ? (x->pid < y->pid ? -1 : 1)
	       : x->start < y->start ? -1
				     : x->start > y->start;
}

/* Return the first map of @pid. */
static size_t first_map(const struct scan_objects *s, u32 pid)
{
	return FIRST_FROM(s->maps, s->nr_maps, pid, pid);
}

static bool hit_in(struct scan_objects *s, u32 pid, u64 addr)
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
static void hit_page(struct scan_objects *s, u32 pid, u64 addr)
{
	for (int up = 0; up < MAX_FORKS && !hit_in(s, pid, addr); up++) {
		u32 parent = map64_get(&s->parents, pid);

		if (parent == MAP64_NONE || parent == pid)
			break;
		pid = parent;
	}
}

static void join(struct scan_objects *s, bool all)
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

static void add_build_id(struct scan_objects *s, const char *name, struct seen_dso *d,
			 const struct scan_opts *o, struct strbuf *build_ids)
{
	struct env_build_id b = { .pid = -1, .filename = (char *)name };
	int n;

	b.misc = d->kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	n = d->id_size;
	if (n)
		memcpy(b.id, d->id, sizeof(b.id));
	else
		n = object_id(s->sysroot, name, d->kernel, d->pid, b.id);
	if (n <= 0)
		return;
	b.size = (u8)n;
	feature_build_id(build_ids, &b);
	if (o->hit)
		o->hit(o->ctx, name, d->pid, b.id, b.size, &d->held);
}

static void add_kernel(const struct scan_objects *s, const struct scan_opts *o,
		       struct strbuf *build_ids)
{
	struct env_build_id b = { .pid = -1,
				  .misc = PERF_RECORD_MISC_KERNEL,
				  .filename = (char *)"[kernel.kallsyms]" };
	int n = object_id(s->sysroot, b.filename, true, 0, b.id);

	if (n <= 0)
		return;
	b.size = (u8)n;
	feature_build_id(build_ids, &b);
	if (o->hit)
		o->hit(o->ctx, b.filename, 0, b.id, b.size, NULL);
}

void objects_end(struct scan_objects *s, const struct scan_opts *o, struct strbuf *build_ids)
{
	join(s, o->all_objects);
	if (s->kernel_hit || o->all_objects)
		add_kernel(s, o, build_ids);
	for (size_t i = 0; i < s->nr_dsos; i++) {
		const char *name = intern_str(&s->names, (u32)i);

		/* the vdso's costs nothing, and another tool may look for it */
		if ((s->dsos[i].hit || !strcmp(name, "[vdso]")) && strncmp(name, "[kernel.", 8))
			add_build_id(s, name, &s->dsos[i], o, build_ids);
	}
}

/* --- start, end, several of them --------------------------------------------- */

void objects_init(struct scan_objects *s, const struct sysroot *sr, bool hold)
{
	memset(s, 0, sizeof(*s));
	s->hold = hold;
	s->sysroot = sr;
	root_view_read(sr, 0, &s->own);
}

void objects_release(struct scan_objects *s)
{
	map64_release(&s->user_pages);
	map64_release(&s->kernel_pages);
	map64_release(&s->parents);
	intern_release(&s->names);
	free(s->maps);
	for (size_t i = 0; i < s->nr_dsos; i++)
		let_go(&s->dsos[i].held);
	free(s->dsos);
}

static void add_map64(struct map64 *into, const struct map64 *from)
{
	for (size_t i = 0; from->keys && i <= from->mask; i++)
		if (from->vals[i] != MAP64_NONE)
			map64_set(into, from->keys[i], from->vals[i]);
}

void objects_merge(struct scan_objects *into, const struct scan_objects *from)
{
	into->kernel_hit |= from->kernel_hit;
	add_map64(&into->user_pages, &from->user_pages);
	add_map64(&into->kernel_pages, &from->kernel_pages);
	add_map64(&into->parents, &from->parents);
	for (size_t i = 0; i < from->nr_maps; i++) {
		struct seen_map m = from->maps[i];
		u32 dso = dso_of(into, intern_str(&from->names, m.dso));

		if (!into->dsos[dso].id_size) {
			let_go(&into->dsos[dso].held);
			into->dsos[dso] = from->dsos[m.dso];
			from->dsos[m.dso].held = (struct held_files){ 0 };
		}
		m.dso = dso;
		VEC_GROW(into->maps, into->nr_maps + 1, into->cap_maps);
		into->maps[into->nr_maps++] = m;
	}
}
