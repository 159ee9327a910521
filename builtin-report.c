// SPDX-License-Identifier: GPL-2.0-or-later
/* perf report: file -> session -> machine -> hist -> output. */
#include "base/compat.h"

#include "builtin-report.h"
#include "builtin.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "base/pool.h"
#include "output/report.h"
#include "session/session.h"

#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <unistd.h>

#define DEFAULT_KEYS "comm,dso,sym"
#define THREAD_CACHE 512 /* of a worker; a power of two */

static const char *const report_usage[] = { "perf report [<options>]", NULL };

struct report {
	/* options */
	const char *input, *sort, *fields, *sep, *cpus, *symfs, *vmlinux, *kallsyms;
	const char *comms, *dsos, *symbols, *symbol_filter;
	bool force, quiet, children, children_set, nr_samples, total_period, stdio, no_demangle;
	bool demangle, inverted, graph_asked, order_set, header, header_only, show_info;
	int verbose;
	enum color_when color;
	bool colored; /* what is printed */
	struct palette palette;
	unsigned int max_stack;
	double percent_limit;
	bool relative, group, hide_unresolved;
	struct chain_conf chain;
	struct report_facts facts;
	/* running */
	int workers;
	u64 cpu_bits[64];
	struct session session;
	struct machine *machine;
	struct symbols *symbolics;
	struct resolver *resolver;
	struct hist *hist;
	struct hist_columns cols;
	struct report_worker **of_worker;
	int nr_workers;
	u32 *leader;
};

struct report_worker {
	struct report *rep;
	struct hist_worker *hist;
	struct thread_at cache[THREAD_CACHE];
};

/* ---- sinks ---- */

/*
 * Tables of megabytes come and go while a report is made. By default the C library takes the first
 * one that goes for the size of those to come, and from then on keeps what is freed.
 */
static void return_freed_memory(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
}

/* What the columns are depends on what the events have, so the hist is made when they are known. */
static int make_hist(struct report *rep, struct err *err)
{
	const struct evlist *l = &rep->session.evlist;
	bool chains = false, cpus = false;
	struct hist_conf conf = {
		.max_stack = rep->max_stack,
		.nr_events = l->nr,
		.workers = rep->workers,
		.comms = rep->comms,
		.dsos = rep->dsos,
		.symbols = rep->symbols,
		.symbol_filter = rep->symbol_filter,
		.hide_unresolved = rep->hide_unresolved,
	};
	size_t i;
	int ret;

	for (i = 0; i < l->nr; i++) {
		chains |= !!(l->evsels[i]->attr.sample_type & PERF_SAMPLE_CALLCHAIN);
		cpus |= !!(l->evsels[i]->attr.sample_type & PERF_SAMPLE_CPU);
	}
	if (rep->cpus && !cpus) {
		fprintf(stderr, "File does not contain CPU events. Remove -C option to proceed.\n");
		return err_set(err, -EINVAL, "failed to set cpu bitmap");
	}
	if (!chains && rep->graph_asked)
		return err_set(
			err, -EINVAL,
			"Selected -g or --branch-history.\nBut no callchain or branch data.\n"
			"Did you call 'perf record' without -g or -b?");
	rep->leader = xcalloc(l->nr + 1, sizeof(*rep->leader));
	for (i = 0; i < l->nr; i++) {
		u32 leader = rep->group ? l->evsels[i]->leader : i;

		/* Members follow their leader without a gap, whatever a damaged file says. */
		rep->leader[i] = leader < i && rep->leader[i - 1] == leader ? leader : i;
	}
	conf.leader = rep->leader;
	rep->children &= chains;
	if (!rep->order_set)
		rep->chain.caller = rep->children;
	if (rep->fields)
		ret = hist_columns_fields(&rep->cols, rep->fields, rep->sort, err);
	else
		ret = hist_columns_sort(&rep->cols, rep->sort ? rep->sort : DEFAULT_KEYS,
					rep->children, rep->nr_samples, rep->total_period, err);
	if (ret)
		return ret;
	if (rep->comms && !strchr(rep->comms, ','))
		hist_columns_hide(&rep->cols, "comm");
	if (rep->dsos && !strchr(rep->dsos, ','))
		hist_columns_hide(&rep->cols, "dso");
	if (rep->symbols && !strchr(rep->symbols, ','))
		hist_columns_hide(&rep->cols, "symbol");
	conf.cols = rep->cols;
	conf.chain = rep->chain;
	conf.chains = chains && rep->chain.mode != CHAIN_NONE;
	conf.children = rep->children;
	conf.by_callchain = conf.chains && rep->children && rep->cols.children;
	rep->hist = hist_new(&conf);
	if (!conf.chains && !conf.children) /* those keep all they have until the end */
		return_freed_memory();
	return 0;
}

