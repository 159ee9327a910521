// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of functions that perf calls. Scripts in Perl have functions for samples alone. */
#define PERL_NO_GET_CONTEXT
#include <EXTERN.h>
#include <perl.h>

#include "engines/perl/perl-internal.h"

#include "perf-version.h"

#include <errno.h>

static int start(void **state, const struct script_start *how, struct err *err)
{
	struct perl *pl = calloc(1, sizeof(*pl));
	int verdict;

	if (!pl)
		return engine_fail(err, -ENOMEM, "no memory for Perl");
	*pl = (struct perl){ .host = how->host, .view = how->view };
	verdict = pl_begin(pl, how, err);
	if (verdict) {
		free(pl);
		return verdict;
	}
	*state = pl;
	verdict = pl_run(pl, how);
	if (verdict != SCRIPT_GO_ON)
		return verdict;
	pl_packed_begin(pl);
	pl->process_event = pl_function(pl, "main::process_event");
	pl->unhandled = pl_function(pl, "main::trace_unhandled");
	return pl_call_named(pl, "main::trace_begin", NULL, 0);
}

static unsigned int wants(void *state)
{
	return 0;
}

static void events(void *state)
{
	pl_forget_events(state);
}

static int sample(void *state, struct err *err)
{
	return pl_handle_sample(state);
}

static int record(void *state, const struct session_event *ev, struct err *err)
{
	return SCRIPT_GO_ON;
}

static int count(void *state, const struct script_count *c, struct err *err)
{
	return SCRIPT_GO_ON;
}

static int interval(void *state, u64 time, struct err *err)
{
	return SCRIPT_GO_ON;
}

static int flush(void *state, struct err *err)
{
	return pl_flush(state, err);
}

static int stop(void *state, bool whole, struct err *err)
{
	struct perl *pl = state;
	int verdict = whole ? pl_call_named(pl, "main::trace_end", NULL, 0) : SCRIPT_GO_ON;

	return verdict == SCRIPT_GO_ON ? pl_flush(pl, err) : verdict;
}

static int status(const void *state)
{
	const struct perl *pl = state;

	return pl->status;
}

static void end(void *state)
{
	struct perl *pl = state;
	dTHXa(pl->interpreter);

	pl_forget_events(pl);
	pl_packed_end(pl);
	SvREFCNT_dec(pl->process_event);
	SvREFCNT_dec(pl->unhandled);
	pl_end(pl);
	free(pl);
}

extern const struct script_engine_ops perf_script_engine;
__attribute__((visibility("default"))) const struct script_engine_ops perf_script_engine = {
	.version = PERF_VERSION,
	.start = start,
	.wants = wants,
	.events = events,
	.sample = sample,
	.record = record,
	.count = count,
	.interval = interval,
	.flush = flush,
	.stop = stop,
	.status = status,
	.free = end,
};
