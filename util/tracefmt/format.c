// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text of a format description, line by line:
 *
 *	name: sched_wakeup
 *	ID: 318
 *	format:
 *		field:unsigned short common_type;	offset:0;	size:2;	signed:0;
 *		...
 *	(blank line: the common fields end)
 *		field:char comm[16];	offset:8;	size:16;	signed:0;
 *		field:__data_loc char[] name;	offset:24;	size:4;	signed:0;
 *
 *	print fmt: "comm=%s", REC->comm
 */
#include "base/compat.h"
#include "tracefmt/traceevent-internal.h"

#include "base/alloc.h"
#include "base/lines.h"

#include <errno.h>

#define MAX_FIELDS 512
#define MAX_FIELD_END 65536

/* Fields are indented: the line without the blanks in front. */
static bool next_stripped(const char **p, const char *end, struct line *l)
{
	if (!next_line(p, end, l))
		return false;
	while (l->p < l->end && (*l->p == ' ' || *l->p == '\t'))
		l->p++;
	return true;
}

static bool starts(const struct line *l, const char *prefix, const char **rest)
{
	size_t n = strlen(prefix);

	if ((size_t)(l->end - l->p) < n || memcmp(l->p, prefix, n))
		return false;
	*rest = l->p + n;
	while (*rest < l->end && (**rest == ' ' || **rest == '\t'))
		(*rest)++;
	return true;
}

static bool get_u32(const char *p, const char *end, u32 *out)
{
	u64 v = 0;
	bool any = false;

	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		v = v * 10 + (u64)(*p - '0');
		any = true;
		if (v > UINT32_MAX)
			return false;
	}
	*out = (u32)v;
	return any;
}

/* Read the number after "key:" among the attributes of a field line. */
static bool get_attr(const struct line *l, const char *key, u32 *out)
{
	size_t n = strlen(key);
	const char *p = memmem(l->p, (size_t)(l->end - l->p), key, n);

	return p && get_u32(p + n, l->end, out);
}

static bool ident_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static bool has(const char *s, const char *what)
{
	return strstr(s, what) != NULL;
}

static u32 type_size(const char *type, unsigned int long_size)
{
	if (has(type, "char") || has(type, "u8") || has(type, "s8") || has(type, "uint8_t") ||
	    has(type, "bool"))
		return 1;
	if (has(type, "u16") || has(type, "s16") || has(type, "short") || has(type, "uint16_t"))
		return 2;
	if (has(type, "u64") || has(type, "s64") || has(type, "long long") || has(type, "uint64_t"))
		return 8;
	if (has(type, "long"))
		return long_size;
	if (has(type, "int") || has(type, "u32") || has(type, "s32") || has(type, "unsigned"))
		return 4;
	return 0;
}

/* Split a declaration in type and name, and note what it is: "const char * name", "char comm[16]",
 * "__data_loc char[] name". */
