// SPDX-License-Identifier: GPL-2.0-or-later
/* Options tell one after the other what is shown. */
#include "base/compat.h"

#include "kmemtext/kmemtext-internal.h"

#include <errno.h>
#include <stdlib.h>

void kmem_show_name_kind(struct kmem_show *s, enum kmem_kind kind)
{
	s->kinds[kind] = true;
	s->last_kind = (int)kind + 1;
}

void kmem_show_name_table(struct kmem_show *s, enum kmem_table table)
{
	s->tables[table] = true;
	s->last_table = (int)table + 1;
}

int kmem_show_limit(struct kmem_show *s, const char *number, struct err *err)
{
	char *end = NULL;
	u64 lines;

	errno = 0;
	lines = number ? strtoull(number, &end, 10) : 0;
	if (number && (errno || *end || *number < '0' || *number > '9' || !lines))
		return err_set(err, -EINVAL, "-l: '%s' is not a number of lines", number);
	for (int table = 0; table < KMEM_TABLES; table++)
		if (!s->last_table || s->last_table == table + 1)
			s->lines[table] = lines;
	return 0;
}

int kmem_show_sort(struct kmem_show *s, const char *keys, struct err *err)
{
	if (!keys) {
		s->nr_sorts = 0;
		return 0;
	}
	if (s->nr_sorts == KMEM_SORTS)
		return err_set(err, -EINVAL, "-s: it is given more than %d times", KMEM_SORTS);
	s->sorts[s->nr_sorts++] = (struct kmem_sort){ keys, s->last_kind - 1, s->last_table - 1 };
	return 0;
}

int kmem_show_default(struct kmem_show *s, const char *name, struct err *err)
{
	if (name && strcmp(name, "slab") && strcmp(name, "page"))
		return err_set(err, -EINVAL, "kmem.default: '%s' is neither slab nor page", name);
	if (!s->kinds[KMEM_SLAB] && !s->kinds[KMEM_PAGE])
		s->kinds[name && !strcmp(name, "page") ? KMEM_PAGE : KMEM_SLAB] = true;
	return 0;
}

static int settle_order(struct kmem_show *s, enum kmem_kind kind, enum kmem_table table,
			struct err *err)
{
	static const char *const usual[KMEM_KINDS] = { "frag,hit,bytes", "bytes,hit" };
	const char *keys = usual[kind];

	for (u32 i = 0; i < s->nr_sorts; i++) {
		const struct kmem_sort *sort = &s->sorts[i];

		if ((sort->kind < 0 || sort->kind == (int)kind) &&
		    (sort->table < 0 || sort->table == (int)table))
			keys = sort->keys;
	}
	return kmem_order_parse(&s->order[kind][table], kind, keys, err);
}

int kmem_show_settle(struct kmem_show *s, struct err *err)
{
	int ret = 0;

	if (s->live && !s->kinds[KMEM_PAGE])
		return err_set(err, -EINVAL, "--live is about pages: add --page, or use --leaks");
	for (int kind = 0; kind < KMEM_KINDS; kind++)
		for (int table = 0; table < KMEM_TABLES && s->kinds[kind] && !ret; table++)
			ret = settle_order(s, kind, table, err);
	return ret;
}
