// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "browse/top.h"

#include "browse/files.h"
#include "browse/filters.h"
#include "browse/profile-code.h"
#include "dump/header-text.h"
#include "profiletext/profile-text.h"
#include "stacktree/stacks.h"
#include "ui/views/report-live.h"

#define ROWS_MAX 1000 /* that are worth a look; each costs time at each refresh */

struct browsed_top {
	struct toptext *t;
	const struct profile_options *first; /* what the run was asked for */
	struct profile_options asked;        /* the same with filters */
	struct report_filters filters;       /* owned; @asked borrows their texts */
	const char *command;
	struct report_live live;
	struct code_live counting;
	struct profile_code *code; /* owned; of the present rows; NULL: nobody looks into them */
	struct stacks *stacks;     /* owned; of the same samples; NULL: nothing asked for them */
};

/* ---- counting ---- */

/* Leave out rows that nobody would look at. */
static void cut_rows(const struct toptext *t, struct hist *h)
{
	for (u32 i = 0; i < t->events->nr; i++)
		if (toptext_has_rows(t, i))
			hist_cut(h, i, t->set.least, t->entries ? t->entries : ROWS_MAX);
}

/* Forget what was made of the samples that are shown. */
static void forget_details(struct browsed_top *b)
{
	profile_code_free(b->code);
	b->code = NULL;
	stacks_free(b->stacks);
	b->stacks = NULL;
}

static int refresh(void *ctx, bool again, struct report_shown *shown, struct err *err)
{
	struct browsed_top *b = ctx;
	int rc;

	forget_details(b);
	rc = toptext_refresh(b->t, again, err);
	if (rc)
		return rc;
	shown->h = profile_hist(b->t->view.profile);
	shown->nr_events = (u32)b->t->events->nr;
	b->live.ended = b->t->view.ended;
	cut_rows(b->t, shown->h);
	return 0;
}

static void ask(struct browsed_top *b)
{
	b->asked = *b->first;
	browse_filter(&b->asked, &b->filters);
}

static int filter(void *ctx, const struct report_filters *f, struct report_shown *shown,
		  struct err *err)
{
	struct browsed_top *b = ctx;
	struct report_filters before = b->filters;
	int rc;

	b->filters = report_filters_copy(f);
	ask(b);
	rc = refresh(b, true, shown, err);
	report_filters_free(rc ? &b->filters : &before);
	if (rc) {
		b->filters = before;
		ask(b);
	}
	return rc;
}

/* ---- functions ---- */

static struct annotate_counts *count_code(void *ctx, bool older)
{
	struct browsed_top *b = ctx;

	if (older)
		toprun_age(b->t->run, b->t->set.zero);
	return toptext_counts(b->t);
}

static int annotate(void *ctx, struct ui *ui, u32 evsel, u32 place)
{
	struct browsed_top *b = ctx;

	b->counting =
		(struct code_live){ .count = count_code,
				    .ctx = b,
				    .interval = b->live.frozen ? 0 : live_interval(&b->t->set) };
	if (!b->code)
		b->code = profile_code_new(b->t->view.profile, toprun_recording(b->t->run),
					   b->command, &b->counting);
	return profile_code_show(b->code, ui, evsel, place);
}

/* The filters in force are those of the rows. */
static const struct stacks *stacks(void *ctx, struct ui *ui __unused,
				   const struct report_filters *f __unused, struct err *err)
{
	struct browsed_top *b = ctx;

	if (!b->stacks)
		b->stacks = toptext_stacks(b->t, err);
	return b->stacks;
}

/* ---- texts ---- */

static bool has_rows(void *ctx, u32 evsel)
{
	return toptext_has_rows(((struct browsed_top *)ctx)->t, evsel);
}

static void put_event_name(void *ctx, u32 evsel, struct strbuf *out)
{
	const struct browsed_top *b = ctx;
	const struct session *s = &toprun_recording(b->t->run)->session;

	profile_event_name(profile_hist(b->t->view.profile), s, evsel, out);
}

static void put_losses(void *ctx, struct strbuf *out)
{
	toptext_losses(((struct browsed_top *)ctx)->t, out);
}

static void put_hint(void *ctx, u32 evsel, struct strbuf *out)
{
	struct browsed_top *b = ctx;
	struct strbuf text = STRBUF_INIT;

	b->t->shown = evsel;
	toptext_warnings(b->t, &text);
	if (!text.len)
		toptext_title(b->t, &text);
	strbuf_add(out, text.buf + strspn(text.buf, " "),
		   strcspn(text.buf + strspn(text.buf, " "), "\n"));
	strbuf_release(&text);
}

static void put_header(void *ctx, struct strbuf *out)
{
	const struct browsed_top *b = ctx;
	const struct session *s = &toprun_recording(b->t->run)->session;

	header_text_of_file(s->file, &s->evlist, true, out);
}

static void put_command(void *ctx, const struct report_filters *f, struct strbuf *out)
{
	const struct browsed_top *b = ctx;

	strbuf_addf(out, "%s --stdio", b->command);
	browse_filter_text(f, "-t ", out);
	if (b->t->set.hide_kernel)
		strbuf_addstr(out, " -K");
	if (b->t->set.hide_user)
		strbuf_addstr(out, " -U");
	if (b->t->set.zero)
		strbuf_addstr(out, " -z");
}

static void save(void *ctx __unused, const struct strbuf *text, struct strbuf *said)
{
	browse_save("perf.hist", text, said);
}

/* ---- the screen ---- */

/* Samples are counted while nobody looks at the rows. */
static void begin_rest(void *ctx)
{
	toprun_unlock(((struct browsed_top *)ctx)->t->run);
}

static void end_rest(void *ctx)
{
	toprun_lock(((struct browsed_top *)ctx)->t->run);
}

static int show(struct ui *ui, struct browsed_top *b, struct err *err)
{
	struct report_shown shown = {
		.event_name = put_event_name,
		.filter = filter,
		.annotate = annotate,
		.stacks = stacks,
		.header = put_header,
		.command = put_command,
		.save = save,
		.live = &b->live,
		.ctx = b,
	};
	int rc = refresh(b, false, &shown, err);

	if (rc)
		return rc;
	shown.report = toptext_conf(b->t);
	return report_view(ui, &shown) == VIEW_OWN ? err->code : 0;
}

int browse_top(struct ui *ui, struct toptext *t, const struct profile_options *asked,
	       const char *command, struct err *err)
{
	struct browsed_top b = { .t = t,
				 .first = asked,
				 .filters = { .socket = -1 },
				 .command = command,
				 .live = { .settings = &t->set,
					   .refresh = refresh,
					   .has_rows = has_rows,
					   .losses = put_losses,
					   .hint = put_hint,
					   .err = err } };
	const struct ui_rest rest = { begin_rest, end_rest, &b };
	int rc;

	ask(&b);
	t->asked = &b.asked;
	toprun_lock(t->run);
	ui->rest = &rest;
	rc = show(ui, &b, err);
	ui->rest = NULL;
	toprun_unlock(t->run);
	t->asked = NULL;
	forget_details(&b);
	report_filters_free(&b.filters);
	return rc;
}
