// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "analyze/engine.h"

#include <errno.h>

#define SHOWN_EVENTS 8 /* of a recording, in a message */

/* ---- fields ---- */

static bool bind_field(const struct tf_event *format, const char *name, struct engine_place *at)
{
	const struct tf_field *f = tf_find_field(format, name);

	if (!f)
		return false;
	*at = (struct engine_place){
		.offset = f->offset,
		.size = (u8)MIN(f->size, 8U),
		.is_signed = f->flags & TF_SIGNED,
		.is_text = f->flags & TF_STRING,
		.is_dynamic = f->flags & TF_DYNAMIC,
		.text_size = (u16)MIN(f->size, 0xffffU),
	};
	if (at->is_dynamic)
		return at->size == 4 && !(f->flags & TF_RELATIVE);
	if (at->is_text)
		return true;
	return !(f->flags & TF_ARRAY) && f->size <= 8 && !(f->size & (f->size - 1));
}

/* Return: the first field that is needed and that the format lacks, or NULL. */
static const char *bind_fields(const struct engine_event *event, const struct tf_event *format,
			       struct engine_binding *b)
{
	for (u32 i = 0; i < ENGINE_FIELDS && event->fields[i]; i++) {
		struct engine_place *at = &b->at[i];
		u32 bytes;

		if (!bind_field(format, event->fields[i], at)) {
			*at = (struct engine_place){ 0 };
			if (!(event->optional & 1U << i))
				return event->fields[i];
			continue;
		}
		at->is_s32 = at->size == 4 && at->is_signed && !b->swap;
		bytes = at->is_text && !at->is_dynamic ? at->text_size : at->size;
		if (at->offset > UINT32_MAX - bytes)
			return event->fields[i];
		b->payload = MAX(b->payload, at->offset + bytes);
	}
	return NULL;
}

const char *engine_text(const struct engine_input *in, u32 field, size_t *len)
{
	const struct engine_place *at = &in->bound->at[field];
	u32 offset = at->offset, size = at->text_size;

	*len = 0;
	if (!at->is_text)
		return "";
	if (at->is_dynamic) {
		u32 where = (u32)engine_unsigned(in->raw + offset, 4, in->bound->swap);

		offset = where & 0xffff;
		size = where >> 16;
	}
	if (offset > in->raw_size || size > in->raw_size - offset)
		return "";
	*len = strnlen((const char *)in->raw + offset, size);
	return (const char *)in->raw + offset;
}

/* ---- events ---- */

static bool is_event(const struct engine_event *event, const char *name, const struct evsel *e)
{
	return event->fits ? event->fits(&e->attr) : !strcmp(e->name, name);
}

bool engine_knows(const struct engine *e, const struct evsel *evsel)
{
	for (u32 event = 0; event < e->nr_events; event++)
		for (u32 n = 0; n < ENGINE_NAMES && e->events[event].names[n]; n++)
			if (is_event(&e->events[event], e->events[event].names[n], evsel))
				return true;
	return false;
}

/* Return: the first of the event's names that the recording has; NULL: none. */
static const char *name_there(const struct engine_event *event, const struct evlist *l)
{
	for (u32 n = 0; n < ENGINE_NAMES && event->names[n]; n++)
		for (size_t i = 0; i < l->nr; i++)
			if (is_event(event, event->names[n], l->evsels[i]))
				return event->names[n];
	return NULL;
}

static bool takes(const struct engine *e, u32 event)
{
	return event >= 32 || !(e->unused >> event & 1);
}

static bool needs(const struct engine *e, u32 event)
{
	return e->events[event].required || (event < 32 && e->needed >> event & 1);
}

/* Append the events that the engine looks for: @event, or all if it is NULL. */
static void wanted_text(const struct engine *e, const struct engine_event *event,
			struct strbuf *text)
{
	u32 nr = 0;

	for (u32 i = 0; i < e->nr_events; i++) {
		if (event ? event != &e->events[i] : !takes(e, i))
			continue;
		if (nr++ < SHOWN_EVENTS)
			strbuf_addf(text, "%s%s", nr > 1 ? ", " : "", e->events[i].names[0]);
	}
	if (nr > SHOWN_EVENTS)
		strbuf_addf(text, " and %u more", nr - SHOWN_EVENTS);
}

