// SPDX-License-Identifier: GPL-2.0-or-later
/* perf annotate: from a recording to the annotations of its functions, event by event. */
#include "base/compat.h"

#include "cmd/annotate/annotate.h"

#include "arch/arch.h"
#include "annotaterun/annotate-run.h"
#include "base/alloc.h"
#include "base/intern.h"
#include "base/name-list.h"
#include "base/pool.h"
#include "browse/code.h"
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
	struct recording r;
	struct annotate_run counted;
	struct annotate_counts *counts; /* those of @counted */
	struct name_list dsos;
	struct annotate_hits *totals; /* by event */
	struct intern told;           /* why functions could not be annotated */
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

/* ---- which functions ---- */

static bool same_name(const struct annotate_function *f, const char *name)
{
	const struct location *l = &f->at;

	return !strcmp(location_symbol(l), name) ||
	       !strcmp(symtab_raw_name(l->symtab, l->sym), name);
}

static bool is_object_wanted(const struct run *run, const struct dso *dso)
{
	const struct location l = { .dso = dso };

	return !run->dsos.nr || name_list_has(&run->dsos, location_dso(&l)) ||
	       name_list_has(&run->dsos, location_dso_long(&l));
}

/* Tell whether a function of the kernel can have that name. Names of C++ and Rust, as they are
 * shown, have other characters. */
static bool is_kernel_name(const struct run *run, const char *name)
{
	static const char characters[] = "abcdefghijklmnopqrstuvwxyz"
					 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$";

	return run->an->source.demangle_kernel || !name[strspn(name, characters)];
}

/* Tell whether a wanted function may be at an address, as far as its object tells: symbols of the
 * kernel, above all, are many. */
static bool may_be_at(void *ctx, u32 epoch, u8 cpumode, u64 ip)
{
	const struct run *run = ctx;
	const struct map *map = machine_find_map(run->r.machine, epoch, cpumode, ip);

	if (!map || !is_object_wanted(run, map->dso))
		return false;
	return !run->an->symbol || map->dso->cpumode != PERF_RECORD_MISC_KERNEL ||
	       is_kernel_name(run, run->an->symbol);
}

/* Is a function in the objects and of the name that were asked for? */
static bool wanted(void *ctx, const struct annotate_function *f)
{
	const struct run *run = ctx;

	return is_object_wanted(run, f->at.dso) &&
	       (!run->an->symbol || same_name(f, run->an->symbol));
}

/* ---- the samples ---- */

static int drive(struct run *run, struct err *err)
{
	struct annotate *an = run->an;
	struct recording *r = &run->r;
	struct progress *bar = progress_open();
	int ret;

	run->counted = (struct annotate_run){ .r = r, .ctx = run, .workers = an->conf.workers };
	if (an->symbol || run->dsos.nr)
		run->counted.asked = may_be_at;
	r->session.progress = bar;
	ret = annotate_run_samples(&run->counted, an->stdio2 || an->json || on_screen(an), err);
	progress_close(bar);
	r->session.progress = NULL;
	run->counts = run->counted.counts;
	an->conf.symbols = r->symbols;
	return ret;
}

/* ---- events ---- */

/* The events with one column each, side by side. */
struct columns {
	u32 *events; /* owned */
	size_t nr;
	struct strbuf names;
};

/* Were events that are no group made one by --group? */
static bool forced(const struct run *run)
{
	const struct evlist *l = &run->r.session.evlist;

	return run->an->group && run->an->group_set && !evlist_has_groups(l);
}

static u32 leader_of(const struct run *run, u32 event)
{
	if (forced(run))
		return 0;
	return run->an->group ? run->r.session.evlist.evsels[event]->leader : event;
}

static bool is_empty(const struct run *run, u32 event)
{
	return !annotate_total(run->counts, event).samples;
}

