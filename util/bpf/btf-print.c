// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Values of the kernel's types as text. BTF may come from a file, so every reference between types
 * may be wrong: chains of types have a limited length, and members must be inside the bytes.
 */
#include "base/compat.h"
#include "bpf/btf-print.h"

#include "base/alloc.h"
#include "bpf/btf-internal.h"

#define CHAIN_MAX 16 /* typedefs and arrays that may follow each other */
#define STEPS_MAX 20000
#define INT_SIGNED 1 /* encoding of KIND_INT */
#define INT_CHAR 2

/* The value that is printed, and how. */
struct btf_value {
	struct strbuf *out;
	const struct btf *b;
	const struct btf_view *v;
	const u8 *data;
	size_t size;  /* bytes of data */
	size_t limit; /* the length of @out after which nothing more is printed */
	u32 steps;    /* members and words that may still be looked at */
};

/* A place in the bytes. */
struct btf_place {
	u32 type;
	u64 bit;  /* where the value begins */
	u32 bits; /* the size of a bit field, or 0 */
	u32 depth;
};

static void print_at(struct btf_value *w, struct btf_place at);

static bool is_named_kind(u32 kind)
{
	return kind == KIND_STRUCT || kind == KIND_UNION || kind == KIND_ENUM ||
	       kind == KIND_ENUM64;
}

static const char *name_of(const struct btf *b, u32 id)
{
	struct btf_type t;
	const char *name = btf_type_at(b, id, &t) ? btf_name(b, t.name_off) : NULL;

	return name ? name : "";
}

static int by_name(const void *a, const void *b, void *btf)
{
	return strcmp(name_of(btf, *(const u32 *)a), name_of(btf, *(const u32 *)b));
}

void btf_index(struct btf *b)
{
	u32 cap = 0;

	if (b->named)
		return;
	for (u32 id = 1; id < b->nr; id++) {
		struct btf_type t;

		btf_type_at(b, id, &t);
		if (!is_named_kind(btf_kind(&t)) || !*name_of(b, id))
			continue;
		VEC_GROW(b->named, (size_t)b->nr_named + 1, cap);
		b->named[b->nr_named++] = id;
	}
	if (b->nr_named)
		qsort_r(b->named, b->nr_named, sizeof(*b->named), by_name, b);
}

