// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * For profiler.firefox.com: its "processed profile", version 48, where every thread has tables of
 * its own. Samples of one event and thread make a track; with several such events each has one.
 * Tracepoints and switches are markers of their thread's first track, and when there is nothing
 * else its samples too. Where periods are time, they are also the CPU time between two samples.
 */
#include "base/compat.h"
#include "output/export-formats.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "output/export-places.h"
#include "output/export-timeline.h"

enum category { CATEGORY_OTHER, CATEGORY_USER, CATEGORY_KERNEL, CATEGORY_JIT, CATEGORY_GUEST };

/* Things of the tree that a track uses, numbered in the order in which it did first. */
struct subset {
	u32 *local; /* number + 1; 0: not in it */
	u32 *ids;
	u32 nr;
	size_t cap;
};

struct track {
	u32 thread, event; /* thread: its last name; event: UINT32_MAX of markers alone */
	u32 first, nr;     /* of order[] */
};

struct gecko {
	const struct stacks *s;
	struct export_out *o;
	enum stacks_weight weight;
	u32 only;       /* event, or EXPORT_ALL */
	bool *is_point; /* by event: its samples are markers */
	u32 nr_sampled; /* events that are not points */
	struct track *tracks;
	u32 nr_tracks;
	size_t cap_tracks;
	u32 *track_of; /* by sample */
	u32 *order;    /* samples by track, then time */
	u32 *markers;  /* of the track that is written: the samples that are markers */
	u32 *samples;  /* and those that are samples */
	u32 nr_markers, nr_samples;
	u32 *path; /* room for one */
	struct code_places places;
	struct subset nodes, frames, functions, objects, texts;
};

static u32 subset_add(struct subset *s, u32 id)
{
	if (!s->local[id]) {
		VEC_GROW(s->ids, s->nr + (size_t)1, s->cap);
		s->ids[s->nr++] = id;
		s->local[id] = s->nr;
	}
	return s->local[id] - 1;
}

static void subset_init(struct subset *s, size_t nr)
{
	s->local = xcalloc(nr + 1, sizeof(u32));
}

static void subset_clear(struct subset *s)
{
	for (u32 i = 0; i < s->nr; i++)
		s->local[s->ids[i]] = 0;
	s->nr = 0;
}

static void subset_release(struct subset *s)
{
	free(s->local);
	free(s->ids);
}

/* ---- tracks ---- */

/* Threads are sorted: those of one pid and tid, that had several names, are side by side. */
static u32 same_thread(const struct stacks *s, u32 thread)
{
	while (thread && s->threads[thread - 1].pid == s->threads[thread].pid &&
	       s->threads[thread - 1].tid == s->threads[thread].tid)
		thread--;
	return thread;
}

static u32 find_track(struct gecko *w, struct map64 *tracks, u32 thread, u32 event)
{
	u32 first = same_thread(w->s, thread), *slot;

	slot = map64_slot(tracks, (u64)first << 32 | event);
	if (*slot == MAP64_NONE) {
		*slot = w->nr_tracks;
		VEC_GROW(w->tracks, w->nr_tracks + (size_t)1, w->cap_tracks);
		w->tracks[w->nr_tracks++] = (struct track){ thread, event, 0, 0 };
	}
	w->tracks[*slot].thread = thread;
	w->tracks[*slot].nr++;
	return *slot;
}

/* First those of samples, so that points find the one of their thread. */
static void find_tracks(struct gecko *w)
{
	const struct stacks *s = w->s;
	struct map64 tracks = { 0 }, first = { 0 };
	u32 *slot;

	for (size_t i = 0; i < s->nr_samples; i++) {
		const struct stacks_sample *at = &s->samples[i];

		if (w->is_point[at->event] || !export_takes(w->only, at->event))
			continue;
		w->track_of[i] = find_track(w, &tracks, at->thread, at->event);
		slot = map64_slot(&first, same_thread(s, at->thread));
		if (*slot == MAP64_NONE)
			*slot = at->event;
	}
	for (size_t i = 0; i < s->nr_samples; i++) {
		const struct stacks_sample *at = &s->samples[i];
		u32 event;

		if (!w->is_point[at->event] || !export_takes(w->only, at->event))
			continue;
		event = map64_get(&first, same_thread(s, at->thread));
		w->track_of[i] = find_track(w, &tracks, at->thread,
					    event == MAP64_NONE ? UINT32_MAX : event);
	}
	map64_release(&tracks);
	map64_release(&first);
}

