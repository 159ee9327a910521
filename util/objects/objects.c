// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "objects/objects.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "buildid/cache.h"
#include "buildid/debuginfod.h"
#include "file/reader.h"
#include "recording/hit-objects.h"
#include "symbol/symbol.h"

#include <errno.h>

#define ID_COLUMNS 40 /* hex digits of the usual build-id */

static void add(struct recorded_objects *l, const char *name, const u8 *id, u8 id_size)
{
	VEC_GROW(l->v, l->nr + 1, l->cap);
	l->v[l->nr++] = (struct recorded_object){ name, id, id_size };
}

void recorded_objects_release(struct recorded_objects *l)
{
	free(l->v);
	*l = (struct recorded_objects){ 0 };
}

/* ---- objects with samples ---- */

/* The objects that a recording knows, and which of them have samples. */
struct seen {
	struct dso *const *dsos; /* borrowed */
	size_t nr;
	const struct dso **hit; /* owned; those with samples, by path */
	size_t nr_hit;
	u8 *listed; /* owned; by id of the object: its path is in the list */
};

static int by_path(const void *a, const void *b)
{
	const struct dso *const *x = a, *const *y = b;

	return strcmp((*x)->path, (*y)->path);
}

static int path_is(const void *path, const void *dso)
{
	return strcmp(path, (*(const struct dso *const *)dso)->path);
}

static void seen_init(struct seen *s, const struct machine *m, const struct hits *hits)
{
	*s = (struct seen){ 0 };
	s->dsos = machine_dsos(m, &s->nr);
	s->hit = xcalloc(s->nr + 1, sizeof(*s->hit));
	s->listed = xcalloc(s->nr + 1, 1);
	for (size_t i = 0; i < s->nr; i++)
		if (hits_has(hits, s->dsos[i]->id))
			s->hit[s->nr_hit++] = s->dsos[i];
	qsort(s->hit, s->nr_hit, sizeof(*s->hit), by_path);
}

static void seen_release(struct seen *s)
{
	free(s->hit);
	free(s->listed);
}

/* Note that all objects of a path are listed. Return: has one of them samples? */
static bool list_path(struct seen *s, const char *path)
{
	const struct dso **found = bsearch(path, s->hit, s->nr_hit, sizeof(*s->hit), path_is);
	const struct dso **d = found, **end = s->hit + s->nr_hit;

	if (!found)
		return false;
	while (d > s->hit && !strcmp(d[-1]->path, path))
		d--;
	for (; d < end && !strcmp((*d)->path, path); d++)
		s->listed[(*d)->id] = 1;
	return true;
}

/* ---- a listing: one line for each path ---- */

static int by_name(const void *a, const void *b)
{
	const struct env_build_id *const *x = a, *const *y = b;
	int r = strcmp((*x)->filename, (*y)->filename);

	return r ? r : (*x > *y) - (*x < *y);
}

/* Find the entries of the table whose path stands above them already. Return: a flag for each, the
 * caller frees. */
static u8 *repeated_paths(const struct env *env)
{
	size_t nr = env->nr_build_ids;
	const struct env_build_id **sorted = xcalloc(nr + 1, sizeof(*sorted));
	u8 *again = xcalloc(nr + 1, 1);

	for (size_t i = 0; i < nr; i++)
		sorted[i] = &env->build_ids[i];
	qsort(sorted, nr, sizeof(*sorted), by_name);
	for (size_t i = 1; i < nr; i++)
		if (!strcmp(sorted[i]->filename, sorted[i - 1]->filename))
			again[sorted[i] - env->build_ids] = 1;
	free(sorted);
	return again;
}

/* List the objects of the table. @s: only paths with samples; NULL: all */
static void list_table(const struct env *env, struct seen *s, struct recorded_objects *out)
{
	u8 *again = repeated_paths(env);

	for (size_t i = 0; i < env->nr_build_ids; i++) {
		const struct env_build_id *b = &env->build_ids[i];

		if (!again[i] && (!s || list_path(s, b->filename)))
			add(out, b->filename, b->id, b->size);
	}
	free(again);
}

int objects_to_list(struct recording *r, bool hit, struct recorded_objects *out, struct err *err)
{
	const struct perf_file *f = r->session.file;
	struct hits *hits;
	struct seen s;
	int ret;

	if (!hit && !recording_is_stream(r) && perf_file_has_feature(f, HEADER_BUILD_ID)) {
		list_table(&f->env, NULL, out);
		return 0;
	}
	ret = hit_objects_find(r, false, &hits, err);
	seen_init(&s, r->machine, hits);
	list_table(&f->env, &s, out);
	for (size_t i = 0; i < s.nr; i++) {
		const struct dso *dso = s.dsos[i];

		if (hits_has(hits, dso->id) && !s.listed[dso->id])
			add(out, dso->path, dso->build_id, dso->build_id_size);
	}
	seen_release(&s);
	hits_free(hits);
	return ret ? ret : 1;
}

