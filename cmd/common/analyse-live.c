// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "cmd/common/source.h"

#include "cmd/common/message.h"
#include "cmd/common/record-front.h"
#include "cmd/common/usage.h"

#include "analysislive/analysislive.h"

#include <signal.h>

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
	const struct live_work *l = ctx;

	return !is_ended() && (!l->goes_on || l->goes_on(l->ctx)) && (!due || l->show(l->ctx, a));
}

static int work(void *ctx, struct analysis *a, struct err *err)
{
	const struct live_work *l = ctx;

	return l->work(l->ctx, a, err);
}

static int run(const struct live_work *l, struct record_front *front)
{
	const struct record_notes notes = record_front_notes(front);
	const struct analysis_live_conf conf = {
		.sysroot = &front->sysroot,
		.opts = &front->o,
		.events = &front->evlist,
		.notes = &notes,
		.source = l->source,
		.refresh_ms = l->refresh_ms,
		.work = work,
		.go_on = go_on,
		.ctx = (void *)l,
	};
	struct err err = { 0 };

	is_ended();
	if (!analysis_live(&conf, &err))
		return EXIT_OK;
	error_err(&err);
	return EXIT_FAILED;
}

int analyse_live(const struct live_work *l, struct verb_args *a)
{
	struct record_front front = RECORD_FRONT(&front);
	const struct option options[] = { RECORD_OPTIONS(&front), OPT_END() };
	int status;

	front.o.output = "perf.data"; /* nothing is written, so stdout is no recording */
	status = record_front_read(&front, a->nr, a->v, options, l->usage);
	if (!status)
		status = run(l, &front);
	record_front_release(&front);
	verb_args_release(a);
	return status;
}
