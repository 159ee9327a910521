// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of events and their groups. */
#include "base/compat.h"
#include "probe/event.h"

#include "base/alloc.h"

#include <ctype.h>
#include <errno.h>

#define SUFFIX_MAX 1024 /* events of one name */
#define RETURN_TAIL "__return"

/* ---- the names that there are ---- */

void probe_names_release(struct probe_names *n)
{
	intern_release(&n->all);
}

void probe_names_add(struct probe_names *n, const char *group, const char *event)
{
	char *name = xasprintf("%s:%s", group, event);

	intern_str_id(&n->all, name);
	free(name);
}

bool probe_names_has(const struct probe_names *n, const char *group, const char *event)
{
	char *name = xasprintf("%s:%s", group, event);
	bool has = intern_find(&n->all, name, strlen(name)) != UINT32_MAX;

	free(name);
	return has;
}

/* ---- groups ---- */

static bool fits_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Providers come from the object. */
static char *marker_group(const char *provider)
{
	char *group = xasprintf("sdt_%.*s", (int)(PROBE_NAME_MAX - strlen("sdt_")), provider);

	for (char *c = group; *c; c++)
		*c = fits_name(*c) ? *c : '_';
	return group;
}

char *probe_group_name(const struct probe_object *o, const struct probe_point *p)
{
	const char *base;
	size_t len = 0;

	if (p->provider)
		return marker_group(p->provider);
	if (!o->user)
		return xstrdup("probe");
	base = strrchr(o->path, '/');
	base = base ? base + 1 : o->path;
	while (fits_name(base[len]) && len < PROBE_NAME_MAX - strlen("probe_"))
		len++;
	return xasprintf("probe_%.*s", (int)len, base);
}

/* ---- events ---- */

/* Append what the name of an event can have of a function: without ".isra.0" and "@GLIBC_2.2.5",
 * and a _ for each character that names cannot have. */
static void put_function(const char *function, struct strbuf *out)
{
	size_t len;

	function += *function == '.';
	len = 1 + strcspn(function + 1, ".@(");
	for (size_t i = 0; i < len && function[i]; i++)
		if (fits_name(function[i]))
			strbuf_addch(out, function[i]);
		else if (!out->len || out->buf[out->len - 1] != '_')
			strbuf_addch(out, '_');
	if (!out->len || isdigit((unsigned char)out->buf[0])) {
		char *rest = strbuf_detach(out);

		strbuf_addf(out, "_%s", rest);
		free(rest);
	}
}

/* Append the name of an address that is in no known function. */
static void put_base(const struct probe_definition *d, const struct probe_point *p,
		     struct strbuf *out)
{
	if (d->absolute)
		strbuf_addf(out, "abs_%" PRIx64, d->address);
	else
		put_function(p->function ? p->function : "probe", out);
}

static char *made_name(const struct probe_definition *d, const struct probe_point *p)
{
	struct strbuf name = STRBUF_INIT, tail = STRBUF_INIT;

	put_base(d, p, &name);
	if (d->line && d->function)
		strbuf_addf(&tail, "_L%u", d->line);
	if (d->returns)
		strbuf_addstr(&tail, RETURN_TAIL);
	if (name.len > PROBE_NAME_MAX - tail.len - strlen("_1024")) {
		name.len = PROBE_NAME_MAX - tail.len - strlen("_1024");
		name.buf[name.len] = 0;
	}
	strbuf_addstr(&name, strbuf_str(&tail));
	strbuf_release(&tail);
	return strbuf_detach(&name);
}

char *probe_event_name(const struct probe_definition *d, const struct probe_point *p,
		       const char *group, const struct probe_names *taken, bool more,
		       struct err *err)
{
	bool given = d->event && !d->marker;
	const char *tail = d->returns ? RETURN_TAIL : "";
	char *base =
		given ? xasprintf("%.*s%s", (int)(PROBE_NAME_MAX - strlen(tail)), d->event, tail)
		      : made_name(d, p);
	char *name = xstrdup(base);

	for (int i = 1; probe_names_has(taken, group, name); i++) {
		free(name);
		name = NULL;
		if (!more || i > SUFFIX_MAX)
			break;
		name = xasprintf("%.*s_%d", (int)(PROBE_NAME_MAX - strlen("_1024")), base, i);
	}
	if (!name && !more)
		err_set(err, -EEXIST,
			"Error: event \"%s\" already exists.\n"
			" Hint: Remove existing event by 'perf probe -d'\n"
			"       or force duplicates by 'perf probe -f'\n"
			"       or set 'force=yes' in BPF source.",
			base);
	else if (!name)
		err_set(err, -ERANGE,
			"Too many events are on the same function: there are %d of %s.", SUFFIX_MAX,
			base);
	free(base);
	return name;
}
