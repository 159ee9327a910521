// SPDX-License-Identifier: GPL-2.0-or-later
/* perf ftrace: the kernel's own tracers and events as text, times of functions, small things of the
 * tracing folder. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/message.h"
#include "cmd/common/settings.h"
#include "cmd/common/signals.h"
#include "cmd/common/usage.h"

#include "cli/config.h"
#include "ftracerun/ftracerun.h"

#include <signal.h>

static const char *const usages[] = {
	"perf ftrace [<options>] [<command>]",
	"perf ftrace {trace|latency|profile} [<options>] [<command>]",
	"perf ftrace {trace|latency|profile} [<options>] -- <command> [<options>]",
	"perf ftrace {marker <text>|probes|list|stack}",
	NULL,
};

/* The command line says this. */
struct command_line {
	struct ftrace_conf conf;
	const char *pattern; /* of -F */
	bool show_functions;
	int verbose;
};

static int opt_text(const struct option *opt, const char *arg, int unset)
{
	ftrace_texts_add(opt->value, arg);
	return 0;
}

static int opt_event(const struct option *opt, const char *arg, int unset)
{
	ftrace_events_add(opt->value, arg);
	return 0;
}

static int opt_filter(const struct option *opt, const char *arg, int unset)
{
	if (ftrace_events_filter(opt->value, arg))
		return 0;
	error("--filter option should follow a -e option");
	return -1;
}

static int told(const struct err *err, int rc)
{
	return rc ? (error("%s", err->msg), -1) : 0;
}

static int opt_buffer(const struct option *opt, const char *arg, int unset)
{
	struct err err = { 0 };

	return told(&err, ftrace_buffer_size(opt->value, arg, &err));
}

static int opt_graph(const struct option *opt, const char *arg, int unset)
{
	struct err err = { 0 };

	return told(&err, ftrace_graph_options(opt->value, arg, &err));
}

static int opt_func(const struct option *opt, const char *arg, int unset)
{
	struct err err = { 0 };

	return told(&err, ftrace_func_options(opt->value, arg, &err));
}

static int opt_functions(const struct option *opt, const char *arg, int unset)
{
	struct command_line *c = opt->value;

	c->show_functions = !unset;
	c->pattern = arg && *arg ? arg : NULL;
	return 0;
}

#define LIST_OPTION(s, l, list, h)                                                                 \
	OPT_CALLBACK_FLAG(s, l, list, "func", h, opt_text, PARSE_OPT_NONEG)

#define COMMON_OPTIONS(cl, c)                                                                      \
	OPT_STRING('p', "pid", &(c)->target.pids, "pid", "Trace on existing process id"),          \
		OPT_STRING(0, "tid", &(c)->target.tids, "tid",                                     \
			   "Trace on existing thread id (exclusive to --pid)"),                    \
		OPT_INCR('v', "verbose", &(cl)->verbose, "Be more verbose"),                       \
		OPT_BOOLEAN('a', "all-cpus", &(c)->target.all_cpus,                                \
			    "System-wide collection from all CPUs"),                               \
		OPT_STRING('C', "cpu", &(c)->target.cpus, "cpu", "List of cpus to monitor"),       \
		OPT_BOOLEAN(0, "json", &(c)->json, "Print JSON"),                                  \
		OPT_STRING(0, "time", &(c)->time, "start,stop",                                    \
			   "Only what was recorded in this span of time"),                         \
		OPT_STRING('k', "clock", &(c)->clock, "clock", "The clock of the events"),         \
		OPT_CALLBACK('m', "buffer-size", c, "size",                                        \
			     "Size of per cpu buffer, needs to use a B, K, M or G suffix.",        \
			     opt_buffer)

#define EVENT_OPTIONS(c)                                                                           \
	OPT_CALLBACK_FLAG('e', "event", c, "event", "Trace these events: globs, subsystems",       \
			  opt_event, PARSE_OPT_NONEG),                                             \
		OPT_CALLBACK_FLAG(0, "filter", c, "filter",                                        \
				  "The kernel takes events of the last -e that match alone",       \
				  opt_filter, PARSE_OPT_NONEG)