static int on_state(void *ctx, const struct session_event *ev, struct err *err)
{
	struct report *rep = ctx;

	/* A malformed record changes nothing; what is wrong with the file is told at the end. */
	if (machine_apply(rep->machine, ev->hdr, ev->hdr->size, ev->time, NULL))
		diag_add(&rep->session.diag, DIAG_BAD_RECORD, 1, ev->offset);
	return 0;
}

static void apply_build_ids(struct report *rep)
{
	const struct env *env = &rep->session.file->env;
	size_t i;

	for (i = 0; i < env->nr_build_ids; i++) {
		const struct env_build_id *b = &env->build_ids[i];

		machine_set_build_id(rep->machine, b->filename, b->misc, b->id, b->size);
	}
}

static void make_resolver(struct report *rep)
{
	struct symconf conf = {
		.os_release = rep->session.file->env.os_release,
		.force = rep->force,
		.symfs = rep->symfs,
		.vmlinux = rep->vmlinux,
		.kallsyms = rep->kallsyms,
		.buildid_dir = buildid_dir(),
		.no_demangle = rep->no_demangle,
	};

	apply_build_ids(rep);
	machine_seal(rep->machine);
	if (!rep->hist)
		return;
	if (hist_needs_symbol(rep->hist))
		rep->symbolics = symbols_new(&conf);
	if (hist_needs_dso(rep->hist))
		rep->resolver = resolver_new(rep->machine, rep->symbolics);
}

static int on_ready(void *ctx, struct err *err)
{
	struct report *rep = ctx;
	int ret = make_hist(rep, err);

	make_resolver(rep);
	if (!ret)
		hist_resolve_at_once(rep->hist, rep->machine, rep->resolver);
	return ret;
}

static void *on_worker(void *ctx, int worker)
{
	struct report *rep = ctx;
	struct report_worker *w = xzalloc(sizeof(*w));

	w->rep = rep;
	rep->of_worker = xrealloc(rep->of_worker, rep->nr_workers + 1, sizeof(*rep->of_worker));
	rep->of_worker[rep->nr_workers++] = w;
	if (rep->hist)
		w->hist = hist_worker_new(rep->hist);
	return w;
}

static bool cpu_wanted(const struct report *rep, u32 cpu)
{
	return !rep->cpus ||
	       (cpu < sizeof(rep->cpu_bits) * 8 && rep->cpu_bits[cpu / 64] >> cpu % 64 & 1);
}

static const struct thread_at *thread_of(struct report_worker *w, u32 pid, u32 tid, u64 time)
{
	struct thread_at *at = &w->cache[(tid ^ tid >> 9) % THREAD_CACHE];

	if (at->tid != tid || at->pid != pid || time < at->from || time >= at->until || !at->until)
		machine_thread_at(w->rep->machine, pid, tid, time, at);
	return at;
}

