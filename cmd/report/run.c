// SPDX-License-Identifier: GPL-2.0-or-later
/* perf report: file -> session -> machine -> hist -> output. */
#include "base/compat.h"

#include "recording/formats.h"
#include "cmd/report/report.h"
#include "cmd/common/pager.h"
#include "cmd/common/message.h"
#include "cmd/common/header.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "report/blocks-text.h"
#include "report/report.h"

#include <errno.h>
#include <unistd.h>

/* ---- printing ---- */

static int write_stdout(void *ctx, const char *text, size_t len)
{
	return fwrite(text, 1, len, stdout) == len ? 0 : -EPIPE;
}

/* Filters of one name, in the order of their columns, which are not shown. They are told once. */
static void print_filters(struct report *rep)
{
	for (u32 i = 0; i < rep->p.nr_known; i++)
		printf("# %s: %s\n", rep->p.known[i].column, rep->p.known[i].name);
	rep->p.nr_known = 0;
}

int report_names(struct report *rep, struct err *err)
{
	int ret = 0;

	if (!rep->p.cols.nr) {
		profile_settle_branches(&rep->p);
		ret = profile_lists(&rep->p, err) ?: profile_columns(&rep->p, err);
	}
	if (!ret)
		print_filters(rep);
	return ret;
}

static void print_head(struct report *rep)
{
	print_filters(rep);
	if (rep->quiet)
		return;
	printf("#\n# Total Lost Samples: %" PRIu64 "\n",
	       rep->p.session.diag.count[DIAG_LOST_SAMPLES]);
	if (rep->p.session.diag.count[DIAG_FILTERED])
		printf("# Samples dropped by filters: %" PRIu64 "\n",
		       rep->p.session.diag.count[DIAG_FILTERED]);
	printf("#\n");
}

static bool has_samples(const struct report *rep, u32 evsel, u32 nr_members)
{
	u32 i;

	for (i = 0; i < nr_members; i++)
		if (hist_event(rep->p.hist, evsel + i)->nr)
			return true;
	return false;
}

static void add_event(const struct report *rep, const struct report_conf *conf, u32 evsel,
		      struct strbuf *out)
{
	struct evsel *const *evsels = rep->p.session.evlist.evsels + evsel;
	u32 nr = hist_event(rep->p.hist, evsel)->nr_members, i;
	struct report_event ev = { .evsel = evsel,
				   .name = evsels[0]->name,
				   .slices = rep->p.time,
				   .borrowed = rep->p.chains_of && rep->p.chains_of[evsel] != evsel,
				   .socket = rep->p.socket };
	struct strbuf name = STRBUF_INIT;

	if (nr > 1) {
		bool forced = evsels[1]->leader == evsels[1]->idx; /* by --group */

		if (!forced)
			strbuf_addf(&name, "%s { ",
				    evsels[0]->group_name && *evsels[0]->group_name
					    ? evsels[0]->group_name
					    : "anon group");
		for (i = 0; i < nr; i++)
			strbuf_addf(&name, "%s%s", i ? ", " : "", evsels[i]->name);
		if (!forced)
			strbuf_addstr(&name, " }");
		ev.name = strbuf_str(&name);
	}
	report_samples(rep->p.hist, conf, &ev, out);
	strbuf_release(&name);
}

static int print_events(struct report *rep)
{
	struct report_conf conf = {
		.sep = rep->sep,
		.quiet = rep->quiet,
		.relative = rep->relative,
		.percent_limit = rep->percent_limit,
		.widths = rep->widths,
		.groups = profile_groups(&rep->p),
		.palette = rep->colored ? &rep->palette : NULL,
	};
	const struct evlist *l = &rep->p.session.evlist;
	struct strbuf sb = STRBUF_INIT;
	int ret = 0;
	u32 i;

	print_head(rep);
	rep->total_cycles &= rep->p.branches;
	for (i = 0; i < l->nr && !ret; i++) {
		const struct hist_event *he = hist_event(rep->p.hist, i);

		if (!he->nr_members || (rep->skip_empty && !has_samples(rep, i, he->nr_members)))
			continue;
		strbuf_reset(&sb);
		if (!rep->quiet)
			add_event(rep, &conf, i, &sb);
		fwrite(strbuf_str(&sb), 1, sb.len, stdout);
		if (rep->total_cycles) {
			strbuf_reset(&sb);
			blocks_text(rep->p.blocks, &conf, &sb);
			ret = write_stdout(NULL, sb.buf, sb.len);
			break; /* blocks are those of all events */
		}
		hist_chains(rep->p.hist, i, rep->percent_limit);
		ret = report_rows(rep->p.hist, &conf, i, write_stdout, NULL);
		printf("\n\n");
	}
	strbuf_release(&sb);
	if (!rep->quiet && !ret)
		printf("#\n# (Tip: %s)\n#\n",
		       "Callers of a hot function are one `perf report -G` away");
	if (!ret)
		branch_kinds_print(&rep->p.kinds);
	if (rep->p.threads_read && !ret)
		thread_counts_print(rep->p.threads_read,
				    rep->pretty && !strcmp(rep->pretty, "raw"));
	return ret;
}

