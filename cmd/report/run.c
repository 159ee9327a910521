// SPDX-License-Identifier: GPL-2.0-or-later
/* perf report: file -> session -> machine -> hist -> output. */
#include "base/compat.h"

#include "cmd/report/report.h"
#include "cmd/common/browser.h"
#include "cmd/common/pager.h"
#include "cmd/common/message.h"
#include "cmd/common/header.h"
#include "cmd/common/progress.h"
#include "cmd/common/source.h"

#include "browse/profile.h"
#include "dump/facts.h"
#include "profiletext/profile-text.h"

#include <errno.h>
#include <unistd.h>

/* ---- printing ---- */

/* Filters of one name, in the order of their columns, which are not shown. They are told once. */
static void print_filters(struct report *rep)
{
	u32 nr;
	const struct profile_known *known = profile_known(rep->profile, &nr);

	for (u32 i = 0; i < nr && !rep->told_filters; i++)
		printf("# %s: %s\n", known[i].column, known[i].name);
	rep->told_filters |= nr;
}

int report_names(struct report *rep, struct err *err)
{
	int ret = profile_settle_columns(rep->profile, err);

	if (!ret)
		print_filters(rep);
	return ret;
}

static struct profile_text_conf text_conf(const struct report *rep)
{
	return (struct profile_text_conf){
		.report = { .sep = rep->sep,
			    .quiet = rep->quiet,
			    .relative = rep->rows.relative,
			    .percent_limit = rep->rows.percent_limit,
			    .widths = rep->rows.widths_given ? rep->rows.widths : NULL,
			    .fit = output_fit(),
			    .palette = rep->colored ? &rep->palette : NULL },
		.slices = rep->source.time,
		.socket = rep->asked.socket,
		.skip_empty = rep->skip_empty,
		.blocks = rep->total_cycles && profile_of_branches(rep->profile),
		.raw_threads = rep->pretty && !strcmp(rep->pretty, "raw"),
	};
}

static int print_events(struct report *rep)
{
	const struct profile_text_conf conf = text_conf(rep);

	print_filters(rep);
	return profile_text(rep->profile, &rep->rec.session, &conf, write_stdout, NULL);
}

static int no_samples(const struct report *rep)
{
	fprintf(stderr, "Error:\nThe %s data has no samples!\n", rep->rec.session.file->path);
	return 0;
}

/* Print what the recording says of itself; of a pipe as far as it was read, and with -q too. */
static void show_header(struct report *rep)
{
	const struct session *s = &rep->rec.session;
	u64 shown = 0;

	if (!rep->quiet)
		print_header(s->file, &s->evlist, rep->show_info);
	if (!s->file->pipe)
		return;
	print_filters(rep); /* what the stream tells of itself comes with its records */
	print_features(s->file, &s->evlist, rep->show_info, &shown);
}

static void print_hint(void)
{
	printf("# To display the perf.data header info, please use --header/--header-only options.\n#\n");
}

void print_preamble(struct report *rep)
{
	if (rep->header)
		show_header(rep);
	else if (!rep->quiet && !report_facts_any(&rep->facts))
		print_hint();
}

/* ---- what may be shown instead of a profile ---- */

static int show_header_only(struct report *rep)
{
	struct err err = { 0 };

	setup_pager();
	if (recording_read_header(&rep->rec, &err))
		error_err(&err);
	show_header(rep);
	return 0;
}

/* Print the preamble and the filters of one name. A key that does not exist is told instead. */
static bool start_text(struct report *rep)
{
	struct err err = { 0 };

	print_preamble(rep);
	if (!report_names(rep, &err))
		return true;
	report_tell_keys(rep, &err);
	return false;
}

static void print_counts(const struct session *s, bool losses, bool all)
{
	struct strbuf sb = STRBUF_INIT;

	facts_counts(s, losses, all, &sb);
	print_text(&sb);
}

static int show_dump(struct report *rep)
{
	struct session *s = &rep->rec.session;
	int ret, status;

	if (!start_text(rep))
		return 0; /* as scripts know it */
	ret = print_dump(s, rep->asked.workers);
	if (!ret)
		print_counts(s, false, false);
	status = warn_diag(s);
	return ret == -EPIPE ? 0 : ret ? ret : status;
}

static int show_facts(struct report *rep)
{
	struct session *s = &rep->rec.session;
	int workers = rep->asked.workers, ret, status;
	struct err err = { 0 };

	setup_pager();
	if (!start_text(rep))
		return 0; /* as scripts know it */
	if (rep->facts.stats)
		ret = facts_read_counts(s, workers, &err);
	else
		ret = facts_tasks(s, rep->facts.mmaps, workers, write_stdout, NULL, &err);
	if (*err.msg) {
		error_err(&err);
		ret = EXIT_FAILED;
	}
	if (!ret && rep->facts.stats)
		print_counts(s, true, !rep->skip_empty);
	status = warn_diag(s);
	return ret ? ret : status;
}

