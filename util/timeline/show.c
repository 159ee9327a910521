// SPDX-License-Identifier: GPL-2.0-or-later
/* Show a timeline as a picture and as text, with the titles of both. */
#include "base/compat.h"

#include "timeline/timeline-internal.h"

#include "base/alloc.h"
#include "export/heatmap.h"

struct titles {
	struct strbuf title, subtitle;
};

static void titles_make(const struct timeline *t, struct titles *s)
{
	*s = (struct titles){ STRBUF_INIT, STRBUF_INIT };
	if (t->pairs) {
		strbuf_addf(&s->title, "Latency from %s to %s", t->start, t->end);
		strbuf_addf(&s->subtitle, "pairs by %s", t->o.key ? t->o.key : TIMELINE_KEY);
	} else {
		strbuf_addstr(&s->title, "Samples over time");
	}
	if (t->o.title) {
		strbuf_reset(&s->title);
		strbuf_addstr(&s->title, t->o.title);
	}
}

static void titles_release(struct titles *s)
{
	strbuf_release(&s->title);
	strbuf_release(&s->subtitle);
}

/* Make one map of pairs, or one for each event with samples. Return: their number, at least one. */
static u32 make_maps(const struct timeline *t, const struct titles *s, struct heatmap_conf **maps)
{
	static const struct grid nothing = { .step = 1 };
	struct heatmap_conf all = { .title = strbuf_str(&s->title),
				    .subtitle = strbuf_str(&s->subtitle),
				    .grid = t->pairs ? &pairs_result(t->pairs)->grid : &nothing,
				    .pairs = t->pairs,
				    .what = t->pairs ? "pairs" : "samples",
				    .begin = t->begin };
	u32 nr = 0;

	*maps = xcalloc((size_t)t->nr_densities + 1, sizeof(**maps));
	for (u32 i = 0; i < t->nr_densities; i++) {
		if (!t->densities[i].used)
			continue;
		(*maps)[nr] = all;
		(*maps)[nr].grid = &t->densities[i];
		(*maps)[nr++].subtitle = t->r->session.evlist.evsels[i]->name;
	}
	if (!nr)
		(*maps)[nr++] = all;
	return nr;
}

int timeline_picture(const struct timeline *t, const char *path, struct err *err)
{
	struct heatmap_conf *maps;
	struct titles s;
	u32 nr;
	int ret;

	titles_make(t, &s);
	nr = make_maps(t, &s, &maps);
	ret = heatmap_write(maps, nr, path, err);
	titles_release(&s);
	free(maps);
	return ret;
}

void timeline_text(const struct timeline *t, struct strbuf *out)
{
	struct titles s;

	if (!t->pairs)
		return;
	titles_make(t, &s);
	pair_text(t->pairs, strbuf_str(&s.title), strbuf_str(&s.subtitle), out);
	titles_release(&s);
}