/* Return the index of the first named type whose name is not below @name. */
static u32 first_named(const struct btf *b, const char *name)
{
	u32 lo = 0, hi = b->nr_named;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (strcmp(name_of(b, b->named[mid]), name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

u32 btf_find(const struct btf *b, const char *c_name)
{
	static const struct {
		const char *word;
		u32 kind, other;
	} words[] = { { "struct ", KIND_STRUCT, KIND_STRUCT },
		      { "union ", KIND_UNION, KIND_UNION },
		      { "enum ", KIND_ENUM, KIND_ENUM64 } };
	u32 best = 0;

	for (size_t w = 0; w < ARRAY_SIZE(words); w++) {
		size_t len = strlen(words[w].word);
		const char *name = c_name + len;

		if (strncmp(c_name, words[w].word, len))
			continue;
		for (u32 i = first_named(b, name); i < b->nr_named; i++) {
			struct btf_type t;

			if (strcmp(name_of(b, b->named[i]), name))
				break;
			btf_type_at(b, b->named[i], &t);
			if (btf_kind(&t) != words[w].kind && btf_kind(&t) != words[w].other)
				continue;
			if (!best || btf_vlen(&t))
				best = b->named[i];
			if (btf_vlen(&t))
				break;
		}
	}
	return best;
}

/* Get the type of the elements of an array, and their number. */
static void array_of(const struct btf *b, u32 id, u32 *elem, u32 *nr)
{
	u32 words[3]; /* type of elements, type of the index, number */

	btf_words(b, id, 0, words, 3);
	*elem = words[0];
	*nr = words[2];
}

u32 btf_size(const struct btf *b, u32 id)
{
	u64 count = 1;

	for (int i = 0; i < CHAIN_MAX; i++) {
		struct btf_type t;
		u32 nr;

		id = btf_bare(b, id);
		if (!btf_type_at(b, id, &t))
			return 0;
		switch (btf_kind(&t)) {
		case KIND_INT:
		case KIND_STRUCT:
		case KIND_UNION:
		case KIND_ENUM:
		case KIND_ENUM64:
		case KIND_FLOAT:
			count *= t.size_or_type;
			return count > UINT32_MAX ? 0 : (u32)count;
		case KIND_PTR:
			count *= sizeof(void *);
			return count > UINT32_MAX ? 0 : (u32)count;
		case KIND_ARRAY:
			array_of(b, id, &id, &nr);
			count *= nr;
			if (count > UINT32_MAX)
				return 0;
			break;
		default:
			return 0;
		}
	}
	return 0;
}

const char *btf_enum_name(const struct btf *b, u32 id, s64 value)
{
	struct btf_type t;
	bool wide;

	id = btf_bare(b, id);
	if (!btf_type_at(b, id, &t) || (btf_kind(&t) != KIND_ENUM && btf_kind(&t) != KIND_ENUM64))
		return NULL;
	wide = btf_kind(&t) == KIND_ENUM64;
	for (u32 i = 0; i < btf_vlen(&t); i++) {
		u32 words[3] = { 0 }; /* name, low and high half of the value */
		s64 one;

		btf_words(b, id, i * (wide ? 3 : 2), words, wide ? 3 : 2);
		one = wide ? (s64)((u64)words[2] << 32 | words[1]) : (s32)words[1];
		if (one == value || (!wide && (u32)one == (u64)value))
			return btf_name(b, words[0]);
	}
	return NULL;
}

/* Read a number of at most 64 bits. Return: false: it is not inside the bytes. */
static bool number_at(struct btf_value *w, u64 bit, u32 bits, u64 *value)
{
	u64 first = bit / 8, last = (bit + bits + 7) / 8;
	u32 shift = bit % 8;
	u8 bytes[16] = { 0 };
	u64 low, high;

	if (!bits || bits > 64 || last > w->size || first > last)
		return false;
	memcpy(bytes, w->data + first, (size_t)(last - first));
	memcpy(&low, bytes, sizeof(low));
	memcpy(&high, bytes + 8, sizeof(high));
	*value = shift ? low >> shift | high << (64 - shift) : low;
	if (bits < 64)
		*value &= ((u64)1 << bits) - 1;
	return true;
}

static void put_number(struct btf_value *w, u64 value, u32 bits, bool is_signed)
{
	u32 unused = 64 - bits;
	s64 v = (s64)(value << unused) >> unused;

	if (is_signed && v < 0) {
		strbuf_addch(w->out, '-');
		value = -(u64)v;
	}
	strbuf_dec(w->out, value, 0);
}

static void print_enum(struct btf_value *w, const struct btf_place *at, u64 value, u32 bits)
{
	const char *name = btf_enum_name(w->b, at->type, (s64)value);

	if (name)
		strbuf_addname(w->out, name);
	else
		put_number(w, value, bits, true);
}

/* Append the text in an array of chars, up to its zero. */
static void print_chars(struct btf_value *w, u64 at, u32 nr)
{
	char text[256];
	size_t len = MIN((size_t)nr, sizeof(text) - 1);

	len = strnlen((const char *)w->data + at, MIN(len, w->size - at));
	memcpy(text, w->data + at, len);
	text[len] = '\0';
	strbuf_addch(w->out, '"');
	strbuf_addname(w->out, text);
	strbuf_addch(w->out, '"');
}

static bool is_char(const struct btf *b, u32 id)
{
	struct btf_type t;
	u32 encoding;
	const char *name;

	id = btf_bare(b, id);
	if (!btf_type_at(b, id, &t) || btf_kind(&t) != KIND_INT || t.size_or_type != 1)
		return false;
	btf_words(b, id, 0, &encoding, 1);
	name = btf_name(b, t.name_off);
	return encoding >> 24 & INT_CHAR || (name && !strcmp(name, "char"));
}

/* Tell whether enough was printed, or looked at: wrong types could keep us busy for long. */
static bool is_full(const struct btf_value *w)
{
	return w->out->len >= w->limit || !w->steps;
}

static void count_step(struct btf_value *w)
{
	w->steps -= !!w->steps;
}

/* Tell whether all bytes of a value are zero. */
static bool is_zero(struct btf_value *w, struct btf_place at)
{
	u64 bits = at.bits ? at.bits : (u64)btf_size(w->b, at.type) * 8, value;

	for (; bits && w->steps; bits -= MIN(bits, 64), at.bit += 64, count_step(w))
		if (!number_at(w, at.bit, (u32)MIN(bits, 64), &value) || value)
			return false;
	return true;
}

/* Append what stands before the @nth value of a list, and after it. */
static void before(struct btf_value *w, u32 nth)
{
	if (nth && w->v->names)
		strbuf_addstr(w->out, ", ");
}

static void after(struct btf_value *w)
{
	if (!w->v->names)
		strbuf_addch(w->out, ',');
}

static void print_array(struct btf_value *w, struct btf_place at)
{
	u32 elem, nr, size, last;

	array_of(w->b, at.type, &elem, &nr);
	size = btf_size(w->b, elem);
	if (is_char(w->b, elem) && at.bit / 8 < w->size) {
		print_chars(w, at.bit / 8, nr);
		return;
	}
	strbuf_addch(w->out, '[');
	for (last = size ? nr : 0; last && !w->v->zeros && w->steps; last--, count_step(w))
		if (!is_zero(w, (struct btf_place){ elem, at.bit + (u64)(last - 1) * size * 8 }))
			break;
	for (u32 i = 0; i < last; i++) {
		before(w, i);
		if (i == w->v->elements || is_full(w)) {
			strbuf_addstr(w->out, "...");
			break;
		}
		print_at(w,
			 (struct btf_place){ elem, at.bit + (u64)i * size * 8, 0, at.depth + 1 });
		after(w);
	}
	strbuf_addch(w->out, ']');
}

static void print_members(struct btf_value *w, struct btf_place at, const struct btf_type *t,
			  u32 *nth)
{
	for (u32 i = 0; i < btf_vlen(t) && !is_full(w); i++, count_step(w)) {
		struct btf_field m = btf_field_at(w->b, at.type, t, i);
		struct btf_place in = { m.type, at.bit + m.offset, m.bits, at.depth + 1 };
		const char *name = m.name_off ? btf_name(w->b, m.name_off) : NULL;

		if (in.bit / 8 >= w->size || (!w->v->zeros && is_zero(w, in)))
			continue;
		before(w, (*nth)++);
		if (w->v->names && name && *name) {
			strbuf_addch(w->out, '.');
			strbuf_addname(w->out, name);
			strbuf_addstr(w->out, " = ");
		}
		print_at(w, in);
		after(w);
	}
}

static void print_struct(struct btf_value *w, struct btf_place at, const struct btf_type *t)
{
	u32 nth = 0;

	strbuf_addch(w->out, '{');
	if (at.depth >= w->v->depth)
		strbuf_addstr(w->out, "...");
	else
		print_members(w, at, t, &nth);
	if (is_full(w))
		strbuf_addstr(w->out, "...");
	strbuf_addch(w->out, '}');
}

/* Append a number of some kind. */
static void print_scalar(struct btf_value *w, const struct btf_place *at, const struct btf_type *t)
{
	u32 bits = at->bits ? at->bits : btf_size(w->b, at->type) * 8, encoding = 0;
	u64 value;

	if (!number_at(w, at->bit, bits, &value)) {
		strbuf_addch(w->out, '?');
		return;
	}
	switch (btf_kind(t)) {
	case KIND_ENUM:
	case KIND_ENUM64:
		print_enum(w, at, value, bits);
		return;
	case KIND_INT:
		btf_words(w->b, at->type, 0, &encoding, 1);
		put_number(w, value, bits, encoding >> 24 & INT_SIGNED);
		return;
	default:
		if (value)
			strbuf_addstr(w->out, "0x");
		strbuf_hex(w->out, value, 1, 0);
	}
}

static void print_at(struct btf_value *w, struct btf_place at)
{
	struct btf_type t;

	at.type = btf_bare(w->b, at.type);
	if (!btf_type_at(w->b, at.type, &t) || at.depth > 4 * w->v->depth) {
		strbuf_addstr(w->out, "...");
		return;
	}
	switch (btf_kind(&t)) {
	case KIND_STRUCT:
	case KIND_UNION:
		print_struct(w, at, &t);
		break;
	case KIND_ARRAY:
		print_array(w, at);
		break;
	default:
		print_scalar(w, &at, &t);
	}
}

void btf_print(struct strbuf *out, const struct btf *b, u32 id, const void *data, size_t size,
	       const struct btf_view *v)
{
	struct btf_value w = { out, b, v, data, size, out->len + v->text_size, STEPS_MAX };

	print_at(&w, (struct btf_place){ .type = id });
}