/* Collect the columns of a leader. Return: their number; 0: no leader, or nothing to show. */
static size_t columns_of(const struct run *run, u32 leader, struct columns *c)
{
	const struct evlist *l = &run->r.session.evlist;
	bool any = false;

	*c = (struct columns){ .names = STRBUF_INIT };
	if (leader_of(run, leader) != leader)
		return 0;
	c->events = xcalloc(l->nr + 1, sizeof(u32));
	for (u32 i = leader; i < l->nr; i++) {
		if (leader_of(run, i) != leader)
			continue;
		any |= !is_empty(run, i);
		if (!run->an->skip_empty || !is_empty(run, i))
			c->events[c->nr++] = i;
	}
	return any ? c->nr : 0;
}

/* Name the columns: "a", "anon group { a, b }", or "a, b" of a group that --group made. */
static void name_columns(const struct run *run, u32 leader, struct columns *c)
{
	const struct evlist *l = &run->r.session.evlist;
	const char *name = l->evsels[leader]->group_name;
	bool group = c->nr > 1 && !forced(run);

	if (group)
		strbuf_addf(&c->names, "%s { ", name && *name ? name : "anon group");
	for (size_t i = 0; i < c->nr; i++)
		strbuf_addf(&c->names, "%s%s", i ? ", " : "", l->evsels[c->events[i]]->name);
	if (group)
		strbuf_addstr(&c->names, " }");
}

static void columns_release(struct columns *c)
{
	free(c->events);
	strbuf_release(&c->names);
}

/* ---- rows ---- */

struct rows {
	const struct annotate_function **v; /* owned */
	size_t nr;
	const struct columns *columns;
};

/* Order functions with the same counts by their objects, names and addresses. */
static int by_name(const struct annotate_function *a, const struct annotate_function *b)
{
	int objects = strcmp(location_dso(&a->at), location_dso(&b->at));

	int names = objects ? 0 : strcmp(location_symbol(&a->at), location_symbol(&b->at));

	if (objects || names)
		return objects ?: names;
	return a->start < b->start ? -1 : a->start > b->start;
}

static int by_period(const void *x, const void *y, void *ctx)
{
	const struct rows *rows = ctx;
	const struct annotate_function *a = *(const struct annotate_function *const *)x;
	const struct annotate_function *b = *(const struct annotate_function *const *)y;

	for (size_t i = 0; i < rows->columns->nr; i++) {
		u64 left = a->totals[rows->columns->events[i]].period;
		u64 right = b->totals[rows->columns->events[i]].period;

		if (left != right)
			return left > right ? -1 : 1;
	}
	return by_name(a, b);
}

/* Return the largest share that any event of the columns has in @hits; -1: none has samples. */
static double most_share(const struct run *run, const struct annotate_hits *hits,
			 const struct columns *c)
{
	double most = -1;

	for (size_t i = 0; i < c->nr; i++) {
		u64 all = run->totals[c->events[i]].period;
		const struct annotate_hits *h = &hits[c->events[i]];

		if (h->samples)
			most = MAX(most, all ? 100.0 * (double)h->period / (double)all : 0);
	}
	return most;
}

/* Has a function enough samples to be shown? */
static bool is_shown(const struct run *run, const struct annotate_function *f,
		     const struct columns *c)
{
	double most = most_share(run, f->totals, c);

	return most >= 0 && most >= run->an->percent_limit;
}