static int show_heatmap(struct report *rep)
{
	setup_pager();
	if (rep->header && !report_heatmap_stdout(&rep->heatmap))
		show_header(rep);
	return report_heatmap(rep);
}

/* ---- a profile ---- */

int report_profile(struct recording *r, struct profile *p, struct err *err)
{
	struct progress *bar = progress_open();
	int ret;

	r->session.progress = bar;
	ret = profile_run(p, err);
	progress_close(bar);
	r->session.progress = NULL;
	return ret;
}

void report_quality(const struct report *rep)
{
	fflush(stdout);
	if (rep->tell_quality)
		profile_tell_quality(rep->profile, rep->verbose, &stderr_notices);
}

/* Print the rows. @ret: of profile_run(). An error is told, but is no failure, as scripts
 * expect. */
static int show_rows(struct report *rep, int ret, const struct err *err)
{
	if (ret) {
		struct err keys = { 0 };

		report_names(rep, &keys);
		fprintf(stderr, "Error:\n%s\n", err->msg);
		return 0;
	}
	if (!profile_has_samples(rep->profile)) {
		print_filters(rep);
		return no_samples(rep);
	}
	warn_lost(&rep->rec.session);
	warn_traces(&rep->rec.session, rep->source.itrace.given && !rep->rec.traces_read);
	warn_stitching(&rep->rec.session, rep->stitch);
	if (rep->verbose)
		profile_tell_symbols(rep->profile, &stderr_notices);
	ret = print_events(rep);
	report_quality(rep);
	return ret;
}

static int show_text(struct report *rep, int ret, const struct err *err)
{
	const struct session *s = &rep->rec.session;
	int status;

	rep->colored = color_wanted(rep->color, STDOUT_FILENO);
	setup_pager();
	print_preamble(rep);
	if (!rep->header && rep->show_info && s->file->pipe) {
		u64 shown = 0;

		print_filters(rep);
		print_features(s->file, &s->evlist, true, &shown);
	}
	ret = show_rows(rep, ret, err);
	status = warn_diag(s);
	return ret ? ret : status;
}

bool report_on_screen(const struct report *rep)
{
	bool text = rep->stdio || rep->header || rep->sep || rep->quiet ||
		    rep->asked.read_threads || exports_any(&rep->exports);

	return browser_wanted("report", text, rep->tui);
}

/* Return: false: there is no screen, and nothing was shown. */
static bool browse(struct report *rep)
{
	struct browsed_profile p = { .profile = rep->profile,
				     .rec = &rep->rec,
				     .source = &rep->source,
				     .asked = &rep->asked,
				     .text = text_conf(rep),
				     .command = rep->command };
	struct ui ui;

	if (!profile_has_samples(rep->profile) || !report_on_screen(rep) ||
	    !browser_open(&ui, rep->tui))
		return false;
	browse_profile(&ui, &p);
	browser_close(&ui);
	return true;
}

static int show_profile(struct report *rep)
{
	struct err err = { 0 };
	int ret = report_profile(&rep->rec, rep->profile, &err);

	switch (profile_fault(rep->profile)) {
	case PROFILE_FAULT_KEYS:
		report_tell_keys(rep, &err);
		return 0; /* as scripts know it */
	case PROFILE_FAULT_TIME:
		print_preamble(rep);
		error_err(&err);
		return -EINVAL;
	case PROFILE_FAULT_SWITCH:
		error_err(&err);
		return -ENOENT;
	case PROFILE_FAULT_OTHER:
		break;
	}
	if (exports_any(&rep->exports))
		return report_exports(rep, ret, &err);
	if (ret || !browse(rep))
		return show_text(rep, ret, &err);
	warn_lost(&rep->rec.session);
	report_quality(rep);
	return warn_diag(&rep->rec.session);
}

/* -q: what a stream says of itself is shown all the same. */
static bool header_only(const struct report *rep)
{
	const struct perf_file *f = rep->rec.session.file;

	return rep->header_only && (!rep->quiet || (f->pipe && !report_facts_any(&rep->facts)));
}

static int show(struct report *rep)
{
	int ret = 0;

	if (rep->raw_dump) {
		setup_pager();
		print_dump_order(&rep->rec.session);
	}
	if (report_refuses_options(rep, &ret))
		return ret;
	if (header_only(rep))
		return show_header_only(rep);
	if (report_refuses_samples(rep, &ret))
		return ret;
	if (rep->raw_dump)
		return show_dump(rep);
	if (report_facts_any(&rep->facts))
		return show_facts(rep);
	if (report_heatmap_any(&rep->heatmap))
		return show_heatmap(rep);
	fetch_missing(&rep->rec, rep->quiet);
	return show_profile(rep);
}

int report_run(struct report *rep)
{
	int ret;

	rep->source.itrace.none |= rep->raw_dump;
	if (open_recording(&rep->rec, &rep->source))
		return -1;
	rep->profile = profile_new(&rep->asked, &rep->rec);
	ret = show(rep);
	profile_free(rep->profile);
	recording_close(&rep->rec);
	return ret;
}
