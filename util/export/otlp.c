// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * OpenTelemetry profiles: the message ProfilesData of opentelemetry.proto.profiles.v1development,
 * with the field numbers of release 1.10 of the protocol, in which stacks have a table and a
 * Profile has one type of values. There is one Profile for each event. Entry 0 of every table is
 * empty and means none.
 */
#include "base/compat.h"
#include "export/formats.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "export/places.h"

enum {
	DATA_RESOURCE_PROFILES = 1,
	DATA_DICTIONARY = 2,
	RESOURCE_PROFILES_RESOURCE = 1,
	RESOURCE_PROFILES_SCOPE_PROFILES = 2,
	RESOURCE_ATTRIBUTES = 1,
	KEY_VALUE_KEY = 1,
	KEY_VALUE_VALUE = 2,
	ANY_STRING = 1,
	ANY_INT = 3,
	SCOPE_PROFILES_SCOPE = 1,
	SCOPE_PROFILES_PROFILES = 2,
	SCOPE_NAME = 1,
	DICTIONARY_MAPPING_TABLE = 1,
	DICTIONARY_LOCATION_TABLE = 2,
	DICTIONARY_FUNCTION_TABLE = 3,
	DICTIONARY_LINK_TABLE = 4,
	DICTIONARY_STRING_TABLE = 5,
	DICTIONARY_ATTRIBUTE_TABLE = 6,
	DICTIONARY_STACK_TABLE = 7,
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLES = 2,
	PROFILE_TIME_UNIX_NANO = 3,
	PROFILE_DURATION_NANO = 4,
	PROFILE_PERIOD_TYPE = 5,
	PROFILE_PERIOD = 6,
	PROFILE_ID = 7,
	VALUE_TYPE = 1,
	VALUE_UNIT = 2,
	SAMPLE_STACK_INDEX = 1,
	SAMPLE_ATTRIBUTE_INDICES = 2,
	SAMPLE_VALUES = 4,
	MAPPING_LIMIT = 2,
	MAPPING_FILENAME = 4,
	MAPPING_ATTRIBUTE_INDICES = 5,
	LOCATION_MAPPING_INDEX = 1,
	LOCATION_ADDRESS = 2,
	LOCATION_LINES = 3,
	LOCATION_ATTRIBUTE_INDICES = 4,
	LINE_FUNCTION_INDEX = 1,
	LINE_LINE = 2,
	FUNCTION_NAME = 1,
	FUNCTION_SYSTEM_NAME = 2,
	FUNCTION_FILENAME = 3,
	ATTRIBUTE_KEY = 1,
	ATTRIBUTE_VALUE = 2,
	STACK_LOCATION_INDICES = 1,
};

enum key { KEY_NONE, KEY_THREAD_NAME, KEY_THREAD_ID, KEY_PID, KEY_BUILD_ID, KEY_FRAME_TYPE };

static const char *const keys[] = {
	[KEY_NONE] = "",
	[KEY_THREAD_NAME] = "thread.name",
	[KEY_THREAD_ID] = "thread.id",
	[KEY_PID] = "process.pid",
	[KEY_BUILD_ID] = "process.executable.build_id.gnu",
	[KEY_FRAME_TYPE] = "profile.frame.type",
};

struct attribute {
	u32 key, text, number; /* ids of strings; text 0: a number */
};

struct otlp {
	const struct stacks *s;
	struct export_out *o;
	enum stacks_weight weight;
	struct code_places places;
	struct intern strings;
	struct map64 attribute_of; /* by key and value */
	struct attribute *attributes;
	u32 nr_attributes;
	size_t cap_attributes;
	u32 *stack_of; /* by node: its number in the table of stacks; 0: not in the table */
	u32 nr_stacks;
	u32 *path;
};

static u32 string(struct otlp *w, const char *s)
{
	return intern_str_id(&w->strings, s);
}

