// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "tracerun/settle.h"

#include "kernel/target.h"
#include "tracerun/events.h"

#include <errno.h>

#define PIDS_MAX 64 /* processes that are left out */

int trace_check(const struct trace_asked *a, const struct sysargs *sa, bool stacks, struct err *err)
{
	if (a->errnos && !a->summary)
		return err_set(err, -EINVAL, "--errno-summary: use it with -s or -S");
	if ((a->hist || a->interval_ms) && !a->summary)
		return err_set(err, -EINVAL, "%s: use it with -s or -S", a->hist ? "--hist" : "-I");
	if (a->hist && sysargs_number(sa, a->hist) < 0)
		return err_set(err, -EINVAL, "--hist: there is no system call '%s'", a->hist);
	if (a->look.json && (a->print_sample || stacks || a->tool_stats))
		return err_set(err, -EINVAL,
			       "--json: use it without --print-sample, --call-graph and "
			       "--tool_stats");
	if (a->form == TABLE_CSV && (!a->summary || a->lines || a->tool_stats))
		return err_set(err, -EINVAL, "--csv: it is about the tables of -s alone");
	return 0;
}

int trace_leave_out(struct int_list *named, const char *text, bool many, const struct sysroot *sr,
		    struct int_list *out, struct err *err)
{
	s32 pids[PIDS_MAX];
	size_t nr = 0;
	int rc = 0;

	if (text)
		rc = id_list_parse(text, "process id", named, err);
	if (many)
		nr = trace_own_pids(sr, pids, 2);
	for (size_t i = 0; !rc && i < named->nr && nr < PIDS_MAX; i++)
		pids[nr++] = named->v[i];
	for (size_t i = 0; i < nr; i++)
		int_list_add(out, pids[i]);
	return rc;
}

void trace_settle_sampling(struct trace_asked *a, struct sample_opts *s)
{
	s->raw = s->time = true;
	s->count = 1;
	s->addr = a->faults != 0;
	s->cpu |= a->look.cpu || a->look.json;
	s->cgroups = a->summary && a->mode == TRACE_BY_CGROUP;
	/* Frames of the kernel, which lines may not show, count for it: lines are cut by us. */
	s->max_stack = a->max_stack > PERF_MAX_STACK_DEPTH ? (u16)MIN(a->max_stack, 0xffffU) : 0;
	/* who wants stacks of a depth wants stacks */
	if (s->callgraph == CALLGRAPH_NONE && (a->max_stack || a->min_stack))
		s->callgraph = CALLGRAPH_DWARF;
	a->chains = s->callgraph != CALLGRAPH_NONE;
}

struct call_copies *trace_settle_copies(const struct trace_asked *a, const struct trace_select *s,
					const struct sysargs *sa)
{
	struct call_copies *copies;
	bool *wanted;

	if (!a->lines || !a->syscalls)
		return NULL;
	wanted = trace_select_numbers(s, sa);
	copies = sysargs_copies(sa, wanted, &a->look.view);
	free(wanted);
	return copies;
}
