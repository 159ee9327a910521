// SPDX-License-Identifier: GPL-2.0-or-later
/* perf annotate: from a recording to the annotations of its functions, event by event. */
#include "base/compat.h"

#include "cmd/annotate/annotate.h"

#include "arch/arch.h"
#include "annotaterun/annotate-run.h"
#include "annotaterun/choice.h"
#include "base/alloc.h"
#include "base/intern.h"
#include "base/name-list.h"
#include "base/pool.h"
#include "browse/choice.h"
#include "cmd/common/browser.h"
#include "cmd/common/header.h"
#include "cmd/common/message.h"
#include "cmd/common/pager.h"
#include "cmd/common/progress.h"
#include "cmd/common/source.h"
#include "machine/machine.h"

#include <errno.h>
#include <unistd.h>

#define BATCH 1024 /* functions that are annotated together */

struct run {
	struct annotate *an;
	struct annotate_asked asked;
	struct annotate_choice choice;
	struct recording r;
	struct annotate_run counted;
	struct annotate_counts *counts; /* those of @counted */
	struct name_list dsos;
	struct intern told; /* why functions could not be annotated */
	struct annotator *annotator;
	bool any_type; /* a type was printed */
	bool any_json; /* a function was written as JSON */
};

static bool only_types(const struct annotate *an)
{
	return an->data_type || an->type_stat || an->insn_stat;
}

static bool on_screen(const struct annotate *an)
{
	bool text = an->stdio || an->stdio2 || an->json || an->quiet || an->verbose ||
		    an->text.positions || an->text.inlined || only_types(an);

	return browser_wanted("annotate", text, an->tui);
}

/* ---- the samples ---- */

static bool may_be_at(void *ctx, u32 epoch, u8 cpumode, u64 ip)
{
	return annotate_asks_at(ctx, epoch, cpumode, ip);
}

static bool wanted(void *ctx, const struct annotate_function *f)
{
	return annotate_asks_for(ctx, f);
}

static int drive(struct run *run, struct err *err)
{
	struct annotate *an = run->an;
	struct recording *r = &run->r;
	struct progress *bar = progress_open();
	int ret;

	run->asked = (struct annotate_asked){ r->machine, &run->dsos, an->symbol,
					      an->source.demangle_kernel };
	run->counted =
		(struct annotate_run){ .r = r, .ctx = &run->asked, .workers = an->conf.workers };
	if (annotate_asks(&run->asked))
		run->counted.asked = may_be_at;
	r->session.progress = bar;
	ret = annotate_run_samples(&run->counted, an->stdio2 || an->json || on_screen(an), err);
	progress_close(bar);
	r->session.progress = NULL;
	run->counts = run->counted.counts;
	an->conf.symbols = r->symbols;
	return ret;
}

/* ---- text ---- */

/* Tell that a function cannot be annotated; of several for the same reason, the first is named. */
static void tell_missing(struct run *run, const struct annotation *a)
{
	bool told = intern_find(&run->told, a->why, strlen(a->why)) != UINT32_MAX;

	if (run->an->skip_missing || (told && !run->an->verbose))
		return;
	intern_str_id(&run->told, a->why);
	fflush(stdout);
	fprintf(stderr, "Error:\nCouldn't annotate %s:\n%s\n", location_symbol(&a->of->at), a->why);
}

/* Append a function as a member of an array of JSON. */
static void print_json_row(struct run *run, const struct annotate_text *t,
			   const struct annotation *a, struct strbuf *out)
{
	strbuf_addstr(out, run->any_json ? ",\n" : "\n");
	run->any_json = true;
	annotate_json(t, a, out);
}

static void print(struct run *run, const struct annotate_text *t, const struct annotation *a)
{
	struct strbuf out = STRBUF_INIT;

	if (a->why)
		tell_missing(run, a);
	if (a->why && (!run->an->json || run->an->skip_missing))
		return;
	if (run->an->json)
		print_json_row(run, t, a, &out);
	else if (run->an->stdio2)
		annotate_stdio2(t, a, &out);
	else
		annotate_stdio(t, a, &out);
	print_text(&out);
}

