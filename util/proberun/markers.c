// SPDX-License-Identifier: GPL-2.0-or-later
/* The build-id cache knows which objects have a marker. */
#include "base/compat.h"
#include "proberun/wants.h"

#include "base/alloc.h"
#include "buildid/markers.h"
#include "probe/definition.h"

#include <errno.h>
#include <fnmatch.h>

/* The replacing of definitions by those that the cache knows objects of. */
struct completing {
	const char *cache_dir;  /* NULL: there is none */
	struct sdt_cache cache; /* read when it is first needed */
	bool cache_read;
	struct probe_wants out;
};

static void add_want(struct probe_wants *out, const struct probe_want *from, const char *path,
		     bool again)
{
	char *own = xstrdup(path);

	probe_wants_add(out, (struct probe_want){ .text = xstrdup(from->text),
						  .path = own,
						  .exec = own,
						  .again = again,
						  .line = from->line });
}

static bool had_path(const struct probe_wants *out, size_t first, const char *path)
{
	for (size_t i = first; i < out->nr; i++)
		if (!strcmp(out->v[i].path, path))
			return true;
	return false;
}

static const struct sdt_cache *cache_of(struct completing *c)
{
	if (!c->cache_read)
		sdt_cache_read(&c->cache, c->cache_dir ? c->cache_dir : "");
	c->cache_read = true;
	return &c->cache;
}

/* Add a definition for each object of the cache that has the marker. */
static int expand(struct completing *c, const struct probe_want *w,
		  const struct probe_definition *d, struct err *err)
{
	const struct sdt_cache *cache = cache_of(c);
	bool prefix = d->group && !strncmp(d->group, "sdt_", 4);
	char *pattern =
		xasprintf("%s%s:%s", prefix ? "" : "sdt_", d->group ? d->group : "*", d->event);
	size_t first = c->out.nr;

	for (size_t i = 0; i < cache->nr; i++)
		if (!fnmatch(pattern, cache->v[i].event, 0) &&
		    !had_path(&c->out, first, cache->v[i].path))
			add_want(&c->out, w, cache->v[i].path, c->out.nr > first);
	free(pattern);
	if (c->out.nr > first)
		return 0;
	return err_set(
		err, -ENOENT,
		"%%%s%s%s: no object in the build-id cache has such a marker. Add the program "
		"(perf buildid-cache --add), or name it with -x.",
		d->group ? d->group : "", d->group ? ":" : "", d->event);
}

/* Take over a definition that is not for the cache to complete. */
static void keep(struct completing *c, struct probe_want *w, const struct probe_definition *d)
{
	if (d->marker && d->object && !w->exec)
		w->exec = w->path = xstrdup(d->object);
	probe_wants_add(&c->out, *w);
	*w = (struct probe_want){ 0 };
}

int probe_wants_markers(struct probe_wants *w, const char *cache_dir, struct err *err)
{
	struct completing c = { .cache_dir = cache_dir };
	int rc = 0;

	for (size_t i = 0; !rc && i < w->nr; i++) {
		struct probe_want *want = &w->v[i];
		struct probe_definition d;

		rc = probe_definition_parse(&d, want->text, err);
		if (!rc && d.marker && !d.object && !want->exec)
			rc = expand(&c, want, &d, err);
		else if (!rc)
			keep(&c, want, &d);
		if (rc)
			probe_want_failed(want, err);
		probe_definition_release(&d);
	}
	probe_wants_release(w);
	*w = c.out;
	if (c.cache_read)
		sdt_cache_release(&c.cache);
	return rc;
}