static void order_samples(struct gecko *w)
{
	u32 at = 0;

	for (u32 i = 0; i < w->nr_tracks; i++) {
		w->tracks[i].first = at;
		at += w->tracks[i].nr;
		w->tracks[i].nr = 0;
	}
	for (size_t i = 0; i < w->s->nr_samples; i++) {
		u32 track = w->track_of[i];

		if (track != UINT32_MAX)
			w->order[w->tracks[track].first + w->tracks[track].nr++] = (u32)i;
	}
}

/* ---- columns: arrays of what a row has there ---- */

struct column {
	const char *name;
	void (*put)(struct gecko *w, u32 row); /* NULL: */
	const char *constant;
};

/* @more: further members of the table. */
static void put_table(struct gecko *w, const char *table, u32 nr, const struct column *columns,
		      const char *more)
{
	export_f(w->o, ",\n\"%s\":{\"length\":%u%s", table, nr, more);
	for (const struct column *c = columns; c->name; c++) {
		export_f(w->o, ",\n\"%s\":[", c->name);
		for (u32 i = 0; i < nr && !export_failed(w->o); i++) {
			if (i)
				export_ch(w->o, ',');
			if (c->put)
				c->put(w, i);
			else
				export_str(w->o, c->constant);
			export_more(w->o);
		}
		export_ch(w->o, ']');
	}
	export_ch(w->o, '}');
}

static void put_text(struct gecko *w, u32 text)
{
	export_dec(w->o, subset_add(&w->texts, text));
}

static void put_ms(struct export_out *o, u64 ns)
{
	export_f(o, "%" PRIu64 ".%06u", ns / 1000000, (unsigned int)(ns % 1000000));
}

/* Samples. */

static const struct stacks_sample *sample_at(const struct gecko *w, u32 row)
{
	return &w->s->samples[w->samples[row]];
}

static void put_sample_stack(struct gecko *w, u32 row)
{
	u32 node = sample_at(w, row)->node;

	if (node)
		export_dec(w->o, w->nodes.local[node] - 1);
	else
		export_str(w->o, "null");
}

static void put_sample_time(struct gecko *w, u32 row)
{
	put_ms(w->o, sample_at(w, row)->time - w->s->first_time);
}

static void put_sample_weight(struct gecko *w, u32 row)
{
	const struct stacks_sample *at = sample_at(w, row);

	if (w->weight == WEIGHT_SAMPLES)
		export_ch(w->o, '1');
	else if (event_is_time(w->s, at->event))
		put_ms(w->o, at->period);
	else
		export_dec(w->o, at->period);
}

static void put_cpu_delta(struct gecko *w, u32 row)
{
	export_dec(w->o, sample_at(w, row)->period / 1000);
}

static const struct column samples_columns[] = {
	{ "stack", put_sample_stack, NULL },
	{ "time", put_sample_time, NULL },
	{ "weight", put_sample_weight, NULL },
	{ NULL, NULL, NULL },
};

static const struct column time_samples_columns[] = {
	{ "stack", put_sample_stack, NULL },
	{ "time", put_sample_time, NULL },
	{ "weight", put_sample_weight, NULL },
	{ "threadCPUDelta", put_cpu_delta, NULL },
	{ NULL, NULL, NULL },
};

/* Markers. */

static const struct stacks_sample *marker_at(const struct gecko *w, u32 row)
{
	return &w->s->samples[w->markers[row]];
}

