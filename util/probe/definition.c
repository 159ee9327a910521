// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "probe/definition.h"

#include "base/alloc.h"
#include "probe/definition-internal.h"

#include <ctype.h>
#include <errno.h>

#define LINE_MAX_NUMBER INT32_MAX

void probe_arg_release(struct probe_arg *a)
{
	for (size_t i = 0; i < a->nr_steps; i++)
		free(a->steps[i].member);
	free(a->steps);
	free(a->name);
	free(a->value);
	free(a->type);
	*a = (struct probe_arg){ 0 };
}

void probe_definition_release(struct probe_definition *d)
{
	for (size_t i = 0; i < d->nr_args; i++)
		probe_arg_release(&d->args[i]);
	free(d->args);
	free(d->group);
	free(d->event);
	free(d->function);
	free(d->file);
	free(d->pattern);
	free(d->object);
	*d = (struct probe_definition){ 0 };
}

bool probe_is_pattern(const char *name)
{
	return name[strcspn(name, "*?[")];
}

bool probe_needs_place(const struct probe_definition *d)
{
	return d->file || d->pattern || d->line;
}

/* ---- text with backslashes ---- */

const char *probe_find(const char *p, const char *end, const char *chars)
{
	for (; p < end; p++) {
		/* names of C++ have "::" */
		if ((*p == '\\' && p + 1 < end) || (*p == ':' && p + 1 < end && p[1] == ':'))
			p++;
		else if (strchr(chars, *p))
			break;
	}
	return p;
}

char *probe_unescape(const char *p, const char *end)
{
	struct strbuf text = STRBUF_INIT;

	for (; p < end; p++) {
		if (*p == '\\' && p + 1 < end)
			p++;
		strbuf_addch(&text, *p);
	}
	return strbuf_detach(&text);
}

bool probe_is_name(const char *p, size_t len)
{
	if (!len || isdigit((unsigned char)*p))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)p[i]) && p[i] != '_')
			return false;
	return true;
}

/* ---- names of events ---- */

/* Read "EVENT" or "GROUP:EVENT". */
static int parse_event(struct probe_definition *d, const char *p, const char *end, struct err *err)
{
	const char *colon = memchr(p, ':', (size_t)(end - p));
	const char *event = colon ? colon + 1 : p;

	if (colon && !probe_is_name(p, (size_t)(colon - p)))
		return err_set(err, -EINVAL,
			       "\"%.*s\" is bad for a group name: it takes letters, digits and _, "
			       "and begins with no digit.",
			       (int)(colon - p), p);
	if (!probe_is_name(event, (size_t)(end - event)))
		return err_set(
			err, -EINVAL,
			"\"%.*s\" is bad for event name -it must follow C symbol-naming rule.",
			(int)(end - event), event);
	if (colon)
		d->group = xstrndup(p, (size_t)(colon - p));
	d->event = xstrndup(event, (size_t)(end - event));
	return 0;
}

/* Read "MARKER" or "PROVIDER:MARKER", which may be patterns. */
static int parse_marker_name(struct probe_definition *d, const char *p, const char *end,
			     struct err *err)
{
	const char *colon = memchr(p, ':', (size_t)(end - p));
	const char *event = colon ? colon + 1 : p;

	for (const char *c = p; c < end; c++)
		if (c != colon && !isalnum((unsigned char)*c) && !strchr("_*?[]!-", *c))
			return err_set(err, -EINVAL, "\"%.*s\" is no name of a marker.",
				       (int)(end - p), p);
	if (event == end || colon == p)
		return err_set(err, -EINVAL, "\"%.*s\" lacks a name.", (int)(end - p), p);
	if (colon)
		d->group = xstrndup(p, (size_t)(colon - p));
	d->event = xstrndup(event, (size_t)(end - event));
	return 0;
}

/* Read the part behind the '%' of a marker, or "sdt_PROVIDER:MARKER". */
static int parse_marker(struct probe_definition *d, const char *p, const char *end, struct err *err)
{
	const char *at = probe_find(p, end, ";=@+%");

	if (at < end && *at != '@')
		return err_set(err, -EINVAL,
			       "%.*s must be an SDT name: a marker has no place and no %c.",
			       (int)(end - p), p, *at);
	d->marker = true;
	if (at < end)
		d->object = probe_unescape(at + 1, end);
	return parse_marker_name(d, p, at, err);
}

/* ---- places ---- */

static int parse_number(const char *p, const char *end, const char *what, u64 max, u64 *out,
			struct err *err)
{
	char *text = xstrndup(p, (size_t)(end - p)), *stop;
	int rc = 0;

