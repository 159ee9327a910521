// SPDX-License-Identifier: GPL-2.0-or-later
/* The settings of an instance, each of which is written only when an option asks for it. */
#include "base/compat.h"
#include "ftracerun/run-internal.h"

#include "base/alloc.h"

#include <errno.h>

static int put_list(struct run *r, const struct ftrace_texts *list, const char *file,
		    const char *option, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < list->nr; i++)
		rc = (i ? ftrace_add : ftrace_put)(&r->in, file, list->v[i], option, err);
	return rc;
}

static int put_number(struct run *r, const char *file, u64 number, const char *option,
		      struct err *err)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	return ftrace_put(&r->in, file, text, option, err);
}

/* A switch of the tracer: nothing is written unless the option was given. */
struct tracer_switch {
	bool given;
	const char *file, *text, *option;
};

static int put_switches(struct run *r, const struct tracer_switch *s, size_t nr, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < nr; i++)
		if (s[i].given)
			rc = ftrace_put(&r->in, s[i].file, s[i].text, s[i].option, err);
	return rc;
}

static int function_settings(struct run *r, struct err *err)
{
	const struct ftrace_conf *c = r->c;
	const struct tracer_switch switches[] = {
		{ c->call_graph, "options/func_stack_trace", "1", "--func-opts call-graph" },
		{ c->func_args, "options/func-args", "1", "--func-opts args" },
		{ c->inherit, "options/function-fork", "1", "--inherit" },
	};

	return put_switches(r, switches, ARRAY_SIZE(switches), err);
}

static int graph_settings(struct run *r, struct err *err)
{
	const struct ftrace_conf *c = r->c;
	const struct tracer_switch switches[] = {
		{ c->inherit, "options/function-fork", "1", "--inherit" },
		{ c->nosleep, "options/sleep-time", "0", "--graph-opts nosleep-time" },
		{ c->noirqs, "options/funcgraph-irqs", "0", "--graph-opts noirqs" },
		{ c->args, "options/funcgraph-args", "1", "--graph-opts args" },
		{ c->retval || c->retval_hex, "options/funcgraph-retval", "1",
		  "--graph-opts retval" },
		{ c->retaddr, "options/funcgraph-retaddr", "1", "--graph-opts retaddr" },
	};
	int rc = put_switches(r, switches, ARRAY_SIZE(switches), err);

	rc = rc ?: put_list(r, &c->graph, "set_graph_function", "-G", err);
	rc = rc ?: put_list(r, &c->not_graph, "set_graph_notrace", "-g", err);
	if (!rc && c->depth)
		rc = put_number(r, "max_graph_depth", c->depth, "--graph-opts depth", err);
	if (!rc && c->thresh)
		rc = put_number(r, "tracing_thresh", c->thresh, "--graph-opts thresh", err);
	return rc;
}

static bool is_tracer(const struct run *r, const char *name)
{
	return !strcmp(r->tracer, name);
}

/* The block tracer is switched on by a file of the device. */
static int block_settings(struct run *r, struct err *err)
{
	const char *dev = r->c->blk_dev;
	struct strbuf was = STRBUF_INIT;
	char *path;
	int rc;

	if (!strncmp(dev, "/dev/", 5))
		dev += 5;
	if (!*dev || strchr(dev, '/') || dev[0] == '.')
		return err_set(err, -EINVAL, "--blk-dev: '%s' is no name of a block device",
			       r->c->blk_dev);
	if (sysroot_read(r->c->sysroot, &was, "/sys/class/block/%s/trace/enable", dev))
		rc = err_set(err, -ENOENT,
			     "--blk-dev: there is no device %s that can be traced "
			     "(/sys/class/block/%s/trace/enable)",
			     dev, dev);
	else if (strbuf_str(&was)[0] != '0')
		rc = err_set(err, -EBUSY, "--blk-dev: %s is being traced by somebody else", dev);
	else {
		path = sysroot_path(r->c->sysroot, "/sys/class/block/%s/trace/enable", dev);
		rc = ftrace_change(&r->in, path, "1", "0", "--blk-dev", err);
		free(path);
	}
	strbuf_release(&was);
	return rc;
}

