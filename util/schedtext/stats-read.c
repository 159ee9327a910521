// SPDX-License-Identifier: GPL-2.0-or-later
/* Read the counters of the scheduler from a recording. */
#include "base/compat.h"
#include "schedtext/stats.h"

#include <errno.h>

struct reading {
	struct schedstat_recorded recorded;
	const struct env *env;
};

static int on_other(void *ctx, const struct session_event *ev, struct err *err)
{
	struct reading *r = ctx;

	(void)err;
	schedstat_take(&r->recorded, ev->hdr, ev->hdr->size, r->env);
	return 0;
}

/* Return: 0, or -ENOENT and a sentence why there are not two sets of counters. */
static int check(const struct schedstat_recorded *r, const char *path, struct err *err)
{
	if (r->unknown)
		return err_set(err, -ENOENT,
			       "%s: its counters are of version %u of /proc/schedstat; only the "
			       "versions %d to %d are known: a newer perf reads it",
			       path, r->unknown_version, SCHEDSTAT_OLDEST, SCHEDSTAT_NEWEST);
	if (!r->before.nr_cpus)
		return err_set(err, -ENOENT,
			       "%s has no counters of the scheduler (SCHEDSTAT_CPU records); "
			       "perf sched stats record -- <command> makes a file with them",
			       path);
	if (!r->after.nr_cpus)
		return err_set(err, -ENOENT,
			       "%s has the counters from before the run only: the recording was "
			       "cut off; record again",
			       path);
	return 0;
}

int stats_read(struct recording *r, const struct int_list *cpus, struct stats_read *out,
	       struct err *err)
{
	static const struct recording_ops ops = { .other = on_other };
	struct reading got = { .env = &r->session.file->env };
	struct schedstat_recorded *both = &got.recorded;
	int ret = recording_prepare(r, err);

	if (!ret)
		ret = recording_ordered(r, &ops, &got, 1, err);
	if (!ret)
		ret = check(both, r->session.file->path, err);
	if (!ret) {
		schedstat_keep(&both->before, cpus);
		schedstat_keep(&both->after, cpus);
		ret = schedstat_change(&both->before, &both->after, &out->grown, &out->gone, err);
	}
	out->damaged = both->damaged;
	schedstat_recorded_release(both);
	return ret;
}