#define FUNCTION_OPTIONS(c)                                                                        \
	LIST_OPTION('T', "trace-funcs", &(c)->funcs,                                               \
		    "Trace given functions using function "                                        \
		    "tracer"),                                                                     \
		LIST_OPTION('N', "notrace-funcs", &(c)->not_funcs,                                 \
			    "Do not trace given functions"),                                       \
		LIST_OPTION('G', "graph-funcs", &(c)->graph,                                       \
			    "Trace given functions using function_graph tracer"),                  \
		LIST_OPTION('g', "nograph-funcs", &(c)->not_graph,                                 \
			    "Set nograph filter on given functions"),                              \
		OPT_CALLBACK(0, "graph-opts", c, "options",                                        \
			     "Graph tracer options, available options: args,retval,retval-hex,"    \
			     "retaddr,nosleep-time,noirqs,verbose,thresh=<n>,depth=<n>,tail",      \
			     opt_graph)

#define TRACE_OPTIONS_OF(cl, c)                                                                    \
	OPT_STRING('t', "tracer", &(c)->tracer, "tracer",                                          \
		   "Tracer to use: function_graph(default) or any other one that there is"),       \
		OPT_CALLBACK_DEFAULT('F', "funcs", cl, "[FILTER]",                                 \
				     "Show available functions to filter", opt_functions, ""),     \
		FUNCTION_OPTIONS(c), EVENT_OPTIONS(c),                                             \
		OPT_CALLBACK(0, "func-opts", c, "options",                                         \
			     "Function tracer options, available options: "                        \
			     "call-graph,irq-info,args",                                           \
			     opt_func),                                                            \
		OPT_UINTEGER('D', "delay", &(c)->delay,                                            \
			     "Number of milliseconds to wait before starting tracing after "       \
			     "program start"),                                                     \
		OPT_BOOLEAN(0, "inherit", &(c)->inherit, "Trace children processes"),              \
		OPT_STRING(0, "blk-dev", &(c)->blk_dev, "device",                                  \
			   "Trace this block device, with the tracer blk")

/* Print how a run has ended. */
static int ended(const struct ftrace_end *end, const struct err *err, int rc)
{
	if (end->closed)
		return EXIT_WRITE;
	if (rc)
		return error_err(err), EXIT_FAILED;
	/* Ctrl-C is how a run without a command ends. */
	if (end->signal && end->signal != SIGINT)
		end_by_signal(end->signal);
	return EXIT_OK;
}

typedef int (*run_fn)(const struct ftrace_conf *c, ftrace_write write, void *ctx,
		      struct ftrace_end *end, struct err *err);

static int run(struct command_line *cl, const char **argv, run_fn fn)
{
	static const struct sysroot here = { 0 };
	struct ftrace_end end = { 0 };
	struct err err = { 0 };
	int rc;

	cl->conf.sysroot = &here;
	cl->conf.notes = &stderr_notices;
	cl->conf.command = (char *const *)argv;
	rc = fn(&cl->conf, write_stdout, NULL, &end, &err);
	ftrace_conf_release(&cl->conf);
	return ended(&end, &err, rc);
}

/* Print a text that a function of the room has made. */
static int shown(struct strbuf *out, int rc, const struct err *err)
{
	if (rc)
		error_err(err);
	else
		print_text(out);
	return rc ? EXIT_FAILED : EXIT_OK;
}

static int run_trace(int argc, const char **argv, struct command_line *cl, bool parsed)
{
	static const char *const usage[] = { "perf ftrace trace [<options>] [<command>]", NULL };
	const struct sysroot here = { 0 };
	const struct option options[] = {
		TRACE_OPTIONS_OF(cl, &cl->conf),
		COMMON_OPTIONS(cl, &cl->conf),
		OPT_END(),
	};
	struct strbuf out = STRBUF_INIT;
	struct err err = { 0 };

	if (!parsed)
		parse_options(argc, argv, options, usage, PARSE_OPT_STOP_AT_NON_OPTION);
	if (cl->show_functions)
		return shown(&out, ftrace_functions(&here, cl->pattern, &out, &err), &err);
	return run(cl, argv, ftrace_trace);
}

