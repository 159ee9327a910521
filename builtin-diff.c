// SPDX-License-Identifier: GPL-2.0-or-later
/* perf diff: profiles of several recordings side by side. Each is counted as report counts it. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/browser.h"
#include "cmd/common/header.h"
#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/pager.h"
#include "cmd/common/progress.h"
#include "cmd/common/refusal.h"
#include "cmd/common/settings.h"
#include "cmd/common/usage.h"

#include "base/alloc.h"
#include "browse/diff.h"
#include "browse/files.h"
#include "profilediff/profile-diff.h"

#include <unistd.h>

static const char *const diff_usage[] = { "perf diff [<options>] [old_file] [new_file]", NULL };

static struct differ differ = {
	.asked = { .default_sort = "dso,symbol",
		   .socket = -1,
		   .branches_set = true,
		   .order_set = true },
	.conf = { .compute = DIFF_DELTA_ABS, .order = 1 },
	.path_limit = 0.5,
};
static int verbose;
static bool dump; /* -D */
static bool tui;  /* a screen in place of text, on terminals */
static char *command;
static bool modules; /* nothing to be done for: they are shown as far as is known */

static int opt_compute(const struct option *opt, const char *arg, int unset)
{
	struct err err = { 0 };

	return differ_compute(opt->value, arg, &err) ? error_err(&err) : 0;
}

static int opt_graph(const struct option *opt, const char *arg, int unset)
{
	struct differ *d = opt->value;
	struct err err = { 0 };

	d->graph = !unset;
	return arg && differ_graph(d, arg, &err) ? error_err(&err) : 0;
}

static int opt_fail_if(const struct option *opt, const char *arg, int unset)
{
	struct limit *l = opt->value;
	struct err err = { 0 };

	*l = (struct limit){ 0 };
	return !unset && limit_parse(l, arg, &err) ? error_err(&err) : 0;
}

static int opt_percent_limit(const struct option *opt, const char *arg, int unset)
{
	struct differ *d = opt->value;
	struct err err = { 0 };

	d->conf.min_change = 0;
	if (unset)
		return 0;
	if (percent_parse(&d->conf.min_change, arg, &err))
		return error_err(&err);
	d->path_limit = d->conf.min_change;
	return 0;
}

static int opt_percentage(const struct option *opt, const char *arg, int unset)
{
	struct differ *d = opt->value;
	struct err err = { 0 };

	d->relative = false;
	return !unset && percentage_parse(&d->relative, arg, &err) ? error_err(&err) : 0;
}

