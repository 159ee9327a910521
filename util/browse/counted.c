// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "browse/counted.h"

#include "base/alloc.h"
#include "browse/filters.h"

#include <errno.h>

struct counted *counted_new(const struct recording_options *source,
			    const struct profile_options *asked, const char *path,
			    const struct report_filters *f)
{
	struct counted *c = xzalloc(sizeof(*c));

	c->source = *source;
	c->asked = *asked;
	if (path)
		c->source.input = c->path = xstrdup(path);
	c->filters = report_filters_copy(f);
	if (c->filters.time)
		c->source.time = c->filters.time;
	browse_filter(&c->asked, &c->filters);
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
	report_filters_free(&c->filters);
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
