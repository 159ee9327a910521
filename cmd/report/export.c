// SPDX-License-Identifier: GPL-2.0-or-later
/* perf report: a profile that is written for other programs, and one to compare it with. */
#include "base/compat.h"

#include "cmd/report/report.h"
#include "cmd/common/message.h"

#include <errno.h>

/* The recording of --compare, with the same options. @q: released by the caller in any case. */
static int run_compared(const struct report *rep, struct profile *q, struct err *err)
{
	int ret;

	q->threads = q->only = (struct sample_filter){ 0 }; /* each has its own */
	q->levels = (struct int_list){ 0 };
	ret = report_filters(rep, q, err);
	if (!ret)
		ret = session_open(&q->session, rep->exports.compare, q->force, err);
	if (ret)
		return ret;
	if (!q->session.file->pipe)
		ret = event_switch_start(&q->on_off, &q->session.evlist, err);
	if (!ret)
		ret = profile_run(q, err);
	if (!ret && !q->hist)
		ret = err_set(err, -ENODATA, "The %s data has no samples!", q->session.file->path);
	return ret;
}

int report_exports(struct report *rep, struct profile *before, int ret, struct err *err)
{
	bool compare = rep->exports.compare, run;

	if (!ret && !profile_has_samples(&rep->p))
		ret = err_set(err, -ENODATA, "The %s data has no samples!",
			      rep->p.session.file->path);
	run = !ret && compare;
	if (run)
		ret = run_compared(rep, before, err);
	if (!ret) {
		warn_lost(&rep->p.session);
		rep->exports.opts.min_percent = rep->percent_limit;
		ret = exports_write(&rep->exports, &rep->p, compare ? before : NULL, err);
		if (rep->p.quality)
			quality_tell(&rep->p, rep->verbose);
	}
	if (ret)
		error_err(err);
	warn_diag(&rep->p.session.diag);
	if (run) {
		profile_release(before);
		session_close(&before->session);
	}
	exports_release(&rep->exports);
	return ret ? 1 : 0;
}
