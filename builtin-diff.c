// SPDX-License-Identifier: GPL-2.0-or-later
/* perf diff: profiles of several recordings side by side. Each is counted as report counts it. */
#include "base/compat.h"

#include "cmd/common/header.h"
#include "columns/columns.h"
#include "cmd/common/limit.h"
#include "profile/profile.h"
#include "recording/formats.h"
#include "builtin.h"
#include "cmd/common/pager.h"
#include "cmd/common/usage.h"
#include "cmd/common/message.h"
#include "cmd/common/settings.h"

#include "base/alloc.h"
#include "base/color.h"
#include "report/diff-text.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const diff_usage[] = { "perf diff [<options>] [old_file] [new_file]", NULL };

struct differ {
	struct profile asked; /* what all profiles have in common */
	const char *cpus, *pids, *tids;
	char *times; /* owned: --time, a part for each file */
	const char *time;
	bool dump, modules;
	struct diff_conf conf;
	struct diff_text text;
	struct palette palette;
	struct limit limit;
	bool relative, quiet, graph, stream;
	double path_limit; /* least change of a call path */
	int verbose;
	struct profile *files; /* owned */
	u32 nr_files;
};

static struct differ differ = {
	.asked = { .default_sort = "dso,symbol",
		   .socket = -1,
		   .branches_set = true,
		   .order_set = true },
	.conf = { .compute = DIFF_DELTA_ABS, .order = 1 },
	.path_limit = 0.5,
};

static int opt_compute(const struct option *opt, const char *arg, int unset)
{
	static const char *const names[] = {
		[DIFF_DELTA] = "delta", [DIFF_DELTA_ABS] = "delta-abs", [DIFF_RATIO] = "ratio",
		[DIFF_WDIFF] = "wdiff", [DIFF_CYCLES] = "cycles",
	};
	struct diff_conf *c = opt->value;
	size_t len = strcspn(arg, ":");
	long long w1, w2;
	int end = 0;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strlen(names[i]) != len || strncmp(arg, names[i], len))
			continue;
		c->compute = (enum diff_compute)i;
		if (i != DIFF_WDIFF)
			return arg[len] ? -1 : 0;
		if (sscanf(arg + len, ":%lld,%lld%n", &w1, &w2, &end) != 2 || arg[len + end] ||
		    !w1 || !w2) {
			fprintf(stderr, "Failed: wrong weight data, use 'wdiff:w1,w2'\n");
			return -1;
		}
		c->w1 = w1;
		c->w2 = w2;
		return 0;
	}
	fprintf(stderr, "Failed: '%s' is not computation method (use 'delta','ratio' or 'wdiff')\n",
		arg);
	return -1;
}

static int opt_fail_if(const struct option *opt, const char *arg, int unset)
{
	struct limit *l = opt->value;

	*l = (struct limit){ 0 };
	return unset || limit_parse(l, arg) ? 0 : -1;
}

/* -g: words in any order. */
static int opt_graph(const struct option *opt, const char *arg, int unset)
{
	struct differ *d = opt->value;
	char *copy = xstrdup(arg ? arg : ""), *tok, *at, *end;
	int ret = 0;

	d->graph = !unset;
	for (tok = strtok_r(copy, ",", &at); tok && !ret; tok = strtok_r(NULL, ",", &at)) {
		double limit = strtod(tok, &end);

		if (!strcmp(tok, "caller") || !strcmp(tok, "callee"))
			d->asked.chain.caller = !strcmp(tok, "caller");
		else if (end != tok && !*end && limit >= 0)
			d->path_limit = limit;
		else
			ret = -1;
	}
	if (ret)
		fprintf(stderr,
			"invalid call graph '%s': say a least change in percent, "
			"caller or callee\n",
			arg);
	free(copy);
	return ret;
}

static int opt_percent_limit(const struct option *opt, const char *arg, int unset)
{
	struct differ *d = opt->value;

	d->conf.min_change = 0;
	if (unset)
		return 0;
	if (!percent_parse(&d->conf.min_change, arg))
		return -1;
	d->path_limit = d->conf.min_change;
	return 0;
}

