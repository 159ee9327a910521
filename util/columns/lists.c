// SPDX-License-Identifier: GPL-2.0-or-later
/* Make the lists of columns that --sort and --fields ask for. */
#include "columns/columns.h"

#include <errno.h>

#include "base/alloc.h"
#include "base/suggest.h"
#include "columns/columns-internal.h"

static bool has(const struct hist_column *const *list, u32 nr, const struct hist_column *col)
{
	u32 i;

	for (i = 0; i < nr; i++)
		if (list[i] == col ||
		    (!strcmp(list[i]->name, col->name) && !list[i]->event && !col->event))
			return true;
	return false;
}

/* Tell whether the number that a column shows is kept already, for another column. */
static bool keeps_number(const struct hist_columns *c, const struct hist_column *col)
{
	for (u32 i = 0; col->number && i < c->nr_keys; i++)
		if (c->keys[i].number == col->number)
			return true;
	return false;
}

static void need(struct hist_columns *c, const struct hist_column *col)
{
	c->need |= col->need;
	c->flags |= col->flag;
	if (!col->key || c->key_at[col->key] || keeps_number(c, col))
		return;
	c->keys[c->nr_keys++] = (struct hist_key_value){ col->key, col->number, col->few };
	if (col->key != KEY_NUMBER)
		c->key_at[col->key] = c->nr_keys;
}

static void show(struct hist_columns *c, const struct hist_column *col)
{
	need(c, col);
	c->children |= col->children;
	if (has(c->col, c->nr, col) || c->nr == HIST_MAX_COLUMNS)
		return;
	c->place[c->nr] = (u16)c->nr;
	c->col[c->nr++] = col;
}

static void sort_by(struct hist_columns *c, const struct hist_column *col)
{
	need(c, col);
	if (!has(c->sort, c->nr_sort, col) && c->nr_sort < HIST_MAX_COLUMNS)
		c->sort[c->nr_sort++] = col;
}

/* Take the columns of a key that only the recording knows. Return: were there any? */
static bool take_more(struct hist_columns *c, const char *key, size_t len,
		      void (*take)(struct hist_columns *, const struct hist_column *))
{
	const struct hist_column *col;
	u32 n = 0;

	while (c->more && (col = c->more(c->more_ctx, key, len, n))) {
		take(c, col);
		n++;
	}
	return n;
}

/* Take the columns of a part of what memory accesses are. Return: is @key such a part? */
static bool take_classes(struct hist_columns *c, const char *key, size_t len,
			 void (*take)(struct hist_columns *, const struct hist_column *))
{
	const struct hist_column *col;
	u32 n = 0;

	while ((col = column_of_class(key, len, n))) {
		take(c, col);
		n++;
	}
	return n;
}

static bool is_word(const char *p, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(p, word, len);
}

static int unknown_key(const char *option, const char *key, size_t len, struct err *err)
{
	char *word = xstrndup(key, len);
	struct near near = { .word = word };
	const struct hist_column *col;
	int ret;

	for (size_t i = 0; (col = column_at(i)); i++)
		near_add(&near, col->name);
	ret = err_set(err, -EINVAL,
		      near.nr ? "Unknown --%s key: `%s'\nDid you mean %s?"
			      : "Unknown --%s key: `%s'",
		      option, word, near.best[0]);
	near_release(&near);
	free(word);
	return ret;
}

/* Hand each column of a comma- or blank-separated list to @take. */
static int each_key(struct hist_columns *c, const char *keys, const char *option,
		    void (*take)(struct hist_columns *, const struct hist_column *),
		    struct err *err)
{
	const char *between = *option == 's' ? ", {}" : ", "; /* braces: see hierarchy.c */
	const char *p = keys + strspn(keys, between);

	while (*p) {
		size_t len = strcspn(p, between);
		const struct hist_column *col = column_find(p, len);

		/* Recordings without tracepoints have none of their fields. */
		if (!col && (take_more(c, p, len, take) || is_word(p, len, "trace_fields"))) {
			p += len;
			p += strspn(p, ", ");
			continue;
		}
		if (!col && c->mem && *option == 'f' && take_classes(c, p, len, take)) {
			p += len;
			p += strspn(p, ", ");
			continue;
		}
		if (!col)
			return unknown_key(option, p, len, err);
		if ((col->branch && !c->branches) || (col->mem && !c->mem))
			return err_set(err, -EINVAL, "Invalid --%s key: `%.*s'", option, (int)len,
				       p);
		if (!col->stages || c->stages || *option != 's')
			take(c, col);
		p += len;
		p += strspn(p, between);
	}
	if (c->nr == HIST_MAX_COLUMNS || c->nr_sort == HIST_MAX_COLUMNS)
		return err_set(
			err, -EINVAL,
			"More than %d --%s keys. Name fields of some events (event.field) instead of all.",
			HIST_MAX_COLUMNS - 1, option);
	return 0;
}

