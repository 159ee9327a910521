// SPDX-License-Identifier: GPL-2.0-or-later
/* Make all the runs of a command line, one after the other, and keep what they have in common. */
#include "base/compat.h"
#include "statrun/run-internal.h"

#include "base/alloc.h"
#include "statrun/events.h"

#include <errno.h>

/* --- the beginning ------------------------------------------------------------------ */

/* The events as they are to be opened on what is looked at. */
static void configure_events(struct stat_run *r)
{
	const struct stat_options *o = r->o;
	struct count_opts count = o->count;
	const struct stat_table *t = &r->table;

	/* metrics know their events by number */
	if (o->target.cpus && !(o->metrics && o->metrics->nr))
		stat_events_drop(r->evlist, &t->cpus, o->target.cpus, &r->to.notes);
	r->enable_on_exec = (o->command || o->compare.nr) && !t->cpus.nr && !t->tids.nr &&
			    !o->delay && !stat_bpf_used(r);
	count.enable_on_exec = r->enable_on_exec;
	stat_sampler_init(r);
	evlist_configure_counting(r->evlist, &count);
	stat_file_configure(r->evlist);
}

static void make_table(struct stat_run *r)
{
	const struct stat_options *o = r->o;
	struct stat_results *res = &r->results;
	bool by_thread = o->mode == AGGR_THREAD;

	stat_table_settle(&r->table, r->evlist, o->mode,
			  by_thread ? MAX(r->table.tids.nr, (size_t)1) : 1, res);
	res->last.metrics = o->metrics;
	if (!o->apart)
		stat_result_merge(&res->last, o->merge_all);
	if (o->compare.nr)
		stat_compare_init(r);
}

struct stat_run *stat_run_new(const struct stat_options *o, struct evlist *l,
			      const struct stat_listener *to, struct err *err)
{
	struct stat_run *r = xzalloc(sizeof(*r));
	int rc;

	*r = (struct stat_run){ .o = o, .evlist = l, .to = *to, .timers = { -1, -1 } };
	sigprocmask(SIG_SETMASK, NULL, &r->mask);
	raise_fd_limit();
	rc = stat_find_target(r, err);
	if (!rc) {
		configure_events(r);
		make_table(r);
		r->loop = event_loop_new(err);
		rc = r->loop ? stat_wait_start(r, err) : err->code;
	}
	if (!rc)
		return r;
	stat_run_free(r);
	return NULL;
}

void stat_run_free(struct stat_run *r)
{
	if (!r)
		return;
	stat_sampler_release(r);
	event_loop_free(r->loop);
	exit_watch_release(&r->exits);
	kevents_release(&r->kevents);
	int_list_release(&r->bpf.progs);
	int_list_release(&r->bpf.cpus);
	gauge_values_release(&r->gauges);
	free(r->file.tool_ids);
	free(r->counted);
	stat_results_release(&r->results);
	stat_table_release(&r->table);
	sigprocmask(SIG_SETMASK, &r->mask, NULL);
	free(r);
}

/* --- runs ----------------------------------------------------------------------------- */

/* One more run that counts for the means. */
static void keep_run(struct stat_run *r)
{
	struct stat_results *res = &r->results;

	stat_runs_add(&res->runs, &res->last);
	VEC_GROW(res->walls, res->nr_walls + 1, res->cap_walls);
	res->walls[res->nr_walls++] = res->times.wall;
}

static int repeat(struct stat_run *r, struct err *err)
{
	const struct stat_options *o = r->o;
	int rc = 0;

	r->command = o->command;
	for (int run = 0; !rc && !r->results.signal && !r->quit && !r->post_failed &&
			  (!o->repeat || run < o->repeat);
	     run++) {
		if (o->repeat != 1 && o->verbose)
			notice(&r->to.counts, "[ perf stat: executing run #%d ... ]\n", run + 1);
		r->turn = (size_t)run;
		rc = stat_run_once(r, err);
		if (!rc && o->repeat)
			keep_run(r);
		if (!rc)
			stat_run_forget(r);
	}
	return rc;
}

static void control_measure(void *ctx, bool on)
{
	struct stat_run *r = ctx;

	stat_run_enable(r, on);
	notice(&r->to.notes, on ? "Events enabled\n" : "Events disabled\n");
}

static int start_control(struct stat_run *r, struct err *err)
{
	const struct control_target target = { .evlist = r->evlist,
					       .kevents = stat_bpf_used(r) ? NULL : &r->kevents,
					       .measure = control_measure,
					       .ctx = r,
					       .stop = STAT_STOPPED,
					       .notices = &r->to.notes };

	return r->o->control ? control_start(r->o->control, &target, r->loop, err) : 0;
}

int stat_run_all(struct stat_run *r, struct err *err)
{
	int rc = start_control(r, err);

	if (!rc)
		rc = r->o->compare.nr ? stat_compare_all(r, err) : repeat(r, err);
	if (!rc)
		stat_runs_result(&r->results.runs, &r->results.last);
	return rc;
}

/* --- what others see -------------------------------------------------------------------- */

bool stat_run_opened(const struct stat_run *r)
{
	return !r->open_failed;
}

const struct stat_results *stat_run_results(const struct stat_run *r)
{
	return &r->results;
}

struct event_loop *stat_run_loop(struct stat_run *r)
{
	return r->loop;
}