static int on_sample(void *ctx, const struct session_event *ev, struct err *err)
{
	struct report_worker *w = ctx;
	const struct sample *s = ev->sample;
	const struct thread_at *at;
	struct hist_sample hs;
	int ret;

	if (unlikely(!w->hist)) { /* a pipe: events came just before */
		ret = make_hist(w->rep, err);
		if (ret)
			return ret;
		w->hist = hist_worker_new(w->rep->hist);
	}
	if (!cpu_wanted(w->rep, s->cpu))
		return 0;
	at = thread_of(w, s->pid, s->tid, ev->time);
	hs = (struct hist_sample){
		.evsel = ev->evsel->idx,
		.thread = at->thread,
		.comm = at->comm,
		.epoch = at->epoch,
		.kernel_epoch = at->kernel_epoch,
		.pid = s->pid,
		.tid = s->tid,
		.cpu = s->cpu,
		.cpumode = s->cpumode,
		.ip = s->ip,
		.period = ev->evsel->layout.sample_type & PERF_SAMPLE_PERIOD
				  ? s->period
				  : ev->evsel->attr.sample_period,
		.time = ev->time,
		.order = ev->offset,
		.chain = s->callchain,
		.nr_chain = s->nr_callchain,
	};
	hist_add(w->hist, &hs);
	return 0;
}

/* ---- printing ---- */

static int write_stdout(void *ctx, const char *text, size_t len)
{
	return fwrite(text, 1, len, stdout) == len ? 0 : -EPIPE;
}

static void print_filter(const char *what, const char *list)
{
	if (list && !strchr(list, ','))
		printf("# %s: %s\n", what, list);
}

static void print_head(const struct report *rep)
{
	print_filter("dso", rep->dsos);
	print_filter("comm", rep->comms);
	print_filter("symbol", rep->symbols);
	if (rep->quiet)
		return;
	printf("#\n# Total Lost Samples: %" PRIu64 "\n#\n",
	       rep->session.diag.count[DIAG_LOST_SAMPLES]);
}

static bool has_samples(const struct report *rep, u32 evsel, u32 nr_members)
{
	u32 i;

	for (i = 0; i < nr_members; i++)
		if (hist_event(rep->hist, evsel + i)->nr)
			return true;
	return false;
}

static bool any_samples(const struct report *rep)
{
	u32 i;

	for (i = 0; rep->hist && rep->nr_workers && i < rep->session.evlist.nr; i++)
		if (hist_event(rep->hist, i)->nr)
			return true;
	return false;
}

static void add_event(const struct report *rep, const struct report_conf *conf, u32 evsel,
		      struct strbuf *out)
{
	struct evsel *const *evsels = rep->session.evlist.evsels + evsel;
	u32 nr = hist_event(rep->hist, evsel)->nr_members, i;
	struct report_event ev = { .evsel = evsel, .name = evsels[0]->name };
	struct strbuf name = STRBUF_INIT;

	if (nr > 1) {
		strbuf_addf(&name, "%s { ",
			    evsels[0]->group_name && *evsels[0]->group_name ? evsels[0]->group_name
									    : "anon group");
		for (i = 0; i < nr; i++)
			strbuf_addf(&name, "%s%s", i ? ", " : "", evsels[i]->name);
		strbuf_addstr(&name, " }");
		ev.name = strbuf_str(&name);
	}
	report_samples(rep->hist, conf, &ev, out);
	strbuf_release(&name);
}

static int print_events(struct report *rep)
{
	struct report_conf conf = {
		.sep = rep->sep,
		.quiet = rep->quiet,
		.relative = rep->relative,
		.percent_limit = rep->percent_limit,
		.palette = rep->colored ? &rep->palette : NULL,
	};
	const struct evlist *l = &rep->session.evlist;
	struct strbuf sb = STRBUF_INIT;
	int ret = 0;
	u32 i;

	print_head(rep);
	for (i = 0; i < l->nr && !ret; i++) {
		const struct hist_event *he = hist_event(rep->hist, i);

		if (!he->nr_members || !has_samples(rep, i, he->nr_members))
			continue;
		strbuf_reset(&sb);
		if (!rep->quiet)
			add_event(rep, &conf, i, &sb);
		fwrite(strbuf_str(&sb), 1, sb.len, stdout);
		hist_chains(rep->hist, i, rep->percent_limit);
		ret = report_rows(rep->hist, &conf, i, write_stdout, NULL);
		printf("\n\n");
	}
	strbuf_release(&sb);
	if (!rep->quiet && !ret)
		printf("#\n# (Tip: %s)\n#\n",
		       "Callers of a hot function are one `perf report -G` away");
	return ret;
}

