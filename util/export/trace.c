// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The Trace Event Format of chrome://tracing, as one JSON object. Samples and their stacks are its
 * "samples" and "stackFrames". Tracepoints are instants of threads instead, with the same stacks.
 * The use of CPUs is shown as slices of a separate process, whose threads are the CPUs. Rates of
 * events are counters. Times are in microseconds.
 */
#include "base/compat.h"
#include "export/formats.h"

#include "base/alloc.h"
#include "export/places.h"
#include "export/timeline.h"

/* A number that no process has, because the kernel's are lower. */
#define CPUS_PID 4194305

struct trace {
	const struct stacks *s;
	struct export_out *o;
	enum stacks_weight weight;
	bool narrowed, slices;
	const struct timeline_runs *runs;
	u32 only; /* an event, or EXPORT_ALL */
	enum event_class *class_of;
	bool comma;
};

static void put_time(struct export_out *o, u64 ns)
{
	export_f(o, "%" PRIu64 ".%03u", ns / 1000, (unsigned int)(ns % 1000));
}

static void begin_row(struct trace *w)
{
	export_str(w->o, w->comma ? ",\n{" : "\n{");
	w->comma = true;
	export_more(w->o);
}

static void put_title(struct trace *w, const char *what, u64 pid, u64 tid, const char *name)
{
	begin_row(w);
	export_f(w->o,
		 "\"ph\":\"M\",\"name\":\"%s\",\"pid\":%" PRIu64 ",\"tid\":%" PRIu64
		 ",\"args\":{\"name\":",
		 what, pid, tid);
	quote_json(export_buf(w->o), name);
	export_str(w->o, "}}");
}

static void put_threads(struct trace *w)
{
	const struct stacks *s = w->s;

	for (u32 i = 0; i < s->nr_threads; i++) {
		const struct stacks_thread *t = &s->threads[i];

		if (!i || t[-1].pid != t->pid)
			put_title(w, "process_name", t->pid, t->pid,
				  stacks_text(s, threads_process_comm(s, i)));
		put_title(w, "thread_name", t->pid, t->tid, stacks_text(s, t->comm));
	}
}

static void put_slices(struct trace *w)
{
	struct timeline_slice *slices;
	size_t nr = timeline_slices(w->s, w->narrowed, w->runs, &slices);

	if (nr)
		put_title(w, "process_name", CPUS_PID, 0, "CPUs");
	for (size_t i = 0; i < nr && !export_failed(w->o); i++) {
		const struct timeline_slice *at = &slices[i];
		const struct stacks_thread *t = &w->s->threads[at->thread];

		begin_row(w);
		export_f(w->o,
			 "\"ph\":\"X\",\"cat\":\"sched\",\"pid\":%d,\"tid\":%u,\"ts\":", CPUS_PID,
			 at->cpu);
		put_time(w->o, at->start);
		export_str(w->o, ",\"dur\":");
		put_time(w->o, at->end - at->start);
		export_str(w->o, ",\"name\":");
		quote_json(export_buf(w->o), stacks_text(w->s, t->comm));
		export_f(w->o, ",\"args\":{\"pid\":%u,\"tid\":%u}}", t->pid, t->tid);
	}
	free(slices);
	w->slices = nr;
}

/*
 * Tell whether a sample is written as an instant: tracepoints are, and context switches unless
 * slices show them.
 */
static bool is_instant(const struct trace *w, const struct stacks_sample *at)
{
	enum event_class class = w->class_of[at->event];

	return class == EVENT_POINT || (class == EVENT_SWITCH && !w->slices);
}

static void put_stack(struct trace *w, u32 node)
{
	if (node)
		export_f(w->o, ",\"sf\":\"%u\"", node);
}

static u64 weight_of(const struct trace *w, const struct stacks_sample *at)
{
	return w->weight == WEIGHT_SAMPLES ? 1 : at->period;
}

static void put_instants(struct trace *w)
{
	const struct stacks *s = w->s;

	for (size_t i = 0; i < s->nr_samples && !export_failed(w->o); i++) {
		const struct stacks_sample *at = &s->samples[i];
		const struct stacks_thread *t = &s->threads[at->thread];

		if (!is_instant(w, at) || !export_takes(w->only, at->event))
			continue;
		begin_row(w);
		export_f(w->o, "\"ph\":\"i\",\"s\":\"t\",\"pid\":%u,\"tid\":%u,\"ts\":", t->pid,
			 t->tid);
		put_time(w->o, at->time);
		export_str(w->o, ",\"name\":");
		quote_json(export_buf(w->o), stacks_text(s, s->events[at->event].name));
		put_stack(w, at->node);
		export_f(w->o, ",\"args\":{\"weight\":%" PRIu64, weight_of(w, at));
		if (at->cpu != UINT32_MAX)
			export_f(w->o, ",\"cpu\":%u", at->cpu);
		export_str(w->o, "}}");
	}
}

