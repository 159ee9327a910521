// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "proberun/cache.h"

#include "base/alloc.h"
#include "proberun/cache-internal.h"
#include "symbol/object-id.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#define KERNEL "[kernel.kallsyms]" /* the name that the cache has for the kernel */

/* ---- places ---- */

bool cache_place_of(const struct probe_object *o, struct cache_place *p)
{
	bool kernel = !o->user && !o->module;
	u8 id[20];
	int size = kernel    ? object_id(o->target->sysroot, KERNEL, true, 0, id)
		   : o->file ? elf_build_id(o->file, id)
			     : -ENOENT;

	*p = (struct cache_place){ .name = kernel ? KERNEL : o->user ? o->path : o->named };
	if (size > 0)
		build_id_hex(id, (u8)size, p->hex);
	return size > 0 && p->name;
}

int cache_no_place(const struct probe_object *o, struct err *err)
{
	return err_set(err, -ENOENT, "%s has no build-id, by which the cache would know it.",
		       probe_object_name(o));
}

bool cache_is_current(const struct sysroot *sr, const struct cache_entry *e)
{
	bool kernel = !strcmp(e->name, KERNEL);
	char hex[41] = "";
	u8 id[20];
	int size = kernel ? object_id(sr, KERNEL, true, 0, id) : elf_build_id(e->name, id);

	if (size > 0)
		build_id_hex(id, (u8)size, hex);
	return !strcmp(hex, e->hex);
}

/* ---- reading and writing ---- */

void probe_cache_load(const char *dir, const struct cache_place *p, struct probe_cached_list *out)
{
	struct strbuf text = STRBUF_INIT;

	if (dir && cache_probes_read(dir, p->name, p->hex, &text))
		probe_cached_read(out, strbuf_str(&text), text.len);
	strbuf_release(&text);
}

/* Wait until no other perf changes definitions in the cache. Return: a descriptor to close, or -1,
 * where the file system cannot do that. */
static int lock_cache(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	while (fd >= 0 && flock(fd, LOCK_EX) && errno == EINTR)
		;
	return fd;
}

static void unlock_cache(int fd)
{
	if (fd >= 0)
		close(fd);
}

static int write_back(const char *dir, const struct cache_place *p,
		      const struct probe_cached_list *l)
{
	struct strbuf text = STRBUF_INIT;
	int rc;

	probe_cached_write(l, &text);
	rc = cache_put_text(dir, p->name, p->hex, "probes", &text);
	strbuf_release(&text);
	return rc;
}

/* Have the object itself in the cache, as other perfs do. */
static int add_object(const struct probe_run *r, const struct cache_place *p, struct err *err)
{
	struct cache_object object;
	u8 id[20];
	int rc;

	if (!strcmp(p->name, KERNEL)) {
		/* without rights to read the addresses of symbols the definitions are kept alone */
		rc = object_id(&r->sysroot, KERNEL, true, 0, id);
		(void)cache_fill(r->cache_dir, KERNEL, 0, id, (u8)MAX(rc, 0), CACHE_COPY);
		return 0;
	}
	rc = cache_object_open(&object, p->name, (int)r->pid, err);
	if (!rc)
		rc = cache_add(r->cache_dir, &object, CACHE_COPY, NULL, err);
	cache_object_release(&object);
	return rc;
}

int probe_cache_save(const struct probe_run *r, const struct probe_object *o,
		     const struct probe_definition *d, const struct probe_events *events,
		     struct err *err)
{
	struct probe_cached_list l = { 0 };
	struct cache_place p;
	int rc, lock;

	if (!cache_place_of(o, &p))
		return cache_no_place(o, err);
	rc = add_object(r, &p, err);
	lock = lock_cache(r->cache_dir);
	if (!rc) {
		probe_cache_load(r->cache_dir, &p, &l);
		rc = probe_cached_put(&l, o, d, events, err);
	}
	if (!rc) {
		rc = write_back(r->cache_dir, &p, &l);
		if (rc)
			err_set(err, rc, "The build-id cache %s cannot be written: %s.",
				r->cache_dir, err_str(rc));
	}
	unlock_cache(lock);
	probe_cached_release(&l);
	return rc;
}

/* ---- entries ---- */

int cache_none(struct err *err)
{
	return err_set(err, -ENOENT, "There is no build-id cache: set $HOME.");
}

