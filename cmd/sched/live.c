// SPDX-License-Identifier: GPL-2.0-or-later
/* Verbs of perf sched that follow the scheduler while it runs, until Ctrl-C. */
#include "base/compat.h"

#include "cmd/common/source.h"
#include "cmd/sched/sched.h"

static const char *const usage[] = { "perf sched <verb> --live", NULL };

int sched_live(struct sched_common *c, const struct sched_live *l)
{
	const char *more[] = { "record", "--all-cgroups", NULL };
	const struct live_work live = {
		.usage = usage,
		.source = &c->source,
		.work = l->work,
		.show = l->show,
		.ctx = l->ctx,
		.refresh_ms = l->refresh_ms,
	};
	struct verb_args a;

	sched_record_arguments(&a, l->cgroups ? 2 : 1, more);
	return analyse_live(&live, &a);
}
