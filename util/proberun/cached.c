// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "proberun/cached.h"

#include "base/alloc.h"
#include "base/lines.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>

#define MARKERS "sdt_" /* begins the groups of markers */

/* ---- the text of the file ---- */

static void release(struct probe_cached *c)
{
	for (size_t i = 0; i < c->nr; i++)
		free(c->lines[i]);
	free(c->lines);
	free(c->text);
}

void probe_cached_release(struct probe_cached_list *l)
{
	for (size_t i = 0; i < l->nr; i++)
		release(&l->v[i]);
	free(l->v);
	*l = (struct probe_cached_list){ 0 };
}

static struct probe_cached *add(struct probe_cached_list *l, char *text, bool marker)
{
	VEC_GROW_FROM(l->v, l->nr + 1, l->cap, 4);
	l->v[l->nr] = (struct probe_cached){ .text = text, .marker = marker };
	return &l->v[l->nr++];
}

static void add_line(struct probe_cached *c, char *line)
{
	VEC_GROW_FROM(c->lines, c->nr + 1, c->cap, 2);
	c->lines[c->nr++] = line;
}

void probe_cached_read(struct probe_cached_list *out, const char *text, size_t len)
{
	const char *p = text, *end = text + len;
	size_t before = out->nr;
	struct line l;

	while (next_line(&p, end, &l)) {
		size_t size = (size_t)(l.end - l.p);

		if (size < 2 || memchr(l.p, 0, size))
			continue;
		if (*l.p == '#' || *l.p == '%')
			add(out, xstrndup(l.p + 1, size - 1), *l.p == '%');
		else if (out->nr > before)
			add_line(&out->v[out->nr - 1], xstrndup(l.p, size));
	}
}

void probe_cached_write(const struct probe_cached_list *l, struct strbuf *out)
{
	for (size_t i = 0; i < l->nr; i++) {
		const struct probe_cached *c = &l->v[i];

		strbuf_addf(out, "%c%s\n", c->marker ? '%' : '#', c->text);
		for (size_t k = 0; k < c->nr; k++)
			strbuf_addf(out, "%s\n", c->lines[k]);
	}
}

/* ---- names of definitions ---- */

/* The name in front of a definition; a length of 0: there is none. */
struct cached_name {
	const char *group, *event;
	size_t group_len, event_len;
};

/* Tell whether the kernel takes a name: letters, digits, _. */
static bool is_name(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)p[i]) && p[i] != '_')
			return false;
	return len > 0;
}

/* Read "GROUP:EVENT=". */
static struct cached_name name_of(const struct probe_cached *c)
{
	const char *equal = strchr(c->text, '='), *colon = strchr(c->text, ':');
	struct cached_name n = { 0 };

	if (!equal || !colon || colon > equal)
		return n;
	n = (struct cached_name){ c->text, colon + 1, (size_t)(colon - c->text),
				  (size_t)(equal - colon - 1) };
	if (is_name(n.group, n.group_len) && is_name(n.event, n.event_len) &&
	    (!c->marker || !strncmp(n.group, MARKERS, strlen(MARKERS))))
		return n;
	return (struct cached_name){ 0 };
}

static bool matches(const char *name, size_t len, const char *wanted)
{
	char *copy = xstrndup(name, len);
	bool is = !fnmatch(wanted, copy, 0);

	free(copy);
	return is;
}

/* Tell whether the lines make an event of that name. */
static bool makes(const struct probe_cached *c, const struct probe_definition *d)
{
	bool is = false;

	for (size_t i = 0; !is && i < c->nr; i++) {
		struct probe_line l;

		/* names are in the same place in lines of programs */
		is = probe_line_parse(&l, c->lines[i], strlen(c->lines[i]), false) &&
		     (!d->group || matches(l.group, strlen(l.group), d->group)) &&
		     matches(l.event, strlen(l.event), d->event);
		probe_line_release(&l);
	}
	return is;
}

bool probe_cached_is(const struct probe_cached *c, const struct probe_definition *d)
{
	struct cached_name n = name_of(c);

	if (!n.event_len)
		return makes(c, d);
	if (c->marker && d->group && strncmp(d->group, MARKERS, strlen(MARKERS))) {
		n.group += strlen(MARKERS);
		n.group_len -= strlen(MARKERS);
	}
	return (!d->group || matches(n.group, n.group_len, d->group)) &&
	       matches(n.event, n.event_len, d->event);
}

bool probe_cached_passes(const struct probe_cached *c, const struct name_filter *f, bool whole)
{
	struct cached_name n = name_of(c);
	char *name;
	bool is;

	if (!n.event_len)
		return name_filter_matches(f, c->text);
	name = whole ? xstrndup(n.group, n.group_len + 1 + n.event_len)
		     : xstrndup(n.event, n.event_len);
	is = name_filter_matches(f, name);
	free(name);
	return is;
}

/* ---- keeping definitions ---- */

/* Append a definition as the file has it. @group: of its events */
static void put_definition(const struct probe_definition *d, const char *group, struct strbuf *out)
{
	if (d->event)
		strbuf_addf(out, "%s:%s=", group, d->event);
	probe_point_text(d, out);
	for (size_t i = 0; i < d->nr_args; i++) {
		strbuf_addch(out, ' ');
		probe_arg_text(&d->args[i], out);
	}
}

