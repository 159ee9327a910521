// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of code that was made at run time, from the map that the process wrote: /tmp/perf-PID.map,
 * where it is, or where the process has its /tmp, under the number that the process has there.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "symbol/process-files.h"
#include "symbol/symbol-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_ANCESTORS 64     /* processes whose code a process may have inherited */
#define MAP_MAX (1ULL << 30) /* bytes of a map */

/* A map that is being read. */
struct perf_map {
	char *path;         /* owned */
	struct strbuf text; /* owned */
	bool foreign;       /* it was there and belongs to somebody else */
	int error;          /* negative errno of reading it */
};

static void perf_map_release(struct perf_map *p)
{
	free(p->path);
	strbuf_release(&p->text);
}

static int read_all(int fd, struct strbuf *out)
{
	ssize_t n = 0;
	char buf[1 << 14];

	while (out->len < MAP_MAX && (n = read(fd, buf, sizeof(buf))) > 0)
		strbuf_add(out, buf, (size_t)n);
	return n < 0 ? -errno : n ? -EFBIG : 0;
}

/* Anybody may make a file in /tmp: it has to be ours, root's, or with @also the process's. */
static bool read_owned(const struct symbols *s, struct perf_map *p, int fd, const u32 *also)
{
	struct stat st;

	p->error = fd < 0 ? fd : fstat(fd, &st) ? -errno : 0;
	if (!p->error) {
		p->foreign = st.st_uid && st.st_uid != geteuid() && !s->conf.force &&
			     (!also || st.st_uid != *also);
		p->error = p->foreign ? -EPERM : read_all(fd, &p->text);
	}
	if (fd >= 0)
		close(fd);
	return !p->error;
}

/* Read the map as the process sees it, while it lives. */
static bool read_inner(const struct symbols *s, u32 pid, struct perf_map *p)
{
	const struct sysroot *sr = s->conf.sysroot;
	u32 inner = process_inner_pid(sr, pid), uid;
	char *path;
	int fd;

	if (inner == pid && !process_elsewhere(sr, pid))
		return false;
	path = xasprintf("/tmp/perf-%u.map", inner);
	fd = process_file_open(sr, pid, path);
	if (fd >= 0) {
		free(p->path);
		p->path = process_file_path(sr, pid, path);
		read_owned(s, p, fd, process_owner(sr, pid, &uid) ? &uid : NULL);
	}
	free(path);
	return fd >= 0 && !p->error;
}

/* Read the map of process @pid; *@p is to be released in any case. Return: whether it was read. */
static bool read_map(const struct symbols *s, u32 pid, struct perf_map *p)
{
	int fd;

	*p = (struct perf_map){ .text = STRBUF_INIT };
	p->path = sysroot_path(s->conf.sysroot, "/tmp/perf-%d.map", (s32)pid);
	if (read_inner(s, pid, p))
		return true;
	if (p->foreign)
		return false;
	fd = open(p->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	return read_owned(s, p, fd < 0 ? -errno : fd, NULL);
}

static void tell_unread(struct symtab *t, const struct perf_map *p)
{
	if (p->foreign)
		symtab_why_set(
			t,
			"file '%s' is not owned by the current user or root, ignoring it (use -f to override)",
			p->path);
	else
		symtab_why_set(t, "code made at run time: cannot read '%s': %s", p->path,
			       err_str(p->error));
}

static int by_start(const void *a, const void *b)
{
	const struct sym_new *x = a, *y = b;

	return x->start != y->start ? (x->start < y->start ? -1 : 1)
				    : (x->seq > y->seq) - (x->seq < y->seq);
}

/* Return for each name of @l how far it and those before it reach. */
static u64 *reach_of(const struct sym_list *l)
{
	u64 *reach = xcalloc(l->nr + 1, sizeof(*reach));

	for (size_t i = 0; i < l->nr; i++)
		reach[i] = MAX(MAX(l->v[i].end, l->v[i].start + 1), i ? reach[i - 1] : 0);
	return reach;
}

/*
 * Add the names of an ancestor where those of the process are silent: both are sorted by start, and
 * of a name of the ancestor remains what is behind those of the process that reach over its start.
 */
static void add_silent(struct sym_list *own, const struct sym_list *from)
{
	u64 *reach = reach_of(own);
	size_t nr = own->nr, k = 0;

	for (size_t i = 0; i < from->nr; i++) {
		struct sym_new s = from->v[i];

		while (k < nr && own->v[k].start <= s.start)
			k++;
		if (k)
			s.start = MAX(s.start, reach[k - 1]);
		if (s.start < MAX(s.end, from->v[i].start + 1))
			sym_list_add(own, s.start, s.end, s.name, s.len, s.binding, s.type);
	}
	free(reach);
	qsort(own->v, own->nr, sizeof(*own->v), by_start);
}

static void sort_list(struct sym_list *l)
{
	if (l->nr)
		qsort(l->v, l->nr, sizeof(*l->v), by_start);
}

void load_perf_map(struct symbols *s, const struct dso *dso, struct symtab *t)
{
	struct perf_map maps[MAX_ANCESTORS];
	struct sym_list all = { 0 };
	size_t nr = 0, bad;

	for (; dso && nr < MAX_ANCESTORS; dso = dso->inherits, nr++) {
		struct sym_list list = { 0 };

		if (!read_map(s, (u32)dso->pid, &maps[nr])) {
			if (!t->file && !t->why)
				tell_unread(t, &maps[nr]);
			continue;
		}
		bad = perfmap_symbols(strbuf_str(&maps[nr].text), maps[nr].text.len, &list);
		sort_list(&list);
		if (!t->file) {
			free(t->why);
			t->why = NULL;
			t->file = xstrdup(maps[nr].path);
			t->origin = 'j';
		}
		if (bad)
			symtab_why_set(t, "%zu lines of '%s' are not 'START SIZE name'", bad,
				       maps[nr].path);
		add_silent(&all, &list);
		free(list.v);
	}
	if (t->file)
		symtab_finish(t, &all, SYMS_PERF_MAP, false);
	while (nr)
		perf_map_release(&maps[--nr]);
}

/* Take the names that the map has in the memory of @run, at their addresses in the object. */
static void take_run(const struct sym_list *list, const struct dso_run *run, struct sym_list *out)
{
	for (size_t i = 0; i < list->nr; i++) {
		const struct sym_new *s = &list->v[i];
		u64 start = MAX(s->start, run->start);
		u64 end = MIN(MAX(s->end, s->start + 1), run->end);

		if (start < end)
			sym_list_add(out, start - run->start + run->pgoff,
				     end - run->start + run->pgoff, s->name, s->len, s->binding,
				     s->type);
	}
}

bool load_run_time_code(struct symbols *s, const struct dso *dso, struct symtab *t)
{
	const struct dso_run *run;
	struct perf_map maps[DSO_RUNS];
	struct sym_list all = { 0 };
	size_t nr = 0;

	for (run = dso->runs; run && nr < DSO_RUNS; run = run->older, nr++) {
		struct sym_list list = { 0 };

		if (!read_map(s, run->pid, &maps[nr]))
			continue;
		perfmap_symbols(strbuf_str(&maps[nr].text), maps[nr].text.len, &list);
		take_run(&list, run, &all);
		free(list.v);
		if (all.nr && !t->file)
			t->file = xstrdup(maps[nr].path);
	}
	sort_list(&all);
	if (all.nr) {
		symtab_finish(t, &all, SYMS_PERF_MAP, false);
		t->origin = 'j';
	}
	while (nr)
		perf_map_release(&maps[--nr]);
	return t->nr;
}