static void put_marker_name(struct gecko *w, u32 row)
{
	put_text(w, w->s->events[marker_at(w, row)->event].name);
}

static void put_marker_time(struct gecko *w, u32 row)
{
	put_ms(w->o, marker_at(w, row)->time - w->s->first_time);
}

static void put_marker_data(struct gecko *w, u32 row)
{
	const struct stacks_sample *at = marker_at(w, row);

	export_str(w->o, "{\"type\":\"event\"");
	if (at->cpu != UINT32_MAX)
		export_f(w->o, ",\"cpu\":%u", at->cpu);
	if (at->node) {
		export_f(w->o, ",\"cause\":{\"stack\":%u,\"time\":", w->nodes.local[at->node] - 1);
		put_ms(w->o, at->time - w->s->first_time);
		export_ch(w->o, '}');
	}
	export_ch(w->o, '}');
}

static const struct column markers_columns[] = {
	{ "name", put_marker_name, NULL },
	{ "startTime", put_marker_time, NULL },
	{ "endTime", NULL, "null" },
	{ "phase", NULL, "0" },
	{ "category", NULL, "0" },
	{ "data", put_marker_data, NULL },
	{ NULL, NULL, NULL },
};

/* Stacks and frames. */

static enum category category_of(const struct gecko *w, u32 node)
{
	static const u8 of[NR_FRAME_KINDS] = {
		[FRAME_USER] = CATEGORY_USER,        [FRAME_KERNEL] = CATEGORY_KERNEL,
		[FRAME_MODULE] = CATEGORY_KERNEL,    [FRAME_JIT] = CATEGORY_JIT,
		[FRAME_INLINED] = CATEGORY_USER,     [FRAME_GUEST_KERNEL] = CATEGORY_GUEST,
		[FRAME_GUEST_USER] = CATEGORY_GUEST, [FRAME_HYPERVISOR] = CATEGORY_KERNEL,
	};

	return of[stacks_code_kind(w->s, node)];
}

static void put_prefix(struct gecko *w, u32 row)
{
	u32 parent = w->s->nodes[w->nodes.ids[row]].parent;

	if (parent)
		export_dec(w->o, w->nodes.local[parent] - 1);
	else
		export_str(w->o, "null");
}

static void put_stack_frame(struct gecko *w, u32 row)
{
	export_dec(w->o, subset_add(&w->frames, w->s->nodes[w->nodes.ids[row]].frame));
}

static void put_stack_category(struct gecko *w, u32 row)
{
	export_dec(w->o, category_of(w, w->nodes.ids[row]));
}

static const struct column stack_columns[] = {
	{ "prefix", put_prefix, NULL },
	{ "frame", put_stack_frame, NULL },
	{ "category", put_stack_category, NULL },
	{ "subcategory", NULL, "0" },
	{ NULL, NULL, NULL },
};

static void put_frame_function(struct gecko *w, u32 row)
{
	export_dec(w->o, subset_add(&w->functions, w->places.function_of[w->frames.ids[row]]));
}

static void put_frame_line(struct gecko *w, u32 row)
{
	u32 line = w->s->frames[w->frames.ids[row]].line;

	if (line)
		export_dec(w->o, line);
	else
		export_str(w->o, "null");
}

static void put_frame_depth(struct gecko *w, u32 row)
{
	export_dec(w->o, w->s->frames[w->frames.ids[row]].kind == FRAME_INLINED);
}

static const struct column frame_columns[] = {
	{ "address", NULL, "-1" },
	{ "inlineDepth", put_frame_depth, NULL },
	{ "category", NULL, "null" },
	{ "subcategory", NULL, "null" },
	{ "func", put_frame_function, NULL },
	{ "nativeSymbol", NULL, "null" },
	{ "innerWindowID", NULL, "null" },
	{ "implementation", NULL, "null" },
	{ "line", put_frame_line, NULL },
	{ "column", NULL, "null" },
	{ NULL, NULL, NULL },
};