static int finish(struct report *rep)
{
	if (!rep->hist || !rep->nr_workers)
		return 0;
	if (rep->session.file->pipe)
		make_resolver(rep);
	hist_finish(rep->hist, rep->machine, rep->resolver);
	return 0;
}

/* -v: objects that samples fell in and whose symbols are missing or partial, with the reason. */
static void explain_symbols(const struct report *rep)
{
	struct dso *const *dsos;
	size_t nr, i;

	dsos = machine_dsos(rep->machine, &nr);
	for (i = 0; i < nr; i++) {
		const char *why = NULL;
		char name[512];

		if (hist_dso_hit(rep->hist, dsos[i]->id))
			why = symtab_why(symbols_load(rep->symbolics, dsos[i]));
		if (!why)
			continue;
		escape_name(name, sizeof(name), dsos[i]->path);
		fprintf(stderr, "%s: %s\n", name, why);
	}
}

static void report_release(struct report *rep)
{
	int i;

	hist_free(rep->hist);
	for (i = 0; i < rep->nr_workers; i++)
		free(rep->of_worker[i]);
	free(rep->of_worker);
	resolver_free(rep->resolver);
	symbols_free(rep->symbolics);
	free(rep->leader);
	machine_free(rep->machine);
}

static int no_samples(const struct report *rep)
{
	fprintf(stderr, "Error:\nThe %s data has no samples!\n", rep->session.file->path);
	return 0;
}

/* Of a pipe: what it said of itself as far as it was read. */
static void show_header(const struct report *rep)
{
	const struct session *s = &rep->session;
	u64 shown = 0;

	print_header(s->file, &s->evlist, rep->show_info);
	if (s->file->pipe)
		print_features(s->file, &s->evlist, rep->show_info, &shown);
}

static int run(struct report *rep)
{
	static const struct session_sample_ops ops = {
		.state = { .state = on_state, .ready = on_ready },
		.worker_new = on_worker,
		.sample = on_sample,
	};
	struct err err = { 0 };
	int ret = session_open(&rep->session, rep->input, rep->force, &err);

	if (ret) {
		error_err(&err);
		return -1;
	}
	if (rep->header_only) {
		setup_pager();
		if (read_pipe_header(&rep->session, &err))
			error_err(&err);
		show_header(rep);
		session_close(&rep->session);
		return 0;
	}
	if (report_facts_any(&rep->facts)) {
		setup_pager();
		if (rep->header)
			show_header(rep);
		ret = report_facts(&rep->facts, &rep->session);
		warn_diag(&rep->session.diag);
		session_close(&rep->session);
		return ret;
	}
	rep->machine = machine_new();
	rep->session.progress = progress_open();
	ret = session_samples(&rep->session, &ops, rep, rep->workers, &err);
	if (!ret)
		ret = finish(rep);
	progress_close(rep->session.progress);
	rep->colored = color_wanted(rep->color, STDOUT_FILENO);
	setup_pager();
	if (rep->header)
		show_header(rep);
	else if (!rep->quiet)
		printf("# To display the perf.data header info, please use --header/--header-only options.\n#\n");
	if (rep->sep && *rep->sep == '.') {
		fprintf(stderr, "'.' is the only non valid --field-separator argument\n");
		ret = 0;
	} else if (ret) {
		fprintf(stderr, "Error:\n%s\n", err.msg);
		ret = 0;
	} else if (!any_samples(rep)) {
		ret = no_samples(rep);
	} else {
		warn_lost(&rep->session);
		if (rep->verbose && rep->symbolics)
			explain_symbols(rep);
		ret = print_events(rep);
	}
	warn_diag(&rep->session.diag);
	report_release(rep);
	session_close(&rep->session);
	return ret;
}

