// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The format of pprof: the message Profile of the published profile.proto, by its field numbers, in
 * gzip. Samples have two values for each event: their number and the event's count. Addresses are
 * those in the objects, as if each were mapped at 0.
 */
#include "base/compat.h"
#include "export/formats.h"

#include "base/alloc.h"
#include "codec/deflate.h"
#include "export/places.h"

enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING_TABLE = 6,
	PROFILE_TIME_NANOS = 9,
	PROFILE_DURATION_NANOS = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_SAMPLE_TYPE = 14,
	VALUE_TYPE = 1,
	VALUE_UNIT = 2,
	SAMPLE_LOCATION_ID = 1,
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_STR = 2,
	LABEL_NUM = 3,
	MAPPING_ID = 1,
	MAPPING_LIMIT = 3,
	MAPPING_FILENAME = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_FILENAMES = 8,
	MAPPING_HAS_LINE_NUMBERS = 9,
	MAPPING_HAS_INLINE_FRAMES = 10,
	LOCATION_ID = 1,
	LOCATION_MAPPING_ID = 2,
	LOCATION_ADDRESS = 3,
	LOCATION_LINE = 4,
	LINE_FUNCTION_ID = 1,
	LINE_LINE = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILENAME = 4,
};

struct pprof {
	const struct stacks *s;
	struct code_places places;
	struct intern strings; /* the string table */
	struct strbuf out;
	u32 *stack;    /* room for the deepest stack */
	s32 *value_of; /* by event: the index of its first value; -1: not selected */
	u32 nr_values;
};

static u32 string(struct pprof *w, u32 text)
{
	return intern_str_id(&w->strings, stacks_text(w->s, text));
}

static void put_value_type(struct pprof *w, u32 field, const char *type, const char *unit)
{
	size_t begun = proto_begin(&w->out, field);

	proto_u64(&w->out, VALUE_TYPE, intern_str_id(&w->strings, type));
	proto_u64(&w->out, VALUE_UNIT, intern_str_id(&w->strings, unit));
	proto_end(&w->out, begun);
}

/* With one event, the type of its samples is "samples"; with several, it includes the event. */
static void put_sample_types(struct pprof *w, const struct export_opts *opts)
{
	u32 chosen = 0;

	for (u32 i = 0; i < w->s->nr_events; i++) {
		const char *name = stacks_text(w->s, w->s->events[i].name);
		char *samples;

		if (w->value_of[i] < 0)
			continue;
		samples = w->nr_values == 2 ? xstrdup("samples") : xasprintf("%s samples", name);
		put_value_type(w, PROFILE_SAMPLE_TYPE, samples, "count");
		put_value_type(w, PROFILE_SAMPLE_TYPE, name, event_unit(w->s, i));
		if (!chosen)
			chosen = intern_str_id(&w->strings,
					       opts->weight == WEIGHT_SAMPLES ? samples : name);
		free(samples);
	}
	proto_u64(&w->out, PROFILE_DEFAULT_SAMPLE_TYPE, chosen);
}

static void put_label(struct pprof *w, const char *key, u32 text)
{
	size_t begun = proto_begin(&w->out, SAMPLE_LABEL);

	proto_u64(&w->out, LABEL_KEY, intern_str_id(&w->strings, key));
	proto_u64(&w->out, LABEL_STR, string(w, text));
	proto_end(&w->out, begun);
}

/* A label must have a value, so the number is written even when it is 0. */
static void put_number_label(struct pprof *w, const char *key, u32 number)
{
	size_t begun = proto_begin(&w->out, SAMPLE_LABEL);

	proto_u64(&w->out, LABEL_KEY, intern_str_id(&w->strings, key));
	proto_number(&w->out, LABEL_NUM, number);
	proto_end(&w->out, begun);
}

static void put_labels(struct pprof *w, const struct stacks_sum *sum)
{
	const struct stacks_thread *t = &w->s->threads[sum->thread];

	if (w->s->dims.comm)
		put_label(w, "comm", t->comm);
	if (w->s->dims.process)
		put_number_label(w, "pid", t->pid);
	if (w->s->dims.thread)
		put_number_label(w, "tid", t->tid);
	if (w->s->dims.cpu && sum->cpu != UINT32_MAX)
		put_number_label(w, "cpu", sum->cpu);
}

static void put_sample(struct pprof *w, const struct stacks_sum *sum)
{
	size_t sample = proto_begin(&w->out, PROFILE_SAMPLE), begun;
	u32 nr = code_places_stack(&w->places, sum->node, w->stack);
	u32 first = (u32)w->value_of[sum->event];

	begun = proto_begin(&w->out, SAMPLE_LOCATION_ID);
	for (u32 i = 0; i < nr; i++)
		proto_varint(&w->out, w->stack[i]);
	proto_end(&w->out, begun);
	begun = proto_begin(&w->out, SAMPLE_VALUE);
	for (u32 i = 0; i < w->nr_values; i++)
		proto_varint(&w->out, i == first ? sum->samples : i == first + 1 ? sum->period : 0);
	proto_end(&w->out, begun);
	put_labels(w, sum);
	proto_end(&w->out, sample);
}

