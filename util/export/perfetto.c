// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The format of ui.perfetto.dev and its trace processor: a Trace of TracePackets, with the
 * published field numbers. Samples are PerfSamples with interned call stacks, each event on a
 * sequence of its own. Tracepoints are instants on the tracks of their threads. CPUs and rates of
 * events have tracks as well.
 */
#include "base/compat.h"
#include "export/formats.h"

#include "base/alloc.h"
#include "codec/pftrace.h"
#include "export/places.h"
#include "export/timeline.h"

enum {
	PACKET_PERF_SAMPLE = 66,
	INTERNED_FUNCTION_NAMES = 5,
	INTERNED_FRAMES = 6,
	INTERNED_CALLSTACKS = 7,
	INTERNED_BUILD_IDS = 16,
	INTERNED_MAPPING_PATHS = 17,
	INTERNED_MAPPINGS = 19,
	FRAME_FUNCTION_NAME_ID = 2,
	FRAME_MAPPING_ID = 3,
	FRAME_REL_PC = 4,
	CALLSTACK_FRAME_IDS = 2,
	MAPPING_BUILD_ID = 2,
	MAPPING_END = 5,
	MAPPING_PATH_STRING_IDS = 7,
	SAMPLE_CPU = 1,
	SAMPLE_PID = 2,
	SAMPLE_TID = 3,
	SAMPLE_CALLSTACK_IID = 4,
	SAMPLE_CPU_MODE = 5,
};

/* Ids of tracks: the kind is in the upper half. */
enum track { TRACK_PROCESS = 1, TRACK_THREAD, TRACK_CPUS, TRACK_CPU, TRACK_COUNTER };
#define TRACK(kind, number) ((u64)(kind) << 32 | (number))

#define SEQUENCE_EVENT(event) ((event) + PFTRACE_SEQUENCE + 1)

struct perfetto {
	const struct stacks *s;
	struct export_out *o;
	struct strbuf *buf;
	enum stacks_weight weight;
	bool narrowed;
	const struct timeline_runs *runs;
	u32 only; /* an event, or EXPORT_ALL */
	struct code_places places;
	u32 *path;
};

/* ---- tracks ---- */

static void put_threads(struct perfetto *w)
{
	const struct stacks *s = w->s;

	for (u32 i = 0; i < s->nr_threads; i++) {
		const struct stacks_thread *t = &s->threads[i];

		export_more(w->o);
		if (!i || t[-1].pid != t->pid)
			pftrace_process(w->buf, TRACK(TRACK_PROCESS, t->pid), t->pid,
					stacks_text(s, threads_process_comm(s, i)));
		pftrace_thread(w->buf, TRACK(TRACK_THREAD, t->tid), TRACK(TRACK_PROCESS, t->pid),
			       t->pid, t->tid, stacks_text(s, t->comm));
	}
}

/* ---- what is on them ---- */

/* Return: whether there were any. */
static bool put_slices(struct perfetto *w)
{
	struct timeline_slice *slices;
	size_t nr = timeline_slices(w->s, w->narrowed, w->runs, &slices);
	u32 nr_cpus = 0;
	char name[32];

	if (nr)
		pftrace_track(w->buf, TRACK(TRACK_CPUS, 0), 0, "CPUs");
	for (size_t i = 0; i < nr; i++)
		nr_cpus = MAX(nr_cpus, MIN(slices[i].cpu, 65535) + 1);
	for (u32 i = 0; i < nr_cpus; i++) {
		snprintf(name, sizeof(name), "CPU %u", i);
		pftrace_track(w->buf, TRACK(TRACK_CPU, i), TRACK(TRACK_CPUS, 0), name);
	}
	for (size_t i = 0; i < nr && !export_failed(w->o); i++) {
		const struct timeline_slice *at = &slices[i];
		struct pftrace_event e = {
			.time = at->start,
			.track = TRACK(TRACK_CPU, at->cpu),
			.type = PFTRACE_SLICE_BEGIN,
			.category = "sched",
			.name = stacks_text(w->s, w->s->threads[at->thread].comm),
		};

		export_more(w->o);
		pftrace_event(w->buf, &e);
		e = (struct pftrace_event){ at->end, e.track, PFTRACE_SLICE_END };
		pftrace_event(w->buf, &e);
	}
	free(slices);
	return nr;
}

