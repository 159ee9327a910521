// SPDX-License-Identifier: GPL-2.0-or-later
/* perf report: a profile that is written for other programs, and one to compare it with. */
#include "base/compat.h"

#include "cmd/report/report.h"
#include "cmd/common/message.h"

#include <errno.h>

static int no_samples(const struct recording *r, struct err *err)
{
	return err_set(err, -ENODATA, "The %s data has no samples!", r->session.file->path);
}

/* The recording of --compare; @p is NULL without. */
struct compared {
	struct recording_options source;
	struct recording r;
	struct profile *p;
};

/* Count it with the same options. */
static int run_compared(const struct report *rep, struct compared *c, struct err *err)
{
	int ret;

	c->source = rep->source;
	c->source.input = rep->exports.compare;
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

static int write_all(struct report *rep, struct compared *c, struct err *err)
{
	const struct export_source from = { &rep->rec.session, rep->profile };
	const struct export_source before = { &c->r.session, c->p };
	int ret;

	warn_lost(from.session);
	rep->exports.opts.min_percent = rep->percent_limit;
	ret = exports_write(&rep->exports, &from, c->p ? &before : NULL, err);
	report_quality(rep);
	return ret;
}

int report_exports(struct report *rep, int ret, struct err *err)
{
	struct compared c = { .p = NULL };
	int status;

	if (!ret && !profile_has_samples(rep->profile))
		ret = no_samples(&rep->rec, err);
	if (!ret && rep->exports.compare)
		ret = run_compared(rep, &c, err);
	if (!ret)
		ret = write_all(rep, &c, err);
	if (ret)
		error_err(err);
	status = warn_diag(&rep->rec.session);
	if (c.p) {
		profile_free(c.p);
		recording_close(&c.r);
	}
	return ret ? 1 : status;
}
