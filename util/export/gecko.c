// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The "processed profile", version 48, of profiler.firefox.com, in which every thread has tables of
 * its own. Samples of one event and thread form a track; if there are several such events, each has
 * one. Tracepoints and context switches are markers of their thread's first track and, when there
 * is nothing else, also its samples. Where periods are times, they are also the CPU time between
 * two samples.
 */
#include "base/compat.h"
#include "export/formats.h"
#include "export/gecko.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "export/timeline.h"

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

/* Threads are sorted, so those with the same pid and tid and different names are adjacent. */
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

/* Tracks with samples come first, so that markers find that of their thread. */
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

/* ---- threads ---- */

/* Add a stack; it comes after the stack that it extends. */
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

static void put_thread(struct gecko *w, const struct track *t)
{
	split_samples(w, t);
	put_thread_head(w, t);
	gecko_put_tables(w, t);
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
	gecko_put_ms(w->o, opts->wall_offset ? opts->wall_offset + w->s->first_time : 0);
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
