// SPDX-License-Identifier: GPL-2.0-or-later
/* Verbs of perf sched that follow the scheduler while it runs, until Ctrl-C. */
#include "base/compat.h"

#include "cmd/common/message.h"
#include "cmd/common/record-front.h"
#include "cmd/common/usage.h"
#include "cmd/sched/sched.h"

#include "analysislive/analysislive.h"

#include <signal.h>

static const char *const usage[] = { "perf sched <verb> --live", NULL };

/* The signals that end it are blocked, and looked for between two rounds. */
static bool is_ended(void)
{
	const struct timespec now = { 0 };
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	return sigtimedwait(&ends, NULL, &now) > 0;
}

static bool go_on(void *ctx, struct analysis *a, bool due)
{
	const struct sched_live *l = ctx;

	return !is_ended() && (!due || l->show(l->ctx, a));
}

static int work(void *ctx, struct analysis *a, struct err *err)
{
	const struct sched_live *l = ctx;

	return l->work(l->ctx, a, err);
}

int sched_live(struct sched_common *c, const struct sched_live *l)
{
	struct record_front front = RECORD_FRONT(&front);
	const struct option options[] = { RECORD_OPTIONS(&front), OPT_END() };
	const char *more[] = { "record", "--all-cgroups", NULL };
	struct verb_args a;
	struct err err = { 0 };
	int status, ret;

	front.o.output = "perf.data"; /* nothing is written, so stdout is no recording */
	sched_record_arguments(&a, l->cgroups ? 2 : 1, more);
	status = record_front_read(&front, a.nr, a.v, options, usage);
	if (!status) {
		const struct record_notes notes = record_front_notes(&front);
		const struct analysis_live_conf conf = {
			.sysroot = &front.sysroot,
			.opts = &front.o,
			.events = &front.evlist,
			.notes = &notes,
			.source = &c->source,
			.refresh_ms = l->refresh_ms,
			.work = work,
			.go_on = go_on,
			.ctx = (void *)l,
		};

		is_ended();
		ret = analysis_live(&conf, &err);
		if (ret)
			error_err(&err);
		status = ret ? EXIT_FAILED : EXIT_OK;
	}
	record_front_release(&front);
	verb_args_release(&a);
	return status;
}
