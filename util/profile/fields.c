// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "profile/fields.h"

#include "base/alloc.h"
#include "columns/columns.h"

/* Return the least width of a column: for a text in the record itself, for where a text stands
 * elsewhere, or for hexadecimal digits. */
static u16 field_width(const struct tf_field *f)
{
	size_t width = strlen(f->name), size = f->size;

	width = MAX(width, f->flags & (TF_STRING | TF_DYNAMIC) ? size : size * 2 + 2);
	return MIN(width, (size_t)UINT16_MAX);
}

static struct profile_event_fields *fields_of(struct profile_fields *f, u32 evsel)
{
	VEC_GROW(f->events, evsel + 1, f->cap_events);
	while (f->nr_events <= evsel)
		f->events[f->nr_events++] = (struct profile_event_fields){ 0 };
	return &f->events[evsel];
}

/* Return a place for a field. Each has its own until there are no more; then events share them. */
static u32 free_place(const struct profile_fields *f, const struct profile_event_fields *e)
{
	bool taken[HIST_MAX_FIELDS] = { false };
	u32 place = 0;

	if (f->nr < HIST_MAX_FIELDS)
		return f->nr;
	for (u32 i = 0; i < e->nr; i++)
		taken[e->list[i]->place] = true;
	while (taken[place])
		place++;
	return place;
}

static const struct hist_column *column_of(struct profile_fields *f, u32 evsel,
					   const struct tf_event *ev, const struct tf_field *field,
					   bool raw)
{
	struct profile_event_fields *e = fields_of(f, evsel);
	struct profile_field *p;

	for (u32 i = 0; i < e->nr; i++)
		if (e->list[i]->field == field)
			return &e->list[i]->col;
	if (e->nr == HIST_MAX_FIELDS)
		return NULL;
	p = xzalloc(sizeof(*p));
	p->place = free_place(f, e);
	p->event = ev;
	p->field = field;
	p->raw = raw;
	column_of_field(&p->col, p->place, evsel, field->name, field_width(field),
			field->flags & TF_DYNAMIC || (!raw && !(field->flags & TF_ARRAY)));
	VEC_GROW(e->list, e->nr + 1, e->cap);
	e->list[e->nr++] = p;
	f->nr = MAX(f->nr, p->place + 1);
	return &p->col;
}

/* The parts of a key. */
struct key {
	char *event; /* NULL: any */
	char *field; /* NULL: all */
	bool raw;
	char *copy;
};

static void key_cut(struct key *k, const char *text, size_t len)
{
	char *slash, *dot;

	*k = (struct key){ .copy = xstrndup(text, len) };
	slash = strrchr(k->copy, '/');
	if (slash && !strcmp(slash, "/raw")) {
		k->raw = true;
		*slash = 0;
	}
	k->field = k->copy;
	dot = strchr(k->copy, '.');
	if (dot) {
		*dot = 0;
		k->event = k->copy;
		k->field = dot + 1;
	}
	if (!strcmp(k->field, "trace_fields") || (k->event && !strcmp(k->field, "*")))
		k->field = NULL;
}

/* Tell whether an event is the named one. Names with a group have to be whole, others may be a
 * part; "%2" is the second event. */
static bool event_matches(const struct evsel *e, const char *name)
{
	if (*name == '%')
		return strtoul(name + 1, NULL, 10) == e->idx + 1UL;
	return strchr(name, ':') ? !strcmp(e->name, name) : !!strstr(e->name, name);
}

/* Tell whether the name of a key means exactly one event. */
static bool unambiguous(const struct evlist *l, const char *name)
{
	u32 nr = 0;

	for (size_t i = 0; i < l->nr; i++)
		nr += event_matches(l->evsels[i], name);
	return nr == 1;
}

const struct hist_column *profile_fields_column(void *ctx, const char *key, size_t len, u32 nth)
{
	struct profile_fields *f = ctx;
	const struct hist_column *col = NULL;
	struct key k;

	formats_take(f->formats, f->evlist, f->env, false, f->notices);
	key_cut(&k, key, len);
	k.raw |= f->raw;
	for (u32 i = 0; !col && i < f->evlist->nr; i++) {
		const struct evsel *e = f->evlist->evsels[i];
		const struct tf_event *ev = evsel_format(e, f->formats->tracefmt);

		if (!ev ||
		    (k.event && (!event_matches(e, k.event) || !unambiguous(f->evlist, k.event))))
			continue;
		for (u32 j = k.field ? 0 : ev->nr_common; j < ev->nr_fields; j++) {
			if (k.field && strcmp(ev->fields[j].name, k.field))
				continue;
			if (!nth--) {
				col = column_of(f, i, ev, &ev->fields[j], k.raw);
				break;
			}
		}
	}
	free(k.copy);
	return col;
}

/* Append the bytes that rows are sorted by; a dynamic field has those that it points at. */
static void add_bytes(const struct profile_field *p, const struct sample *s, struct strbuf *buf)
{
	const struct tf_field *field = p->field;
	size_t len = field->size;
	const void *data = (const char *)s->raw + field->offset;

	if (field->flags & TF_DYNAMIC)
		data = tf_field_data(p->event, field, s->raw, s->raw_size, &len);
	else if (field->offset > s->raw_size || len > s->raw_size - field->offset)
		data = NULL;
	if (data)
		strbuf_add(buf, data, len);
}

void profile_fields_texts(const struct profile_fields *f, u32 evsel, const struct sample *s,
			  struct tf_printer *printer, struct strbuf *buf, struct hist_text *texts)
{
	const struct profile_event_fields *e = evsel < f->nr_events ? &f->events[evsel] : NULL;
	size_t at[HIST_MAX_FIELDS] = { 0 }, len[HIST_MAX_FIELDS] = { 0 };

	strbuf_reset(buf);
	for (u32 i = 0; e && i < e->nr; i++) {
		const struct profile_field *p = e->list[i];
		size_t from = buf->len;

		if (p->raw)
			tf_print_field(p->event, p->field, s->raw, s->raw_size, buf);
		else
			tf_print_field_as(p->event, p->field, printer, s->raw, s->raw_size, buf);
		/* A zero byte in it ends the text. */
		buf->len = from + strnlen(buf->buf + from, buf->len - from);
		strbuf_addch(buf, 0);
		add_bytes(p, s, buf);
		at[p->place] = from;
		len[p->place] = buf->len - from;
	}
	for (u32 i = 0; i < f->nr; i++)
		texts[i] = (struct hist_text){ strbuf_str(buf) + at[i], len[i] };
}

void profile_fields_release(struct profile_fields *f)
{
	for (u32 i = 0; i < f->nr_events; i++) {
		for (u32 j = 0; j < f->events[i].nr; j++)
			free(f->events[i].list[j]);
		free(f->events[i].list);
	}
	free(f->events);
	f->events = NULL;
	f->nr_events = f->cap_events = f->nr = 0;
}
