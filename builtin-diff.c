// SPDX-License-Identifier: GPL-2.0-or-later
/* perf diff: profiles of several recordings side by side. Each is counted as report counts it. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/limit.h"
#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/pager.h"
#include "cmd/common/refusal.h"
#include "cmd/common/settings.h"
#include "cmd/common/usage.h"
#include "cmd/diff/diff.h"

#include "base/alloc.h"
#include "base/pool.h"
#include "columns/columns.h"

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
	OPT_STRING(0, "symfs", &differ.source.symfs, "directory",
		   "Look for files with symbols relative to this directory"),
	OPT_UINTEGER('o', "order", &differ.conf.order, "Specify compute sorting."),
	OPT_CALLBACK(0, "percentage", &differ, "relative|absolute",
		     "How to display percentage of filtered entries", opt_percentage),
	OPT_STRING(0, "cpu", &differ.asked.cpus, "cpu", "list of cpus to profile"),
	THREAD_FILTER_OPTIONS(&differ.asked),
	OPT_STRING(0, "time", &differ.source.time, "str",
		   "Time span (time percent or absolute timestamp)"),
	OPT_END(),
};

/* The keys that were asked for; with "+" they follow those that are there anyway. */
static const char *asked_keys(const struct differ *d)
{
	return d->asked.sort && *d->asked.sort == '+' ? d->asked.sort + 1 : d->asked.sort;
}

/* Are all keys known? */
static int check_keys(const struct differ *d, struct err *err)
{
	struct hist_columns cols = { 0 };
	const char *keys = asked_keys(d);

	return keys ? columns_sort(&cols, keys, false, false, false, err) : 0;
}

/* Are rows of functions? Cycles are those of functions. */
static bool sorts_functions(const struct differ *d)
{
	struct hist_columns cols = { 0 };

	if (!d->asked.sort || *d->asked.sort == '+')
		return true;
	return !columns_sort(&cols, d->asked.sort, false, false, false, NULL) &&
	       cols.need & NEED_SYM;
}

/* Into how many parts do colons cut --time? */
static int parts_of(const char *time)
{
	int parts = 1;

	for (; (time = strchr(time, ':')); time++)
		parts++;
	return parts;
}

/* Tell the first thing that makes no sense in these options. */
static bool refused(const struct differ *d, int nr_files, int *status)
{
	bool cycles = d->conf.compute == DIFF_CYCLES;
	int parts = d->source.time ? parts_of(d->source.time) : 1;
	struct err keys = { 0 };
	bool unknown = check_keys(d, &keys);
	char *no_times = xasprintf("--time '%s': %d files, and spans for %d of them",
				   d->source.time ? d->source.time : "", nr_files, parts);
	char *no_order =
		xasprintf("-o %u: there are %d files, counted from 0", d->conf.order, nr_files);
	char *no_key = xasprintf("Error:\n%s", keys.msg);
	const struct refusal rows[] = {
		{ d->text.sep && *d->text.sep == '.',
		  "'.' is the only non valid --field-separator argument", .status = EXIT_FAILED },
		{ .unreadable = d->source.kallsyms, .status = EXIT_FAILED },
		{ d->stream && (d->asked.sort || d->graph || cycles),
		  "--stream shows whole call chains: -s, -g and -c cycles are not for it",
		  .status = EXIT_FAILED },
		{ cycles && !sorts_functions(d),
		  "-c cycles: rows are to be of functions, with 'symbol' in --sort",
		  .status = EXIT_FAILED },
		{ parts > 1 && parts < nr_files, no_times, .status = EXIT_FAILED },
		{ d->conf.order >= (u32)nr_files, no_order, .status = EXIT_FAILED },
		{ unknown, no_key, .whole_usage = true },
		{ d->text.times && !cycles, NULL, .whole_usage = true },
	};
	bool any = refusal_tell(rows, ARRAY_SIZE(rows), diff_usage, options, status);

	free(no_times);
	free(no_order);
	free(no_key);
	return any;
}

/* Derive the settings that depend on more than one option. */
static void settle(struct differ *d, int nr_files)
{
	d->source.buildid_dir = buildid_dir();
	d->asked.cycles = d->conf.compute == DIFF_CYCLES;
	d->asked.workers = pool_workers();
	d->asked.fixed_widths = d->text.sep;
	d->text.numbered = nr_files > 2;
	d->text.keys = asked_keys(d);
	d->asked.graph_asked = d->graph || d->stream;
	d->asked.chain.mode = d->asked.graph_asked ? CHAIN_GRAPH : CHAIN_NONE;
	if (d->stream) {
		d->asked.sort = "comm";
		d->asked.chain.caller = false;
	}
}

int cmd_diff(int argc, const char **argv)
{
	struct differ *d = &differ;
	const char *names[] = { "perf.data.old", "perf.data" };
	int ret;

	argc = parse_options(argc, argv, options, diff_usage, 0);
	if (argc == 1)
		names[1] = argv[0];
	if (argc < 2) {
		argc = 2;
		argv = names;
	}
	if (refused(d, argc, &ret))
		return ret;
	settle(d, argc);
	ret = diff_read(d, argv, (u32)argc);
	config_palette(&d->palette);
	if (color_wanted(config_color(), STDOUT_FILENO))
		d->text.palette = &d->palette;
	setup_pager();
	if (!ret)
		ret = diff_show(d);
	diff_release(d);
	return ret;
}