static const struct stacks_frame *function_at(const struct gecko *w, u32 row)
{
	return &w->s->frames[w->places.functions[w->functions.ids[row]]];
}

static void put_function_name(struct gecko *w, u32 row)
{
	put_text(w, function_at(w, row)->name);
}

static void put_function_file(struct gecko *w, u32 row)
{
	u32 file = function_at(w, row)->file;

	if (file)
		put_text(w, file);
	else
		export_str(w->o, "null");
}

static void put_function_resource(struct gecko *w, u32 row)
{
	u32 object = w->places.object_of[w->places.functions[w->functions.ids[row]]];

	if (object)
		export_dec(w->o, subset_add(&w->objects, object));
	else
		export_str(w->o, "-1");
}

static const struct column function_columns[] = {
	{ "name", put_function_name, NULL },     { "isJS", NULL, "false" },
	{ "relevantForJS", NULL, "false" },      { "resource", put_function_resource, NULL },
	{ "fileName", put_function_file, NULL }, { "lineNumber", NULL, "null" },
	{ "columnNumber", NULL, "null" },        { NULL, NULL, NULL },
};

static void put_resource_lib(struct gecko *w, u32 row)
{
	export_dec(w->o, w->objects.ids[row] - 1);
}

static void put_resource_name(struct gecko *w, u32 row)
{
	put_text(w, w->places.objects[w->objects.ids[row]].name);
}

static const struct column resource_columns[] = {
	{ "lib", put_resource_lib, NULL },
	{ "name", put_resource_name, NULL },
	{ "host", NULL, "null" },
	{ "type", NULL, "1" },
	{ NULL, NULL, NULL },
};

static const struct column symbol_columns[] = {
	{ "libIndex", NULL, "0" },        { "address", NULL, "0" }, { "name", NULL, "0" },
	{ "functionSize", NULL, "null" }, { NULL, NULL, NULL },
};

/* ---- threads ---- */

/* A stack comes behind the one it grows from. */
static void use_node(struct gecko *w, u32 node)
{
	u32 *above = w->path, nr = 0;

	for (; node && !w->nodes.local[node]; node = w->s->nodes[node].parent)
		above[nr++] = node;
	while (nr)
		subset_add(&w->nodes, above[--nr]);
}

static void split_samples(struct gecko *w, const struct track *t)
{
	w->nr_samples = w->nr_markers = 0;
	for (u32 i = 0; i < t->nr; i++) {
		u32 sample = w->order[t->first + i];
		bool point = w->is_point[w->s->samples[sample].event];

		if (point)
			w->markers[w->nr_markers++] = sample;
		if (!point || !w->nr_sampled)
			w->samples[w->nr_samples++] = sample;
		use_node(w, w->s->samples[sample].node);
	}
}

static void put_thread_head(struct gecko *w, const struct track *t)
{
	const struct stacks *s = w->s;
	const struct stacks_thread *thread = &s->threads[t->thread];
	struct strbuf name = STRBUF_INIT;
	u32 first = t->thread;

	while (first && s->threads[first - 1].pid == thread->pid)
		first--;
	strbuf_addstr(&name, stacks_text(s, thread->comm));
	if (w->nr_sampled > 1 && t->event != UINT32_MAX)
		strbuf_addf(&name, " (%s)", stacks_text(s, s->events[t->event].name));
	export_str(w->o, "{\"processType\":\"default\",\"processName\":");
	quote_json(export_buf(w->o), stacks_text(s, threads_process_comm(s, first)));
	export_str(w->o,
		   ",\"processStartupTime\":0,\"processShutdownTime\":null,\"registerTime\":0,"
		   "\"unregisterTime\":null,\"pausedRanges\":[],\"name\":");
	quote_json(export_buf(w->o), strbuf_str(&name));
	export_f(w->o, ",\"isMainThread\":%s,\"pid\":\"%u\",\"tid\":%u",
		 thread->pid == thread->tid ? "true" : "false", thread->pid, thread->tid);
	strbuf_release(&name);
}

