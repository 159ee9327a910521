// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "analyze/pair.h"
#include "base/alloc.h"
#include "export/heatmap.h"

#define COLUMNS 120
#define STEP 1000000 /* ns of a column at first */

struct span_map {
	struct span_map_words words;
	struct pairs *pairs;
	u64 first; /* when the first span began */
};

struct span_map *span_map_new(const struct span_map_words *words)
{
	struct span_map *m = xzalloc(sizeof(*m));

	m->words = *words;
	m->first = UINT64_MAX;
	m->pairs = pairs_new(1, COLUMNS, GRID_BEGIN, STEP);
	return m;
}

void span_map_free(struct span_map *m)
{
	if (!m)
		return;
	pairs_free(m->pairs);
	free(m);
}

void span_map_add(struct span_map *m, u64 begin, u64 end)
{
	m->first = MIN(m->first, begin);
	pairs_add(m->pairs, begin, end);
}

int span_map_write(struct span_map *m, const char *path, struct err *err)
{
	const struct heatmap_conf map = {
		.title = m->words.title,
		.subtitle = m->words.subtitle,
		.grid = &pairs_result(m->pairs)->grid,
		.pairs = m->pairs,
		.what = m->words.what,
		.begin = m->first,
	};

	return heatmap_write(&map, 1, path, err);
}
