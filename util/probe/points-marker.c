// SPDX-License-Identifier: GPL-2.0-or-later
/* Markers that programs carry for tracers (symbol/sdt.h). */
#include "base/compat.h"
#include "probe/points-internal.h"

#include "base/alloc.h"
#include "base/suggest.h"
#include "symbol/sdt.h"

#include <errno.h>

/* Return the provider that a definition names; NULL: any. */
static const char *wanted_provider(const struct probe_definition *d)
{
	return d->group && !strncmp(d->group, "sdt_", 4) ? d->group + 4 : d->group;
}

static bool is_wanted(const struct probe_definition *d, const struct sdt_note *n)
{
	const char *provider = wanted_provider(d);

	if (provider && !probe_name_matches(n->provider, provider, probe_is_pattern(provider)))
		return false;
	return probe_name_matches(n->name, d->event, probe_is_pattern(d->event));
}

/* Texts of notes go with the object, which outlives its points. */
static void add_point(struct probe_object *o, const struct sdt_notes *all, const struct sdt_note *n,
		      struct probe_points *out)
{
	struct probe_point *p = probe_points_add(out, probe_object_vaddr(o, n->at));
	struct strbuf args = STRBUF_INIT;

	sdt_probe_args(all, n, &args);
	p->offset = n->at;
	p->semaphore = n->semaphore;
	p->function = arena_strdup(&o->texts, n->name);
	p->provider = arena_strdup(&o->texts, n->provider);
	p->args = arena_strdup(&o->texts, strbuf_str(&args));
	strbuf_release(&args);
}

static int no_marker(const struct probe_object *o, const struct probe_definition *d,
		     const struct sdt_notes *all, struct err *err)
{
	struct strbuf names = STRBUF_INIT;
	int rc;

	if (!all->nr)
		return err_set(err, -ENOENT, "%s has no markers (SDT, section .note.stapsdt).",
			       o->path);
	for (size_t i = 0; i < all->nr && names.len < 65536; i++)
		strbuf_addf(&names, "%s%s", i ? " " : "", all->v[i].name);
	err_set(err, -ENOENT, "%s has no marker %s%s%s.", o->path, d->group ? d->group : "",
		d->group ? ":" : "", d->event);
	rc = err_suggest(err, d->event, strlen(d->event), strbuf_str(&names));
	strbuf_release(&names);
	return rc;
}

int probe_points_by_marker(struct probe_object *o, const struct probe_definition *d,
			   const struct probe_limits *limits, struct probe_points *out,
			   struct err *err)
{
	struct sdt_notes all;
	int rc = 0;

	if (!o->user)
		return err_set(
			err, -EINVAL,
			"The kernel has no markers: name the program of %s with -x, or add it "
			"to the build-id cache (perf buildid-cache --add).",
			d->event);
	rc = sdt_read(&all, o->file);
	if (rc)
		return err_set(err, rc, "Failed to open %s: %s.", o->file, err_str(rc));
	for (size_t i = 0; !rc && i < all.nr; i++) {
		if (!is_wanted(d, &all.v[i]))
			continue;
		if (out->nr >= limits->points)
			rc = err_set(err, -E2BIG,
				     "%s has more than %u places of such markers; allow more with "
				     "--max-probes.",
				     o->path, limits->points);
		else
			add_point(o, &all, &all.v[i], out);
	}
	if (!rc && !out->nr)
		rc = no_marker(o, d, &all, err);
	sdt_release(&all);
	return rc;
}
