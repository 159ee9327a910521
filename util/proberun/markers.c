// SPDX-License-Identifier: GPL-2.0-or-later
/* The build-id cache knows which objects have a marker, or a definition of some name. */
#include "base/compat.h"
#include "proberun/wants.h"

#include "base/alloc.h"
#include "proberun/cache-internal.h"

#include <errno.h>

/* The replacing of definitions by those that the cache knows objects of. */
struct completing {
	const struct probe_run *run;
	struct cache_list entries; /* with such files; read when they are first needed */
	bool entries_read;
	const char *stale; /* borrowed from @entries: an object that has changed since; NULL */
	struct probe_wants out;
};

static const struct cache_list *entries_of(struct completing *c)
{
	if (!c->entries_read)
		cache_list(c->run->cache_dir ? c->run->cache_dir : "", "probes", &c->entries);
	c->entries_read = true;
	return &c->entries;
}

/* Tell whether what is kept for an object has a marker or definition. */
static bool has(const struct probe_run *r, const struct cache_entry *e,
		const struct probe_definition *d)
{
	struct probe_cached_list l = { 0 };
	struct cache_place p;
	bool found = false;

	probe_cache_load_entry(r, e, &p, &l);
	for (size_t i = 0; !found && i < l.nr; i++)
		found = probe_cached_is(&l.v[i], d);
	probe_cached_release(&l);
	return found;
}

static void add_want(struct probe_wants *out, const struct probe_want *from, const char *path,
		     bool again)
{
	char *own = xstrdup(path);
	bool kernel = *path != '/', module = strstr(path, ".ko");

	probe_wants_add(out, (struct probe_want){ .text = xstrdup(from->text),
						  .path = own,
						  .exec = kernel || module ? NULL : own,
						  .module = module ? own : NULL,
						  .again = again,
						  .line = from->line });
}

static int nothing(const struct completing *c, const struct probe_definition *d, struct err *err)
{
	const char *group = d->group ? d->group : "", *colon = d->group ? ":" : "";

	if (c->stale)
		return err_set(err, -ENOENT,
			       "%%%s%s%s: the build-id cache has that of another build of %s. Add "
			       "the program again (perf buildid-cache --add), or name it with -x.",
			       group, colon, d->event, c->stale);
	return err_set(err, -ENOENT,
		       "%%%s%s%s: no object in the build-id cache has such a marker or definition. "
		       "Add the program (perf buildid-cache --add), or name it with -x.",
		       group, colon, d->event);
}

/* Add a definition for each object of the cache that has the marker. */
static int expand(struct completing *c, const struct probe_want *w,
		  const struct probe_definition *d, struct err *err)
{
	const struct cache_list *entries = entries_of(c);
	size_t first = c->out.nr;

	c->stale = NULL;
	for (size_t i = 0; i < entries->nr; i++) {
		const struct cache_entry *e = &entries->v[i];

		if (!has(c->run, e, d))
			continue;
		if (cache_is_current(&c->run->sysroot, e))
			add_want(&c->out, w, e->name, c->out.nr > first);
		else
			c->stale = e->name;
	}
	return c->out.nr > first ? 0 : nothing(c, d, err);
}

/* Take over a definition that is not for the cache to complete. */
static void keep(struct completing *c, struct probe_want *w, const struct probe_definition *d)
{
	if (d->marker && d->object && !w->exec)
		w->exec = w->path = xstrdup(d->object);
	probe_wants_add(&c->out, *w);
	*w = (struct probe_want){ 0 };
}

int probe_wants_markers(struct probe_wants *w, const struct probe_run *r, struct err *err)
{
	struct completing c = { .run = r };
	int rc = 0;

	for (size_t i = 0; !rc && i < w->nr; i++) {
		struct probe_want *want = &w->v[i];
		struct probe_definition d;

		rc = probe_definition_parse(&d, want->text, err);
		if (!rc && d.marker && !d.object && !want->exec && !want->module)
			rc = expand(&c, want, &d, err);
		else if (!rc)
			keep(&c, want, &d);
		if (rc)
			probe_want_failed(want, err);
		probe_definition_release(&d);
	}
	probe_wants_release(w);
	*w = c.out;
	if (c.entries_read)
		cache_list_release(&c.entries);
	return rc;
}