static u32 text(struct otlp *w, u32 number)
{
	return string(w, stacks_text(w->s, number));
}

/*
 * Return the number of an attribute in the table. @text_id: id of a string; 0: the value is @number
 */
static u32 attribute(struct otlp *w, enum key key, u32 text_id, u32 number)
{
	u64 value = text_id ? (u64)text_id | 1ULL << 32 : number;
	u32 *slot = map64_slot(&w->attribute_of, (u64)key << 40 | value);

	if (*slot == MAP64_NONE) {
		*slot = w->nr_attributes;
		VEC_GROW(w->attributes, w->nr_attributes + (size_t)1, w->cap_attributes);
		w->attributes[w->nr_attributes++] =
			(struct attribute){ string(w, keys[key]), text_id, number };
	}
	return *slot;
}

static void put_value_type(struct strbuf *out, struct otlp *w, u32 field, const char *type,
			   const char *unit)
{
	size_t begun = proto_begin(out, field);

	proto_u64(out, VALUE_TYPE, string(w, type));
	proto_u64(out, VALUE_UNIT, string(w, unit));
	proto_end(out, begun);
}

static void put_sample(struct otlp *w, struct strbuf *out, const struct stacks_sum *sum)
{
	const struct stacks_thread *t = &w->s->threads[sum->thread];
	size_t sample = proto_begin(out, PROFILE_SAMPLES), list;

	if (sum->node && !w->stack_of[sum->node])
		w->stack_of[sum->node] = ++w->nr_stacks;
	proto_u64(out, SAMPLE_STACK_INDEX, w->stack_of[sum->node]);
	list = proto_begin(out, SAMPLE_ATTRIBUTE_INDICES);
	if (stacks_text(w->s, t->comm)[0])
		proto_varint(out, attribute(w, KEY_THREAD_NAME, text(w, t->comm), 0));
	proto_varint(out, attribute(w, KEY_PID, 0, t->pid));
	proto_varint(out, attribute(w, KEY_THREAD_ID, 0, t->tid));
	proto_end(out, list);
	list = proto_begin(out, SAMPLE_VALUES);
	proto_varint(out, stacks_weight(sum, w->weight));
	proto_end(out, list);
	proto_end(out, sample);
}

/*
 * Profiles need ids. Ours only number the profiles in the file, so that equal data make equal
 * files.
 */
static void put_id(struct strbuf *out, u32 event)
{
	u8 id[16] = "perf profile";

	for (int i = 0; i < 4; i++)
		id[12 + i] = (u8)((event + 1) >> 8 * (3 - i));
	proto_bytes(out, PROFILE_ID, id, sizeof(id));
}

static void put_profile(struct otlp *w, struct strbuf *out, const struct export_opts *opts,
			u32 event)
{
	const struct stacks_event *e = &w->s->events[event];
	const char *name = stacks_text(w->s, e->name), *unit = event_unit(w->s, event);
	size_t profile = proto_begin(out, SCOPE_PROFILES_PROFILES);

	if (w->weight == WEIGHT_SAMPLES)
		put_value_type(out, w, PROFILE_SAMPLE_TYPE, "samples", "count");
	else
		put_value_type(out, w, PROFILE_SAMPLE_TYPE, name, unit);
	for (size_t i = 0; i < w->s->nr_sums; i++)
		if (w->s->sums[i].event == event)
			put_sample(w, out, &w->s->sums[i]);
	if (opts->wall_offset && w->s->first_time)
		proto_fixed64(out, PROFILE_TIME_UNIX_NANO, w->s->first_time + opts->wall_offset);
	proto_u64(out, PROFILE_DURATION_NANO, w->s->last_time - w->s->first_time);
	put_value_type(out, w, PROFILE_PERIOD_TYPE, name, unit);
	proto_u64(out, PROFILE_PERIOD, e->samples ? e->period / e->samples : 0);
	put_id(out, event);
	proto_end(out, profile);
}

