// SPDX-License-Identifier: GPL-2.0-or-later
/* perf ftrace profile: a table of functions. */
#include "base/compat.h"
#include "ftracerun/run-internal.h"
#include "ftracetext/profile.h"

#include "base/alloc.h"

#include <errno.h>

static int on_exit_event(struct run *r, const struct fmerge_event *ev, struct err *err)
{
	struct fgraph_exit x;

	if (fgraph_is_exit(r->graph, &ev->ev, &x))
		fprofile_add(r->ctx, &x);
	return 0;
}

static void put_table(struct run *r)
{
	fprofile_put(r->ctx, &r->text, r->c->sort ? r->c->sort : "total", r->c->json, &r->out);
}

/* Functions have their places in -T for addresses. */
static const char *name_of(void *ctx, u64 address, u64 *start)
{
	const struct ftrace_conf *c = ctx;

	*start = address;
	return address < c->funcs.nr ? c->funcs.v[address] : NULL;
}

/* Without the function graph tracer BPF programs count the functions of -T. */
static int profile_by_bpf(struct run *r, struct err *err)
{
	const struct ftrace_conf *c = r->c;
	struct kfunc_sum *sums = xcalloc(c->funcs.nr, sizeof(*sums));
	struct durations d = { 0 };
	bool began;
	int rc = c->by && !strcmp(c->by, "thread")
			 ? err_set(err, -EOPNOTSUPP,
				   "--by thread needs the tracer function_graph, which this kernel "
				   "does not have")
			 : frun_bpf_times(c, &d, sums, &began, r->end, err);

	if (!rc) {
		notice(c->notes, "This kernel has no tracer function_graph: the time that a "
				 "function spends in others is part of its own.\n");
		r->ctx = fprofile_new(false);
		for (size_t i = 0; i < c->funcs.nr; i++)
			fprofile_add_sum(r->ctx, i, sums[i].nr, sums[i].total, sums[i].most);
		r->text.printer.ksym = name_of;
		r->text.printer.ksym_ctx = (void *)c;
		put_table(r);
		rc = frun_print(r);
		fprofile_free(r->ctx);
		strbuf_release(&r->out);
	}
	free(sums);
	return rc;
}

int ftrace_profile(const struct ftrace_conf *c, ftrace_write write, void *ctx,
		   struct ftrace_end *end, struct err *err)
{
	struct run r = {
		.c = c,
		.tracer = GRAPH,
		.event = on_exit_event,
		.footer = put_table,
		.write = write,
		.write_ctx = ctx,
		.end = end,
	};
	int rc;

	if (c->sort && !fprofile_sort_check(c->sort))
		return err_set(err, -EINVAL,
			       "-s: '%s' is none of total, avg, max, count, self, name", c->sort);
	if (c->by && strcmp(c->by, "thread") && strcmp(c->by, "function"))
		return err_set(err, -EINVAL, "--by: '%s' is neither function nor thread", c->by);
	if (!frun_has_tracer(c, GRAPH) && c->funcs.nr)
		return profile_by_bpf(&r, err);
	r.ctx = fprofile_new(c->by && !strcmp(c->by, "thread"));
	rc = frun_verb(&r, err);
	fprofile_free(r.ctx);
	return rc;
}