static void put_counters(struct trace *w)
{
	struct timeline_rates rates;

	timeline_rates(&rates, w->s, w->weight);
	for (u32 e = 0; e < w->s->nr_events; e++) {
		if (!export_takes(w->only, e))
			continue;
		for (u32 i = 0; i < rates.nr_steps; i++) {
			if (timeline_still_none(&rates, e, i))
				continue;
			begin_row(w);
			export_f(w->o, "\"ph\":\"C\",\"pid\":%d,\"ts\":", CPUS_PID);
			put_time(w->o, rates.start + i * rates.step);
			export_str(w->o, ",\"name\":");
			quote_json(export_buf(w->o), stacks_text(w->s, w->s->events[e].name));
			export_f(w->o, ",\"args\":{\"%s\":%" PRIu64 "}}",
				 w->weight == WEIGHT_SAMPLES ? "samples" : "period",
				 rates.sums[e * (size_t)rates.nr_steps + i]);
		}
	}
	timeline_rates_release(&rates);
}

static void put_stack_frames(struct trace *w)
{
	const struct stacks *s = w->s;

	for (u32 n = 1; n < s->nr_nodes; n++) {
		const struct stacks_frame *f = &s->frames[s->nodes[n].frame];

		export_f(w->o, n > 1 ? ",\n\"%u\":{\"name\":" : "\n\"%u\":{\"name\":", n);
		quote_json(export_buf(w->o), stacks_text(s, f->name));
		export_str(w->o, ",\"category\":");
		quote_json(export_buf(w->o), stacks_text(s, f->dso));
		if (s->nodes[n].parent)
			export_f(w->o, ",\"parent\":\"%u\"", s->nodes[n].parent);
		export_ch(w->o, '}');
		export_more(w->o);
	}
}

static void put_samples(struct trace *w)
{
	const struct stacks *s = w->s;

	w->comma = false;
	for (size_t i = 0; i < s->nr_samples && !export_failed(w->o); i++) {
		const struct stacks_sample *at = &s->samples[i];

		if (is_instant(w, at) || !export_takes(w->only, at->event))
			continue;
		begin_row(w);
		if (at->cpu != UINT32_MAX)
			export_f(w->o, "\"cpu\":%u,", at->cpu);
		export_f(w->o, "\"tid\":%u,\"ts\":", s->threads[at->thread].tid);
		put_time(w->o, at->time);
		export_str(w->o, ",\"name\":");
		quote_json(export_buf(w->o), stacks_text(s, s->events[at->event].name));
		put_stack(w, at->node);
		export_f(w->o, ",\"weight\":%" PRIu64 "}", weight_of(w, at));
	}
}

static int write_trace(const struct stacks *s, const struct export_opts *opts, struct export_out *o,
		       struct err *err)
{
	struct trace w = { .s = s,
			   .o = o,
			   .weight = opts->weight,
			   .narrowed = opts->narrowed,
			   .runs = opts->timeline };
	int ret = export_only(s, opts, &w.only, err);

	if (ret)
		return ret;
	w.class_of = xcalloc(s->nr_events + (size_t)1, sizeof(*w.class_of));
	for (u32 i = 0; i < s->nr_events; i++)
		w.class_of[i] = event_class(stacks_text(s, s->events[i].name));
	export_str(o, "{\"displayTimeUnit\":\"ns\",\n\"traceEvents\":[");
	put_threads(&w);
	put_slices(&w);
	put_instants(&w);
	put_counters(&w);
	export_str(o, "],\n\"stackFrames\":{");
	put_stack_frames(&w);
	export_str(o, "},\n\"samples\":[");
	put_samples(&w);
	export_str(o, "],\n\"metadata\":");
	export_json_facts(o, opts);
	export_str(o, "}\n");
	free(w.class_of);
	return 0;
}

const struct export_ops export_trace = {
	.name = "chrome-trace",
	.arg = "FILE",
	.help = "write samples, events and CPUs over time for chrome://tracing",
	.dims = { .comm = true, .process = true, .thread = true, .cpu = true, .samples = true },
	.slices = true,
	.write = write_trace,
};