static void put_resource(struct strbuf *out, const struct export_opts *opts)
{
	size_t resource = proto_begin(out, RESOURCE_PROFILES_RESOURCE);

	for (u32 i = 0; i < opts->nr_facts; i++) {
		size_t pair = proto_begin(out, RESOURCE_ATTRIBUTES), value;
		bool host = !strcmp(opts->facts[i].key, "hostname");

		proto_name(out, KEY_VALUE_KEY, host ? "host.name" : opts->facts[i].key);
		value = proto_begin(out, KEY_VALUE_VALUE);
		proto_name(out, ANY_STRING, opts->facts[i].value);
		proto_end(out, value);
		proto_end(out, pair);
	}
	proto_end(out, resource);
}

static void put_mappings(struct otlp *w, struct strbuf *out)
{
	for (u32 i = 0; i < w->places.nr_objects; i++) {
		const struct place_object *o = &w->places.objects[i];
		size_t mapping = proto_begin(out, DICTIONARY_MAPPING_TABLE), list;

		if (i) {
			proto_u64(out, MAPPING_LIMIT, o->limit);
			proto_u64(out, MAPPING_FILENAME, text(w, o->name));
		}
		if (i && stacks_text(w->s, o->build_id)[0]) {
			list = proto_begin(out, MAPPING_ATTRIBUTE_INDICES);
			proto_varint(out, attribute(w, KEY_BUILD_ID, text(w, o->build_id), 0));
			proto_end(out, list);
		}
		proto_end(out, mapping);
	}
}

static const char *frame_type(u8 kind)
{
	switch (kind) {
	case FRAME_KERNEL:
	case FRAME_MODULE:
	case FRAME_GUEST_KERNEL:
	case FRAME_WAIT:
		return "kernel";
	case FRAME_JIT:
		return "jit";
	default:
		return "native";
	}
}

static void put_locations(struct otlp *w, struct strbuf *out)
{
	const struct code_places *p = &w->places;

	for (u32 i = 0; i < p->nr_places; i++) {
		size_t location = proto_begin(out, DICTIONARY_LOCATION_TABLE), inner;
		u8 kind =
			FRAME_UNKNOWN; /* inlined code is of the same kind as the code around it */

		if (i) {
			proto_u64(out, LOCATION_MAPPING_INDEX, place_object(p, i));
			proto_u64(out, LOCATION_ADDRESS, place_addr(p, i));
		}
		for (u32 at = i; at; at = p->places[at].outer) {
			u32 frame = p->places[at].frame;

			inner = proto_begin(out, LOCATION_LINES);
			proto_u64(out, LINE_FUNCTION_INDEX, p->function_of[frame]);
			proto_u64(out, LINE_LINE, w->s->frames[frame].line);
			proto_end(out, inner);
			kind = w->s->frames[frame].kind;
		}
		if (kind != FRAME_UNKNOWN) {
			inner = proto_begin(out, LOCATION_ATTRIBUTE_INDICES);
			proto_varint(out,
				     attribute(w, KEY_FRAME_TYPE, string(w, frame_type(kind)), 0));
			proto_end(out, inner);
		}
		proto_end(out, location);
	}
}

static void put_functions(struct otlp *w, struct strbuf *out)
{
	for (u32 i = 0; i < w->places.nr_functions; i++) {
		size_t function = proto_begin(out, DICTIONARY_FUNCTION_TABLE);

		if (i) {
			const struct stacks_frame *f = &w->s->frames[w->places.functions[i]];

			proto_u64(out, FUNCTION_NAME, text(w, f->name));
			proto_u64(out, FUNCTION_SYSTEM_NAME, text(w, f->name));
			proto_u64(out, FUNCTION_FILENAME, text(w, f->file));
		}
		proto_end(out, function);
	}
}

