// SPDX-License-Identifier: GPL-2.0-or-later
/* Print the hottest call chains of two profiles in two columns. */
#include "base/compat.h"
#include "report/diff-text.h"

#define MOST 10
#define WIDTH 35

/* Append a cell of the left or the right column. There is a tab between them. */
static void put_cell(struct strbuf *out, const struct fit *fit, const char *text, size_t len)
{
	struct strbuf name = STRBUF_INIT;
	size_t at;

	strbuf_add(&name, text, len);
	if (name.len < WIDTH)
		strbuf_addf(out, "%*s", (int)(WIDTH - name.len), "");
	at = out->len;
	strbuf_addname(out, strbuf_str(&name));
	if (fit->columns)
		fit_shorten(out, at, MAX((fit->columns - MIN(fit->columns, 8)) / 2, WIDTH),
			    fit->utf8);
	strbuf_release(&name);
}

static void put_line(struct strbuf *out, const struct fit *fit, const char *left, const char *right,
		     size_t len_left, size_t len_right)
{
	put_cell(out, fit, left, len_left);
	if (right) {
		strbuf_addch(out, '\t');
		put_cell(out, fit, right, len_right);
	}
	strbuf_addch(out, '\n');
}

static void put_stream(const struct diff *d, const struct diff_stream *st, u32 side,
		       const struct fit *fit, struct strbuf *out)
{
	static const char dashes[] = "---------------------------";
	char then[32] = "", now[32] = "";
	const char *right = st->hot_now ? now : NULL;
	bool left = st->hot_then;

	if (left)
		snprintf(then, sizeof(then), "hits: %.2f%%", diff_share(d, st->sums, 0));
	if (right)
		snprintf(now, sizeof(now), "hits: %.2f%%", diff_share(d, st->sums, side));
	put_line(out, fit, then, right, strlen(then), strlen(now));
	put_line(out, fit, dashes, right ? dashes + 1 : NULL, left ? 27 : 0, 26);
	for (const char *at = st->frames; *at;) {
		size_t len = strcspn(at, "\n");

		put_line(out, fit, at, right ? at : NULL, left ? len : 0, len);
		at += len + (at[len] == '\n');
	}
	strbuf_addch(out, '\n');
}

static void put_part(const struct diff *d, const struct diff_streams *s, bool then, bool now,
		     u32 side, const char *what, const struct fit *fit, struct strbuf *out)
{
	u32 nr = 0;

	for (size_t i = 0; i < s->nr; i++) {
		if (s->v[i].hot_then != then || s->v[i].hot_now != now)
			continue;
		strbuf_addf(out, "hot chain %s%u:\n", what, ++nr);
		put_stream(d, &s->v[i], side, fit, out);
	}
}

void diff_stream_lines(const struct diff *d, u32 side, const struct fit *fit, struct strbuf *out)
{
	struct diff_streams *s = diff_streams_new(d, side, MOST);

	strbuf_addstr(out, "[ Matched hot streams ]\n\n");
	put_part(d, s, true, true, side, "pair ", fit, out);
	strbuf_addstr(out, "[ Hot streams in old perf data only ]\n\n");
	put_part(d, s, true, false, side, "", fit, out);
	strbuf_addstr(out, "[ Hot streams in new perf data only ]\n\n");
	diff_streams_sort(s, side);
	put_part(d, s, false, true, side, "", fit, out);
	diff_streams_free(s);
}