/* ---- options ---- */

static bool is_prefix(const char *tok, const char *of)
{
	return *tok && !strncmp(tok, of, strlen(tok));
}

/* One word of -g. Return: 0, or -1 when it means nothing. */
static int graph_word(struct report *rep, const char *tok, int *numbers)
{
	static const struct {
		const char *name;
		enum chain_mode mode;
	} modes[] = {
		{ "graph", CHAIN_GRAPH },   { "flat", CHAIN_FLAT }, { "fractal", CHAIN_FRACTAL },
		{ "folded", CHAIN_FOLDED }, { "none", CHAIN_NONE },
	};
	char *end;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		if (is_prefix(tok, modes[i].name)) {
			rep->chain.mode = modes[i].mode;
			return 0;
		}
	}
	if (is_prefix(tok, "caller") || is_prefix(tok, "callee")) {
		rep->chain.caller = is_prefix(tok, "caller");
		rep->order_set = true;
		return 0;
	}
	if (is_prefix(tok, "function"))
		return 0;
	if (is_prefix(tok, "percent") || is_prefix(tok, "period") || is_prefix(tok, "count")) {
		rep->chain.value = is_prefix(tok, "percent")  ? CHAIN_PERCENT
				   : is_prefix(tok, "period") ? CHAIN_PERIOD
							      : CHAIN_COUNT;
		return 0;
	}
	if (!*numbers) {
		rep->chain.min_percent = strtod(tok, &end);
	} else {
		rep->chain.print_limit = strtoul(tok, &end, 0);
	}
	++*numbers;
	return end == tok || *end || *numbers > 2 ? -1 : 0;
}

static int parse_graph(const struct option *opt, const char *arg, int unset)
{
	struct report *rep = opt->value;
	int numbers = 0, ret = 0;
	char *copy, *tok, *at;

	if (unset) {
		rep->chain.mode = CHAIN_NONE;
		rep->graph_asked = false;
		return 0;
	}
	copy = xstrdup(arg ? arg : "");
	for (tok = strtok_r(copy, ", ", &at); tok && !ret; tok = strtok_r(NULL, ", ", &at))
		ret = graph_word(rep, tok, &numbers);
	free(copy);
	rep->graph_asked = rep->chain.mode != CHAIN_NONE;
	return ret;
}

static int parse_limit(const struct option *opt, const char *arg, int unset)
{
	struct report *rep = opt->value;

	rep->percent_limit = unset ? 0 : strtod(arg, NULL);
	rep->chain.min_percent = rep->percent_limit;
	return 0;
}

static int parse_percentage(const struct option *opt, const char *arg, int unset)
{
	struct report *rep = opt->value;

	rep->relative = !unset && !strcmp(arg, "relative");
	return rep->relative || unset || !strcmp(arg, "absolute") ? 0 : -1;
}

/* "0,2-3" into the bits; false when it is none. */
static bool parse_cpus(struct report *rep)
{
	const char *p = rep->cpus;

	while (*p) {
		char *end;
		unsigned long from = strtoul(p, &end, 10), to = from;

		if (end == p)
			return false;
		if (*end == '-') {
			p = end + 1;
			to = strtoul(p, &end, 10);
			if (end == p)
				return false;
		}
		for (; from <= to && from < sizeof(rep->cpu_bits) * 8; from++)
			rep->cpu_bits[from / 64] |= 1ULL << from % 64;
		if (*end && *end != ',')
			return false;
		p = *end ? end + 1 : end;
	}
	return true;
}