	errno = 0;
	*out = strtoull(text, &stop, 0);
	if (!isdigit((unsigned char)*text) || *stop)
		rc = err_set(err, -EINVAL, "There is non-digit character in %s: \"%s\".", what,
			     text);
	else if (errno || *out > max)
		rc = err_set(err, -ERANGE, "The %s %s is too large.", what, text);
	free(text);
	return rc;
}

/* Read one part of a place, which begins with the character @kind. */
static int parse_part(struct probe_definition *d, char kind, const char *p, const char *end,
		      struct err *err)
{
	u64 number;
	int rc = 0;

	switch (kind) {
	case ':':
		rc = parse_number(p, end, "line number", LINE_MAX_NUMBER, &number, err);
		d->line = rc ? 0 : (u32)number;
		return rc;
	case '+':
		return parse_number(p, end, "offset", INT64_MAX, &d->offset, err);
	case '@':
		if (d->file)
			return err_set(err, -EINVAL, "SRC@SRC is not allowed.");
		if (p == end)
			return err_set(err, -EINVAL,
				       "The name of the source file behind @ is missing.");
		d->file = probe_unescape(p, end);
		return 0;
	case '%':
		if ((size_t)(end - p) != strlen("return") || memcmp(p, "return", (size_t)(end - p)))
			return err_set(
				err, -EINVAL,
				"%%%.*s is not supported: only %%return stands behind a function.",
				(int)(end - p), p);
		d->returns = true;
		return 0;
	default:
		if (p == end)
			return err_set(err, -EINVAL, "The pattern behind ; is missing.");
		d->pattern = probe_unescape(p, end);
		return 0;
	}
}

/* Tell whether the first name of a place is that of a source file: it has a dot, and a line or a
 * pattern stands behind it. */
static bool names_file(const char *p, const char *name_end, const char *end)
{
	if (name_end == end || !memchr(p, '.', (size_t)(name_end - p)))
		return false;
	return (*name_end == ':' || *name_end == ';') && probe_find(p, end, "+@%") == end;
}

/* Check that parts which exclude each other are not there together. */
static int check_point(const struct probe_definition *d, struct err *err)
{
	if (d->pattern && d->line)
		return err_set(err, -EINVAL, "Lazy pattern can't be used with line number.");
	if (d->pattern && d->offset)
		return err_set(err, -EINVAL, "Lazy pattern can't be used with offset.");
	if (d->line && d->offset)
		return err_set(err, -EINVAL, "Offset can't be used with line number.");
	if (!d->line && !d->pattern && d->file && !d->function)
		return err_set(err, -EINVAL, "File always requires line number or lazy pattern.");
	if (d->returns && !d->function)
		return err_set(err, -EINVAL, "Return probe requires an entry function.");
	if (d->returns && (d->offset || d->line || d->pattern))
		return err_set(err, -EINVAL,
			       "Offset/Line/Lazy pattern can't be used with return probe.");
	if (d->absolute && (d->file || d->line || d->pattern))
		return err_set(err, -EINVAL,
			       "An address has no source file, line or pattern: write 0x%" PRIx64
			       " alone.",
			       d->address);
	return 0;
}

/* Take the stub of a library's function, "puts@plt", for the function that it is: what stands
 * behind an @ is otherwise a source file. */
static void join_stub(struct probe_definition *d)
{
	char *function = d->function;

	if (!function || !d->file || strcmp(d->file, "plt"))
		return;
	d->function = xasprintf("%s@%s", function, d->file);
	free(d->file);
	d->file = NULL;
	free(function);
}

static int parse_place(struct probe_definition *d, const char *p, const char *end, struct err *err)
{
	const char *at = probe_find(p, end, ";:+@%");
	int rc = 0;

	if (at == p)
		return err_set(err, -EINVAL,
			       "\"%.*s\" has no function and no source file at its beginning.",
			       (int)(end - p), p);
	if (names_file(p, at, end))
		d->file = probe_unescape(p, at);
	else
		d->function = probe_unescape(p, at);
	if (d->function && !strncmp(d->function, "0x", 2)) {
		d->absolute = true;
		rc = parse_number(p, at, "address", UINT64_MAX, &d->address, err);
	}
	while (!rc && at < end) {
		char kind = *at++;

		p = at;
		/* a pattern extends to the end, whatever is in it */
		at = kind == ';' ? end : probe_find(p, end, ";:+@%");
		rc = parse_part(d, kind, p, at, err);
	}
	join_stub(d);
	if (!rc && d->absolute) {
		d->address += d->offset;
		d->offset = 0;
	}
	return rc ? rc : check_point(d, err);
}

