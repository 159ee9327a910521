// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat report: the counts of a recording. */
#include "base/compat.h"
#include "cmd/common/message.h"
#include "cmd/stat/stat.h"

#include "statrun/recorded.h"

struct reporting {
	struct stat_cmd *s;
	struct stat_recorded rec;
};

/* Take over what the recording is of. It is known when there is something to be shown. */
static void settle(struct reporting *r)
{
	struct stat_cmd *s = r->s;

	if (s->results)
		return;
	s->results = &r->rec.results;
	s->words = r->rec.command;
	s->o.interval = r->rec.interval;
	s->view.interval = r->rec.interval;
	stat_show_settle(s);
}

static void on_interval(void *ctx, u64 time)
{
	struct reporting *r = ctx;

	settle(r);
	stat_show_interval(r->s, time);
}

static void on_run_end(void *ctx)
{
	struct reporting *r = ctx;

	settle(r);
	stat_show_end(r->s);
}

int stat_report(struct stat_cmd *s, const char *path, bool mode_given)
{
	const struct stat_recorded_options o = { .path = path,
						 .mode_given = mode_given,
						 .mode = s->o.mode,
						 .cache_level = s->o.cache_level };
	struct reporting r = { .s = s };
	const struct stat_listener to = {
		.ctx = &r, .interval = on_interval, .run_end = on_run_end, .notes = stderr_notices
	};
	struct err err = { 0 };
	int rc = stat_recorded_open(&r.rec, &o, &err), status;

	if (rc) {
		error_err(&err);
		return EXIT_FAILED;
	}
	rc = stat_recorded_read(&r.rec, &to, &err);
	if (rc)
		error_err(&err);
	status = warn_diag(&r.rec.session);
	if (stat_recorded_check(&r.rec, rc ? NULL : &err) && !rc)
		rc = error_err(&err);
	stat_recorded_close(&r.rec);
	s->results = NULL;
	return rc ? EXIT_FAILED : status;
}