static void put_samples(struct gecko *w, const struct track *t)
{
	bool time = t->event != UINT32_MAX && event_is_time(w->s, t->event);

	put_table(w, "samples", w->nr_samples,
		  time && !w->s->dims.durations ? time_samples_columns : samples_columns,
		  time && w->weight == WEIGHT_PERIOD ? ",\"weightType\":\"tracing-ms\""
						     : ",\"weightType\":\"samples\"");
}

static void put_thread(struct gecko *w, const struct track *t)
{
	split_samples(w, t);
	put_thread_head(w, t);
	put_samples(w, t);
	put_table(w, "markers", w->nr_markers, markers_columns, "");
	put_table(w, "stackTable", w->nodes.nr, stack_columns, "");
	put_table(w, "frameTable", w->frames.nr, frame_columns, "");
	put_table(w, "funcTable", w->functions.nr, function_columns, "");
	put_table(w, "resourceTable", w->objects.nr, resource_columns, "");
	put_table(w, "nativeSymbols", 0, symbol_columns, "");
	export_str(w->o, ",\n\"stringArray\":[");
	for (u32 i = 0; i < w->texts.nr; i++) {
		if (i)
			export_ch(w->o, ',');
		quote_json(export_buf(w->o), stacks_text(w->s, w->texts.ids[i]));
		export_more(w->o);
	}
	export_str(w->o, "]}");
	subset_clear(&w->nodes);
	subset_clear(&w->frames);
	subset_clear(&w->functions);
	subset_clear(&w->objects);
	subset_clear(&w->texts);
}

/* ---- the whole ---- */

static void put_lib(struct gecko *w, const struct place_object *object)
{
	const char *path = stacks_text(w->s, object->name), *slash = strrchr(path, '/');
	const char *name = slash && slash[1] ? slash + 1 : path;
	const char *build_id = stacks_text(w->s, object->build_id);

	export_str(w->o, "{\"arch\":\"\",\"name\":");
	quote_json(export_buf(w->o), name);
	export_str(w->o, ",\"path\":");
	quote_json(export_buf(w->o), path);
	export_str(w->o, ",\"debugName\":");
	quote_json(export_buf(w->o), name);
	export_str(w->o, ",\"debugPath\":");
	quote_json(export_buf(w->o), path);
	export_str(w->o, ",\"breakpadId\":\"\",\"codeId\":");
	if (*build_id)
		quote_json(export_buf(w->o), build_id);
	else
		export_str(w->o, "null");
	export_ch(w->o, '}');
}

static void put_libs(struct gecko *w)
{
	export_str(w->o, "\"libs\":[");
	for (u32 i = 1; i < w->places.nr_objects; i++) {
		if (i > 1)
			export_str(w->o, ",\n");
		put_lib(w, &w->places.objects[i]);
	}
	export_str(w->o, "],\n\"pages\":[],\"counters\":[],\"profilerOverhead\":[],\n");
}

