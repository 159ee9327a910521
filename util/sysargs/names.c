// SPDX-License-Identifier: GPL-2.0-or-later
/* The names of flags and values, which scripts/sysargs/generate takes from the kernel's headers. */
#include "base/compat.h"
#include "sysargs/sysargs-internal.h"

#define NAMES(table, prefix, mask, sorted)                                                         \
	{                                                                                          \
#table, prefix, mask, sorted, table##_names, ARRAY_SIZE(table##_names)             \
	}
#include "sysargs/names.inc"

static int by_table(const void *key, const void *elem)
{
	return word_compare(key, ((const struct names *)elem)->table);
}

const struct names *names_find(const char *table, size_t len)
{
	const struct word_key key = { table, len };

	return bsearch(&key, all_names, ARRAY_SIZE(all_names), sizeof(*all_names), by_table);
}

size_t names_nr(void)
{
	return ARRAY_SIZE(all_names);
}

const struct names *names_at(size_t i)
{
	return &all_names[i];
}

static const struct name_value *find_value(const struct names *n, u64 value)
{
	for (u32 i = 0; i < n->nr; i++)
		if (n->v[i].value == value)
			return &n->v[i];
	return NULL;
}

const char *names_value(const struct names *n, u64 value)
{
	const struct name_value *v = find_value(n, value);

	return v ? v->name : NULL;
}

/* The names that a value has: a number, and flags, each with a bit at least. */
struct shown {
	const struct name_value *v[65];
	u32 nr;
};

static void add_name(struct shown *s, const struct name_value *v)
{
	if (s->nr < ARRAY_SIZE(s->v))
		s->v[s->nr++] = v;
}

/*
 * Add the names of the flags in @value. Flags of several bits come first: O_SYNC has O_DSYNC in it.
 * Return: the bits without a name.
 */
static u64 add_flags(struct shown *s, const struct names *n, u64 value)
{
	for (int single = 0; single < 2 && value; single++)
		for (u32 i = 0; i < n->nr && value; i++) {
			u64 flag = n->v[i].value;

			if (!(flag & ~n->mask) || (value & flag) != flag ||
			    single != !(flag & (flag - 1)))
				continue;
			add_name(s, &n->v[i]);
			value &= ~flag;
		}
	return value;
}

static int by_name(const void *a, const void *b)
{
	const struct name_value *x = *(const struct name_value *const *)a;
	const struct name_value *y = *(const struct name_value *const *)b;

	if (!x->value != !y->value)
		return x->value ? 1 : -1;
	return strcmp(x->name, y->name);
}

static void put_names(struct strbuf *out, const struct shown *s, bool prefix)
{
	for (u32 i = 0; i < s->nr; i++) {
		size_t skip = prefix ? 0 : s->v[i]->skip;

		if (i)
			strbuf_addch(out, '|');
		strbuf_add(out, s->v[i]->name + skip, s->v[i]->len - skip);
	}
}

void names_print(struct strbuf *out, const struct names *n, u64 value, bool prefix)
{
	struct shown s;
	u64 number = value & n->mask;
	/* In a table of flags alone, zero has a name of its own, or none. */
	const struct name_value *v = n->mask || !value ? find_value(n, number) : NULL;

	s.nr = 0;
	if (v) {
		add_name(&s, v);
		number = 0;
	}
	value = add_flags(&s, n, value & ~n->mask) | number;
	if (n->sorted && s.nr > 1)
		qsort(s.v, s.nr, sizeof(*s.v), by_name);
	put_names(out, &s, prefix);
	if (value || !s.nr) {
		if (s.nr)
			strbuf_addch(out, '|');
		if (value)
			strbuf_addstr(out, "0x");
		strbuf_hex(out, value, 1, 0);
	}
}

void names_print_again(struct strbuf *out, const struct sysargs *sa, const struct names *n,
		       u64 value, bool prefix)
{
	const u64 mixed = (value ^ (u64)(n - all_names) << 32) * 0x9e3779b97f4a7c15ULL;
	struct names_text *t = &sa->self->texts[mixed >> 58];
	const size_t from = out->len;

	_Static_assert(SYSARGS_NAMES == 1 << (64 - 58), "all texts have a place");
	if (likely(t->n == n && t->value == value && t->prefix == prefix)) {
		strbuf_add(out, t->s, t->len);
		return;
	}
	names_print(out, n, names_shared(sa, n, value), prefix);
	if (out->len - from > sizeof(t->s))
		return;
	*t = (struct names_text){ n, value, prefix, (u8)(out->len - from), "" };
	memcpy(t->s, out->buf + from, t->len);
}

bool names_lookup(const struct names *n, const char *name, size_t len, u64 *value)
{
	for (u32 i = 0; i < n->nr; i++) {
		const struct name_value *v = &n->v[i];

		if ((v->len == len && !memcmp(v->name, name, len)) ||
		    (v->len - v->skip == (int)len && !memcmp(v->name + v->skip, name, len))) {
			*value = n->v[i].value;
			return true;
		}
	}
	return false;
}