static int run_latency(int argc, const char **argv, struct command_line *cl, bool parsed)
{
	static const char *const usage[] = { "perf ftrace latency [<options>] [<command>]", NULL };
	struct ftrace_conf *c = &cl->conf;
	const struct option options[] = {
		LIST_OPTION('T', "trace-funcs", &c->funcs, "Show latency of given function"),
		EVENT_OPTIONS(c),
		OPT_STRING(0, "key", &c->key, "field[,field...]",
			   "The fields that two events have in common (default: the thread)"),
		OPT_BOOLEAN('b', "use-bpf", &c->probes,
			    "Take times by BPF, not by the function graph tracer"),
		OPT_BOOLEAN('n', "use-nsec", &c->durations.nsec, "Use nano-second histogram"),
		OPT_U64(0, "bucket-range", &c->durations.range,
			"Width of all steps of the histogram; 0: each is twice the one before"),
		OPT_U64(0, "min-latency", &c->durations.min, "Where the first step ends"),
		OPT_U64(0, "max-latency", &c->durations.max, "Where the last step begins"),
		OPT_BOOLEAN(0, "hide-empty", &c->durations.hide_empty, "Hide steps without counts"),
		COMMON_OPTIONS(cl, c),
		OPT_END(),
	};

	parse_options(argc, argv, options, usage, PARSE_OPT_STOP_AT_NON_OPTION);
	return run(cl, argv, ftrace_latency);
}

static int run_profile(int argc, const char **argv, struct command_line *cl, bool parsed)
{
	static const char *const usage[] = { "perf ftrace profile [<options>] [<command>]", NULL };
	struct ftrace_conf *c = &cl->conf;
	const struct option options[] = {
		FUNCTION_OPTIONS(c),
		OPT_STRING('s', "sort", &c->sort, "key",
			   "Sort by key: total (default), avg, max, count, self, name"),
		OPT_STRING(0, "by", &c->by, "what",
			   "One row for each function (default), or thread"),
		COMMON_OPTIONS(cl, c),
		OPT_END(),
	};

	parse_options(argc, argv, options, usage, PARSE_OPT_STOP_AT_NON_OPTION);
	return run(cl, argv, ftrace_profile);
}

static int run_marker(int argc, const char **argv, struct command_line *cl, bool parsed)
{
	static const char *const usage[] = { "perf ftrace marker <text>", NULL };
	const struct sysroot here = { 0 };
	const struct option options[] = { OPT_END() };
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	int rc;

	argc = parse_options(argc, argv, options, usage, PARSE_OPT_STOP_AT_NON_OPTION);
	if (argc < 1)
		usage_with_options(usage, options);
	for (int i = 0; i < argc; i++)
		strbuf_addf(&text, "%s%s", i ? " " : "", argv[i]);
	rc = ftrace_mark(&here, strbuf_str(&text), &err);
	strbuf_reset(&text);
	return shown(&text, rc, &err);
}

static int run_small(int argc, const char **argv, struct command_line *cl, bool parsed)
{
	static const char *const usage[] = { "perf ftrace {probes|list|stack} [--json]", NULL };
	const struct sysroot here = { 0 };
	bool *json = &cl->conf.json;
	const struct option options[] = {
		OPT_BOOLEAN(0, "json", json, "Print JSON"),
		OPT_END(),
	};
	const char *verb = argv[0];
	struct strbuf out = STRBUF_INIT;
	struct err err = { 0 };

	if (parse_options(argc, argv, options, usage, PARSE_OPT_STOP_AT_NON_OPTION))
		usage_with_options(usage, options);
	if (!strcmp(verb, "probes"))
		return shown(&out, ftrace_probes(&here, *json, &out, &err), &err);
	if (!strcmp(verb, "list"))
		return shown(&out, ftrace_list(&here, *json, &out, &err), &err);
	return shown(&out, ftrace_stack(&here, *json, &out, &err), &err);
}

static const struct {
	const char *name;
	int (*run)(int argc, const char **argv, struct command_line *cl, bool parsed);
} verbs[] = {
	{ "trace", run_trace },   { "latency", run_latency }, { "profile", run_profile },
	{ "marker", run_marker }, { "probes", run_small },    { "list", run_small },
	{ "stack", run_small },
};

static const char *const names[] = { "trace",  "latency", "profile", "marker",
				     "probes", "list",    "stack",   NULL };

int cmd_ftrace(int argc, const char **argv)
{
	struct command_line cl = {
		.conf.default_tracer = config_get(perf_config(), "ftrace.tracer"),
	};
	const struct option options[] = {
		TRACE_OPTIONS_OF(&cl, &cl.conf),
		COMMON_OPTIONS(&cl, &cl.conf),
		OPT_END(),
	};

	argc = parse_options_subcommand(argc, argv, options, names, usages,
					PARSE_OPT_STOP_AT_NON_OPTION);
	for (size_t i = 0; argc && i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(verbs[i].name, argv[0]))
			return verbs[i].run(argc, argv, &cl, false);
	return run_trace(argc, argv, &cl, true);
}
