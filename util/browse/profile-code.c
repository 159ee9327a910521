// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "browse/profile-code.h"

#include "annotaterun/annotate-run.h"
#include "arch/arch.h"
#include "base/alloc.h"
#include "base/pool.h"
#include "browse/code.h"
#include "codec/quote.h"
#include "profiletext/profile-text.h"
#include "ui/widgets/view.h"

struct profile_code {
	struct profile *profile;
	struct recording *r;
	const struct code_live *live; /* NULL: samples are read once, by @run */
	struct annotate_run run;
	struct annotate_counts *counts; /* of @run, which owns it, or @live: owned */
	struct annotate_conf conf;
	struct annotator *annotator;  /* NULL: nothing was read so far */
	struct annotate_hits *totals; /* by event */
	u32 *events;                  /* all numbers there are, in order */
	struct annotate_text text;
	struct strbuf event_names, command;
	bool no_source, no_arrows; /* as users left them */
};

struct profile_code *profile_code_new(struct profile *p, struct recording *r, const char *command,
				      const struct code_live *live)
{
	struct profile_code *c = xzalloc(sizeof(*c));

	c->profile = p;
	c->r = r;
	c->live = live;
	c->text.offset_level = 1;
	if (command) {
		strbuf_addstr(&c->command, command);
	} else {
		strbuf_addstr(&c->command, "perf annotate -i ");
		quote_shell(&c->command, r->session.file->path);
	}
	return c;
}

void profile_code_free(struct profile_code *c)
{
	if (!c)
		return;
	annotator_free(c->annotator);
	if (c->live && c->counts)
		annotate_counts_free(c->counts);
	annotate_run_release(&c->run);
	free(c->totals);
	free(c->events);
	strbuf_release(&c->event_names);
	strbuf_release(&c->command);
	free(c);
}

/* ---- counting ---- */

static bool takes(void *ctx, const struct session_event *ev)
{
	const struct profile_code *c = ctx;

	return profile_takes(c->profile, ev->sample);
}

/* Count the samples of a recording. */
static int read_recording(struct profile_code *c, struct err *err)
{
	int ret;

	c->run = (struct annotate_run){
		.r = c->r, .takes = takes, .ctx = c, .workers = pool_workers()
	};
	ret = annotate_run_samples(&c->run, true, err);
	if (ret) {
		annotate_run_release(&c->run);
		c->run = (struct annotate_run){ 0 };
	}
	c->counts = c->run.counts;
	return ret;
}

static void take_totals(struct profile_code *c)
{
	for (u32 i = 0; i < c->conf.nr_events; i++)
		c->totals[i] = annotate_total(c->counts, i);
}

/* Count what came since then. */
static void recount(struct browsed_code *code, void *ctx)
{
	struct profile_code *c = ctx;

	annotate_counts_free(c->counts);
	code->counts = c->counts = c->live->count(c->live->ctx, true);
	take_totals(c);
}

static int read_samples(struct profile_code *c, struct err *err)
{
	const struct session *s = &c->r->session;
	u32 nr = (u32)s->evlist.nr;
	int ret = 0;

	if (c->live)
		c->counts = c->live->count(c->live->ctx, false);
	else
		ret = read_recording(c, err);
	if (ret)
		return ret;
	c->conf = (struct annotate_conf){
		.arch = arch_of(s->file->env.arch),
		.positions = true,
		.bytes = true,
		.machine = c->r->machine,
		.symbols = recording_symbols(c->r),
		.nr_events = nr,
		.workers = c->live ? 1 : c->run.workers,
	};
	c->totals = xcalloc(nr + (size_t)1, sizeof(*c->totals));
	c->events = xcalloc(nr + (size_t)1, sizeof(*c->events));
	for (u32 i = 0; i < nr; i++)
		c->events[i] = i;
	take_totals(c);
	c->annotator = annotator_new(&c->conf);
	return 0;
}

/* ---- showing ---- */

/* Have columns for an event, or for the members of a group. */
static void set_columns(struct profile_code *c, u32 evsel)
{
	const struct session *s = &c->r->session;
	const struct hist *h = profile_hist(c->profile);
	const struct perf_event_attr *attr = &s->evlist.evsels[evsel]->attr;

	strbuf_reset(&c->event_names);
	profile_event_name(h, s, evsel, &c->event_names);
	c->text.event_names = strbuf_str(&c->event_names);
	c->text.events = c->events + evsel;
	c->text.nr_events = MAX(hist_event(h, evsel)->nr_members, 1u);
	c->text.totals = c->totals;
	c->text.frequency = attr->freq ? attr->sample_freq : 0;
}

static const struct annotate_function *function_at(const struct profile_code *c,
						   const struct code_place *at)
{
	return annotate_find(c->counts, at->symtab, at->sym);
}

static int browse(struct profile_code *c, struct ui *ui, const struct annotate_function *f,
		  u64 offset)
{
	const struct annotate_function copy = *f; /* for what counts that change have no more */
	struct browsed_page page = { &copy, &c->text };
	struct browsed_code code = { .annotator = c->annotator,
				     .counts = c->counts,
				     .recount = c->live ? recount : NULL,
				     .ctx = c,
				     .interval = c->live ? c->live->interval : 0,
				     .nr_events = c->conf.nr_events,
				     .pages = &page,
				     .nr_pages = 1,
				     .offset = offset,
				     .input = c->live ? NULL : c->r->session.file->path,
				     .command = strbuf_str(&c->command),
				     .no_source = c->no_source,
				     .no_arrows = c->no_arrows };
	int ret = browse_code(ui, &code, 0);

	c->no_source = code.no_source;
	c->no_arrows = code.no_arrows;
	return ret == VIEW_BACK ? VIEW_STAYS : ret;
}

int profile_code_show_at(struct profile_code *c, struct ui *ui, u32 evsel,
			 const struct code_place *at)
{
	const struct annotate_function *f;
	struct err err = { 0 };

	if (!c->annotator) {
		ui_busy(ui, "Reading the addresses of samples...");
		if (read_samples(c, &err)) {
			ui_say(ui, "%s", err.msg);
			return VIEW_STAYS;
		}
	}
	f = function_at(c, at);
	if (!f) {
		ui_say(ui, "No sample is in a function here, but only in what it calls");
		return VIEW_STAYS;
	}
	set_columns(c, evsel);
	return browse(c, ui, f, at->offset);
}

int profile_code_show(struct profile_code *c, struct ui *ui, u32 evsel, u32 place)
{
	const struct hist_place *at = hist_place(profile_hist(c->profile), place);

	return profile_code_show_at(c, ui, evsel, &(struct code_place){ at->symtab, at->sym, 0 });
}
