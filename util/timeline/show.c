// SPDX-License-Identifier: GPL-2.0-or-later
/* A timeline as a picture and as text, with the titles of both. */
#include "base/compat.h"

#include "timeline/timeline-internal.h"

#include "export/export.h"
#include "export/heatmap.h"

struct titles {
	struct strbuf title, subtitle;
};

/* Name the events that count, as many as there is room for. */
static void name_events(const struct evlist *l, struct strbuf *out)
{
	size_t more = 0;

	for (size_t i = 0; i < l->nr; i++) {
		if (evsel_is_dummy(l->evsels[i]))
			continue;
		if (out->len < 80)
			strbuf_addf(out, "%s%s", out->len ? ", " : "", l->evsels[i]->name);
		else
			more++;
	}
	if (more)
		strbuf_addf(out, " and %zu more", more);
}

static void titles_make(const struct timeline *t, struct titles *s)
{
	*s = (struct titles){ STRBUF_INIT, STRBUF_INIT };
	if (t->pairs) {
		strbuf_addf(&s->title, "Latency from %s to %s", t->start, t->end);
		strbuf_addf(&s->subtitle, "pairs by %s", t->o.key ? t->o.key : TIMELINE_KEY);
	} else {
		strbuf_addstr(&s->title, "Samples over time");
		name_events(&t->r->session.evlist, &s->subtitle);
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

static bool is_page(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && (!strcmp(dot, ".html") || !strcmp(dot, ".htm"));
}

int timeline_picture(const struct timeline *t, const char *path, struct err *err)
{
	struct heatmap_conf conf = {
		.grid = t->pairs ? &pairs_result(t->pairs)->grid : &t->density,
		.pairs = t->pairs,
		.what = t->pairs ? "pairs" : "samples",
	};
	struct export_out *o = export_open(path, err);
	struct titles s;

	if (!o)
		return err->code;
	titles_make(t, &s);
	conf.title = strbuf_str(&s.title);
	conf.subtitle = strbuf_str(&s.subtitle);
	if (is_page(path))
		heatmap_html(&conf, export_buf(o));
	else
		heatmap_svg(&conf, export_buf(o));
	titles_release(&s);
	return export_close(o, err);
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