/* Annotate the functions of some columns, a batch at a time. */
static void print_code(struct run *run, const struct annotate_columns *c,
		       const struct annotate_text *t)
{
	size_t nr_rows;
	const struct annotate_function **rows = annotate_rows(&run->choice, c, &nr_rows);

	for (size_t i = 0; i < nr_rows && !ferror(stdout); i += BATCH) {
		size_t nr = MIN((size_t)BATCH, nr_rows - i);
		struct annotation *a = annotate_many(run->annotator, rows + i, nr);

		for (size_t j = 0; j < nr && !ferror(stdout); j++)
			print(run, t, &a[j]);
		annotations_free(a, nr);
	}
	free(rows);
}

/* ---- types of data ---- */

/* Is a type the one that was asked for, with or without the word in front of its name? */
static bool wanted_type(const struct annotate *an, const char *name)
{
	const char *blank = strchr(name, ' ');

	return !*an->data_type || !strcmp(name, an->data_type) ||
	       (blank && !strcmp(blank + 1, an->data_type));
}

static void print_types(struct run *run, const struct annotate_columns *c,
			const struct annotate_text *t)
{
	struct type_counts types;
	struct strbuf out = STRBUF_INIT;

	annotate_columns_types(&run->choice, c, run->an->conf.arch, &types);
	for (size_t i = 0; i < types.nr && run->an->data_type; i++) {
		const struct annotate_hits *hits = types.v[i].totals;

		if (!wanted_type(run->an, types.v[i].name) ||
		    !annotate_reaches_limit(&run->choice, c, hits))
			continue;
		annotate_type_table(t, &types.v[i], &out);
		run->any_type = true;
	}
	if (run->an->type_stat)
		annotate_type_statistic(&types, &out);
	if (run->an->insn_stat)
		annotate_insn_statistic(&types, &out);
	print_text(&out);
	type_counts_release(&types);
}

/* ---- events ---- */

/* Let annotations have the names of addresses of the kernel. */
static void look_up(struct run *run)
{
	run->an->conf.machine = run->r.machine;
	run->an->conf.symbols = recording_symbols(&run->r);
}

static void print_events(struct run *run)
{
	struct annotate_text t = run->an->text;

	look_up(run);
	run->annotator = annotator_new(&run->an->conf);
	if (color_wanted(run->an->color, STDOUT_FILENO))
		t.palette = &run->an->palette;
	for (u32 i = 0; i < run->r.session.evlist.nr; i++) {
		struct annotate_columns c;

		if (annotate_columns_find(&run->choice, i, &c)) {
			annotate_columns_show(&run->choice, &c, &t);
			if (only_types(run->an))
				print_types(run, &c, &t);
			else
				print_code(run, &c, &t);
		}
		annotate_columns_release(&c);
	}
	annotator_free(run->annotator);
}

static void tell_no_type(const struct annotate *an)
{
	fflush(stdout);
	if (*an->data_type)
		fprintf(stderr,
			"No sample accesses the type '%s': --data-type alone lists all that are\n",
			an->data_type);
	else
		fprintf(stderr, "No sample accesses data of a known type: --type-stat tells why\n");
}

/* Print all functions, with the counts of all events side by side. */
static void print_json(struct run *run)
{
	const struct evlist *l = &run->r.session.evlist;
	const char **names = xcalloc(l->nr + (size_t)1, sizeof(*names));
	struct annotate_columns c;
	struct annotate_text t = run->an->text;
	struct strbuf out = STRBUF_INIT;

	run->annotator = annotator_new(&run->an->conf);
	annotate_columns_all(&run->choice, &c);
	for (size_t i = 0; i < c.nr; i++)
		names[i] = l->evsels[c.events[i]]->name;
	t.totals = run->choice.totals;
	t.events = c.events;
	t.nr_events = c.nr;
	annotate_json_begin(&t, names, &out);
	print_text(&out);
	print_code(run, &c, &t);
	annotate_json_end(&out);
	print_text(&out);
	annotate_columns_release(&c);
	free(names);
	annotator_free(run->annotator);
}

