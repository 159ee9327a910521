// SPDX-License-Identifier: GPL-2.0-or-later
/* The names of flags and values, which scripts/sysargs/generate takes from the kernel's headers. */
#include "base/compat.h"
#include "sysargs/sysargs-internal.h"

#define NAMES(table, prefix, mask)                                                                 \
	{                                                                                          \
#table, prefix, mask, table##_names, ARRAY_SIZE(table##_names)                     \
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

static void put_name(struct strbuf *out, const struct name_value *v, bool prefix, size_t from)
{
	size_t skip = prefix ? 0 : v->skip;

	if (out->len > from)
		strbuf_addch(out, '|');
	strbuf_add(out, v->name + skip, v->len - skip);
}

/*
 * Append the names of the flags in @value. Flags of several bits come first: O_SYNC has O_DSYNC in
 * it. Return: the bits without a name.
 */
static u64 put_flags(struct strbuf *out, const struct names *n, u64 value, bool prefix, size_t from)
{
	for (int single = 0; single < 2 && value; single++)
		for (u32 i = 0; i < n->nr && value; i++) {
			u64 flag = n->v[i].value;

			if (!(flag & ~n->mask) || (value & flag) != flag ||
			    single != !(flag & (flag - 1)))
				continue;
			put_name(out, &n->v[i], prefix, from);
			value &= ~flag;
		}
	return value;
}

void names_print(struct strbuf *out, const struct names *n, u64 value, bool prefix)
{
	size_t from = out->len;
	u64 number = value & n->mask;
	/* In a table of flags alone, zero has a name of its own, or none. */
	const struct name_value *v = n->mask || !value ? find_value(n, number) : NULL;

	if (v) {
		put_name(out, v, prefix, from);
		number = 0;
	}
	value = put_flags(out, n, value & ~n->mask, prefix, from) | number;
	if (value || out->len == from) {
		if (out->len > from)
			strbuf_addch(out, '|');
		if (value)
			strbuf_addstr(out, "0x");
		strbuf_hex(out, value, 1, 0);
	}
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
