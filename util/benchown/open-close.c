// SPDX-License-Identifier: GPL-2.0-or-later
/* internals evlist-open-close: events are opened, get rings, are enabled, disabled and closed. */
#include "base/compat.h"
#include "benchown/own-internal.h"

#include "base/clock.h"
#include "events/parse.h"
#include "kernel/open.h"
#include "kernel/ring.h"
#include "kernel/target.h"

#include <errno.h>
#include <unistd.h>

#define RING_PAGES 128

struct opening {
	const char *events;
	unsigned int copies, times;
	struct target target;
	bool per_thread;
	struct int_list cpus, tids;
};

/* Make the list of events anew, as opening changes it. */
static int make_list(const struct opening *o, struct evlist *l, struct err *err)
{
	const struct parse_env env = { 0 };
	struct parse_error pe = { 0 };
	size_t nr, i;
	unsigned int n;

	if (parse_events(l, o->events, &env, &pe))
		return err_set(err, -EINVAL, "%s: %s; use perf list to list available events",
			       o->events, pe.text);
	nr = l->nr;
	for (n = 1; n < o->copies; n++)
		for (i = 0; i < nr; i++)
			evlist_add_copy(l, l->evsels[i]);
	for (i = 0; i < l->nr; i++) {
		struct perf_event_attr *a = &l->evsels[i]->attr;

		a->disabled = 1;
		a->sample_period = 1 << 20;
		a->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;
		a->read_format = PERF_FORMAT_ID;
		layout_init(&l->evsels[i]->layout, a);
	}
	return 0;
}

static int find_places(struct opening *o, struct err *err)
{
	const struct sysroot here = { 0 };
	int ret = 0;

	if (target_tasks(&o->target))
		ret = target_threads(&o->target, &here, &o->tids, err);
	else if (!target_system(&o->target))
		int_list_add(&o->tids, (int)getpid());
	if (ret || o->per_thread)
		return ret;
	return o->target.cpus ? cpu_list_target(&here, o->target.cpus, &o->cpus, err)
			      : cpu_list_online(&here, &o->cpus, err);
}

static int run_once(const struct opening *o, size_t *fds, struct spread *us, struct err *err)
{
	const struct sysroot here = { 0 };
	const struct open_opts opts = { .sysroot = &here, .cpus = &o->cpus, .tids = &o->tids };
	struct kevents k = { 0 };
	struct rings rings = { 0 };
	struct evlist l = { 0 };
	int ret = make_list(o, &l, err);
	u64 ns = clock_ns(CLOCK_MONOTONIC);

	if (!ret)
		ret = kevents_open(&k, &l, &opts, err);
	if (!ret)
		ret = rings_map(&rings, &here, &k, RING_PAGES, true, err);
	if (!ret) {
		*fds = k.nr;
		kevents_enable(&k, true);
		kevents_enable(&k, false);
	}
	rings_release(&rings);
	kevents_release(&k);
	spread_add(us, (double)(clock_ns(CLOCK_MONOTONIC) - ns) / 1000);
	evlist_release(&l);
	return ret;
}

static int run(struct bench *b, struct opening *o, struct err *err)
{
	struct spread us = { 0 }, first = { 0 };
	size_t fds = 0;
	unsigned int i;
	int ret = find_places(o, err);

	/* The first time tells how many descriptors there are, and is not counted. */
	if (!ret)
		ret = run_once(o, &fds, &first, err);
	if (ret)
		return ret;
	bench_say(b, "  Number of cpus:\t%zu\n  Number of threads:\t%zu\n",
		  MAX(o->cpus.nr, (size_t)1), MAX(o->tids.nr, (size_t)1));
	bench_say(b, "  Number of events:\t%zu (%zu fds)\n  Number of iterations:\t%u\n",
		  fds / (MAX(o->cpus.nr, (size_t)1) * MAX(o->tids.nr, (size_t)1)), fds, o->times);
	for (i = 0; i < o->times && !ret; i++)
		ret = run_once(o, &fds, &us, err);
	if (ret)
		return ret;
	bench_say(b, "  Average open-close took: %.3f usec (+- %.3f usec)\n", us.mean,
		  spread_error(&us));
	bench_spread(b, "open and close", "usecs", false, &us);
	return 0;
}

int own_open_close(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench internals evlist-open-close <options>",
					     NULL };
	struct opening o = { .events = "dummy", .copies = 1, .times = 100 };
	const struct option options[] = {
		OPT_STRING('e', "event", &o.events, "event",
			   "event selector. use 'perf list' to list available events"),
		OPT_UINTEGER('n', "nr-events", &o.copies,
			     "number of dummy events to create (default 1). If used with -e, it "
			     "clones those events n times (1 = no change)"),
		OPT_UINTEGER('i', "iterations", &o.times,
			     "Number of iterations used to compute average (default=100)"),
		OPT_BOOLEAN('a', "all-cpus", &o.target.all_cpus,
			    "system-wide collection from all CPUs"),
		OPT_STRING('C', "cpu", &o.target.cpus, "cpu", "list of cpus where to open events"),
		OPT_STRING('p', "pid", &o.target.pids, "pid",
			   "record events on existing process id"),
		OPT_STRING('t', "tid", &o.target.tids, "tid",
			   "record events on existing thread id"),
		OPT_STRING('u', "uid", &o.target.uid, "user", "user to profile"),
		OPT_BOOLEAN(0, "per-thread", &o.per_thread, "use per-thread mmaps"),
		OPT_END(),
	};
	int ret;

	b->parse(b, options, usage);
	if (!o.copies || !o.times || o.copies > 10000)
		return bench_invalid(err, "--nr-events and --iterations must be 1 at least, and "
					  "10000 events are the most");
	ret = run(b, &o, err);
	int_list_release(&o.cpus);
	int_list_release(&o.tids);
	return ret;
}