static void find_rows(const struct run *run, const struct columns *c, struct rows *rows)
{
	size_t nr;
	struct annotate_function *f = annotate_functions(run->counts, &nr);

	*rows = (struct rows){ .columns = c };
	rows->v = xcalloc(nr + 1, sizeof(struct annotate_function *));
	for (size_t i = 0; i < nr; i++)
		if (is_shown(run, &f[i], c))
			rows->v[rows->nr++] = &f[i];
	qsort_r(rows->v, rows->nr, sizeof(struct annotate_function *), by_period, rows);
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

/* Annotate the functions of a leader, some at a time. */
static void print_rows(struct run *run, struct annotator *annotator, const struct rows *rows,
		       const struct annotate_text *t)
{
	for (size_t i = 0; i < rows->nr && !ferror(stdout); i += BATCH) {
		size_t nr = MIN((size_t)BATCH, rows->nr - i);
		struct annotation *a = annotate_many(annotator, rows->v + i, nr);

		for (size_t j = 0; j < nr && !ferror(stdout); j++)
			print(run, t, &a[j]);
		annotations_free(a, nr);
	}
}

/* Return the frequency at which an event is sampled; 0: it has a fixed period. */
static u64 frequency_of(const struct evsel *e)
{
	return e->attr.freq ? e->attr.sample_freq : 0;
}

/* ---- types of data ---- */

/* Is a type the one that was asked for, with or without the word in front of its name? */
static bool wanted_type(const struct annotate *an, const char *name)
{
	const char *blank = strchr(name, ' ');

	return !*an->data_type || !strcmp(name, an->data_type) ||
	       (blank && !strcmp(blank + 1, an->data_type));
}

/* Count the samples of some events by type; those in no function have none. */
static void count_types(const struct run *run, const struct columns *c, struct type_counts *types)
{
	struct annotate_function *f;
	u64 samples = 0;
	size_t nr;

	type_counts_init(types, run->an->conf.arch, (u32)run->r.session.evlist.nr);
	f = annotate_functions(run->counts, &nr);
	for (size_t i = 0; i < nr; i++)
		type_counts_add(types, &f[i], c->events, c->nr);
	for (size_t i = 0; i < c->nr; i++)
		samples += run->totals[c->events[i]].samples;
	for (int i = 0; i < NR_DATATYPE_RESULTS; i++)
		samples -= types->results[i];
	types->results[DATATYPE_NO_SYM] += samples;
	type_counts_sort(types, c->events[0]);
}

static void print_types(struct run *run, const struct columns *c, const struct annotate_text *t)
{
	struct type_counts types;
	struct strbuf out = STRBUF_INIT;

	count_types(run, c, &types);
	for (size_t i = 0; i < types.nr && run->an->data_type; i++) {
		const struct annotate_hits *hits = types.v[i].totals;

		if (!wanted_type(run->an, types.v[i].name) ||
		    most_share(run, hits, c) < run->an->percent_limit)
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

static void print_code(struct run *run, const struct columns *c, const struct annotate_text *t)
{
	struct rows rows;

	find_rows(run, c, &rows);
	print_rows(run, run->annotator, &rows, t);
	free(rows.v);
}

/* Give a text the columns of a leader. */
static void set_columns(const struct run *run, u32 leader, struct columns *c,
			struct annotate_text *t)
{
	name_columns(run, leader, c);
	t->events = c->events;
	t->nr_events = c->nr;
	t->event_names = strbuf_str(&c->names);
	t->frequency = frequency_of(run->r.session.evlist.evsels[leader]);
	t->totals = run->totals;
}

static void start_annotator(struct run *run)
{
	run->an->conf.machine = run->r.machine;
	run->an->conf.symbols = recording_symbols(&run->r);
	run->annotator = annotator_new(&run->an->conf);
}

static void print_events(struct run *run)
{
	struct annotate_text t = run->an->text;

	start_annotator(run);
	if (color_wanted(run->an->color, STDOUT_FILENO))
		t.palette = &run->an->palette;
	for (u32 i = 0; i < run->r.session.evlist.nr; i++) {
		struct columns c;

		if (columns_of(run, i, &c)) {
			set_columns(run, i, &c, &t);
			if (only_types(run->an))
				print_types(run, &c, &t);
			else
				print_code(run, &c, &t);
		}
		columns_release(&c);
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
	struct columns c = { .events = xcalloc(l->nr + (size_t)1, sizeof(u32)) };
	struct annotate_text t = run->an->text;
	struct strbuf out = STRBUF_INIT;

	run->annotator = annotator_new(&run->an->conf);
	for (u32 i = 0; i < l->nr; i++)
		if (!run->an->skip_empty || !is_empty(run, i)) {
			names[c.nr] = l->evsels[i]->name;
			c.events[c.nr++] = i;
		}
	t.totals = run->totals;
	t.events = c.events;
	t.nr_events = c.nr;
	annotate_json_begin(&t, names, &out);
	print_text(&out);
	print_code(run, &c, &t);
	annotate_json_end(&out);
	print_text(&out);
	columns_release(&c);
	free(names);
	annotator_free(run->annotator);
}

/* ---- a screen ---- */

/* The functions of a leader. */
struct chapter {
	struct columns columns;
	struct rows rows;
	struct annotate_text text;
};

/* Collect the functions of all leaders. Return: their number; the caller frees *@pages. */
static size_t find_pages(struct run *run, struct chapter *chapters, struct browsed_page **pages)
{
	size_t nr = 0, cap = 0;

	*pages = NULL;
	for (u32 i = 0; i < run->r.session.evlist.nr; i++) {
		struct chapter *c = &chapters[i];

		if (!columns_of(run, i, &c->columns))
			continue;
		c->text = run->an->text;
		set_columns(run, i, &c->columns, &c->text);
		find_rows(run, &c->columns, &c->rows);
		for (size_t j = 0; j < c->rows.nr; j++) {
			VEC_GROW(*pages, nr + 1, cap);
			(*pages)[nr++] = (struct browsed_page){ c->rows.v[j], &c->text };
		}
	}
	return nr;
}

/* Let users look around in the functions. */
static void browse_pages(struct run *run, struct ui *ui, const struct browsed_page *pages,
			 size_t nr)
{
	struct annotate *an = run->an;
	struct browsed_code code = { .counts = run->counts,
				     .nr_events = (u32)run->r.session.evlist.nr,
				     .pages = pages,
				     .nr_pages = nr,
				     .command = an->command,
				     .no_source = an->conf.no_source };

	/* The browser shows and hides sources and bytes itself. */
	an->conf.no_source = an->conf.raw = false;
	an->conf.positions = an->conf.bytes = true;
	start_annotator(run);
	code.annotator = run->annotator;
	browse_code(ui, &code, 0);
	annotator_free(run->annotator);
}

/* Return: false: there is no screen, and nothing was shown. */
static bool browse(struct run *run)
{
	u32 nr = run->r.session.evlist.nr;
	struct annotate *an = run->an;
	struct chapter *chapters;
	struct browsed_page *pages;
	struct ui ui;
	size_t nr_pages;

	if (!on_screen(an) || !browser_open(&ui, an->tui))
		return false;
	chapters = xcalloc(nr + (size_t)1, sizeof(*chapters));
	an->text.bytes = an->conf.raw;
	an->text.raw = false;
	nr_pages = find_pages(run, chapters, &pages);
	browse_pages(run, &ui, pages, nr_pages);
	browser_close(&ui);
	for (u32 i = 0; i < nr; i++) {
		columns_release(&chapters[i].columns);
		free(chapters[i].rows.v);
	}
	free(chapters);
	free(pages);
	return true;
}

/* Print what was counted. */
static int show(struct run *run)
{
	const struct session *s = &run->r.session;
	u32 nr = (u32)s->evlist.nr;
	size_t functions;
	bool any = false;

	if (run->an->symbol || run->dsos.nr)
		annotate_keep(run->counts, wanted, run);
	run->totals = xcalloc(nr + (size_t)1, sizeof(*run->totals));
	for (u32 i = 0; i < nr; i++) {
		run->totals[i] = annotate_total(run->counts, i);
		any |= run->totals[i].samples;
	}
	if (!run->an->quiet) {
		warn_lost(s);
		warn_traces(s, run->an->itrace);
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
	free(run.totals);
	intern_release(&run.told);
	recording_close(&run.r);
	return ret;
}