/* ---- a screen ---- */

/* Return: false: there is no screen, and nothing was shown. */
static bool browse(struct run *run)
{
	struct annotate *an = run->an;
	const struct browsed_choice shown = {
		.choice = &run->choice,
		.conf = &an->conf,
		.text = &an->text,
		.input = recording_is_stream(&run->r) ? NULL : run->r.session.file->path,
		.command = an->command,
	};
	struct ui ui;

	if (!on_screen(an) || !browser_open(&ui, an->tui))
		return false;
	look_up(run);
	browse_choice(&ui, &shown);
	browser_close(&ui);
	return true;
}

/* Print what was counted. */
static int show(struct run *run)
{
	const struct session *s = &run->r.session;
	u32 nr = (u32)s->evlist.nr;
	size_t functions;
	bool any;

	if (annotate_asks(&run->asked))
		annotate_keep(run->counts, wanted, &run->asked);
	run->choice = (struct annotate_choice){ .events = &s->evlist,
						.counts = run->counts,
						.group = run->an->group,
						.all_one_group = run->an->group_set,
						.skip_empty = run->an->skip_empty,
						.percent_limit = run->an->percent_limit };
	any = annotate_choice_count(&run->choice);
	if (!run->an->quiet) {
		warn_lost(s);
		warn_traces(s, run->an->source.itrace.given && !run->r.traces_read);
	}
	if (!any) {
		fprintf(stderr, "Error:\nThe %s data has no samples!\n", s->file->path);
		return warn_diag(s);
	}
	annotate_functions(run->counts, &functions);
	if (!functions) {
		fprintf(stderr, "Error:\nNone of the samples is in a known function: "
				"perf report -v says why symbols are missing\n");
		return warn_diag(s);
	}
	run->an->conf.nr_events = nr;
	if (browse(run))
		return warn_diag(s);
	setup_pager();
	if (run->an->json)
		print_json(run);
	else
		print_events(run);
	if (run->an->data_type && !run->any_type && !run->an->quiet)
		tell_no_type(run->an);
	return warn_diag(s);
}

static int annotate(struct run *run, struct err *err)
{
	struct annotate *an = run->an;
	struct recording *r = &run->r;
	int ret;

	if (an->dsos) {
		ret = name_list_parse(&run->dsos, an->dsos, "dso", err);
		if (ret)
			return ret;
	}
	if (an->raw_dump) {
		setup_pager();
		print_dump_order(&r->session);
		ret = print_dump(&r->session, an->conf.workers);
		return ret == -EPIPE ? 0 : ret ? ret : warn_diag(&r->session);
	}
	recording_symbols(r);
	ret = recording_prepare(r, err);
	if (ret)
		return ret;
	ret = drive(run, err);
	if (ret)
		return ret;
	an->conf.arch = arch_of(r->session.file->env.arch);
	return show(run);
}

int annotate_run(struct annotate *an)
{
	struct run run = { .an = an };
	struct err err = { 0 };
	int ret;

	an->source.itrace.none |= an->raw_dump;
	if (open_recording(&run.r, &an->source))
		return EXIT_FAILED;
	if (!an->raw_dump)
		fetch_missing(&run.r, an->quiet);
	ret = annotate(&run, &err);
	if (*err.msg) {
		error_err(&err);
		ret = EXIT_FAILED;
	}
	name_list_release(&run.dsos);
	annotate_run_release(&run.counted);
	annotate_choice_release(&run.choice);
	intern_release(&run.told);
	recording_close(&run.r);
	return ret;
}