/* A key that does not exist is said before any file is opened. */
static void check_keys(const struct report *rep, const struct option *options)
{
	struct hist_columns cols;
	struct err err = { 0 };

	if (rep->sort && hist_columns_sort(&cols, rep->sort, false, false, false, &err)) {
		fprintf(stderr, "Error:\n%s\n", err.msg);
		usage_one_option(report_usage, options, "s", true);
		exit(0); /* as scripts know it */
	}
	if (rep->fields && hist_columns_fields(&cols, rep->fields, NULL, &err)) {
		fprintf(stderr, "Error:\n%s\n", err.msg);
		usage_one_option(report_usage, options, "F", true);
		exit(0); /* as scripts know it */
	}
}

static int workers_wanted(void)
{
	const char *env = getenv("PERF_WORKERS");
	long n = env ? strtol(env, NULL, 10) : 0;

	return n > 0 && n <= 1024 ? (int)n : pool_cpus();
}

static int parse_color(const struct option *opt, const char *arg, int unset)
{
	struct report *rep = opt->value;

	if (unset)
		rep->color = COLOR_NEVER;
	else if (color_parse_when(arg, &rep->color))
		fprintf(stderr, "bad config value for 'color.ui', ignoring...\n");
	return 0;
}

/* A variable that is written like a part of -g. */
static void graph_default(struct report *rep, const char *key, int numbers)
{
	const char *v = NULL;

	config_default_str(key, &v);
	if (v && graph_word(rep, v, &numbers))
		fprintf(stderr, "bad config value for '%s', ignoring...\n", key);
}

/* The configuration's defaults, before the options are read. */
static void report_defaults(struct report *rep)
{
	const char *limit = NULL, *percentage = NULL;

	rep->color = config_color();
	config_palette(&rep->palette);
	config_default_bool("report.children", &rep->children);
	config_default_str("report.sort_order", &rep->sort);
	config_default_str("report.percent-limit", &limit);
	config_default_str("hist.percentage", &percentage);
	graph_default(rep, "call-graph.print-type", 2);
	graph_default(rep, "call-graph.order", 2);
	graph_default(rep, "call-graph.threshold", 0);
	graph_default(rep, "call-graph.print-limit", 1);
	if (limit)
		rep->percent_limit = rep->chain.min_percent = strtod(limit, NULL);
	if (percentage)
		rep->relative = !strcmp(percentage, "relative");
}

/* What follows from several options together. Return: 0, -EINVAL with a message printed. */
static int settle(struct report *rep)
{
	if (rep->cpus && !parse_cpus(rep)) {
		fprintf(stderr, "Error:\nfailed to set cpu bitmap\n");
		return -EINVAL;
	}
	if (rep->inverted) {
		rep->chain.caller = true;
		rep->order_set = true;
	}
	rep->no_demangle = !rep->demangle;
	return 0;
}