/* Tell whether there are tracepoints whose names and formats are not in the recording. */
static bool formats_lost(const struct evlist *l, const struct tracefmt *tf)
{
	for (size_t i = 0; !tf && i < l->nr; i++)
		if (l->evsels[i]->attr.type == PERF_TYPE_TRACEPOINT &&
		    !strchr(l->evsels[i]->name, ':'))
			return true;
	return false;
}

/* Return -ENOENT and a sentence. @event: is missing; NULL: all are */
static int no_event(const struct engine *e, const struct engine_event *event,
		    const struct evlist *l, const struct tracefmt *tf, struct err *err)
{
	struct strbuf wanted = STRBUF_INIT, text = STRBUF_INIT;
	int ret;

	if (formats_lost(l, tf))
		return err_set(err, -ENOENT,
			       "%s: the recording does not tell the names and formats of its "
			       "tracepoints, which stand at the end of most files: is it cut off?\n"
			       "Record the events again with: %s",
			       e->name, e->record);
	wanted_text(e, event, &wanted);
	for (size_t i = 0; i < l->nr && i < SHOWN_EVENTS; i++) {
		strbuf_addstr(&text, i ? ", " : "");
		strbuf_addname(&text, l->evsels[i]->name);
	}
	if (l->nr > SHOWN_EVENTS)
		strbuf_addf(&text, " and %zu more", l->nr - SHOWN_EVENTS);
	ret = err_set(err, -ENOENT,
		      "%s: the recording has %s%s, only %s.\nRecord the events with: %s", e->name,
		      event ? "no " : "none of ", strbuf_str(&wanted),
		      l->nr ? strbuf_str(&text) : "no events at all", e->record);
	strbuf_release(&wanted);
	strbuf_release(&text);
	return ret;
}

static int bind_evsel(const struct engine *e, void *state, u32 event, const struct evsel *evsel,
		      const struct tracefmt *tf, struct engine_binding *b, struct err *err)
{
	const struct tf_event *format = tf ? tracefmt_event(tf, (u32)evsel->attr.config) : NULL;
	const char *missing;

	b->used = true;
	b->event = event;
	if (e->events[event].fits) {
		if (e->bound)
			e->bound(state, event, NULL);
		return 0;
	}
	if (evsel->attr.type != PERF_TYPE_TRACEPOINT || !format)
		return err_set(err, -ENOENT, "%s: the recording has no format of %s", e->name,
			       evsel->name);
	missing = bind_fields(&e->events[event], format, b);
	if (missing)
		return err_set(err, -ENOENT, "%s: %s has no usable field %s in this recording",
			       e->name, evsel->name, missing);
	if (e->bound)
		e->bound(state, event, format);
	return 0;
}

int engine_bind(const struct engine *e, void *state, const struct evlist *l,
		const struct tracefmt *tf, bool swap, struct engine_binding *out, struct err *err)
{
	int ret = 0;
	bool some = false;

	for (u32 event = 0; event < e->nr_events && !ret; event++) {
		const char *name = takes(e, event) ? name_there(&e->events[event], l) : NULL;

		if (!name && needs(e, event) && !e->any)
			return no_event(e, &e->events[event], l, tf, err);
		some |= !!name;
		for (size_t i = 0; name && i < l->nr && !ret; i++) {
			if (!is_event(&e->events[event], name, l->evsels[i]))
				continue;
			out[i] = (struct engine_binding){ .swap = swap };
			ret = bind_evsel(e, state, event, l->evsels[i], tf, &out[i], err);
		}
	}
	return !ret && e->any && !some ? no_event(e, NULL, l, tf, err) : ret;
}

void engine_missing(const struct engine *e, const struct evlist *l, struct strbuf *out)
{
	if (!e->lacking || !name_there(&e->events[0], l))
		return;
	for (u32 event = 0; event < e->nr_events; event++) {
		const char *first = e->events[event].names[0];
		const char *name = name_there(&e->events[event], l);

		if (!e->lacking[event] || !takes(e, event) || name == first)
			continue;
		strbuf_addf(out, "  INFO: the recording has no %s: ", first);
		if (name)
			strbuf_addf(out, "%s takes its place\n", name);
		else
			strbuf_addf(out, "%s\n", e->lacking[event]);
	}
}
