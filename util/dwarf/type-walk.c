// SPDX-License-Identifier: GPL-2.0-or-later
/* Steps from types to what they consist of, and their texts. */
#include "base/compat.h"

#include "dwarf/types.h"

#define STEPS_MAX 64 /* damaged types can form cycles */

bool type_composite(const struct type *t)
{
	return t->kind == TYPE_KIND_STRUCT || t->kind == TYPE_KIND_CLASS ||
	       t->kind == TYPE_KIND_UNION;
}

u32 type_strip(struct debuginfo *di, u32 type)
{
	const struct type *t = type_get(di, type);

	for (int i = 0; t->kind == TYPE_KIND_ALIAS; i++) {
		if (i == STEPS_MAX)
			return TYPE_VOID;
		type = t->target;
		t = type_get(di, type);
	}
	return type;
}

u32 type_target(struct debuginfo *di, u32 type)
{
	const struct type *t = type_get(di, type_strip(di, type));

	if (t->kind != TYPE_KIND_POINTER && t->kind != TYPE_KIND_ARRAY)
		return TYPE_VOID;
	return type_strip(di, t->target);
}

u32 type_element(struct debuginfo *di, u32 type)
{
	type = type_strip(di, type);
	for (int i = 0; type_get(di, type)->kind == TYPE_KIND_ARRAY; i++) {
		if (i == STEPS_MAX)
			return TYPE_VOID;
		type = type_target(di, type);
	}
	return type;
}

/* Tell whether a member has an offset. The last one may be an array without
 * a length. */
static bool has_offset(struct debuginfo *di, const struct type_member *m, u64 offset, bool last)
{
	bool open = last && !m->size &&
		    type_get(di, type_strip(di, m->type))->kind == TYPE_KIND_ARRAY;

	return offset >= m->offset && (open || offset - m->offset < m->size);
}

const struct type_member *type_member_at(struct debuginfo *di, u32 type, u64 offset)
{
	const struct type_member *m = NULL, *empty = NULL;
	size_t nr = type_members(di, type, &m);

	for (size_t i = 0; i < nr; i++) {
		if (!has_offset(di, &m[i], offset, i == nr - 1))
			continue;
		if (!type_empty(di, type_strip(di, m[i].type)))
			return &m[i];
		empty = empty ?: &m[i];
	}
	return empty;
}

const struct type_member *type_step(struct debuginfo *di, u32 *type, u64 *offset)
{
	bool array = type_get(di, type_strip(di, *type))->kind == TYPE_KIND_ARRAY;
	const struct type_member *m;
	u64 size;

	*type = type_element(di, *type);
	size = type_get(di, *type)->size;
	if (array)
		*offset = size ? *offset % size : 0;
	m = type_member_at(di, *type, *offset);
	if (!m)
		return NULL;
	*offset -= m->offset;
	*type = type_strip(di, m->type);
	return m;
}

s64 type_first(struct debuginfo *di, u32 type, s64 offset)
{
	u64 size = type_get(di, type_element(di, type))->size, inner;

	if (!size || size > INT64_MAX)
		return offset;
	offset %= (s64)size;
	if (offset < 0)
		offset += (s64)size;
	inner = (u64)offset;
	for (int i = 0; i < STEPS_MAX && type_step(di, &type, &inner); i++) {
		u32 element = type_element(di, type);

		size = type_get(di, element)->size;
		if (element == type || !size)
			continue;
		offset -= (s64)(inner - inner % size);
		inner %= size;
	}
	return offset;
}

static const char *word_of(enum type_kind kind)
{
	switch (kind) {
	case TYPE_KIND_STRUCT:
		return "struct ";
	case TYPE_KIND_CLASS:
		return "class ";
	case TYPE_KIND_UNION:
		return "union ";
	case TYPE_KIND_ENUM:
		return "enum ";
	default:
		return "";
	}
}

static void put_type(struct debuginfo *di, u32 type, u32 depth, struct strbuf *out)
{
	const struct type *t = type_get(di, type);
	const char *end = t->kind == TYPE_KIND_POINTER ? "*"
			  : t->kind == TYPE_KIND_ARRAY ? "[]"
						       : "";

	if (depth > STEPS_MAX)
		return;
	if (t->kind == TYPE_KIND_VOID) {
		strbuf_addstr(out, "void");
	} else if (t->kind == TYPE_KIND_FUNCTION) {
		strbuf_addstr(out, "(function_type)");
	} else if (*end || (t->kind == TYPE_KIND_ALIAS && !t->name)) {
		put_type(di, t->target, depth + 1, out);
		strbuf_addstr(out, end);
	} else {
		strbuf_addstr(out, t->by_typedef ? "" : word_of(t->kind));
		strbuf_addname(out, t->name ?: "(unnamed)");
	}
}

void type_text(struct debuginfo *di, u32 type, struct strbuf *out)
{
	put_type(di, type, 0, out);
}

bool type_path(struct debuginfo *di, u32 type, u64 offset, struct strbuf *out)
{
	size_t begun = out->len;

	for (int i = 0; i < STEPS_MAX; i++) {
		const struct type_member *m = type_step(di, &type, &offset);

		if (!m)
			break;
		if (!m->name)
			continue;
		strbuf_addstr(out, out->len > begun ? "." : "");
		strbuf_addname(out, m->name);
	}
	return out->len > begun;
}
