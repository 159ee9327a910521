// SPDX-License-Identifier: GPL-2.0-or-later
/* perf report: a profile that is written for other programs, and one to compare it with. */
#include "base/compat.h"

#include "cmd/report/report.h"
#include "cmd/common/message.h"

#include "base/alloc.h"

#include <errno.h>

static int no_samples(const struct recording *r, struct err *err)
{
	return err_set(err, -ENODATA, "The %s data has no samples!", r->session.file->path);
}

/* A recording to compare with, or one more run; @p is NULL until it was read. */
struct compared {
	struct recording_options source;
	struct recording r;
	struct profile *p;
};

/* Count it with the same options. */
static int run_compared(const struct report *rep, const char *path, struct compared *c,
			struct err *err)
{
	int ret;

	c->source = rep->source;
	c->source.input = path;
	ret = recording_open(&c->r, &c->source, &stderr_notices, err);
	if (ret)
		return ret;
	c->p = profile_new(&rep->asked, &c->r);
	ret = report_filters(c->p, err);
	if (!ret && !recording_is_stream(&c->r))
		ret = recording_bind_switch(&c->r, err);
	if (!ret)
		ret = report_profile(&c->r, c->p, err);
	return !ret && !profile_hist(c->p) ? no_samples(&c->r, err) : ret;
}

/* Run the recording of --compare first, then more runs of both sides. */
static int run_all(struct report *rep, struct compared *all, struct err *err)
{
	struct exports *x = &rep->exports;
	int ret = x->compare ? run_compared(rep, x->compare, &all[0], err) : 0;

	for (u32 i = 0; i < x->nr_more && !ret; i++) {
		struct compared *c = &all[i + 1];

		ret = run_compared(rep, x->more[i].path, c, err);
		x->more[i].source = (struct export_source){ &c->r.session, c->p };
	}
	return ret;
}

static void close_all(struct compared *all, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		if (!all[i].p)
			continue;
		profile_free(all[i].p);
		recording_close(&all[i].r);
	}
	free(all);
}

static int write_all(struct report *rep, struct compared *c, struct err *err)
{
	const struct export_source from = { &rep->rec.session, rep->profile };
	const struct export_source before = { &c->r.session, c->p };
	int ret;

	warn_lost(from.session);
	rep->exports.opts.min_percent = rep->rows.percent_limit;
	ret = exports_write(&rep->exports, &from, c->p ? &before : NULL, err);
	report_quality(rep);
	return ret;
}

int report_exports(struct report *rep, int ret, struct err *err)
{
	struct compared *all = xcalloc(EXPORTS_MAX_RUNS + 1, sizeof(*all));
	int status;

	if (!ret && !profile_has_samples(rep->profile))
		ret = no_samples(&rep->rec, err);
	if (!ret)
		ret = run_all(rep, all, err);
	if (!ret)
		ret = write_all(rep, &all[0], err);
	if (ret)
		error_err(err);
	status = warn_diag(&rep->rec.session);
	close_all(all, EXPORTS_MAX_RUNS + 1);
	return ret ? 1 : status;
}