static void put_meta(struct gecko *w, const struct export_opts *opts)
{
	export_str(w->o,
		   "{\"meta\":{\"version\":30,\"preprocessedProfileVersion\":48,\"interval\":1,"
		   "\"startTime\":");
	put_ms(w->o, opts->wall_offset ? opts->wall_offset + w->s->first_time : 0);
	export_str(w->o, ",\"processType\":0,\"stackwalk\":1,\"debug\":false,\"symbolicated\":true,"
			 "\"product\":");
	quote_json(export_buf(w->o), opts->title ? opts->title : "perf");
	for (u32 i = 0; i < opts->nr_facts; i++) {
		if (strcmp(opts->facts[i].key, "command line"))
			continue;
		export_str(w->o, ",\"arguments\":");
		quote_json(export_buf(w->o), opts->facts[i].value);
	}
	export_str(
		w->o,
		",\"importedFrom\":\"perf\",\"usesOnlyOneStackType\":true,"
		"\"doesNotUseFrameImplementation\":true,\"sourceCodeIsNotOnSearchfox\":true,\n"
		"\"extensions\":{\"length\":0,\"id\":[],\"name\":[],\"baseURL\":[]},"
		"\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\",\"threadCPUDelta\":\"\\u00b5s\"},\n"
		"\"categories\":["
		"{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
		"{\"name\":\"User\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"
		"{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]},"
		"{\"name\":\"JIT\",\"color\":\"green\",\"subcategories\":[\"Other\"]},"
		"{\"name\":\"Guest\",\"color\":\"purple\",\"subcategories\":[\"Other\"]}],\n"
		"\"markerSchema\":[{\"name\":\"event\",\"tooltipLabel\":\"{marker.name}\","
		"\"tableLabel\":\"{marker.name}\",\"chartLabel\":\"{marker.name}\","
		"\"display\":[\"marker-chart\",\"marker-table\"],\"data\":["
		"{\"key\":\"cpu\",\"label\":\"CPU\",\"format\":\"integer\"}]}]},\n");
}

static int by_thread(const void *a, const void *b)
{
	const struct track *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return x->event < y->event ? -1 : x->event > y->event;
}

static void put_profile(struct gecko *w, const struct export_opts *opts)
{
	find_tracks(w);
	order_samples(w);
	if (w->nr_tracks)
		qsort(w->tracks, w->nr_tracks, sizeof(*w->tracks), by_thread);
	put_meta(w, opts);
	put_libs(w);
	export_str(w->o, "\"threads\":[");
	for (u32 i = 0; i < w->nr_tracks && !export_failed(w->o); i++) {
		export_str(w->o, i ? ",\n" : "\n");
		put_thread(w, &w->tracks[i]);
	}
	export_str(w->o, "]}\n");
}

static int write_gecko(const struct stacks *s, const struct export_opts *opts, struct export_out *o,
		       struct err *err)
{
	struct gecko w = { .s = s, .o = o, .weight = opts->weight };
	int ret = export_only(s, opts, &w.only, err);

	if (ret)
		return ret;
	w.is_point = xcalloc(s->nr_events + (size_t)1, sizeof(*w.is_point));
	for (u32 i = 0; i < s->nr_events; i++) {
		w.is_point[i] = event_class(stacks_text(s, s->events[i].name)) != EVENT_SAMPLED;
		w.nr_sampled += !w.is_point[i] && export_takes(w.only, i);
	}
	w.track_of = xmalloc((s->nr_samples + 1) * sizeof(u32));
	memset(w.track_of, 0xff, (s->nr_samples + 1) * sizeof(u32));
	w.order = xcalloc(s->nr_samples + 1, sizeof(u32));
	w.markers = xcalloc(s->nr_samples + 1, sizeof(u32));
	w.samples = xcalloc(s->nr_samples + 1, sizeof(u32));
	w.path = stacks_room(s);
	code_places_init(&w.places, s);
	subset_init(&w.nodes, s->nr_nodes);
	subset_init(&w.frames, s->nr_frames);
	subset_init(&w.functions, w.places.nr_functions);
	subset_init(&w.objects, w.places.nr_objects);
	subset_init(&w.texts, s->texts.nr);
	put_profile(&w, opts);
	subset_release(&w.nodes);
	subset_release(&w.frames);
	subset_release(&w.functions);
	subset_release(&w.objects);
	subset_release(&w.texts);
	code_places_release(&w.places);
	free(w.is_point);
	free(w.tracks);
	free(w.track_of);
	free(w.order);
	free(w.markers);
	free(w.samples);
	free(w.path);
	return 0;
}

const struct export_ops export_gecko = {
	.name = "gecko",
	.arg = "FILE",
	.help = "write a profile for profiler.firefox.com",
	.dims = { .comm = true, .process = true, .thread = true, .cpu = true, .samples = true },
	.write = write_gecko,
};