static void put_stacks(struct otlp *w, struct strbuf *out)
{
	u32 *nodes = xcalloc(w->nr_stacks + (size_t)1, sizeof(*nodes));

	for (u32 n = 1; n < w->s->nr_nodes; n++)
		nodes[w->stack_of[n]] = n;
	nodes[0] = 0;
	for (u32 i = 0; i <= w->nr_stacks; i++) {
		size_t stack = proto_begin(out, DICTIONARY_STACK_TABLE), list;
		u32 nr = code_places_stack(&w->places, nodes[i], w->path);

		if (nr) {
			list = proto_begin(out, STACK_LOCATION_INDICES);
			for (u32 k = 0; k < nr; k++)
				proto_varint(out, w->path[k]);
			proto_end(out, list);
		}
		proto_end(out, stack);
	}
	free(nodes);
}

static void put_attributes(struct otlp *w, struct strbuf *out)
{
	for (u32 i = 0; i < w->nr_attributes; i++) {
		const struct attribute *a = &w->attributes[i];
		size_t attribute = proto_begin(out, DICTIONARY_ATTRIBUTE_TABLE), value;

		if (i) {
			proto_u64(out, ATTRIBUTE_KEY, a->key);
			value = proto_begin(out, ATTRIBUTE_VALUE);
			if (a->text)
				proto_name(out, ANY_STRING, intern_str(&w->strings, a->text));
			else
				proto_number(out, ANY_INT, a->number);
			proto_end(out, value);
		}
		proto_end(out, attribute);
	}
}

/* Strings are written last, because everything before adds some. */
static void put_dictionary(struct otlp *w, struct strbuf *out)
{
	size_t dictionary = proto_begin(out, DATA_DICTIONARY);

	put_mappings(w, out);
	put_locations(w, out);
	put_functions(w, out);
	proto_bytes(out, DICTIONARY_LINK_TABLE, NULL, 0);
	put_attributes(w, out);
	put_stacks(w, out);
	for (size_t i = 0; i < w->strings.nr; i++)
		proto_name(out, DICTIONARY_STRING_TABLE, intern_str(&w->strings, (u32)i));
	proto_end(out, dictionary);
}

static void put_data(struct otlp *w, const struct export_opts *opts, u32 only)
{
	struct strbuf *out = export_buf(w->o);
	size_t resource = proto_begin(out, DATA_RESOURCE_PROFILES), scoped, scope;

	put_resource(out, opts);
	scoped = proto_begin(out, RESOURCE_PROFILES_SCOPE_PROFILES);
	scope = proto_begin(out, SCOPE_PROFILES_SCOPE);
	proto_name(out, SCOPE_NAME, "perf");
	proto_end(out, scope);
	for (u32 i = 0; i < w->s->nr_events; i++)
		if (export_takes(only, i))
			put_profile(w, out, opts, i);
	proto_end(out, scoped);
	proto_end(out, resource);
	put_dictionary(w, out);
	export_more(w->o);
}

static int write_otlp(const struct stacks *s, const struct export_opts *opts, struct export_out *o,
		      struct err *err)
{
	struct otlp w = { .s = s, .o = o, .weight = opts->weight };
	u32 only;
	int ret = export_only(s, opts, &only, err);

	if (ret)
		return ret;
	string(&w, "");
	attribute(&w, KEY_NONE, 0, 0); /* number 0 */
	w.stack_of = xcalloc(s->nr_nodes, sizeof(u32));
	w.path = stacks_room(s);
	code_places_init(&w.places, s);
	put_data(&w, opts, only);
	code_places_release(&w.places);
	intern_release(&w.strings);
	map64_release(&w.attribute_of);
	free(w.attributes);
	free(w.stack_of);
	free(w.path);
	return 0;
}

const struct export_ops export_otlp = {
	.name = "otlp",
	.arg = "FILE",
	.help = "write OpenTelemetry profiles (protobuf, v1development)",
	.dims = { .comm = true, .process = true, .thread = true, .addresses = true },
	.write = write_otlp,
};
