// SPDX-License-Identifier: GPL-2.0-or-later
/* Make probes for markers. The build-id cache says which objects have a marker, the object as it is
 * now says where. */
#include "base/compat.h"
#include "recorder/sdt-probes.h"

#include "arch/arch.h"
#include "arch/elf.h"
#include "base/alloc.h"
#include "buildid/markers.h"
#include "symbol/sdt.h"

#include <errno.h>
#include <fnmatch.h>
#include <unistd.h>

#define MAX_VARIANTS 100 /* places of one marker whose arguments differ */

/* Make a probe for a place of the marker, called NAME, or NAME_1 and so on where the arguments
 * differ. */
static int add_note(struct sdt_probes *p, const struct sdt_notes *n, const struct sdt_note *note,
		    const char *path, struct err *err)
{
	struct sdt_note variant = *note;
	int rc = -EEXIST;

	for (int i = 0; rc == -EEXIST && i < MAX_VARIANTS; i++) {
		struct strbuf line = STRBUF_INIT;
		char *name = i ? xasprintf("%s_%d", note->name, i) : xstrdup(note->name);

		variant.name = name;
		sdt_probe_text(n, &variant, path, &line);
		rc = probe_add(&p->set, p->sysroot, strbuf_str(&line), err);
		strbuf_release(&line);
		free(name);
	}
	return rc == -EEXIST ? err_set(err, rc, "the probe sdt_%s:%s cannot be made: %s",
				       note->provider, note->name, err_str(rc))
			     : rc;
}

/* Make probes for the markers of an object that match. @provider: without "sdt_" */
static int add_object(struct sdt_probes *p, const char *path, const char *provider,
		      const char *name, struct err *err)
{
	struct sdt_notes n = { 0 };
	int rc = sdt_read(&n, path);

	/* objects that are gone, or run elsewhere, have nothing to trace */
	for (size_t i = 0; !rc && arch_runs(arch_host(), n.machine) && i < n.nr; i++)
		if (!fnmatch(provider, n.v[i].provider, 0) && !fnmatch(name, n.v[i].name, 0))
			rc = add_note(p, &n, &n.v[i], path, err);
	sdt_release(&n);
	return err->code ? rc : 0;
}

/* Tell whether it is the object that "PATH" or "PATH(BUILD-ID)" means. */
static bool is_object(const struct sdt_cached *c, const char *object)
{
	size_t path = object ? strcspn(object, "(") : 0, id;

	if (!object)
		return true;
	id = object[path] ? strcspn(object + path + 1, ")") : 0;
	return strlen(c->path) == path && !memcmp(c->path, object, path) &&
	       !strncmp(c->hex, object + path + (id > 0), id);
}

int sdt_probes_make(void *ctx, const char *sys, const char *name, const char *object,
		    struct err *err)
{
	const char *provider = strncmp(sys, "sdt_", 4) ? sys : sys + 4;
	struct sdt_probes *p = ctx;
	char *pattern = xasprintf("sdt_%s:%s", provider, name);
	size_t before = p->set.nr;
	struct sdt_cache c;
	int rc = 0;

	sdt_cache_read(&c, p->cache_dir ? p->cache_dir : "");
	for (size_t i = 0; !rc && i < c.nr; i++) {
		bool seen = fnmatch(pattern, c.v[i].event, 0) || !is_object(&c.v[i], object);

		/* each object once, however many of its markers match */
		for (size_t j = 0; !seen && j < i; j++)
			seen = !strcmp(c.v[j].path, c.v[i].path) &&
			       !fnmatch(pattern, c.v[j].event, 0);
		if (!seen)
			rc = add_object(p, c.v[i].path, provider, name, err);
	}
	sdt_cache_release(&c);
	free(pattern);
	if (rc)
		return rc;
	return p->set.nr > before ? 0 : -ENOENT;
}

void sdt_probes_remove(struct sdt_probes *p)
{
	if (p->set.nr && getpid() == p->owner)
		probe_remove_all(&p->set, p->sysroot);
}
