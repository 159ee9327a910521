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

	report_table_init(&table, profile_hist(top->view.profile), conf, top->shown);
	report_table_titles(&table, out);
	report_table_release(&table);
	end = out->len ? strchr(out->buf, '\n') : NULL;
	if (!end)
		return;
	out->len = (size_t)(end - out->buf);
	*end = 0;
	*out->buf = ' ';
}

static int make_text(void *ctx, bool refresh, struct top_text *out, struct err *err)
{
	const struct palette palette = style_palette();
	struct top *top = ctx;
	struct report_conf conf;
	int rc;

	toprun_lock(top->run);
	rc = top_refresh(top, !refresh, err);
	if (!rc) {
		conf = top_conf(top);
		conf.palette = &palette;
		top_put_title(top, &out->title);
		top_put_warnings(top, &out->hint);
		top_put_rows(top, &conf, top->shown, top->entries ? top->entries : ROWS_MAX,
			     &out->rows);
		put_heads(top, &conf, &out->heads);
		out->ended = top->view.ended;
	}
	toprun_unlock(top->run);
	if (out->ended && !out->hint.len)
		strbuf_addstr(&out->hint, "All threads that were measured have ended");
	out->hint.len = out->hint.len ? strcspn(out->hint.buf, "\n") : 0;
	return rc;
}

static bool next_event(void *ctx)
{
	return top_next_event(ctx);
}

static int annotate(void *ctx, const char *name, struct strbuf *out, struct err *err)
{
	struct top *top = ctx;
	int rc;

	toprun_lock(top->run);
	rc = top_annotate(top, name, out, err);
	toprun_unlock(top->run);
	return rc;
}

static void save(void *ctx __unused, const struct strbuf *text, struct strbuf *said)
{
	browse_save("perf.hist", text, said);
}

int top_browse(struct top *top, struct ui *ui, struct err *err)
{
	const struct top_shown shown = { .settings = &top->set,
					 .text = make_text,
					 .next_event = next_event,
					 .annotate = annotate,
					 .save = save,
					 .ctx = top };

	return top_view(ui, &shown, err);
}