static const struct option options[] = {
	OPT_INCR('v', "verbose", &verbose, "be more verbose (name the files)"),
	OPT_BOOLEAN('q', "quiet", &differ.quiet, "Do not show any warnings or messages"),
	OPT_BOOLEAN('b', "baseline-only", &differ.conf.baseline_only,
		    "Show only items with match in baseline"),
	OPT_CALLBACK('c', "compute", &differ.conf,
		     "delta,delta-abs,ratio,wdiff:w1,w2 (default delta-abs),cycles",
		     "Entries differential computation selection", opt_compute),
	OPT_BOOLEAN('D', "dump-raw-trace", &dump, "dump raw trace in ASCII"),
	OPT_BOOLEAN('m', "modules", &modules,
		    "load module symbols - WARNING: use only with -k and LIVE kernel"),
	OPT_BOOLEAN('p', "period", &differ.text.period, "Show period values."),
	OPT_BOOLEAN('F', "formula", &differ.text.formula, "Show formula."),
	OPT_BOOLEAN(
		0, "cycles-hist", &differ.text.times,
		"Show cycles histogram and standard deviation - WARNING: use only with -c cycles."),
	OPT_BOOLEAN(0, "noise", &differ.text.noise,
		    "Show how much of a change may be chance, from the numbers of samples"),
	OPT_CALLBACK(0, "fail-if", &differ.limit, "[<>]percent",
		     "exit with 1 when a share changed by more than that, and than chance",
		     opt_fail_if),
	OPT_CALLBACK_OPTARG('g', "call-graph", &differ, NULL, "percent,caller|callee",
			    "Show which call paths changed, by that much at least (default 0.5)",
			    opt_graph),
	OPT_BOOLEAN(0, "stream", &differ.stream, "Enable hot streams comparison."),
	OPT_CALLBACK(0, "percent-limit", &differ, "percent",
		     "Don't show rows and call paths whose share changed by less",
		     opt_percent_limit),
	OPT_BOOLEAN(0, "tui", &tui, "Show a screen to look around in"),
	OPT_BOOLEAN('f', "force", &differ.source.force, "don't complain, do it"),
	OPT_STRING(0, "kallsyms", &differ.source.kallsyms, "file", "kallsyms pathname"),
	OPT_STRING('d', "dsos", &differ.asked.dsos, "dso[,dso...]",
		   "only consider symbols in these dsos"),
	OPT_STRING('C', "comms", &differ.asked.comms, "comm[,comm...]",
		   "only consider symbols in these comms"),
	OPT_STRING('S', "symbols", &differ.asked.symbols, "symbol[,symbol...]",
		   "only consider these symbols"),
	OPT_STRING('s', "sort", &differ.asked.sort, "key[,key2...]",
		   "sort by key(s): pid, comm, dso, symbol, cpu, ... as report does"),
	OPT_STRING(
		't', "field-separator", &differ.text.sep, "separator",
		"separator for columns, no spaces will be added between columns '.' is reserved."),
	SYMFS_OPTION(&differ.source),
	OPT_UINTEGER('o', "order", &differ.conf.order, "Specify compute sorting."),
	OPT_CALLBACK(0, "percentage", &differ, "relative|absolute",
		     "How to display percentage of filtered entries", opt_percentage),
	OPT_STRING(0, "cpu", &differ.asked.cpus, "cpu", "list of cpus to profile"),
	THREAD_FILTER_OPTIONS(&differ.asked),
	OPT_STRING(0, "time", &differ.source.time, "str",
		   "Time span (time percent or absolute timestamp)"),
	OPT_END(),
};

/* Tell the first thing that makes no sense in these options. */
static bool refused(const struct differ *d, u32 nr_files, int *status)
{
	bool cycles = d->conf.compute == DIFF_CYCLES;
	u32 parts = differ_time_parts(d);
	struct err keys = { 0 };
	bool unknown = differ_check_keys(d, &keys);
	char *no_times = xasprintf("--time '%s': %u files, and spans for %u of them",
				   d->source.time ? d->source.time : "", nr_files, parts);
	char *no_order =
		xasprintf("-o %u: there are %u files, counted from 0", d->conf.order, nr_files);
	char *no_key = xasprintf("Error:\n%s", keys.msg);
	const struct refusal rows[] = {
		{ d->text.sep && *d->text.sep == '.',
		  "'.' is the only non valid --field-separator argument", .status = EXIT_FAILED },
		{ .unreadable = d->source.kallsyms, .status = EXIT_FAILED },
		{ d->stream && (d->asked.sort || d->graph || cycles),
		  "--stream shows whole call chains: -s, -g and -c cycles are not for it",
		  .status = EXIT_FAILED },
		{ d->stream && tui, "--stream has no rows: leave out --tui",
		  .status = EXIT_FAILED },
		{ cycles && !differ_sorts_functions(d),
		  "-c cycles: rows are to be of functions, with 'symbol' in --sort",
		  .status = EXIT_FAILED },
		{ parts > 1 && parts < nr_files, no_times, .status = EXIT_FAILED },
		{ d->conf.order >= nr_files, no_order, .status = EXIT_FAILED },
		{ unknown, no_key, .whole_usage = true },
		{ d->text.times && !cycles, NULL, .whole_usage = true },
	};
	bool any = refusal_tell(rows, ARRAY_SIZE(rows), diff_usage, options, status);

	free(no_times);
	free(no_order);
	free(no_key);
	return any;
}