static const struct probe_cached *same_definition(const struct probe_cached_list *l,
						  const struct probe_object *o,
						  const struct probe_definition *d)
{
	char *group = d->group ? xstrdup(d->group)
			       : probe_group_name(o, &(struct probe_point){ 0 });
	const struct probe_cached *found = NULL;
	struct strbuf text = STRBUF_INIT;

	put_definition(d, group, &text);
	for (size_t i = 0; !found && i < l->nr; i++)
		if (!l->v[i].marker && !strcmp(l->v[i].text, strbuf_str(&text)))
			found = &l->v[i];
	strbuf_release(&text);
	free(group);
	return found;
}

const struct probe_cached *probe_cached_find(const struct probe_cached_list *l,
					     const struct probe_object *o,
					     const struct probe_definition *d)
{
	if (!d->marker)
		return same_definition(l, o, d);
	for (size_t i = 0; i < l->nr; i++)
		if (!l->v[i].marker && probe_cached_is(&l->v[i], d))
			return &l->v[i];
	return NULL;
}

void probe_cached_drop(struct probe_cached_list *l, size_t i)
{
	release(&l->v[i]);
	l->nr--;
	memmove(&l->v[i], &l->v[i + 1], (l->nr - i) * sizeof(*l->v));
}

int probe_cached_put(struct probe_cached_list *l, const struct probe_object *o,
		     const struct probe_definition *d, const struct probe_events *events,
		     struct err *err)
{
	const struct probe_cached *before = same_definition(l, o, d);
	struct strbuf text = STRBUF_INIT;
	struct probe_cached *c;
	int rc = 0;

	put_definition(d, events->nr ? events->v[0].group : "", &text);
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.buf[i] < ' ' || text.buf[i] == 0x7f)
			rc = err_set(err, -EINVAL,
				     "The definition has a control character, which the file of "
				     "the cache cannot have.");
	if (rc) {
		strbuf_release(&text);
		return rc;
	}
	if (before)
		probe_cached_drop(l, (size_t)(before - l->v));
	c = add(l, strbuf_detach(&text), false);
	for (size_t i = 0; !rc && i < events->nr; i++) {
		struct strbuf line = STRBUF_INIT;

		rc = probe_event_line(o, &events->v[i], &line, err);
		add_line(c, strbuf_detach(&line));
	}
	return rc;
}

/* ---- from lines to events ---- */

/* Add an argument "NAME=VALUE:TYPE", of which only VALUE has to be there. */
static void add_arg(struct probe_fetches *out, const char *arg)
{
	const char *equal = strchr(arg, '='), *value = equal ? equal + 1 : arg;
	const char *colon = strrchr(value, ':');
	char *name = equal ? xstrndup(arg, (size_t)(equal - arg)) : NULL, *fetched;

	if (colon && strchr(colon, ')'))
		colon = NULL;
	fetched = xstrndup(value, colon ? (size_t)(colon - value) : strlen(value));
	probe_fetch_add(out, name, fetched, colon ? colon + 1 : NULL);
	free(fetched);
	free(name);
}

static void set_point(struct probe_object *o, const struct probe_line *l, struct probe_point *p)
{
	p->function = arena_strdup(&o->texts, l->event);
	if (l->user) {
		p->offset = l->offset;
		p->semaphore = l->semaphore;
		p->addr = probe_object_vaddr(o, l->offset);
		return;
	}
	p->addr = l->offset;
	p->symbol = l->symbol ? arena_strdup(&o->texts, l->symbol) : NULL;
	p->module = l->path ? arena_strdup(&o->texts, l->path) : NULL;
	p->as_named = true;
}

void probe_cached_events(struct probe_object *o, const struct probe_cached *c,
			 struct probe_events *out)
{
	out->v = xcalloc(c->nr + 1, sizeof(*out->v));
	for (size_t i = 0; i < c->nr; i++) {
		struct probe_event *e = &out->v[out->nr];
		struct probe_line l;

		if (probe_line_parse(&l, c->lines[i], strlen(c->lines[i]), o->user) &&
		    is_name(l.group, strlen(l.group)) && is_name(l.event, strlen(l.event))) {
			e->group = xstrdup(l.group);
			e->returns = l.returns;
			set_point(o, &l, &e->point);
			for (size_t k = 0; k < l.nr_args; k++)
				add_arg(&e->args, l.args[k]);
			out->nr++;
		}
		probe_line_release(&l);
	}
}

int probe_cached_name(struct probe_events *events, struct probe_names *taken, bool more,
		      struct err *err)
{
	int rc = 0;

	for (size_t i = 0, nr; !rc && i < events->nr; i += nr) {
		const char *name = events->v[i].point.function;
		const struct probe_definition named = { .event = (char *)(uintptr_t)name };
		struct probe_events part = { .v = &events->v[i] };

		for (nr = 1; i + nr < events->nr; nr++)
			if (strcmp(events->v[i + nr].point.function, name))
				break;
		part.nr = nr;
		rc = probe_events_name(&part, &named, taken, more, err);
	}
	return rc;
}
