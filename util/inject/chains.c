// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Replaces the registers and the copy of the stack in samples (record --call-graph dwarf) by the
 * call chain that they are unwound to, a tenth of the bytes. The objects have to be here, as for a
 * report.
 */
#include "base/compat.h"
#include "inject/inject.h"

#include "base/alloc.h"
#include "recording/jit.h"
#include "unwind/unwind.h"
#include "wire/encode.h"

#include <errno.h>

/* The layout of an event's samples in the output. */
struct converted {
	bool known, changed;
	struct wire_layout layout;
};

struct inject_chains {
	struct recording *rec;
	const struct notices *notices;
	struct unwinder *unwinder;
	struct unwind_thread thread;
	bool stream;
	struct converted *events; /* owned; by index */
	size_t nr;
	struct strbuf sample;
};

/* A stream tells its events and its machine as it goes. Return: false when it cannot be unwound. */
static bool prepare(struct inject_chains *c)
{
	const struct perf_file *f = c->rec->session.file;

	if (!c->unwinder)
		c->unwinder = unwinder_new(c->rec->machine, recording_symbols(c->rec), f->env.arch,
					   f->swap, c->rec->unwind_style);
	return c->unwinder;
}

/* Read the state of a file, so that each sample finds the mappings of its time. */
static int read_state(struct inject_chains *c, struct err *err)
{
	static const struct recording_ops none = { 0 };
	int ret = recording_samples(c->rec, &none, c, 1, err);

	if (ret)
		return ret;
	if (!evlist_copies_stacks(&c->rec->session.evlist))
		return err_set(err, -EINVAL,
			       "--convert-callchain: no event of the recording has copies of user "
			       "stacks (record --call-graph dwarf)");
	if (!prepare(c))
		return err_set(err, -EINVAL,
			       "--convert-callchain: stacks of this architecture cannot be "
			       "unwound: %s",
			       c->rec->session.file->env.arch);
	return 0;
}

struct inject_chains *inject_chains_new(struct recording *rec, const struct notices *notices,
					struct err *err)
{
	struct inject_chains *c = xzalloc(sizeof(*c));

	c->rec = rec;
	c->notices = notices;
	c->stream = recording_is_stream(rec);
	rec->jit = follow_jitdumps(rec->machine, &rec->session, &rec->options->symfs,
				   rec->options->force);
	if (!c->stream && read_state(c, err)) {
		inject_chains_free(c);
		return NULL;
	}
	return c;
}

/* Tell how much was reached: what was not cannot be had from the output any more. */
static void tell(const struct inject_chains *c)
{
	const struct unwind_counts *n = &c->thread.counts;

	if (n->stacks)
		notice(c->notices, "%" PRIu64 " stacks were unwound, %.1f%% of them to the root\n",
		       n->stacks, (double)n->root * 100 / (double)n->stacks);
}

void inject_chains_free(struct inject_chains *c)
{
	if (!c)
		return;
	tell(c);
	unwind_thread_release(&c->thread);
	unwinder_free(c->unwinder);
	strbuf_release(&c->sample);
	free(c->events);
	free(c);
}

/* The layout of @e without registers and copies; NULL: it has none. */
static const struct wire_layout *converted_layout(struct inject_chains *c, const struct evsel *e)
{
	struct perf_event_attr attr = e->attr;
	struct converted *to;

	if (e->idx >= c->nr) {
		size_t nr = MAX((size_t)e->idx + 1, c->nr * 2);

		c->events = xrealloc(c->events, nr, sizeof(*c->events));
		memset(c->events + c->nr, 0, (nr - c->nr) * sizeof(*c->events));
		c->nr = nr;
	}
	to = &c->events[e->idx];
	if (!to->known) {
		to->known = true;
		to->changed = attr_drop_copies(&attr);
		layout_init(&to->layout, &attr);
	}
	return to->changed ? &to->layout : NULL;
}

static void apply(struct inject_chains *c, const struct session_event *ev)
{
	if (c->stream && machine_apply(c->rec->machine, ev->hdr, ev->hdr->size, ev->time, NULL))
		diag_record(&c->rec->session.diag, DIAG_BAD_RECORD, ev->hdr->type, ev->offset);
}

enum rewrite_verdict inject_chains_record(struct inject_chains *c, struct rewrite *rw,
					  const struct session_event *ev)
{
	const struct wire_layout *l;
	struct thread_at at;
	struct sample s;

	if (!ev->sample) {
		apply(c, ev);
		return REWRITE_KEEP;
	}
	l = ev->evsel ? converted_layout(c, ev->evsel) : NULL;
	if (!l)
		return REWRITE_KEEP;
	s = *ev->sample;
	machine_thread_at(c->rec->machine, s.pid, s.tid, ev->time, &at);
	if (prepare(c))
		unwind_convert(c->unwinder, &c->thread, at.epoch, true, &s);
	strbuf_reset(&c->sample);
	if (enc_sample(&c->sample, l, &s))
		diag_record(&c->rec->session.diag, DIAG_BAD_RECORD, ev->hdr->type, ev->offset);
	else
		rewrite_insert_as(rw, c->sample.buf, l);
	return REWRITE_DROP;
}
