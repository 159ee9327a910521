// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "recording/formats.h"

#include "base/alloc.h"

/* A tracepoint that the file does not name: only its format says what it is. */
static bool is_nameless(const struct evsel *e)
{
	return evsel_is_tracepoint(e) && !strncmp(e->name, "unknown", 7);
}

bool formats_name_events(const struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++)
		if (is_nameless(l->evsels[i]))
			return true;
	return false;
}

static void name_tracepoints(struct evlist *l, const struct tracefmt *tf)
{
	size_t i;

	for (i = 0; i < l->nr; i++) {
		struct evsel *e = l->evsels[i];
		const struct tf_event *ev;

		if (!is_nameless(e))
			continue;
		ev = evsel_format(e, tf);
		if (ev) {
			free(e->name);
			e->name = xasprintf("%s:%s", ev->system, ev->name);
		}
	}
}

static void tell_failed(const struct tracefmt *tf, const struct notices *notices)
{
	size_t i;

	for (i = 0; i < tracefmt_nr(tf); i++) {
		const struct tf_event *ev = tracefmt_at(tf, i);

		if (ev->failed)
			notice(notices, "  [%s:%s] print fmt: %s\n", ev->system, ev->name, ev->why);
	}
}

void formats_take(struct formats *f, struct evlist *l, const struct env *env, bool verbose,
		  const struct notices *notices)
{
	struct err err = { 0 };

	if (env->tracing_data && env->tracing_data != f->seen && !(f->keep && f->tracefmt)) {
		f->seen = env->tracing_data;
		tracefmt_free(f->tracefmt);
		if (tracefmt_read_section(env->tracing_data, env->tracing_size, &f->tracefmt, &err))
			f->tracefmt = NULL;
		if (err.code)
			notice(notices, "%s\n", err.msg);
		if (f->tracefmt && verbose)
			tell_failed(f->tracefmt, notices);
	}
	if (f->tracefmt)
		name_tracepoints(l, f->tracefmt);
}

void formats_release(struct formats *f)
{
	tracefmt_free(f->tracefmt);
	*f = (struct formats){ 0 };
}
