// SPDX-License-Identifier: GPL-2.0-or-later
/* Write the tables of a thread in a profile of the Firefox Profiler, column by column. */
#include "base/compat.h"
#include "export/gecko.h"

/* ---- columns: arrays of what a row has there ---- */

struct column {
	const char *name;
	void (*put)(struct gecko *w, u32 row); /* NULL: */
	const char *constant;
};

/* Write a table. @more: further members of the table */
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
	gecko_put_ms(w->o, sample_at(w, row)->time - w->s->first_time);
}

static void put_sample_weight(struct gecko *w, u32 row)
{
	const struct stacks_sample *at = sample_at(w, row);

	if (w->weight == WEIGHT_SAMPLES)
		export_ch(w->o, '1');
	else if (event_is_time(w->s, at->event))
		gecko_put_ms(w->o, at->period);
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
	gecko_put_ms(w->o, marker_at(w, row)->time - w->s->first_time);
}

static void put_marker_data(struct gecko *w, u32 row)
{
	const struct stacks_sample *at = marker_at(w, row);

	export_str(w->o, "{\"type\":\"event\"");
	if (at->cpu != UINT32_MAX)
		export_f(w->o, ",\"cpu\":%u", at->cpu);
	if (at->node) {
		export_f(w->o, ",\"cause\":{\"stack\":%u,\"time\":", w->nodes.local[at->node] - 1);
		gecko_put_ms(w->o, at->time - w->s->first_time);
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
		[FRAME_WAIT] = CATEGORY_KERNEL,
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

/* ---- the tables ---- */

static void put_samples(struct gecko *w, const struct track *t)
{
	bool time = t->event != UINT32_MAX && event_is_time(w->s, t->event);

	put_table(w, "samples", w->nr_samples,
		  time && !w->s->dims.durations ? time_samples_columns : samples_columns,
		  time && w->weight == WEIGHT_PERIOD ? ",\"weightType\":\"tracing-ms\""
						     : ",\"weightType\":\"samples\"");
}

void gecko_put_tables(struct gecko *w, const struct track *t)
{
	put_samples(w, t);
	put_table(w, "markers", w->nr_markers, markers_columns, "");
	put_table(w, "stackTable", w->nodes.nr, stack_columns, "");
	put_table(w, "frameTable", w->frames.nr, frame_columns, "");
	put_table(w, "funcTable", w->functions.nr, function_columns, "");
	put_table(w, "resourceTable", w->objects.nr, resource_columns, "");
	put_table(w, "nativeSymbols", 0, symbol_columns, "");
}
