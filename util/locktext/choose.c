// SPDX-License-Identifier: GPL-2.0-or-later
/* Users choose columns, the key, and which waits count. */
#include "base/compat.h"

#include "locktext/locktext-internal.h"

#include <errno.h>

#define BETWEEN ", " /* characters between words */

void lock_show_release(struct lock_show *s)
{
	name_list_release(&s->locks);
	name_list_release(&s->stacks);
	name_list_release(&s->cgroups);
}

static bool is_word(const char *name, const char *word, size_t len)
{
	return strlen(name) == len && !strncmp(name, word, len);
}

/* ---- columns ---- */

static bool can_show(const struct lock_show *s, u32 column)
{
	return lock_columns[column].views >> s->view & 1;
}

static int unknown_column(const struct lock_show *s, const char *option, const char *word,
			  size_t len, struct err *err)
{
	struct strbuf there = STRBUF_INIT;

	for (u32 i = 0; i < LOCK_COLUMNS; i++)
		if (can_show(s, i))
			strbuf_addf(&there, "%s%s", there.len ? ", " : "", lock_columns[i].name);
	err_set(err, -EINVAL, "Unknown %s: '%.*s'. There are %s.", option, (int)len, word,
		strbuf_str(&there));
	strbuf_release(&there);
	return -EINVAL;
}

/* Return the number of a column by its name; LOCK_COLUMNS: the view has no such column. */
static u8 column_named(const struct lock_show *s, const char *word, size_t len)
{
	u8 i = 0;

	while (i < LOCK_COLUMNS && (!can_show(s, i) || !is_word(lock_columns[i].name, word, len)))
		i++;
	return i;
}

static void add_field(struct lock_show *s, u8 column)
{
	for (u32 i = 0; i < s->nr_fields; i++)
		if (s->fields[i] == column)
			return;
	s->fields[s->nr_fields++] = column;
}

int lock_fields_parse(struct lock_show *s, const char *list, struct err *err)
{
	s->nr_fields = 0;
	for (const char *p = list + strspn(list, BETWEEN); *p; p += strspn(p, BETWEEN)) {
		size_t len = strcspn(p, BETWEEN);
		u8 column = column_named(s, p, len);

		if (column == LOCK_COLUMNS)
			return unknown_column(s, "--field", p, len, err);
		add_field(s, column);
		p += len;
	}
	return 0;
}

int lock_key_parse(struct lock_show *s, const char *name, struct err *err)
{
	s->key = column_named(s, name, strlen(name));
	return s->key == LOCK_COLUMNS ? unknown_column(s, "--key", name, strlen(name), err) : 0;
}

/* ---- types ---- */

/* Return the bits of the types that a word means. */
static u32 types_named(const char *word, size_t len)
{
	u32 types = 0;

	for (u32 type = 0; type < LOCK_TYPES; type++) {
		const char *name = lock_type_name(type);

		if (is_word(name, word, len) ||
		    (strcspn(name, ":") == len && !strncmp(name, word, len)))
			types |= 1U << type;
	}
	return types;
}

int lock_types_parse(struct lock_show *s, const char *list, struct err *err)
{
	struct strbuf there = STRBUF_INIT;

	s->types = 0;
	for (const char *p = list + strspn(list, BETWEEN); *p; p += strspn(p, BETWEEN)) {
		size_t len = strcspn(p, BETWEEN);
		u32 types = types_named(p, len);

		if (!types) {
			lock_type_words(&there);
			err_set(err, -EINVAL, "Unknown --type-filter: '%.*s'. There are: %s.",
				(int)len, p, strbuf_str(&there));
			strbuf_release(&there);
			return -EINVAL;
		}
		s->types |= types;
		p += len;
	}
	return 0;
}

/* ---- together ---- */

/* Columns of the usual table stand in this order. */
static void usual_fields(struct lock_show *s)
{
	static const u8 order[][LOCK_COLUMNS] = {
		[LOCK_REPORT] = { 0, 1, 2, 3, 4, 5 },
		[LOCK_CONTENTION] = { 0, 1, 3, 4, 5, 2 },
	};

	for (u32 i = 0; i < LOCK_COLUMNS; i++) {
		u8 column = order[s->view][i];

		if (lock_columns[column].usual >> s->view & 1)
			s->fields[s->nr_fields++] = column;
	}
}

/* Tell whether a character may stand between columns: it is part of no number and no name. */
static bool separates(char c)
{
	return !strchr("+-.:_x[] ", c) && !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') &&
	       !(c >= 'A' && c <= 'Z');
}

int lock_show_settle(struct lock_show *s, struct err *err)
{
	if (s->view == LOCK_INFO) {
		if (!s->threads && !s->map)
			s->threads = s->map = true;
		return 0;
	}
	for (const char *c = s->separator; c && (c == s->separator || *c); c++)
		if (!*c || !separates(*c))
			return err_set(err, -EINVAL,
				       "-x '%s': names and numbers have such characters. Take "
				       "another one, such as a comma or a semicolon.",
				       s->separator);
	if (!s->nr_fields)
		usual_fields(s);
	add_field(s, s->key);
	if (s->verbose && s->by == LOCK_BY_CALLER)
		s->by = LOCK_BY_CHAIN;
	if (s->verbose && s->by == LOCK_BY_OWNER)
		s->by = LOCK_BY_OWNER_CHAIN;
	return 0;
}

static void add_word(const char *word, size_t len, struct strbuf *out)
{
	strbuf_addf(out, "%s%.*s", out->len ? " " : "", (int)len, word);
}

void lock_key_words(struct strbuf *out)
{
	for (u32 i = 0; i < LOCK_COLUMNS; i++)
		add_word(lock_columns[i].name, strlen(lock_columns[i].name), out);
}

void lock_type_words(struct strbuf *out)
{
	for (u32 type = LOCK_SEMAPHORE; type < LOCK_TYPES; type++) {
		const char *name = lock_type_name(type);
		size_t kind = strcspn(name, ":");

		if (name[kind] && name[kind + 1] == 'R') /* both have one name */
			add_word(name, kind, out);
		add_word(name, strlen(name), out);
	}
}
