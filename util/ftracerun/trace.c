// SPDX-License-Identifier: GPL-2.0-or-later
/* perf ftrace trace: events as lines. */
#include "base/compat.h"
#include "ftracerun/run-internal.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* Choose the tracer by the options that only one of them has. */
static const char *choose_tracer(const struct ftrace_conf *c)
{
	if (c->tracer)
		return c->tracer;
	if (c->graph.nr || c->not_graph.nr)
		return GRAPH;
	if (c->blk_dev)
		return BLK;
	if (c->funcs.nr || c->not_funcs.nr)
		return FUNCTION;
	return c->nr_events ? NOP : c->default_tracer ? c->default_tracer : GRAPH;
}

static void put_header(struct run *r)
{
	struct strbuf head = STRBUF_INIT;

	if (!strcmp(r->tracer, GRAPH)) {
		fgraph_header(&r->show, &r->out);
		return;
	}
	/* The ring is empty, so that the file has its header alone. */
	if (ftrace_get(&r->in, "trace", &head) || !head.len || head.buf[0] != '#')
		ftext_header(&r->text, r->tracer, r->rings.nr_cpus, &r->out);
	else
		strbuf_add(&r->out, head.buf, head.len);
	strbuf_release(&head);
}

static int on_line(struct run *r, const struct fmerge_event *ev, struct err *err)
{
	ftext_line(&r->text, ev, &r->out);
	return 0;
}

static int on_graph(struct run *r, const struct fmerge_event *ev, struct err *err)
{
	if (!r->show.irqs_end)
		frun_irqs(r);
	fgraph_line(r->graph, r->merge, ev, &r->out);
	return 0;
}

static int on_json(struct run *r, const struct fmerge_event *ev, struct err *err)
{
	ftext_json(&r->text, ev, &r->out);
	return 0;
}

/* Nobody waits for lines that go to a file before the command has ended. */
static bool may_be_late(const struct ftrace_conf *c)
{
	struct stat st;

	return c->command[0] && !fstat(STDOUT_FILENO, &st) && S_ISREG(st.st_mode);
}

int ftrace_trace(const struct ftrace_conf *c, ftrace_write write, void *ctx, struct ftrace_end *end,
		 struct err *err)
{
	struct run r = {
		.c = c,
		.tracer = choose_tracer(c),
		.write = write,
		.write_ctx = ctx,
		.end = end,
		.spooled = may_be_late(c),
		.show = { .tasks = c->verbose,
			  .times = c->verbose,
			  .state = c->verbose,
			  .tail = c->tail,
			  .hex = c->retval_hex },
	};

	if (!strcmp(r.tracer, BLK) != !!c->blk_dev)
		return err_set(err, -EINVAL,
			       "the tracer blk and --blk-dev DEVICE go together: it traces one "
			       "block device, as in --blk-dev sda");
	r.header = c->json ? NULL : put_header;
	r.event = c->json ? on_json : !strcmp(r.tracer, GRAPH) ? on_graph : on_line;
	r.text.no_state = !strcmp(r.tracer, FUNCTION) && !c->irq_info;
	return frun_verb(&r, err);
}