/* What was asked for and cannot be done with what is in the file. */
static void tell_missing(const struct report *rep)
{
	const struct session *s = &rep->p.session;
	bool traces = s->counts[PERF_RECORD_AUXTRACE_INFO] ||
		      perf_file_has_feature(s->file, HEADER_AUXTRACE);
	bool chains = false;

	for (size_t i = 0; i < s->evlist.nr; i++)
		chains |= layout_lbr_chain(&s->evlist.evsels[i]->layout);
	if (rep->itrace && traces)
		fprintf(stderr, "decoding of instruction traces is not in this perf: "
				"what they tell is not shown\n");
	if (rep->stitch && !chains)
		fprintf(stderr, "Can't find LBR callchain. Switch off --stitch-lbr.\n"
				"Please apply --call-graph lbr when recording.\n");
	else if (rep->stitch)
		fprintf(stderr, "--stitch-lbr: chains of branch stacks are shown as recorded, "
				"not stitched together\n");
}

/* -v: objects that samples fell in and whose symbols are missing or partial, with the reason. */
static void explain_symbols(const struct report *rep)
{
	struct dso *const *dsos;
	size_t nr, i;

	dsos = machine_dsos(rep->p.machine, &nr);
	for (i = 0; i < nr; i++) {
		const char *why = NULL;
		char name[512];

		if (hist_dso_hit(rep->p.hist, dsos[i]->id))
			why = symtab_why(symbols_load(rep->p.symbolics, dsos[i]));
		if (!why)
			continue;
		escape_name(name, sizeof(name), dsos[i]->path);
		fprintf(stderr, "%s: %s\n", name, why);
	}
}

static int no_samples(const struct report *rep)
{
	fprintf(stderr, "Error:\nThe %s data has no samples!\n", rep->p.session.file->path);
	return 0;
}

/* Of a pipe: what it said of itself as far as it was read, with -q too. */
static void show_header(struct report *rep)
{
	const struct session *s = &rep->p.session;
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
	if (read_pipe_header(&rep->p.session, &err))
		error_err(&err);
	show_header(rep);
	return 0;
}

static int show_dump(struct report *rep)
{
	struct err err = { 0 };
	int ret;

	print_preamble(rep);
	if (report_names(rep, &err)) {
		report_tell_keys(rep, &err);
		return 0; /* as scripts know it */
	}
	ret = report_dump(&rep->p.session, rep->p.workers);
	warn_diag(&rep->p.session.diag);
	return ret;
}

static int show_facts(struct report *rep)
{
	struct err err = { 0 };
	int ret;

	setup_pager();
	print_preamble(rep);
	if (report_names(rep, &err)) {
		report_tell_keys(rep, &err);
		return 0; /* as scripts know it */
	}
	ret = report_facts(&rep->facts, &rep->p.session, rep->p.workers);
	warn_diag(&rep->p.session.diag);
	return ret;
}

static int show_heatmap(struct report *rep)
{
	setup_pager();
	if (rep->header && !report_heatmap_stdout(&rep->heatmap))
		show_header(rep);
	return report_heatmap(rep);
}

/* ---- a profile ---- */

/* @ret: of profile_run(). What goes wrong is told, and no failure: as scripts know it. */
static int show_rows(struct report *rep, int ret, const struct err *err)
{
	if (ret) {
		struct err keys = { 0 };

		report_names(rep, &keys);
		fprintf(stderr, "Error:\n%s\n", err->msg);
		return 0;
	}
	if (!profile_has_samples(&rep->p)) {
		print_filters(rep);
		return no_samples(rep);
	}
	warn_lost(&rep->p.session);
	tell_missing(rep);
	if (rep->verbose && rep->p.symbolics)
		explain_symbols(rep);
	ret = print_events(rep);
	if (rep->p.quality)
		quality_tell(&rep->p, rep->verbose);
	return ret;
}

static int show_text(struct report *rep, int ret, const struct err *err)
{
	rep->colored = color_wanted(rep->color, STDOUT_FILENO);
	setup_pager();
	print_preamble(rep);
	if (!rep->header && rep->show_info && rep->p.session.file->pipe) {
		u64 shown = 0;

		print_filters(rep);
		print_features(rep->p.session.file, &rep->p.session.evlist, true, &shown);
	}
	ret = show_rows(rep, ret, err);
	warn_diag(&rep->p.session.diag);
	return ret;
}

/* @before: the options, for a recording to compare with */
static int show_profile(struct report *rep, struct profile *before)
{
	struct err err = { 0 };
	int ret = profile_run(&rep->p, &err);

	if (rep->p.bad_keys) {
		report_tell_keys(rep, &err);
		ret = 0; /* as scripts know it */
	} else if (rep->p.bad_time) {
		print_preamble(rep);
		fprintf(stderr, "%s\n", err.msg);
		ret = -EINVAL;
	} else if (ret == -ENOENT && event_switch_any(&rep->p.on_off)) {
		fprintf(stderr, "%s\n", err.msg);
	} else if (exports_any(&rep->exports)) {
		ret = report_exports(rep, before, ret, &err);
	} else {
		ret = show_text(rep, ret, &err);
	}
	profile_release(&rep->p);
	return ret;
}

/* -q: what a stream says of itself is shown all the same. */
static bool header_only(const struct report *rep)
{
	const struct perf_file *f = rep->p.session.file;

	return rep->header_only && (!rep->quiet || (f->pipe && !report_facts_any(&rep->facts)));
}

static int show(struct report *rep, struct profile *before)
{
	int ret = 0;

	if (rep->raw_dump) {
		setup_pager();
		print_dump_order(&rep->p.session);
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
	return report_heatmap_any(&rep->heatmap) ? show_heatmap(rep) : show_profile(rep, before);
}

int report_run(struct report *rep)
{
	struct err err = { 0 };
	struct profile before = rep->p;
	int ret = session_open(&rep->p.session, rep->p.input, rep->p.force, &err);

	if (ret) {
		error_err(&err);
		return -1;
	}
	ret = show(rep, &before);
	session_close(&rep->p.session);
	return ret;
}
