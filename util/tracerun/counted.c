// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "tracerun/counted.h"
#include "tracerun/tracerun-internal.h"

#include "kernel/target.h"

#include <errno.h>
#include <time.h>

/* ---- what can be counted ---- */

/* Tell what of the options takes an event for each call. Return: NULL: nothing does. */
static const char *needs_events(const struct trace_asked *a, const struct record_opts *o,
				bool named)
{
	const struct {
		bool given;
		const char *what;
	} needs[] = {
		{ !a->summary, "without -s or -S there is no summary" },
		{ !a->syscalls, "system calls are not traced" },
		{ a->select->nr_filtered, "filters on arguments are not for the kernel's sums" },
		{ a->faults || a->sched || named, "other events than calls are asked for" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(needs); i++)
		if (needs[i].given)
			return needs[i].what;
	return NULL;
}

int trace_counted_open(struct call_sums *counted, const struct trace_asked *asked,
		       const struct record_opts *opts, bool named, const char *cgroup,
		       const struct sysargs *sa, const struct int_list *left_out,
		       const struct sysroot *sr, struct err *err)
{
	static const enum call_sums_by by[] = { [TRACE_BY_THREAD] = CALL_SUMS_BY_THREAD,
						[TRACE_BY_TOTAL] = CALL_SUMS_TOTAL,
						[TRACE_BY_CGROUP] = CALL_SUMS_BY_CGROUP };
	const struct sysargs *narrow = sysargs_of(sa, SYSARGS_NARROW);
	const char *why = needs_events(asked, opts, named);
	bool *wanted = trace_select_numbers(asked->select, sa);
	bool *wanted_narrow = trace_select_numbers(asked->select, narrow);
	struct int_list cpus = { 0 };
	struct call_sums_opts o = { .sysroot = sr,
				    .by = by[asked->mode],
				    .wanted = wanted,
				    .nr_wanted = sysargs_nr(sa),
				    .wanted_narrow = wanted_narrow,
				    .nr_wanted_narrow = narrow == sa ? 0 : sysargs_nr(narrow),
				    .cpus = &cpus,
				    .errnos = asked->errnos,
				    .steps = asked->hist || asked->nr_quantiles,
				    .steps_of = { -1, -1 },
				    .intervals = asked->interval_ms != 0,
				    .selected = !target_system(&opts->target),
				    .inherit = !opts->sample.no_inherit,
				    .on_exec = opts->command && !opts->delay_ms &&
					       !target_system(&opts->target),
				    .not_pids = left_out,
				    .cgroup = cgroup };
	int rc = why ? err_set(err, -EOPNOTSUPP, "%s", why) : 0;

	if (!asked->nr_quantiles && asked->hist)
		trace_hist_numbers(asked, sa, o.steps_of);
	if (!rc && opts->target.cpus)
		rc = cpu_list_target(sr, opts->target.cpus, &cpus, err);
	rc = rc ?: call_sums_open(counted, &o, err);
	int_list_release(&cpus);
	free(wanted);
	free(wanted_narrow);
	return rc;
}

void trace_counted_event(struct evlist *l)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
				     .config = PERF_COUNT_SW_DUMMY,
				     .size = sizeof(a),
				     .sample_period = 1 };

	evlist_add(l, &a, "dummy")->terms.period_set = true;
}

/* ---- what was counted ---- */

_Static_assert(CALL_SUMS_NARROW == SYSARGS_NARROW, "numbers of narrow programs are the same");
_Static_assert(CALL_SUMS_STEPS == STEPS, "steps of times are the same");

struct taking {
	struct trace_run *run;
	u64 time;
};

static u64 key_of(const struct trace_run *t, const struct call_sum *c)
{
	switch (t->asked->mode) {
	case TRACE_BY_TOTAL:
		return 1;
	case TRACE_BY_CGROUP:
		return c->group + 1;
	case TRACE_BY_THREAD:
		break;
	}
	return c->group;
}

/* Add the sums of one call, as if events had told of it: one at its begin, one at its return. */
static void take_sum(void *ctx, const struct call_sum *c)
{
	const struct taking *taking = ctx;
	struct syscall_sums *sums = &taking->run->sums;
	const size_t group = syscall_sums_group(sums, key_of(taking->run, c), c->pid);
	struct syscall_errno errnos[CALL_SUMS_ERRNOS];
	struct syscall_sum sum = { .nr = c->nr,
				   .calls = c->returned + c->open,
				   .errors = c->errors,
				   .timed = c->timed,
				   .total = c->total,
				   .min = c->min,
				   .max = c->max,
				   .squares = c->squares,
				   .errnos = errnos,
				   .steps = c->steps };

	for (u32 i = 0; c->errnos && i < CALL_SUMS_ERRNOS; i++)
		if (c->errnos[i])
			errnos[sum.nr_errnos++] =
				(struct syscall_errno){ call_sums_error(i), c->errnos[i] };
	if (c->nr >= CALL_SUMS_NARROW)
		trace_narrow_have(taking->run);
	syscall_sums_add(sums, group, &sum);
	syscall_sums_events(sums, group, c->returned + c->timed + c->open, taking->time);
}

void trace_counted_ended(struct trace_run *t, u32 tid, u64 time)
{
	/* At the time itself the thread is no more. */
	if (t->counted)
		call_sums_ended(t->counted, tid, take_sum,
				&(struct taking){ t, time - (time != 0) });
}

void trace_counted_take(struct trace_run *t)
{
	if (t->counted)
		call_sums_take(t->counted, take_sum, &(struct taking){ t, UINT64_MAX });
}

void trace_counted_look(struct trace_run *t)
{
	struct timespec now;
	u64 ns;

	if (!t->counted || !t->asked->interval_ms || t->asked->lines)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	ns = (u64)now.tv_sec * 1000000000 + (u64)now.tv_nsec;
	if (!t->based)
		t->base = ns;
	t->based = true;
	trace_show_interval(t, ns);
}

void trace_counted_rest(struct trace_run *t)
{
	if (t->counted)
		call_sums_rest(t->counted, take_sum, &(struct taking){ t, UINT64_MAX });
}