int columns_check(struct hist_columns *c, const char *keys, const char *option, struct err *err)
{
	return each_key(c, keys, option, need, err);
}

/* Empty the lists, but leave which columns may be used. */
static void clear(struct hist_columns *c)
{
	*c = (struct hist_columns){ .branches = c->branches,
				    .mem = c->mem,
				    .front = c->front,
				    .more = c->more,
				    .more_ctx = c->more_ctx,
				    .stages = c->stages,
				    .latency = c->latency,
				    .modes = c->modes };
}

/* Take the columns that --latency puts in front. */
static void take_latency(struct hist_columns *c, const char *keys, bool children)
{
	static const char *const names[] = { "latency_children", "latency" };

	for (size_t i = !children; i < ARRAY_SIZE(names); i++) {
		show(c, column_find(names[i], strlen(names[i])));
		if (!strstr(keys, names[i]))
			sort_by(c, column_find(names[i], strlen(names[i])));
	}
}

int columns_sort(struct hist_columns *c, const char *keys, bool children, bool nr_samples,
		 bool period, struct err *err)
{
	const struct hist_column *overhead = children ? column_self() : column_find("overhead", 8),
				 *first;
	int ret;

	clear(c);
	if (c->latency)
		take_latency(c, keys, children);
	if (children) {
		show(c, column_find("overhead_children", 17));
		if (!strstr(keys, "overhead_children") && !strstr(keys, "latency"))
			sort_by(c, column_find("overhead_children", 17));
	}
	show(c, overhead);
	/* A user who names any share among the keys says when it is compared. */
	if (!strstr(keys, "overhead") && !strstr(keys, "latency"))
		sort_by(c, overhead);
	if (c->modes) {
		show(c, column_find("overhead_sys", 12));
		show(c, column_find("overhead_us", 11));
	}
	if (nr_samples)
		show(c, column_find("sample", 6));
	if (period)
		show(c, column_find("period", 6));
	ret = c->front ? each_key(c, c->front, "fields", show, err) : 0;
	if (!ret)
		ret = each_key(c, keys, "sort", show, err);
	if (!ret)
		ret = each_key(c, keys, "sort", sort_by, err);
	/* Rows that are equal in all keys are compared by the other columns. */
	if (children)
		sort_by(c, column_find("overhead_children", 17));
	sort_by(c, overhead);
	if (c->modes) {
		sort_by(c, column_find("overhead_sys", 12));
		sort_by(c, column_find("overhead_us", 11));
	}
	if (!ret && c->front)
		ret = each_key(c, c->front, "fields", sort_by, err);
	if (nr_samples)
		sort_by(c, column_find("sample", 6));
	if (period)
		sort_by(c, column_find("period", 6));
	first = c->front ? NULL : column_find(keys, strcspn(keys, ", "));
	/* a size of the symbol counts, too, as users of the format know it */
	c->symbol_first = first && !strncmp(first->name, "sym", 3);
	return ret;
}

int columns_fields(struct hist_columns *c, const char *fields, const char *keys, struct err *err)
{
	int ret;

	clear(c);
	ret = each_key(c, fields, "fields", show, err);
	if (!ret && keys)
		ret = each_key(c, keys, "sort", show, err);
	if (!ret && keys)
		ret = each_key(c, keys, "sort", sort_by, err);
	if (!ret)
		ret = each_key(c, fields, "fields", sort_by, err);
	return ret;
}

void columns_hide(struct hist_columns *c, const char *name)
{
	u32 i, kept = 0;

	for (i = 0; i < c->nr; i++) {
		if (!strcmp(c->col[i]->name, name)) {
			c->open_end |= i + 1 == c->nr;
			continue;
		}
		c->place[kept] = c->place[i];
		c->col[kept++] = c->col[i];
	}
	c->nr = kept;
}

void columns_drop(struct hist_columns *c, const char *name)
{
	u32 i, kept = 0;

	for (i = 0; i < c->nr; i++)
		if (strcmp(c->col[i]->name, name) != 0)
			c->col[kept++] = c->col[i];
	c->nr = kept; /* .place counts the columns that are left */
}
