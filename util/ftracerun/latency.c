// SPDX-License-Identifier: GPL-2.0-or-later
/* perf ftrace latency: the time of a function, or from one event to another, as a histogram. */
#include "base/compat.h"
#include "ftracerun/run-internal.h"

#include "base/alloc.h"
#include "events/parse.h"
#include "ftracerun/pairing.h"

#include <errno.h>
#include <unistd.h>

/* This is the context of the verb. */
struct latency {
	struct durations d;
	struct pairing *pairing; /* NULL: the graph tracer tells the times */
	char *first, *second;    /* owned: SYSTEM:EVENT of the pair */
};

static int on_exit_event(struct run *r, const struct fmerge_event *ev, struct err *err)
{
	struct latency *l = r->ctx;
	struct fgraph_exit x;

	if (fgraph_is_exit(r->graph, &ev->ev, &x) && x.end >= x.start)
		durations_add(&l->d, x.end - x.start);
	return 0;
}

static const struct tf_event *event_of(const struct run *r, const char *text)
{
	const char *colon = strchr(text, ':');
	char *system = xstrndup(text, colon - text);
	const struct tf_event *e = tracefmt_find(r->text.formats, system, colon + 1);

	free(system);
	return e;
}

static int on_pair_event(struct run *r, const struct fmerge_event *ev, struct err *err)
{
	struct latency *l = r->ctx;
	u64 ns;

	if (pairing_add(l->pairing, ev->ev.data, ev->ev.size, ev->cpu, ev->ev.time, &ns))
		durations_add(&l->d, ns);
	return 0;
}

/* Make a probe at the entry of the function, and another one where it returns. */
static int make_probes(struct run *r, struct err *err)
{
	struct latency *l = r->ctx;
	char *path = sysroot_path(r->c->sysroot, "%s/kprobe_events", tracefs_path(r->c->sysroot));
	char *group = xasprintf("perf_ftrace_%d", getpid()), *enable;
	static const char *const names[2] = { "enter", "leave" };
	int rc = 0;

	for (int i = 0; !rc && i < 2; i++) {
		char *make =
			xasprintf("%c:%s/%s %s", i ? 'r' : 'p', group, names[i], r->c->funcs.v[0]);
		char *gone = xasprintf("-:%s/%s", group, names[i]);

		rc = ftrace_change(&r->in, path, make, gone, "latency -T", err);
		free(make);
		free(gone);
	}
	l->first = xasprintf("%s:enter", group);
	l->second = xasprintf("%s:leave", group);
	/* A probe can be removed when nobody has it switched on. */
	enable = xasprintf("%s/events/%s/enable", r->in.dir, group);
	rc = rc ?: guard_tell(&r->in.guard, GUARD_WRITE, enable, "0");
	free(enable);
	free(path);
	free(group);
	return rc;
}

static int prepare_probes(struct run *r, struct err *err)
{
	struct latency *l = r->ctx;
	int rc = make_probes(r, err);

	for (int i = 0; !rc && i < 2; i++)
		rc = frun_event_on(r, i ? l->second : l->first, err);
	return rc;
}

static int prepare_pairing(struct run *r, struct err *err)
{
	struct latency *l = r->ctx;
	const struct tf_event *first, *second;
	int rc = r->c->nr_events ? 0 : prepare_probes(r, err);

	if (rc)
		return rc;
	first = event_of(r, l->first);
	second = event_of(r, l->second);
	if (!first || !second)
		return err_set(err, -ENOENT, "-e needs two events, as SYSTEM:EVENT,SYSTEM:EVENT");
	l->pairing = pairing_new(first, second, r->c->key, err);
	return l->pairing ? 0 : -EINVAL;
}

/* Take the names of the two events apart. */
static int read_events(const struct ftrace_conf *c, struct latency *l, struct err *err)
{
	const char *text = c->events[0].names, *comma = strchr(text, ',');

	if (c->nr_events == 2 && !comma) {
		l->first = xstrdup(text);
		l->second = xstrdup(c->events[1].names);
	} else if (c->nr_events == 1 && comma) {
		l->first = xstrndup(text, comma - text);
		l->second = xstrdup(comma + 1);
	}
	if (!l->first || !strchr(l->first, ':') || !strchr(l->second, ':') ||
	    strpbrk(l->first, "*?[,") || strpbrk(l->second, "*?[,"))
		return err_set(err, -EINVAL,
			       "latency -e needs two events: -e SYSTEM:EVENT,SYSTEM:EVENT");
	return 0;
}

/* Tell whether BPF programs take the times of functions, at least at first. */
static bool by_bpf(const struct ftrace_conf *c)
{
	return c->funcs.nr && !c->nr_events && (c->probes || !frun_has_tracer(c, GRAPH));
}

static int choose(struct run *r, struct latency *l, struct err *err)
{
	const struct ftrace_conf *c = r->c;

	if (c->nr_events) {
		if (c->funcs.nr)
			return err_set(err, -EINVAL, "latency takes -T or -e, not both");
		r->prepare = prepare_pairing;
		return read_events(c, l, err);
	}
	if (!c->funcs.nr)
		return err_set(err, -EINVAL,
			       "latency needs a function (-T) or two events (-e A,B)");
	if (by_bpf(c)) {
		r->prepare = prepare_pairing;
		r->no_filters = r->events_on = true;
		return 0;
	}
	r->tracer = GRAPH;
	r->event = on_exit_event;
	return 0;
}

static bool has_kprobes(const struct ftrace_conf *c)
{
	struct strbuf text = STRBUF_INIT;
	const bool has =
		!sysroot_read(c->sysroot, &text, "%s/kprobe_events", tracefs_path(c->sysroot));

	strbuf_release(&text);
	return has;
}

static int run_events(struct run *r, struct latency *l, struct err *err)
{
	return frun_verb(r, err);
}

/* Take the times of functions by BPF, or where that is not possible by probes. */
static int time_functions(struct run *r, struct latency *l, struct err *err)
{
	bool began;
	int rc = frun_bpf_times(r->c, &l->d, NULL, &began, r->end, err);

	if (!rc || began || r->c->funcs.nr > 1 || !has_kprobes(r->c))
		return rc;
	notice(r->c->notes, "%s\nTimes are taken by probes.\n", err->msg);
	return frun_verb(r, err);
}

int ftrace_latency(const struct ftrace_conf *c, ftrace_write write, void *ctx,
		   struct ftrace_end *end, struct err *err)
{
	struct latency l = { .d = c->durations };
	struct run r = {
		.c = c,
		.tracer = NOP,
		.event = on_pair_event,
		.ctx = &l,
		.write = write,
		.write_ctx = ctx,
		.end = end,
	};
	struct strbuf out = STRBUF_INIT;
	int rc = durations_check(&l.d, err) ?: choose(&r, &l, err);

	rc = rc ?: (by_bpf(c) ? time_functions : run_events)(&r, &l, err);
	if (!rc) {
		(c->json ? durations_json : durations_put)(&l.d, &out);
		rc = write(ctx, out.buf, out.len);
	}
	if (l.pairing && pairing_open(l.pairing))
		notice(c->notes, "%" PRIu64 " beginnings had no end.\n", pairing_open(l.pairing));
	strbuf_release(&out);
	pairing_free(l.pairing);
	free(l.first);
	free(l.second);
	return rc;
}