/* Context switches are included unless slices show them. */
static void put_instants(struct perfetto *w, u32 event, bool slices)
{
	const struct stacks *s = w->s;
	const char *name = stacks_text(s, s->events[event].name);
	enum event_class class = event_class(name);

	if (class == EVENT_SAMPLED || (class == EVENT_SWITCH && slices))
		return;
	for (size_t i = 0; i < s->nr_samples && !export_failed(w->o); i++) {
		const struct stacks_sample *at = &s->samples[i];

		if (at->event != event)
			continue;
		export_more(w->o);
		pftrace_event(w->buf,
			      &(struct pftrace_event){
				      .time = at->time,
				      .track = TRACK(TRACK_THREAD, s->threads[at->thread].tid),
				      .type = PFTRACE_INSTANT,
				      .category = "event",
				      .name = name,
			      });
	}
}

static void put_counters(struct perfetto *w)
{
	struct timeline_rates r;

	timeline_rates(&r, w->s, w->weight);
	for (u32 e = 0; e < w->s->nr_events; e++) {
		if (!export_takes(w->only, e))
			continue;
		pftrace_counter(w->buf, TRACK(TRACK_COUNTER, e), 0,
				stacks_text(w->s, w->s->events[e].name),
				w->weight == WEIGHT_SAMPLES ? "samples" : event_unit(w->s, e));
		for (u32 i = 0; i < r.nr_steps; i++) {
			if (timeline_still_none(&r, e, i))
				continue;
			export_more(w->o);
			pftrace_value(w->buf, r.start + i * r.step, TRACK(TRACK_COUNTER, e),
				      r.sums[e * (size_t)r.nr_steps + i]);
		}
	}
	timeline_rates_release(&r);
}

/* ---- samples ---- */

static void put_string(struct perfetto *w, u32 field, u64 iid, const char *text)
{
	size_t string = proto_begin(w->buf, field);

	proto_u64(w->buf, PFTRACE_IID, iid);
	proto_name(w->buf, PFTRACE_STR, text);
	proto_end(w->buf, string);
}

/* Every frame has to belong to a mapping; number 1 is that of frames without one. */
static u32 mapping_of(const struct perfetto *w, u32 frame)
{
	return w->places.object_of[frame] + 1;
}

/* A path consists of parts, each of which is written with a leading '/'; one part is sufficient. */
static void put_mappings(struct perfetto *w)
{
	for (u32 i = 0; i < w->places.nr_objects; i++) {
		const struct place_object *object = &w->places.objects[i];
		const char *path = i ? stacks_text(w->s, object->name) : "[unknown]";
		size_t mapping;

		put_string(w, INTERNED_MAPPING_PATHS, i + 1, path + (*path == '/'));
		put_string(w, INTERNED_BUILD_IDS, i + 1, stacks_text(w->s, object->build_id));
		mapping = proto_begin(w->buf, INTERNED_MAPPINGS);
		proto_u64(w->buf, PFTRACE_IID, i + 1);
		proto_u64(w->buf, MAPPING_BUILD_ID, i + 1);
		proto_u64(w->buf, MAPPING_END, MAX(object->limit, (u64)1));
		proto_number(w->buf, MAPPING_PATH_STRING_IDS, i + 1);
		proto_end(w->buf, mapping);
	}
}

static void put_frames(struct perfetto *w)
{
	const struct stacks *s = w->s;

	for (u32 i = 1; i < w->places.nr_functions; i++)
		put_string(w, INTERNED_FUNCTION_NAMES, i,
			   stacks_frame_name(s, w->places.functions[i]));
	for (u32 i = 0; i < s->nr_frames; i++) {
		size_t frame = proto_begin(w->buf, INTERNED_FRAMES);

		proto_u64(w->buf, PFTRACE_IID, i + (u64)1);
		proto_u64(w->buf, FRAME_FUNCTION_NAME_ID, w->places.function_of[i]);
		proto_u64(w->buf, FRAME_MAPPING_ID, mapping_of(w, i));
		proto_number(w->buf, FRAME_REL_PC, s->frames[i].start);
		proto_end(w->buf, frame);
	}
}