int frun_settings(struct run *r, struct err *err)
{
	const struct ftrace_conf *c = r->c;
	int rc = 0;

	if (c->buffer_kb)
		rc = put_number(r, "buffer_size_kb", c->buffer_kb, "-m", err);
	if (!rc && c->clock)
		rc = ftrace_put(&r->in, "trace_clock", c->clock, "-k", err);
	/* Filters come first, so that the tracer does not begin with all functions. */
	if (!rc && !r->no_filters)
		rc = put_list(r, &c->funcs, "set_ftrace_filter", "-T", err);
	if (!rc)
		rc = put_list(r, &c->not_funcs, "set_ftrace_notrace", "-N", err);
	if (!rc && is_tracer(r, GRAPH))
		rc = graph_settings(r, err);
	if (!rc && (r->in.top || !is_tracer(r, NOP)))
		rc = ftrace_put(&r->in, "current_tracer", r->tracer, "the tracer", err);
	/* This switch is there only while its tracer runs. */
	if (!rc && is_tracer(r, FUNCTION))
		rc = function_settings(r, err);
	if (!rc && c->blk_dev)
		rc = block_settings(r, err);
	return rc;
}

/* Append the bits of CPUs in groups of 32, the highest first. */
static void put_mask(const struct int_list *cpus, struct strbuf *out)
{
	const int most = cpus->v[cpus->nr - 1];

	for (int group = most / 32; group >= 0; group--) {
		u32 bits = 0;

		for (size_t i = 0; i < cpus->nr; i++)
			if (cpus->v[i] / 32 == group)
				bits |= 1u << cpus->v[i] % 32;
		strbuf_addf(out, "%s%08x", out->len ? "," : "", bits);
	}
}

static int put_cpus(struct run *r, struct err *err)
{
	struct int_list cpus = { 0 };
	struct strbuf mask = STRBUF_INIT;
	int rc = cpu_list_target(r->c->sysroot, r->c->target.cpus, &cpus, err);

	int_list_sort(&cpus);
	if (!rc && cpus.nr) {
		put_mask(&cpus, &mask);
		rc = ftrace_put(&r->in, "tracing_cpumask", strbuf_str(&mask), "-C", err);
	}
	int_list_release(&cpus);
	strbuf_release(&mask);
	return rc;
}

static int put_threads(struct run *r, const struct int_list *threads, struct err *err)
{
	/* Events and functions are limited by files of their own. */
	const bool functions = is_tracer(r, FUNCTION) || is_tracer(r, GRAPH);
	const char *option = r->c->target.pids || r->c->target.tids ? "-p" : "a command without -a";
	char text[16];
	int rc = 0;

	for (size_t i = 0; !rc && i < threads->nr; i++) {
		snprintf(text, sizeof(text), "%d", threads->v[i]);
		if (functions)
			rc = (i ? ftrace_add : ftrace_put)(&r->in, "set_ftrace_pid", text, option,
							   err);
		if (!rc && r->events_on)
			rc = (i ? ftrace_add : ftrace_put)(&r->in, "set_event_pid", text, option,
							   err);
	}
	if (!rc && r->c->inherit && r->events_on)
		rc = ftrace_put(&r->in, "options/event-fork", "1", "--inherit", err);
	return rc;
}

int frun_target(struct run *r, s32 pid, struct err *err)
{
	const struct target *t = &r->c->target;
	struct int_list threads = { 0 };
	int rc = t->cpus ? put_cpus(r, err) : 0;

	if (rc)
		return rc;
	if (target_tasks(t))
		rc = target_threads(t, r->c->sysroot, &threads, err);
	else if (pid && !t->all_cpus && !t->cpus)
		int_list_add(&threads, pid);
	if (!rc)
		rc = put_threads(r, &threads, err);
	if (target_tasks(t) && !r->c->inherit)
		r->tasks = threads;
	else
		int_list_release(&threads);
	return rc;
}