/* Return where the '=' is that separates the name of the event from the place; @end: nowhere. In
 * front of it is nothing that only a place has. */
static const char *name_end(const char *p, const char *end)
{
	const char *at = probe_find(p, end, ";=@+%");

	return at < end && *at == '=' ? at : end;
}

static bool is_marker(const char *p, const char *end)
{
	const char *colon = probe_find(p, end, ":");

	if (*p == '%')
		return true;
	/* a function may be called sdt_x, but what stands behind its colon is a number */
	return !strncmp(p, "sdt_", 4) && probe_find(p, end, ";=+%") == end && colon + 1 < end &&
	       !isdigit((unsigned char)colon[1]);
}

static int parse_point(struct probe_definition *d, const char *p, const char *end, struct err *err)
{
	const char *name;
	int rc = 0;

	if (is_marker(p, end))
		return parse_marker(d, p + (*p == '%'), end, err);
	name = name_end(p, end);
	if (name < end) {
		rc = parse_event(d, p, name, err);
		p = name + 1;
	}
	return rc ? rc : parse_place(d, p, end, err);
}

/* ---- whole definitions ---- */

/* Return the end of the word at @p; a pattern may have quoted blanks, as no other word may. */
static const char *word_end(const char *p)
{
	while (*p && !isspace((unsigned char)*p))
		p += *p == '\\' && p[1] ? 2 : 1;
	return p;
}

static const char *skip_blanks(const char *p)
{
	while (isspace((unsigned char)*p))
		p++;
	return p;
}

static int add_arg(struct probe_definition *d, const char *p, const char *end, struct err *err)
{
	char *text = xstrndup(p, (size_t)(end - p));
	int rc;

	VEC_GROW_FROM(d->args, d->nr_args + 1, d->cap_args, 4);
	d->args[d->nr_args] = (struct probe_arg){ 0 };
	rc = probe_arg_parse(&d->args[d->nr_args++], text, err);
	free(text);
	return rc;
}

/* Check that the arguments are there at the place: variables are gone when a function returns. */
static int check_args(const struct probe_definition *d, struct err *err)
{
	for (size_t i = 0; i < d->nr_args; i++) {
		const struct probe_arg *a = &d->args[i];

		if (d->returns && (a->variable || probe_arg_is_set(a)))
			return err_set(err, -EINVAL,
				       "Semantic error :You can't specify local variable for "
				       "kretprobe: %s.",
				       a->value);
		if (!d->returns && strstr(a->value, "$retval"))
			return err_set(
				err, -EINVAL,
				"$retval is only there where a function returns: write %s%%return.",
				d->function ? d->function : "FUNC");
	}
	return 0;
}

int probe_definition_parse(struct probe_definition *d, const char *text, struct err *err)
{
	const char *p = skip_blanks(text), *end = word_end(p);
	int rc;

	*d = (struct probe_definition){ 0 };
	if (!*p)
		return err_set(err, -EINVAL, "The definition of the probe is empty.");
	rc = parse_point(d, p, end, err);
	for (p = skip_blanks(end); !rc && *p; p = skip_blanks(end)) {
		end = word_end(p);
		/* "func %return" is what many write */
		if (!d->nr_args && end - p == strlen("%return") && !strncmp(p, "%return", 7) &&
		    d->function && !d->returns) {
			d->returns = true;
			rc = check_point(d, err);
		} else {
			rc = add_arg(d, p, end, err);
		}
	}
	return rc ? rc : check_args(d, err);
}

int probe_point_parse(struct probe_definition *d, const char *text, struct err *err)
{
	const char *p = skip_blanks(text), *end = word_end(p);
	int rc;

	*d = (struct probe_definition){ 0 };
	rc = *p ? parse_point(d, p, end, err) : err_set(err, -EINVAL, "The place is empty.");
	if (!rc && *skip_blanks(end))
		rc = err_set(err, -EINVAL,
			     "\"%s\" stands behind the place: only a place is taken here, no "
			     "arguments.",
			     skip_blanks(end));
	return rc;
}

void probe_point_text(const struct probe_definition *d, struct strbuf *out)
{
	if (d->marker) {
		strbuf_addf(out, "%%%s", d->event);
		return;
	}
	if (d->function)
		strbuf_addstr(out, d->function);
	if (d->file)
		strbuf_addf(out, "%s%s", d->function ? "@" : "", d->file);
	if (d->offset)
		strbuf_addf(out, "+%" PRIu64, d->offset);
	if (d->line)
		strbuf_addf(out, ":%u", d->line);
	if (d->pattern)
		strbuf_addf(out, ";%s", d->pattern);
	if (d->returns)
		strbuf_addstr(out, "%return");
}
