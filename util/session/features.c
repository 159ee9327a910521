// SPDX-License-Identifier: GPL-2.0-or-later
/* Make the header features of a recording: how events, machine and command line are described in
 * the file. */
#include "base/compat.h"
#include "session/features.h"

#include "base/alloc.h"
#include "file/feature.h"

#include <limits.h>
#include <unistd.h>

struct strbuf *features_add(struct features *f, u32 bit)
{
	f->v[f->nr].bit = bit;
	f->v[f->nr].body = (struct strbuf)STRBUF_INIT;
	return &f->v[f->nr++].body;
}

void features_release(struct features *f)
{
	for (size_t i = 0; i < f->nr; i++)
		strbuf_release(&f->v[i].body);
}

struct writer_attr *writer_attrs(const struct evlist *l)
{
	struct writer_attr *a = xcalloc(l->nr, sizeof(*a));

	for (size_t i = 0; i < l->nr; i++) {
		const struct evsel *e = l->evsels[i];

		a[i] = (struct writer_attr){ &e->attr, e->ids,      e->nr_ids,
					     e->name,  &e->config3, e->config3 != 0 };
	}
	return a;
}

void features_events(struct features *f, const struct evlist *l)
{
	struct writer_attr *attrs = writer_attrs(l);

	feature_event_desc(features_add(f, HEADER_EVENT_DESC), attrs, l->nr);
	free(attrs);
}

void features_groups(struct features *f, const struct evlist *l)
{
	struct env_group *g = xcalloc(l->nr + 1, sizeof(*g));
	u32 nr = 0;

	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->nr_members > 1)
			g[nr++] = (struct env_group){ l->evsels[i]->group_name, (u32)i,
						      l->evsels[i]->nr_members };
	if (nr)
		feature_group_desc(features_add(f, HEADER_GROUP_DESC), g, nr);
	free(g);
}

void features_host(struct features *f, const struct sysroot *sr, u32 bit)
{
	if (feature_host(sr, bit, features_add(f, bit)))
		strbuf_release(&f->v[--f->nr].body);
}

void features_cmdline(struct features *f, int argc, const char *const *argv)
{
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	exe[n > 0 ? n : 0] = 0;
	feature_cmdline(features_add(f, HEADER_CMDLINE), n > 0 ? exe : "perf", argc, argv);
}