/* ---- the recordings ---- */

/* -D; the file is read again for the profile. */
static void dump_file(const struct recording_options *o, int workers)
{
	struct session s;

	if (session_open(&s, o->input, o->force, NULL))
		return; /* said when it is opened again */
	print_dump_order(&s);
	print_dump(&s, workers);
	session_close(&s);
}

/* Return: exit status, with a message printed. */
static int read_file(struct differ *d, u32 i)
{
	struct diff_file *f = &d->files[i];
	struct session *s = &f->rec.session;
	struct err err = { 0 };
	int ret;

	if (dump)
		dump_file(&f->source, d->asked.workers);
	if (differ_open(d, i, &stderr_notices, &err)) {
		error_err(&err);
		fprintf(stderr, "Failed to open %s\n", f->source.input);
		return EXIT_FAILED;
	}
	if (d->asked.cycles && !perf_file_has_feature(s->file, HEADER_BRANCH_STACK)) {
		fprintf(stderr, "%s has no branch stacks. Record with -b to compare cycles.\n",
			f->source.input);
		return EXIT_FAILED;
	}
	s->progress = progress_open();
	ret = differ_count(d, i, &err);
	progress_close(s->progress);
	if (ret)
		fprintf(stderr, "Error:\n%s\n", err.msg);
	else if (!d->quiet)
		warn_diag(s);
	return !ret ? 0 : ret == -EINVAL ? EXIT_REFUSED : EXIT_FAILED;
}

/* Return: false: there is no screen, and nothing was shown. */
static bool browse(const struct differ *d)
{
	struct ui ui;

	if (!browser_wanted("diff", !tui, tui) || !profile_hist(d->files[0].profile) ||
	    !browser_open(&ui, true))
		return false;
	browse_diff(&ui, d, command);
	browser_close(&ui);
	return true;
}

/* @on_screen: it was shown, and only limits are of interest. Return: 1 when a share changed by more
 * than the limit allows, else 0. */
static int show(const struct differ *d, bool on_screen)
{
	const struct evlist *l = &d->files[0].rec.session.evlist;
	bool over = false;

	for (size_t i = 0; i < l->nr && profile_hist(d->files[0].profile); i++) {
		struct strbuf text = STRBUF_INIT, changes = STRBUF_INIT;

		differ_event(d, l->evsels[i], &text, &changes);
		if (on_screen)
			strbuf_release(&text);
		else
			print_text(&text);
		over |= changes.len;
		fputs(strbuf_str(&changes), stderr);
		strbuf_release(&changes);
	}
	return over;
}

int cmd_diff(int argc, const char **argv)
{
	struct differ *d = &differ;
	const char *names[] = { "perf.data.old", "perf.data" };
	struct palette palette;
	bool on_screen;
	int ret = 0;

	command = browse_command(argc, argv);
	argc = parse_options(argc, argv, options, diff_usage, 0);
	if (argc == 1)
		names[1] = argv[0];
	if (argc < 2) {
		argc = 2;
		argv = names;
	}
	if (refused(d, (u32)argc, &ret))
		return ret;
	source_defaults(&d->source);
	d->list_files = verbose;
	differ_settle(d, (u32)argc);
	differ_name_files(d, argv, (u32)argc);
	for (u32 i = 0; i < (u32)argc && !ret; i++)
		ret = read_file(d, i);
	config_palette(&palette);
	if (color_wanted(config_color(), STDOUT_FILENO))
		d->text.palette = &palette;
	on_screen = !ret && browse(d);
	if (!on_screen)
		setup_pager();
	d->text.fit = output_fit();
	if (!ret)
		ret = show(d, on_screen);
	for (u32 i = 0; i < (u32)argc && !ret; i++)
		ret = diag_status(&d->files[i].rec.session);
	differ_release(d);
	return ret;
}