static void put_call_stacks(struct perfetto *w, u32 event)
{
	const struct stacks *s = w->s;
	bool *used = xcalloc(s->nr_nodes, sizeof(*used));

	for (size_t i = 0; i < s->nr_samples; i++)
		used[s->samples[i].node] |= s->samples[i].event == event;
	for (u32 n = 1; n < s->nr_nodes; n++) {
		size_t stack;
		u32 nr;

		if (!used[n])
			continue;
		nr = stacks_path(s, n, w->path);
		stack = proto_begin(w->buf, INTERNED_CALLSTACKS);
		proto_u64(w->buf, PFTRACE_IID, n);
		for (u32 i = 0; i < nr; i++)
			proto_number(w->buf, CALLSTACK_FRAME_IDS, w->path[i] + (u64)1);
		proto_end(w->buf, stack);
	}
	free(used);
}

static u32 cpu_mode(const struct stacks *s, u32 node)
{
	static const u8 modes[NR_FRAME_KINDS] = {
		[FRAME_USER] = 2,       [FRAME_KERNEL] = 1,     [FRAME_MODULE] = 1,
		[FRAME_JIT] = 2,        [FRAME_INLINED] = 2,    [FRAME_GUEST_KERNEL] = 4,
		[FRAME_GUEST_USER] = 5, [FRAME_HYPERVISOR] = 3, [FRAME_WAIT] = 1,
	};

	return modes[stacks_code_kind(s, node)];
}

static void put_sample(struct perfetto *w, const struct stacks_sample *at)
{
	const struct stacks_thread *t = &w->s->threads[at->thread];
	size_t packet, sample;

	export_more(w->o);
	packet = pftrace_packet(w->buf, SEQUENCE_EVENT(at->event));
	proto_number(w->buf, PFTRACE_TIMESTAMP, at->time);
	proto_u64(w->buf, PFTRACE_SEQUENCE_FLAGS, PFTRACE_NEEDS_STATE);
	sample = proto_begin(w->buf, PACKET_PERF_SAMPLE);
	if (at->cpu != UINT32_MAX)
		proto_number(w->buf, SAMPLE_CPU, at->cpu);
	proto_number(w->buf, SAMPLE_PID, t->pid);
	proto_number(w->buf, SAMPLE_TID, t->tid);
	proto_u64(w->buf, SAMPLE_CALLSTACK_IID, at->node);
	proto_u64(w->buf, SAMPLE_CPU_MODE, cpu_mode(w->s, at->node));
	proto_end(w->buf, sample);
	proto_end(w->buf, packet);
}

static void put_samples(struct perfetto *w, u32 event)
{
	const struct stacks *s = w->s;
	size_t packet, interned;

	export_more(w->o);
	packet = pftrace_packet(w->buf, SEQUENCE_EVENT(event));
	proto_number(w->buf, PFTRACE_TIMESTAMP, s->first_time);
	proto_u64(w->buf, PFTRACE_SEQUENCE_FLAGS, PFTRACE_STATE_CLEARED);
	interned = proto_begin(w->buf, PFTRACE_INTERNED_DATA);
	put_mappings(w);
	put_frames(w);
	put_call_stacks(w, event);
	proto_end(w->buf, interned);
	proto_end(w->buf, packet);
	for (size_t i = 0; i < s->nr_samples && !export_failed(w->o); i++)
		if (s->samples[i].event == event)
			put_sample(w, &s->samples[i]);
}

static int write_perfetto(const struct stacks *s, const struct export_opts *opts,
			  struct export_out *o, struct err *err)
{
	struct perfetto w = { .s = s,
			      .o = o,
			      .weight = opts->weight,
			      .narrowed = opts->narrowed,
			      .runs = opts->timeline };
	int ret = export_only(s, opts, &w.only, err);
	bool slices;

	if (ret)
		return ret;
	w.buf = export_buf(o);
	w.path = stacks_room(s);
	code_places_init(&w.places, s);
	put_threads(&w);
	slices = put_slices(&w);
	put_counters(&w);
	for (u32 i = 0; i < s->nr_events; i++) {
		if (!export_takes(w.only, i))
			continue;
		put_instants(&w, i, slices);
		put_samples(&w, i);
	}
	code_places_release(&w.places);
	free(w.path);
	return 0;
}

const struct export_ops export_perfetto = {
	.name = "perfetto",
	.arg = "FILE",
	.help = "write samples, events and CPUs over time for ui.perfetto.dev",
	.dims = { .comm = true, .process = true, .thread = true, .cpu = true, .samples = true },
	.slices = true,
	.write = write_perfetto,
};
