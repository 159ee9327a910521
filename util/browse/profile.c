// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "browse/profile.h"

#include "base/alloc.h"
#include "browse/blocks.h"
#include "browse/counted.h"
#include "browse/files.h"
#include "browse/filters.h"
#include "browse/over-time.h"
#include "browse/profile-code.h"
#include "browse/scripts.h"
#include "dump/header-text.h"
#include "stacktree/stacks.h"
#include "ui/views/report.h"
#include "ui/widgets/popup.h"

#include <errno.h>

/* ---- counting again ---- */

static const struct profile *profile_of(const struct browsed_profile *p)
{
	return p->counted ? p->counted->profile : p->profile;
}

static const struct session *session_of(const struct browsed_profile *p)
{
	return p->counted ? &p->counted->rec.session : &p->rec->session;
}

/* Forget what was made of the samples that are shown. */
static void forget_details(struct browsed_profile *p)
{
	profile_code_free(p->code);
	p->code = NULL;
	stacks_free(p->stacks);
	p->stacks = NULL;
	over_time_free(p->over_time);
	p->over_time = NULL;
}

/* Show @c in place of what was shown; NULL: the profile that users asked for. */
static void show(struct browsed_profile *p, struct counted *c, struct report_shown *shown)
{
	forget_details(p);
	counted_free(p->counted);
	p->counted = c;
	shown->h = profile_hist(profile_of(p));
	shown->nr_events = session_of(p)->evlist.nr;
	shown->report.groups = profile_groups(profile_of(p));
}

/* Count with filters. @path: of a recording, NULL: users named it */
static int count(struct browsed_profile *p, const char *path, const struct report_filters *f,
		 struct report_shown *shown, struct err *err)
{
	struct counted *c = counted_new(p->source, p->asked, path, f);
	int ret = counted_run(c, err);

	if (ret)
		counted_free(c);
	else
		show(p, c, shown);
	return ret;
}

/* ---- what the browser asks for ---- */

static const char *other_path(const struct browsed_profile *p)
{
	return p->counted ? p->counted->path : NULL;
}

static int filter(void *ctx, const struct report_filters *f, struct report_shown *shown,
		  struct err *err)
{
	static const struct report_filters none = { .socket = -1 };
	struct browsed_profile *p = ctx;

	if (report_filters_same_samples(f, &none) && !other_path(p)) {
		show(p, NULL, shown);
		return 0;
	}
	return count(p, other_path(p), f, shown, err);
}

static int other_file(void *ctx, struct ui *ui, struct report_shown *shown, struct err *err)
{
	static const struct report_filters none = { .socket = -1 };
	size_t nr;
	char **names = browse_recordings(&nr);
	int at = popup_menu(ui, "Recordings in this folder", (const char *const *)names, nr, 0),
	    ret = 1;

	if (at >= 0 && (size_t)at < nr) {
		ui_busy(ui, "Reading %s...", names[at]);
		ret = count(ctx, names[at], &none, shown, err);
	}
	for (size_t i = 0; i < nr; i++)
		free(names[i]);
	free(names);
	return ret;
}

static int annotate(void *ctx, struct ui *ui, u32 evsel, u32 place)
{
	struct browsed_profile *p = ctx;
	struct counted *c = p->counted;

	if (!p->code)
		p->code = c ? profile_code_new(c->profile, &c->rec, NULL, NULL)
			    : profile_code_new(p->profile, p->rec, NULL, NULL);
	return profile_code_show(p->code, ui, evsel, place);
}

/* Count the samples once more, for their stacks alone. Return: 0, or negative and a sentence */
static int count_stacks(struct browsed_profile *p, const struct report_filters *f, struct err *err)
{
	struct counted *c = counted_new(p->source, p->asked, other_path(p), f);
	int ret;

	profile_ask_stacks(&c->asked);
	ret = counted_run(c, err);
	if (!ret)
		p->stacks = profile_stacks(c->profile, true);
	counted_free(c);
	return ret;
}

static const struct stacks *stacks(void *ctx, struct ui *ui, const struct report_filters *f,
				   struct err *err)
{
	struct browsed_profile *p = ctx;

	if (p->stacks)
		return p->stacks;
	ui_busy(ui, "Counting stacks...");
	return count_stacks(p, f, err) ? NULL : p->stacks;
}

static const struct strip_tracks *over_time(void *ctx, struct ui *ui, u32 evsel,
					    const struct report_filters *f, struct err *err)
{
	struct browsed_profile *p = ctx;
	struct counted *c = counted_new(p->source, p->asked, other_path(p), f);
	u32 members = hist_event(profile_hist(profile_of(p)), evsel)->nr_members;

	over_time_free(p->over_time);
	ui_busy(ui, "Counting samples over time...");
	p->over_time = over_time_new(c, evsel, MAX(members, 1u), err);
	return p->over_time ? over_time_tracks(p->over_time) : NULL;
}

static void put_event_name(void *ctx, u32 evsel, struct strbuf *out)
{
	const struct browsed_profile *p = ctx;

	profile_event_name(profile_hist(profile_of(p)), session_of(p), evsel, out);
}

static void put_header(void *ctx, struct strbuf *out)
{
	const struct session *s = session_of(ctx);

	header_text_of_file(s->file, &s->evlist, true, out);
}

static void put_command(void *ctx, const struct report_filters *f, struct strbuf *out)
{
	const struct browsed_profile *p = ctx;

	strbuf_addf(out, "%s --stdio", p->command);
	browse_option(out, "-i ", other_path(p));
	browse_filter_text(f, "--tid=", out);
}

/* ---- other commands ---- */

static void scripts(void *ctx, struct ui *ui, const char *symbol)
{
	browse_scripts(ui, session_of(ctx)->file->path, symbol);
}

static void save(void *ctx, const struct strbuf *text, struct strbuf *said)
{
	browse_save("perf.hist", text, said);
}

int browse_profile(struct ui *ui, struct browsed_profile *p)
{
	struct report_shown shown = {
		.skip_empty = p->text.skip_empty,
		.report = p->text.report,
		.event_name = put_event_name,
		.filter = recording_is_stream(p->rec) ? NULL : filter,
		.annotate = recording_is_stream(p->rec) ? NULL : annotate,
		.stacks = recording_is_stream(p->rec) ? NULL : stacks,
		.over_time = recording_is_stream(p->rec) ? NULL : over_time,
		.scripts = recording_is_stream(p->rec) ? NULL : scripts,
		.header = put_header,
		.command = put_command,
		.save = save,
		.other_file = other_file,
		.ctx = p,
	};
	int ret;

	if (p->text.blocks)
		return browse_blocks(ui, p);
	show(p, NULL, &shown);
	ret = report_view(ui, &shown);
	forget_details(p);
	counted_free(p->counted);
	p->counted = NULL;
	return ret;
}
