// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "browse/counted.h"

#include "base/alloc.h"

#include <errno.h>

static char *copy(const char *s)
{
	return s ? xstrdup(s) : NULL;
}

struct counted *counted_new(const struct recording_options *source,
			    const struct profile_options *asked, const char *path,
			    const struct report_filters *f)
{
	struct counted *c = xzalloc(sizeof(*c));

	c->source = *source;
	c->asked = *asked;
	c->path = copy(path);
	c->comm = copy(f->comm);
	c->tid = copy(f->tid);
	c->dso = copy(f->dso);
	c->time = copy(f->time);
	if (c->path)
		c->source.input = c->path;
	if (c->time)
		c->source.time = c->time;
	if (c->comm)
		c->asked.comms = c->comm;
	if (c->tid)
		c->asked.tids = c->tid;
	if (c->dso)
		c->asked.dsos = c->dso;
	if (f->socket >= 0)
		c->asked.socket = f->socket;
	if (f->sort_by)
		c->asked.group_sort = f->sort_by;
	return c;
}

void counted_free(struct counted *c)
{
	if (!c)
		return;
	profile_drop(c->profile);
	if (c->rec.machine)
		recording_close(&c->rec);
	free(c->path);
	free(c->comm);
	free(c->tid);
	free(c->dso);
	free(c->time);
	free(c);
}

int counted_run(struct counted *c, struct err *err)
{
	int ret = recording_open(&c->rec, &c->source, NULL, err);

	if (ret)
		return ret;
	c->profile = profile_new(&c->asked, &c->rec);
	ret = profile_take_threads(c->profile, err) ?: profile_take_levels(c->profile, err);
	if (!ret)
		ret = profile_take_cpus(c->profile, err) ?: profile_run(c->profile, err);
	if (!ret && !profile_has_samples(c->profile))
		ret = err_set(err, -ENODATA, "%s has no samples", c->rec.session.file->path);
	return ret;
}
