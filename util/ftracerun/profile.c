// SPDX-License-Identifier: GPL-2.0-or-later
/* perf ftrace profile: a table of functions. */
#include "base/compat.h"
#include "ftracerun/run-internal.h"
#include "ftracetext/profile.h"

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
	r.ctx = fprofile_new(c->by && !strcmp(c->by, "thread"));
	rc = frun_verb(&r, err);
	fprofile_free(r.ctx);
	return rc;
}