static bool parse_decl(struct tracefmt *tf, const char *p, const char *end, struct tf_field *f)
{
	const char *name, *name_end, *bracket;
	bool array = false;
	size_t n;

	while (end > p && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	n = (size_t)(end - p);
	if (n > 11 && !memcmp(p, "__data_loc ", 11)) {
		f->flags |= TF_DYNAMIC;
	} else if (n > 10 && !memcmp(p, "__rel_loc ", 10)) {
		f->flags |= TF_DYNAMIC | TF_RELATIVE;
	}
	if (end > p && end[-1] == ']' && !(f->flags & TF_DYNAMIC)) {
		bracket = memchr(p, '[', (size_t)(end - p));
		if (!bracket)
			return false;
		array = true;
		end = bracket;
	}
	name_end = end;
	for (name = end; name > p && ident_char(name[-1]); name--)
		;
	if (name == name_end || name == p)
		return false;
	f->name = arena_strndup(&tf->arena, name, (size_t)(name_end - name));
	while (name > p && name[-1] == ' ')
		name--;
	if (f->flags & TF_DYNAMIC) {
		const char *t = memchr(p, ' ', (size_t)(name - p));

		p = t ? t + 1 : p;
		array = true;
	}
	f->type = arena_strndup(&tf->arena, p, (size_t)(name - p));
	if (has(f->type, "*"))
		f->flags |= TF_POINTER;
	if (array)
		f->flags |= TF_ARRAY;
	if (array && (has(f->type, "char") || has(f->type, "u8") || has(f->type, "s8")) &&
	    !(f->flags & TF_POINTER))
		f->flags |= TF_STRING;
	if ((f->flags & TF_POINTER) || (has(f->type, "long") && !has(f->type, "long long")))
		f->flags |= TF_LONG;
	return true;
}

static bool parse_field(struct tracefmt *tf, const struct line *l, const char *rest,
			struct tf_field *f)
{
	const char *semi = memchr(rest, ';', (size_t)(l->end - rest));
	u32 is_signed = 0;

	*f = (struct tf_field){ 0 };
	if (!semi || !get_attr(l, "offset:", &f->offset) || !get_attr(l, "size:", &f->size))
		return false;
	if (f->offset > MAX_FIELD_END || f->size > MAX_FIELD_END)
		return false;
	if (get_attr(l, "signed:", &is_signed) && is_signed)
		f->flags |= TF_SIGNED;
	if (!parse_decl(tf, rest, semi, f))
		return false;
	f->elem_size = f->size;
	if (f->flags & TF_ARRAY) {
		f->elem_size = f->flags & TF_POINTER ? tf->long_size
						     : type_size(f->type, tf->long_size);
		if (!f->elem_size)
			f->elem_size = 1;
	}
	return true;
}

/* Compile the print fmt of an event. @p: where it begins in the format @text */
static void compile(struct tracefmt *tf, struct tf_event *ev, const char *text, size_t len,
		    const char *p)
{
	struct tf_args args = { 0 };
	const char *why = NULL;

	if (!print_fmt_parse(tf, ev, p, (size_t)(text + len - p), &args, &why))
		ev->prog = prog_compile(tf, &args, &why);
	free(args.args);
	ev->calls = ev->prog ? args.calls : NULL;
	if (ev->calls) {
		why = "an unknown function is called";
		ev->text = arena_strndup(&tf->arena, text, len);
		ev->text_len = len;
	}
	if (!ev->prog || ev->calls) {
		ev->failed = true;
		ev->why = why ? why : "not understood";
	}
}

struct tf_event *format_parse(struct tracefmt *tf, const char *system, const char *text, size_t len,
			      struct err *err)
{
	const char *p = text, *end = text + len, *rest, *fmt = NULL;
	struct tf_event *ev = arena_alloc(&tf->arena, sizeof(*ev));
	struct tf_field *fields = NULL;
	size_t nr = 0, cap = 0;
	bool have_id = false, body = false;
	struct line l;

	*ev = (struct tf_event){ .system = arena_strdup(&tf->arena, system), .tf = tf, .name = "" };
	ev->te = arena_alloc(&tf->arena, sizeof(*ev->te));
	*ev->te = (struct te_event){ 0 };
	while (!fmt && next_stripped(&p, end, &l)) {
		if (starts(&l, "name:", &rest)) {
			ev->name = arena_strndup(&tf->arena, rest, (size_t)(l.end - rest));
		} else if (starts(&l, "ID:", &rest)) {
			have_id = get_u32(rest, l.end, &ev->id);
		} else if (starts(&l, "field:", &rest)) {
			VEC_GROW(fields, nr + 1, cap);
			if (nr < MAX_FIELDS && parse_field(tf, &l, rest, &fields[nr])) {
				nr++;
				ev->nr_common += !body;
			}
		} else if (starts(&l, "print fmt:", &rest)) {
			fmt = rest;
		} else if (l.p == l.end && nr) {
			body = true;
		}
	}
	ev->fields = arena_alloc(&tf->arena, nr * sizeof(*fields) + 1);
	if (nr)
		memcpy(ev->fields, fields, nr * sizeof(*fields));
	ev->nr_fields = (u32)nr;
	free(fields);
	if (!have_id || !*ev->name) {
		err_set(err, -EINVAL, "a tracepoint format of system '%s' lacks its name or ID",
			system);
		return NULL;
	}
	compile(tf, ev, text, len, fmt ? fmt : end);
	return ev;
}