int cmd_report(int argc, const char **argv)
{
	struct report rep = {
		.children = true,
		.demangle = true,
		.group = true,
		.chain = { .mode = CHAIN_GRAPH, .min_percent = 0.5 },
		.workers = workers_wanted(),
	};
	const struct option options[] = {
		OPT_STRING('i', "input", &rep.input, "file", "input file name"),
		OPT_INCR('v', "verbose", &rep.verbose,
			 "be more verbose (say why symbols are missing)"),
		OPT_BOOLEAN('q', "quiet", &rep.quiet, "Do not show any warnings or messages"),
		OPT_STRING('k', "vmlinux", &rep.vmlinux, "file", "vmlinux pathname"),
		OPT_STRING(0, "kallsyms", &rep.kallsyms, "file", "kallsyms pathname"),
		OPT_BOOLEAN('f', "force", &rep.force, "don't complain, do it"),
		OPT_BOOLEAN('n', "show-nr-samples", &rep.nr_samples,
			    "Show a column with the number of samples"),
		OPT_BOOLEAN(0, "header", &rep.header, "Show data header."),
		OPT_BOOLEAN(0, "header-only", &rep.header_only, "Show only data header."),
		OPT_BOOLEAN('I', "show-info", &rep.show_info,
			    "Display extended information about perf.data file"),
		OPT_BOOLEAN(0, "stats", &rep.facts.stats, "Display event stats"),
		OPT_BOOLEAN(0, "tasks", &rep.facts.tasks, "Display recorded tasks"),
		OPT_BOOLEAN(0, "mmaps", &rep.facts.mmaps, "Display recorded tasks memory maps"),
		OPT_BOOLEAN(0, "stdio", &rep.stdio, "Use the stdio interface"),
		OPT_STRING(
			's', "sort", &rep.sort, "key[,key2...]",
			"sort by key(s): overhead overhead_children sample period pid comm dso symbol cpu"),
		OPT_STRING(
			'F', "fields", &rep.fields, "key[,keys...]",
			"output field(s): overhead overhead_children sample period pid comm dso symbol cpu"),
		OPT_CALLBACK_DEFAULT(
			'g', "call-graph", &rep,
			"print_type,threshold[,print_limit],order,sort_key,value",
			"Display call graph (stack chain): graph|flat|fractal|folded|none, least percent, "
			"most entries, caller|callee, function, percent|period|count",
			parse_graph, "graph,0.5,caller,function,percent"),
		OPT_BOOLEAN_SET(0, "children", &rep.children, &rep.children_set,
				"Accumulate callchains of children and show total overhead as well"),
		OPT_UINTEGER(
			0, "max-stack", &rep.max_stack,
			"Set the maximum stack depth when parsing the callchain, anything beyond is ignored"),
		OPT_BOOLEAN('G', "inverted", &rep.inverted, "alias for inverted call graph"),
		OPT_STRING('d', "dsos", &rep.dsos, "dso[,dso...]",
			   "only consider symbols in these dsos"),
		OPT_STRING(0, "symbol-filter", &rep.symbol_filter, "filter",
			   "only show symbols that (partially) match with this filter"),
		OPT_BOOLEAN('U', "hide-unresolved", &rep.hide_unresolved,
			    "Only display entries resolved to a symbol"),
		OPT_STRING('c', "comms", &rep.comms, "comm[,comm...]",
			   "only consider symbols in these comms"),
		OPT_STRING('S', "symbols", &rep.symbols, "symbol[,symbol...]",
			   "only consider these symbols"),
		OPT_STRING(
			't', "field-separator", &rep.sep, "separator",
			"separator for columns, no spaces will be added between columns '.' is reserved."),
		OPT_STRING(0, "symfs", &rep.symfs, "directory",
			   "Look for files with symbols relative to this directory"),
		OPT_STRING('C', "cpu", &rep.cpus, "cpu", "list of cpus to profile"),
		OPT_BOOLEAN(0, "show-total-period", &rep.total_period,
			    "Show a column with the sum of periods"),
		OPT_BOOLEAN(0, "group", &rep.group, "Show event group information together"),
		OPT_BOOLEAN(0, "demangle", &rep.demangle, "Disable symbol demangling"),
		OPT_CALLBACK_DEFAULT(
			0, "stdio-color", &rep, "mode",
			"'always' (default), 'never' or 'auto' only applicable to --stdio mode",
			parse_color, "always"),
		OPT_CALLBACK(0, "percent-limit", &rep, "percent",
			     "Don't show entries under that percent", parse_limit),
		OPT_CALLBACK(0, "percentage", &rep, "relative|absolute",
			     "how to display percentage of filtered entries", parse_percentage),
		OPT_END(),
	};

	report_defaults(&rep);
	argc = parse_options(argc, argv, options, report_usage, 0);
	check_keys(&rep, options);
	if (argc > 1)
		usage_with_options(report_usage, options);
	if (argc)
		rep.symbol_filter = argv[0];
	return settle(&rep) ? -EINVAL : run(&rep);
}