void probe_cache_load_entry(const struct probe_run *r, const struct cache_entry *e,
			    struct cache_place *p, struct probe_cached_list *l)
{
	*p = (struct cache_place){ .name = e->name };
	memcpy(p->hex, e->hex, sizeof(p->hex));
	probe_cache_load(r->cache_dir, p, l);
}

/* Tell whether the options leave an entry out. */
static bool is_other(const struct probe_run *r, const struct cache_entry *e)
{
	char *real = r->exec ? realpath(r->exec, NULL) : NULL;
	bool other = r->exec && strcmp(real ? real : r->exec, e->name) != 0;

	free(real);
	return other;
}

/* Append the definitions of an entry that a filter selects, below its name. */
static void list_entry(const struct probe_run *r, const struct cache_entry *e,
		       const struct name_filter *f, bool whole, struct strbuf *out)
{
	struct probe_cached_list l = { 0 };
	struct cache_place p;
	bool named = false;

	probe_cache_load_entry(r, e, &p, &l);
	for (size_t i = 0; i < l.nr; i++) {
		if (!probe_cached_passes(&l.v[i], f, whole))
			continue;
		if (!named)
			strbuf_addf(out, "%s (%s):\n", e->name, e->hex);
		named = true;
		strbuf_addf(out, "%s\n", l.v[i].text);
	}
	probe_cached_release(&l);
}

int probe_cache_list(const struct probe_run *r, const char *filter, struct strbuf *out,
		     struct err *err)
{
	struct name_filter *f = *filter ? name_filter_parse(filter, err) : NULL;
	struct cache_list entries;

	if (*filter && !f)
		return err->code;
	if (!r->cache_dir) {
		name_filter_free(f);
		return cache_none(err);
	}
	cache_list(r->cache_dir, "probes", &entries);
	for (size_t i = 0; i < entries.nr; i++)
		if (!is_other(r, &entries.v[i]))
			list_entry(r, &entries.v[i], f, strchr(filter, ':'), out);
	cache_list_release(&entries);
	name_filter_free(f);
	return 0;
}

/* ---- removing ---- */

/* Take the definitions of one object out that a filter selects. *@nr: is increased by their
 * number */
static int remove_of(const struct probe_run *r, const struct cache_entry *e,
		     const struct name_filter *f, bool whole, size_t *nr)
{
	struct probe_cached_list l = { 0 };
	struct cache_place p;
	size_t before;
	int rc = 0;

	probe_cache_load_entry(r, e, &p, &l);
	before = l.nr;
	for (size_t i = 0; i < l.nr;) {
		if (!probe_cached_passes(&l.v[i], f, whole)) {
			i++;
			continue;
		}
		notice(r->notices, "Removed cached event: %s\n", l.v[i].text);
		probe_cached_drop(&l, i);
	}
	*nr += before - l.nr;
	if (before > l.nr && !r->dry_run)
		rc = write_back(r->cache_dir, &p, &l);
	probe_cached_release(&l);
	return rc;
}

static int remove_matching(const struct probe_run *r, const struct cache_list *entries,
			   const char *filter, struct err *err)
{
	struct name_filter *f = name_filter_parse(filter, err);
	size_t nr = 0;
	int rc = f ? 0 : err->code;

	for (size_t i = 0; !rc && i < entries->nr; i++) {
		const struct cache_entry *e = &entries->v[i];

		if (is_other(r, e))
			continue;
		rc = remove_of(r, e, f, strchr(filter, ':'), &nr);
		if (rc)
			err_set(err, rc, "The definitions of %s cannot be changed in %s: %s.",
				e->name, r->cache_dir, err_str(rc));
	}
	if (!rc && !nr)
		rc = err_set(err, -ENOENT, "\"%s\" does not hit any definition of the cache.",
			     filter);
	name_filter_free(f);
	return rc;
}

int probe_cache_remove(const struct probe_run *r, const char *const *filters, size_t nr,
		       struct err *err)
{
	struct cache_list entries;
	int rc = 0, lock;

	if (!r->cache_dir)
		return cache_none(err);
	lock = lock_cache(r->cache_dir);
	cache_list(r->cache_dir, "probes", &entries);
	for (size_t i = 0; !rc && i < nr; i++)
		rc = remove_matching(r, &entries, filters[i], err);
	cache_list_release(&entries);
	unlock_cache(lock);
	return rc;
}