static void put_mappings(struct pprof *w)
{
	for (u32 i = 1; i < w->places.nr_objects; i++) {
		const struct place_object *o = &w->places.objects[i];
		size_t begun = proto_begin(&w->out, PROFILE_MAPPING);

		proto_u64(&w->out, MAPPING_ID, i);
		proto_u64(&w->out, MAPPING_LIMIT, o->limit);
		proto_u64(&w->out, MAPPING_FILENAME, string(w, o->name));
		proto_u64(&w->out, MAPPING_BUILD_ID, string(w, o->build_id));
		proto_u64(&w->out, MAPPING_HAS_FUNCTIONS, true);
		proto_u64(&w->out, MAPPING_HAS_FILENAMES, w->s->dims.lines);
		proto_u64(&w->out, MAPPING_HAS_LINE_NUMBERS, w->s->dims.lines);
		proto_u64(&w->out, MAPPING_HAS_INLINE_FRAMES, true);
		proto_end(&w->out, begun);
	}
}

static void put_locations(struct pprof *w)
{
	const struct code_places *p = &w->places;

	for (u32 i = 1; i < p->nr_places; i++) {
		size_t begun = proto_begin(&w->out, PROFILE_LOCATION);

		proto_u64(&w->out, LOCATION_ID, i);
		proto_u64(&w->out, LOCATION_MAPPING_ID, place_object(p, i));
		proto_u64(&w->out, LOCATION_ADDRESS, place_addr(p, i));
		for (u32 at = i; at; at = p->places[at].outer) {
			u32 frame = p->places[at].frame;
			size_t line = proto_begin(&w->out, LOCATION_LINE);

			proto_u64(&w->out, LINE_FUNCTION_ID, p->function_of[frame]);
			proto_u64(&w->out, LINE_LINE, w->s->frames[frame].line);
			proto_end(&w->out, line);
		}
		proto_end(&w->out, begun);
	}
}

static void put_functions(struct pprof *w)
{
	for (u32 i = 1; i < w->places.nr_functions; i++) {
		const struct stacks_frame *f = &w->s->frames[w->places.functions[i]];
		size_t begun = proto_begin(&w->out, PROFILE_FUNCTION);

		proto_u64(&w->out, FUNCTION_ID, i);
		proto_u64(&w->out, FUNCTION_NAME, string(w, f->name));
		proto_u64(&w->out, FUNCTION_SYSTEM_NAME, string(w, f->name));
		proto_u64(&w->out, FUNCTION_FILENAME, string(w, f->file));
		proto_end(&w->out, begun);
	}
}

static void put_period(struct pprof *w)
{
	for (u32 i = 0; i < w->s->nr_events; i++) {
		const struct stacks_event *e = &w->s->events[i];
		const char *name = stacks_text(w->s, e->name);

		if (w->value_of[i])
			continue;
		put_value_type(w, PROFILE_PERIOD_TYPE, name, event_unit(w->s, i));
		proto_u64(&w->out, PROFILE_PERIOD, e->samples ? e->period / e->samples : 0);
	}
}

static void put_head(struct pprof *w, const struct export_opts *opts)
{
	if (opts->wall_offset && w->s->first_time)
		proto_u64(&w->out, PROFILE_TIME_NANOS, w->s->first_time + opts->wall_offset);
	proto_u64(&w->out, PROFILE_DURATION_NANOS, w->s->last_time - w->s->first_time);
	put_period(w);
	for (u32 i = 0; i < opts->nr_facts; i++) {
		char *text = xasprintf("%s: %s", opts->facts[i].key, opts->facts[i].value);

		proto_number(&w->out, PROFILE_COMMENT, intern_str_id(&w->strings, text));
		free(text);
	}
	for (u32 i = 0; i < opts->nr_notes; i++)
		proto_number(&w->out, PROFILE_COMMENT, intern_str_id(&w->strings, opts->notes[i]));
}

static void put_profile(struct pprof *w, const struct export_opts *opts)
{
	put_sample_types(w, opts);
	for (size_t i = 0; i < w->s->nr_sums; i++)
		if (w->value_of[w->s->sums[i].event] >= 0)
			put_sample(w, &w->s->sums[i]);
	put_mappings(w);
	put_locations(w);
	put_functions(w);
	put_head(w, opts);
	for (size_t i = 0; i < w->strings.nr; i++)
		proto_name(&w->out, PROFILE_STRING_TABLE, intern_str(&w->strings, (u32)i));
}

static int write_pprof(const struct stacks *s, const struct export_opts *opts, struct export_out *o,
		       struct err *err)
{
	struct pprof w = { .s = s };
	u32 only;
	int ret = export_only(s, opts, &only, err);

	if (ret)
		return ret;
	w.value_of = xcalloc(s->nr_events + (size_t)1, sizeof(*w.value_of));
	for (u32 i = 0; i < s->nr_events; i++) {
		w.value_of[i] = export_takes(only, i) ? (s32)w.nr_values : -1;
		w.nr_values += w.value_of[i] < 0 ? 0 : 2;
	}
	intern_str_id(&w.strings, "");
	code_places_init(&w.places, s);
	w.stack = stacks_room(s);
	put_profile(&w, opts);
	deflate_gzip(export_buf(o), w.out.buf, w.out.len, 6);
	export_more(o);
	strbuf_release(&w.out);
	intern_release(&w.strings);
	code_places_release(&w.places);
	free(w.value_of);
	free(w.stack);
	return 0;
}

const struct export_ops export_pprof = {
	.name = "pprof",
	.arg = "FILE",
	.help = "write a profile for pprof, in gzip",
	.dims = { .comm = true, .process = true, .thread = true, .cpu = true, .addresses = true },
	.write = write_pprof,
};