/* ---- an archive: each build once ---- */

static void add_build(struct recorded_objects *l, struct intern *done, const char *name,
		      const u8 *id, u8 size)
{
	if (size < 4 || intern_find(done, (const char *)id, size) != UINT32_MAX)
		return;
	intern_id(done, (const char *)id, size);
	add(l, name, id, size);
}

int objects_to_pack(struct recording *r, bool all, struct recorded_objects *out, struct err *err)
{
	const struct env *env = &r->session.file->env;
	struct intern done = { 0 };
	struct hits *hits;
	struct seen s;
	int ret = hit_objects_find(r, true, &hits, err);

	seen_init(&s, r->machine, hits);
	for (size_t i = 0; !ret && i < env->nr_build_ids; i++) {
		const struct env_build_id *b = &env->build_ids[i];

		if (all || list_path(&s, b->filename))
			add_build(out, &done, b->filename, b->id, b->size);
	}
	for (size_t i = 0; !ret && i < s.nr; i++) {
		const struct dso *dso = s.dsos[i];

		if (all || hits_has(hits, dso->id))
			add_build(out, &done, dso->path, dso->build_id, dso->build_id_size);
	}
	intern_release(&done);
	seen_release(&s);
	hits_free(hits);
	return ret;
}

/* ---- text ---- */

static void put_id(const u8 *id, u8 size, struct strbuf *out)
{
	for (u8 i = 0; i < size; i++)
		strbuf_hex(out, id[i], 2, 0);
}

void object_line(const u8 *id, u8 id_size, const char *name, struct strbuf *out)
{
	size_t start = out->len;

	put_id(id, id_size, out);
	if (name) {
		strbuf_pad(out, start + ID_COLUMNS);
		strbuf_addch(out, ' ');
		strbuf_addname(out, name);
	}
	strbuf_addch(out, '\n');
}

void object_table_text(const struct env *env, struct strbuf *out)
{
	for (size_t i = 0; i < env->nr_build_ids; i++) {
		const struct env_build_id *b = &env->build_ids[i];

		strbuf_addstr(out, "build id event received for ");
		strbuf_addname(out, b->filename);
		strbuf_addstr(out, ": ");
		put_id(b->id, b->size, out);
		strbuf_addf(out, " [%u]\n", b->size);
	}
}

/* ---- beside a cache ---- */

int objects_missing(const char *input, bool force, const char *dir, struct cache_list *out,
		    struct err *err)
{
	struct diag diag = { 0 };
	struct perf_file *f;
	int ret = perf_file_open(input, force, &f, &diag, err);

	if (ret)
		return ret;
	for (size_t i = 0; i < f->env.nr_build_ids; i++) {
		const struct env_build_id *b = &f->env.build_ids[i];
		char hex[41];

		build_id_hex(b->id, b->size, hex);
		if (b->size && !cache_has(dir, hex, NULL))
			cache_list_add(out, hex, xstrdup(b->filename));
	}
	perf_file_close(f);
	return 0;
}

/* Read the bytes of a build-id in hex digits. Return: how many. */
static u8 id_bytes(const char *hex, u8 id[20])
{
	char byte[3] = { 0 };
	u8 n = 0;

	for (; n < 20 && hex[0] && hex[1]; hex += 2) {
		memcpy(byte, hex, 2);
		id[n++] = (u8)strtoul(byte, NULL, 16);
	}
	return n;
}

int objects_fetch(struct cache_list *missing, const char *dir, struct err *err)
{
	struct debuginfod *d;
	size_t left = 0, nr = missing->nr;
	int ret = debuginfod_open(&d, err);

	if (ret == -ENOENT)
		return err_set(err, ret,
			       "no debuginfod servers: name them, as in "
			       "--debuginfod=https://debuginfod.elfutils.org, or in "
			       "DEBUGINFOD_URLS");
	if (ret)
		return ret;
	for (size_t i = 0; i < nr; i++) {
		struct cache_entry e = missing->v[i];
		u8 id[20];
		u8 size = id_bytes(e.hex, id);

		if (debuginfod_fill(d, dir, e.name, id, size) > 0)
			free(e.name);
		else
			missing->v[left++] = e;
	}
	missing->nr = left;
	debuginfod_close(d);
	return (int)(nr - left);
}
