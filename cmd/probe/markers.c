// SPDX-License-Identifier: GPL-2.0-or-later
/* The build-id cache knows which objects have a marker. */
#include "base/compat.h"
#include "cmd/probe/probe.h"

#include "base/alloc.h"
#include "buildid/markers.h"
#include "cmd/common/settings.h"

#include <errno.h>
#include <fnmatch.h>

static void add_want(struct probe_cmd *c, const struct probe_want *from, const char *path,
		     bool again)
{
	char *own = xstrdup(path);

	probe_want_add(c, (struct probe_want){ .text = xstrdup(from->text),
					       .path = own,
					       .exec = own,
					       .again = again,
					       .line = from->line });
}

static bool had_path(const struct probe_cmd *c, size_t first, const char *path)
{
	for (size_t i = first; i < c->nr_wants; i++)
		if (!strcmp(c->wants[i].path, path))
			return true;
	return false;
}

/* Replace a definition by one for each object of the cache that has the marker. */
static int expand(struct probe_cmd *c, const struct probe_want *w, const struct probe_definition *d,
		  const struct sdt_cache *cache, struct err *err)
{
	bool prefix = d->group && !strncmp(d->group, "sdt_", 4);
	char *pattern =
		xasprintf("%s%s:%s", prefix ? "" : "sdt_", d->group ? d->group : "*", d->event);
	size_t first = c->nr_wants;

	for (size_t i = 0; i < cache->nr; i++)
		if (!fnmatch(pattern, cache->v[i].event, 0) &&
		    !had_path(c, first, cache->v[i].path))
			add_want(c, w, cache->v[i].path, c->nr_wants > first);
	free(pattern);
	if (c->nr_wants > first)
		return 0;
	return err_set(
		err, -ENOENT,
		"%%%s%s%s: no object in the build-id cache has such a marker. Add the program "
		"(perf buildid-cache --add), or name it with -x.",
		d->group ? d->group : "", d->group ? ":" : "", d->event);
}

/* Take over a definition that is not for the cache to complete. */
static void keep(struct probe_cmd *c, struct probe_want *w, const struct probe_definition *d)
{
	if (d->marker && d->object && !w->exec && !c->exec)
		w->exec = w->path = xstrdup(d->object);
	probe_want_add(c, *w);
	*w = (struct probe_want){ 0 };
}

static void read_cache(struct sdt_cache *cache)
{
	char *dir = buildid_cache_dir();

	sdt_cache_read(cache, dir ? dir : "");
	free(dir);
}

int probe_find_markers(struct probe_cmd *c, struct err *err)
{
	struct probe_cmd all = *c;
	struct sdt_cache cache = { 0 };
	bool cache_read = false;
	int rc = 0;

	c->wants = NULL;
	c->nr_wants = c->cap_wants = 0;
	for (size_t i = 0; !rc && i < all.nr_wants; i++) {
		struct probe_want *w = &all.wants[i];
		struct probe_definition d;

		rc = probe_definition_parse(&d, w->text, err);
		if (!rc && d.marker && !d.object && !w->exec && !c->exec) {
			if (!cache_read)
				read_cache(&cache);
			cache_read = true;
			rc = expand(c, w, &d, &cache, err);
		} else if (!rc) {
			keep(c, w, &d);
		}
		if (rc)
			probe_want_failed(w, err);
		probe_definition_release(&d);
	}
	for (size_t i = 0; i < all.nr_wants; i++)
		free(all.wants[i].text);
	free(all.wants);
	sdt_cache_release(&cache);
	return rc;
}