static int opt_percentage(const struct option *opt, const char *arg, int unset)
{
	struct differ *d = opt->value;

	d->relative = false;
	return unset || percentage_parse(&d->relative, arg) ? 0 : -1;
}

static const struct option options[] = {
	OPT_INCR('v', "verbose", &differ.verbose, "be more verbose (name the files)"),
	OPT_BOOLEAN('q', "quiet", &differ.quiet, "Do not show any warnings or messages"),
	OPT_BOOLEAN('b', "baseline-only", &differ.conf.baseline_only,
		    "Show only items with match in baseline"),
	OPT_CALLBACK('c', "compute", &differ.conf,
		     "delta,delta-abs,ratio,wdiff:w1,w2 (default delta-abs),cycles",
		     "Entries differential computation selection", opt_compute),
	OPT_BOOLEAN('D', "dump-raw-trace", &differ.dump, "dump raw trace in ASCII"),
	OPT_BOOLEAN('m', "modules", &differ.modules,
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
	OPT_BOOLEAN('f', "force", &differ.asked.force, "don't complain, do it"),
	OPT_STRING(0, "kallsyms", &differ.asked.kallsyms, "file", "kallsyms pathname"),
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
	OPT_STRING(0, "symfs", &differ.asked.symfs, "directory",
		   "Look for files with symbols relative to this directory"),
	OPT_UINTEGER('o', "order", &differ.conf.order, "Specify compute sorting."),
	OPT_CALLBACK(0, "percentage", &differ, "relative|absolute",
		     "How to display percentage of filtered entries", opt_percentage),
	OPT_STRING(0, "cpu", &differ.cpus, "cpu", "list of cpus to profile"),
	OPT_STRING(0, "pid", &differ.pids, "pid[,pid...]", "only consider symbols in these pids"),
	OPT_STRING(0, "tid", &differ.tids, "tid[,tid...]", "only consider symbols in these tids"),
	OPT_STRING(0, "time", &differ.time, "str",
		   "Time span (time percent or absolute timestamp)"),
	OPT_END(),
};

/* ---- reading ---- */

static int take_filters(struct differ *d, struct profile *p, struct err *err)
{
	int ret = d->cpus ? sample_filter_cpus(&p->only, d->cpus, err) : 0;

	if (!ret && d->pids)
		ret = sample_filter_pids(&p->threads, d->pids, err);
	if (!ret && d->tids)
		ret = sample_filter_tids(&p->threads, d->tids, err);
	return ret;
}

/* -D; the file is read again for the profile. */
static void dump_file(const struct differ *d, const char *name)
{
	struct session s;

	if (session_open(&s, name, d->asked.force, NULL))
		return; /* said when it is opened again */
	print_dump_order(&s);
	print_dump(&s, d->asked.workers);
	session_close(&s);
}

static int read_file(struct differ *d, struct profile *p, const char *name)
{
	struct err err = { 0 };
	int ret;

	if (d->dump)
		dump_file(d, name);
	*p = d->asked;
	p->input = name;
	if (d->times) {
		p->time = d->times;
		d->times += strlen(d->times) + 1;
	}
	ret = session_open(&p->session, name, p->force, &err);
	if (ret) {
		error_err(&err);
		fprintf(stderr, "Failed to open %s\n", name);
		return -1;
	}
	d->nr_files++;
	if (p->cycles && !perf_file_has_feature(p->session.file, HEADER_BRANCH_STACK)) {
		fprintf(stderr, "%s has no branch stacks. Record with -b to compare cycles.\n",
			name);
		return -1;
	}
	ret = take_filters(d, p, &err);
	if (!ret && profile_run(p, &err))
		ret = p->bad_time ? -EINVAL : -1;
	if (ret)
		fprintf(stderr, "Error:\n%s\n", err.msg);
	else if (!d->quiet)
		warn_diag(&p->session.diag);
	return ret;
}

/* ---- comparing ---- */

/* The same event is told by its attr: names say what a machine could not do, too. */
static struct diff_side side_of(const struct differ *d, const struct profile *p,
				const struct evsel *e)
{
	const struct evlist *l = &p->session.evlist;
	struct diff_side s = { .hist = p->hist, .blocks = p->blocks, .evsel = UINT32_MAX };

	for (u32 i = 0; p->hist && i < l->nr; i++) {
		const struct hist_event *ev = hist_event(p->hist, i);

		if (l->evsels[i]->attr.type != e->attr.type ||
		    l->evsels[i]->attr.config != e->attr.config)
			continue;
		s.evsel = i;
		s.period = d->relative ? ev->passed_period : ev->period;
		s.nr = d->relative ? ev->passed_nr : ev->nr;
		if (d->graph || d->stream)
			hist_chains(p->hist, i, 0);
		return s;
	}
	return s;
}

/* Did a share change by more than was allowed, and than chance explains? It is named then. */
static bool over_limit(const struct differ *d, const struct diff *df, const struct diff_row *r,
		       u32 side)
{
	double was = diff_share(df, r->sums, 0), now = diff_share(df, r->sums, side);
	double change = now - was;
	struct strbuf name = STRBUF_INIT;

	if (!limit_passed(&d->limit, change) || fabs(change) <= diff_noise(df, r->sums, side))
		return false;
	diff_row_name(df, r, &name);
	fprintf(stderr, "%s: %.2f%% -> %.2f%% in %s: more than %g%% and than chance\n",
		strbuf_str(&name), was, now, d->files[side].session.file->path, d->limit.percent);
	strbuf_release(&name);
	return true;
}

static bool any_over_limit(const struct differ *d, const struct diff *df)
{
	bool any = false;

	for (size_t i = 0; d->limit.set && i < df->nr_rows; i++)
		for (u32 side = 1; side < df->nr_sides; side++)
			any |= over_limit(d, df, &df->rows[i], side);
	return any;
}

static void put_files(const struct differ *d, struct strbuf *out)
{
	strbuf_addstr(out, "# Data files:\n");
	for (u32 i = 0; i < d->nr_files; i++) {
		strbuf_addf(out, "#  [%u] ", i);
		strbuf_addname(out, d->files[i].session.file->path);
		strbuf_addf(out, " %s\n", i ? "" : "(Baseline)");
	}
	strbuf_addstr(out, "#\n");
}

/* Return: whether shares changed too much. */
static bool show_event(const struct differ *d, const struct evsel *e, bool first)
{
	struct diff_side *sides = xcalloc(d->nr_files, sizeof(*sides));
	struct diff_text text = d->text;
	struct strbuf out = STRBUF_INIT;
	struct diff *df;
	bool over;

	for (u32 i = 0; i < d->nr_files; i++)
		sides[i] = side_of(d, &d->files[i], e);
	df = diff_new(sides, d->nr_files, &d->conf);
	if (d->graph)
		text.paths = diff_paths_new(df, d->path_limit);
	if (!first && !d->quiet)
		strbuf_addch(&out, '\n');
	if (d->stream) {
		diff_stream_lines(df, d->conf.order ? d->conf.order : 1, &out);
		goto print;
	}
	if (!d->quiet) {
		strbuf_addstr(&out, "# Event '");
		strbuf_addname(&out, e->name);
		strbuf_addstr(&out, "'\n#\n");
		if (d->verbose || d->nr_files > 2)
			put_files(d, &out);
		diff_titles(df, &text, &out);
	}
	diff_rows(df, &text, &out);
print:
	fwrite(strbuf_str(&out), 1, out.len, stdout);
	over = any_over_limit(d, df);
	strbuf_release(&out);
	diff_paths_free(text.paths);
	diff_free(df);
	free(sides);
	return over;
}

static int show(const struct differ *d)
{
	const struct evlist *l = &d->files[0].session.evlist;
	bool over = false, first = true;

	for (size_t i = 0; i < l->nr && d->files[0].hist; i++) {
		over |= show_event(d, l->evsels[i], first);
		first = false;
	}
	return over ? 1 : 0;
}

/* The keys that were asked for; with "+" they follow those that are there anyway. */
static const char *asked_keys(const struct differ *d)
{
	return d->asked.sort && *d->asked.sort == '+' ? d->asked.sort + 1 : d->asked.sort;
}

static void check_keys(void)
{
	const char *keys = asked_keys(&differ);
	struct hist_columns cols = { 0 };
	struct err err = { 0 };

	if (!keys || !columns_sort(&cols, keys, false, false, false, &err))
		return;
	fprintf(stderr, "Error:\n%s\n", err.msg);
	usage_with_options(diff_usage, options);
}

/* --time has one for all files, or one for each with colons between. */
static bool part_times(struct differ *d, int nr_files)
{
	int parts = 1;

	d->asked.time = d->time;
	if (!d->time || !strchr(d->time, ':'))
		return true;
	d->times = xstrdup(d->time);
	for (char *at = d->times; (at = strchr(at, ':')); parts++)
		*at++ = '\0';
	if (parts < nr_files)
		fprintf(stderr, "--time '%s': %d files, and spans for %d of them\n", d->time,
			nr_files, parts);
	return parts >= nr_files;
}

/* Cycles are those of the functions of rows. */
static bool cycles_possible(const struct differ *d)
{
	struct hist_columns cols = { 0 };
	bool found = !d->asked.sort || *d->asked.sort == '+';

	if (d->conf.compute != DIFF_CYCLES)
		return true;
	if (!found && !columns_sort(&cols, d->asked.sort, false, false, false, NULL))
		found = cols.need & NEED_SYM;
	if (!found)
		fprintf(stderr,
			"-c cycles: rows are to be of functions, with 'symbol' in --sort\n");
	return found;
}

int cmd_diff(int argc, const char **argv)
{
	struct differ *d = &differ;
	const char *defaults[] = { "perf.data.old", "perf.data" };
	char *times;
	int ret = 0;

	argc = parse_options(argc, argv, options, diff_usage, 0);
	if (argc == 1)
		defaults[1] = argv[0];
	if (argc < 2) {
		argc = 2;
		argv = defaults;
	}
	if (d->text.sep && *d->text.sep == '.') {
		fprintf(stderr, "'.' is the only non valid --field-separator argument\n");
		return -1;
	}
	if (!file_is_readable(d->asked.kallsyms))
		return -1;
	if (d->stream && (d->asked.sort || d->graph || d->conf.compute == DIFF_CYCLES)) {
		fprintf(stderr,
			"--stream shows whole call chains: -s, -g and -c cycles are not for it\n");
		return -1;
	}
	if (!cycles_possible(d) || !part_times(d, argc))
		return -1;
	if (d->conf.order >= (u32)argc) {
		fprintf(stderr, "-o %u: there are %d files, counted from 0\n", d->conf.order, argc);
		return -1;
	}
	check_keys();
	if (d->text.times && d->conf.compute != DIFF_CYCLES)
		usage_with_options(diff_usage, options);
	d->asked.cycles = d->conf.compute == DIFF_CYCLES;
	d->asked.workers = workers_wanted();
	d->asked.fixed_widths = d->text.sep;
	d->text.numbered = argc > 2;
	d->text.keys = asked_keys(d);
	d->asked.graph_asked = d->graph || d->stream;
	d->asked.chain.mode = d->asked.graph_asked ? CHAIN_GRAPH : CHAIN_NONE;
	if (d->stream) {
		d->asked.sort = "comm";
		d->asked.chain.caller = false;
	}
	d->files = xcalloc((size_t)argc, sizeof(*d->files));
	times = d->times;
	for (int i = 0; i < argc && !ret; i++)
		ret = read_file(d, &d->files[i], argv[i]);
	config_palette(&d->palette);
	if (color_wanted(config_color(), STDOUT_FILENO))
		d->text.palette = &d->palette;
	setup_pager();
	if (!ret)
		ret = show(d);
	for (u32 i = 0; i < d->nr_files; i++) {
		profile_release(&d->files[i]);
		session_close(&d->files[i].session);
	}
	free(times);
	free(d->files);
	return ret;
}
