// SPDX-License-Identifier: GPL-2.0-or-later
/* perf top: the profile on a screen. */
#include "base/compat.h"
#include "cmd/top/top.h"

#include "browse/files.h"
#include "ui/term/style.h"

#define ROWS_MAX 1000 /* that are worth a look; each costs time at each refresh */

/* Append the titles of the columns of the rows that are shown. */
static void put_heads(const struct top *top, const struct report_conf *conf, struct strbuf *out)
{
	struct report_table table;
	char *end;

	report_table_init(&table, profile_hist(top->text.view.profile), conf, top->text.shown);
	report_table_titles(&table, out);
	report_table_release(&table);
	end = out->len ? strchr(out->buf, '\n') : NULL;
	if (!end)
		return;
	out->len = (size_t)(end - out->buf);
	*end = 0;
	*out->buf = ' ';
}

static void keep_first_line(struct strbuf *text)
{
	size_t len = strcspn(strbuf_str(text), "\n");

	if (len < text->len)
		text->buf[text->len = len] = 0;
}

static int make_text(void *ctx, bool refresh, struct top_text *out, struct err *err)
{
	const struct palette palette = style_palette();
	struct top *top = ctx;
	struct report_conf conf;
	int rc;

	toprun_lock(top->text.run);
	rc = toptext_refresh(&top->text, !refresh, err);
	if (!rc) {
		conf = toptext_conf(&top->text);
		conf.palette = &palette;
		toptext_title(&top->text, &out->title);
		toptext_warnings(&top->text, &out->hint);
		toptext_rows(&top->text, &conf, top->text.shown,
			     top->text.entries ? top->text.entries : ROWS_MAX, &out->rows);
		put_heads(top, &conf, &out->heads);
		out->ended = top->text.view.ended;
	}
	toprun_unlock(top->text.run);
	if (out->ended && !out->hint.len)
		strbuf_addstr(&out->hint, "All threads that were measured have ended");
	keep_first_line(&out->hint);
	return rc;
}

static bool next_event(void *ctx)
{
	return toptext_next_event(&((struct top *)ctx)->text);
}

static int annotate(void *ctx, const char *name, struct strbuf *out, struct err *err)
{
	struct top *top = ctx;
	int rc;

	toprun_lock(top->text.run);
	rc = toptext_annotate(&top->text, name, out, err);
	toprun_unlock(top->text.run);
	return rc;
}

static void save(void *ctx __unused, const struct strbuf *text, struct strbuf *said)
{
	browse_save("perf.hist", text, said);
}

int top_browse(struct top *top, struct ui *ui, struct err *err)
{
	const struct top_shown shown = { .settings = &top->text.set,
					 .text = make_text,
					 .next_event = next_event,
					 .annotate = annotate,
					 .save = save,
					 .ctx = top };

	return top_view(ui, &shown, err);
}
