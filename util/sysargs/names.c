// SPDX-License-Identifier: GPL-2.0-or-later
/* The names of flags and values, which scripts/sysargs/generate takes from the kernel's headers. */
#include "base/compat.h"
#include "sysargs/sysargs-internal.h"

#define NAMES(table, prefix, mask)                                                                 \
	{                                                                                          \
#table, prefix, mask, table##_names, ARRAY_SIZE(table##_names)                     \
	}
#include "sysargs/names.inc"

const struct names *names_find(const char *table, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(all_names); i++)
		if (!strncmp(all_names[i].table, table, len) && !all_names[i].table[len])
			return &all_names[i];
	return NULL;
}

size_t names_nr(void)
{
	return ARRAY_SIZE(all_names);
}

const struct names *names_at(size_t i)
{
	return &all_names[i];
}

/* Return the length of the prefix of @n with which a name begins; it is not all of the name. */
static size_t prefix_of(const struct names *n, const char *name)
{
	size_t len = strlen(n->prefix);

	return !strncmp(name, n->prefix, len) && name[len] ? len : 0;
}

const char *names_value(const struct names *n, u64 value)
{
	for (u32 i = 0; i < n->nr; i++)
		if (n->v[i].value == value)
			return n->v[i].name;
	return NULL;
}

static void put_name(struct strbuf *out, const struct names *n, const char *name, bool prefix,
		     size_t from)
{
	if (out->len > from)
		strbuf_addch(out, '|');
	strbuf_addstr(out, name + (prefix ? 0 : prefix_of(n, name)));
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
			put_name(out, n, n->v[i].name, prefix, from);
			value &= ~flag;
		}
	return value;
}

void names_print(struct strbuf *out, const struct names *n, u64 value, bool prefix)
{
	size_t from = out->len;
	u64 number = value & n->mask;
	const char *name = number || !(value & ~n->mask) || n->mask ? names_value(n, number) : NULL;

	if (name && (number || !value || n->mask)) {
		put_name(out, n, name, prefix, from);
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
		const char *s = n->v[i].name, *bare = s + prefix_of(n, s);

		if ((strlen(s) == len && !memcmp(s, name, len)) ||
		    (strlen(bare) == len && !memcmp(bare, name, len))) {
			*value = n->v[i].value;
			return true;
		}
	}
	return false;
}
