// SPDX-License-Identifier: GPL-2.0-or-later
/* perf kwork: how long interrupts, softirqs and works take, and how long they wait. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/commands.h"
#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/pager.h"
#include "cmd/common/settings.h"
#include "cmd/common/signals.h"
#include "cmd/common/source.h"
#include "cmd/common/usage.h"

#include "kworkrun/kworkrun.h"

#include <signal.h>

static const char *const subcommands[] = { "record", "report", "latency", "timehist",
					   "top",    "script", NULL };
static const char *const kwork_usage[] = {
	"perf kwork [<options>] {record|report|latency|timehist|top|script}",
	NULL,
};

/* Options of all verbs may stand before and behind the verb; each verb has others beside them. */
struct command_line {
	struct recording_options source;
	struct kwork_show show;
	const char *classes, *sort;
	bool dump, live;
	int verbose;
	enum kwork_view view; /* of the verb */
};

#define FILTER_OPTIONS(c)                                                                          \
	OPT_STRING('C', "cpu", &(c)->source.cpus, "cpu", "list of cpus to profile"),               \
		OPT_STRING('n', "name", &(c)->show.name, "name", "event name to profile"),         \
		OPT_STRING(0, "time", &(c)->source.time, "str",                                    \
			   "Time span for analysis (start,stop)")

#define COMMON_OPTIONS(c)                                                                          \
	INPUT_OPTIONS(&(c)->source),                                                               \
		OPT_INCR('v', "verbose", &(c)->verbose, "be more verbose (show whole names)"),     \
		OPT_BOOLEAN('D', "dump-raw-trace", &(c)->dump, "dump raw trace in ASCII")

/* @letter: of the option; 0: it has another meaning */
#define CLASS_OPTION(c, letter)                                                                    \
	OPT_STRING(letter, "kwork", &(c)->classes, "kwork",                                        \
		   "list of kwork to profile (irq, softirq, workqueue, sched)")

/* ---- verbs that run other commands ---- */

static const struct {
	enum kwork_class class;
	struct verb_event event;
} recorded[] = {
	{ KWORK_IRQ, { "irq:irq_handler_entry", .needed = true } },
	{ KWORK_IRQ, { "irq:irq_handler_exit", .needed = true } },
	{ KWORK_SOFTIRQ, { "irq:softirq_raise", .needed = true } },
	{ KWORK_SOFTIRQ, { "irq:softirq_entry", .needed = true } },
	{ KWORK_SOFTIRQ, { "irq:softirq_exit", .needed = true } },
	{ KWORK_WORKQUEUE, { "workqueue:workqueue_activate_work", .needed = true } },
	{ KWORK_WORKQUEUE, { "workqueue:workqueue_execute_start", .needed = true } },
	{ KWORK_WORKQUEUE, { "workqueue:workqueue_execute_end", .needed = true } },
	{ KWORK_SCHED, { "sched:sched_switch", .needed = true } },
};

static int run_record(int argc, const char **argv, struct command_line *c,
		      const struct option *parent)
{
	static const char *const before[] = { "-a", "-R", "-m", "1024", "-c", "1" };
	const struct sysroot here = { 0 };
	struct verb_args a;

	verb_args_init(&a, "record");
	for (size_t i = 0; i < ARRAY_SIZE(before); i++)
		verb_args_add(&a, before[i]);
	for (size_t i = 0; i < ARRAY_SIZE(recorded); i++)
		if (!c->show.classes || c->show.classes & KWORK_BIT(recorded[i].class))
			verb_args_events(&a, &here, &recorded[i].event, 1);
	verb_args_users(&a, argc, argv);
	return record_verb(&a, NULL, NULL);
}

static int run_script(int argc, const char **argv, struct command_line *c,
		      const struct option *parent)
{
	return script_verb(&c->source, c->dump, argc, argv);
}

/* ---- verbs that read a recording ---- */

static int write_table(void *ctx, struct analysis *a, struct err *err)
{
	struct command_line *c = ctx;
	struct strbuf text = STRBUF_INIT;
	int ret = c->view == KWORK_TOP ? kwork_top_run(&c->show, a, &text, err)
				       : kwork_table_run(&c->show, c->view, a, &text, err);

	if (!ret) {
		setup_pager();
		print_text(&text);
	}
	strbuf_release(&text);
	return ret;
}

static int write_history(void *ctx, struct analysis *a, struct err *err)
{
	const struct command_line *c = ctx;

	setup_pager();
	return kwork_history_run(&c->show, a, write_stdout, NULL, err);
}

/* Count what the kernel does until the command has ended or a signal comes: without a command,
 * Ctrl-C is the normal end. */
static int count_live(struct command_line *c, const char **command)
{
	const struct sysroot here = { 0 };
	const struct kwork_run_conf conf = {
		.sysroot = &here,
		.show = &c->show,
		.view = c->view,
		.o = &c->source,
		.command = (char *const *)command,
	};
	struct strbuf text = STRBUF_INIT, notes = STRBUF_INIT;
	struct err err = { 0 };
	int sig = 0, ret = kwork_run_live(&conf, &text, &notes, &sig, &err);

	if (ret)
		error_err(&err);
	else
		print_text(&text);
	fputs(strbuf_str(&notes), stderr);
	strbuf_release(&notes);
	if (ret)
		return EXIT_FAILED;
	if (sig && (command[0] || sig != SIGINT)) {
		fflush(stdout);
		end_by_signal(sig);
	}
	return EXIT_OK;
}

/*
 * Parse the options of a verb, which takes no other arguments, and do its work.
 * @classes: those that it shows unless users chose others
 * @possible: those that it can show
 */
static int read_recording(int argc, const char **argv, struct command_line *c,
			  const struct option *options, const char *const usage[], u32 classes,
			  u32 possible, analysis_work work)
{
	struct err err = { 0 };
	int ret;

	argc = parse_options(argc, argv, options, usage, PARSE_OPT_STOP_AT_NON_OPTION);
	if (argc && !c->live)
		usage_with_options(usage, options);
	if (c->live && (c->source.input || c->source.time))
		usage_with_options_msg(
			usage, options,
			"-b counts what happens now, and -i and --time are about a recording");
	if (c->live && heatmap_check_live(c->show.heatmap, &err))
		usage_with_options_msg(usage, options, "%s", err.msg);
	if (c->live && c->view != KWORK_TOP)
		possible &= ~KWORK_BIT(KWORK_SCHED);
	ret = c->classes ? kwork_classes_parse(&c->show.classes, c->classes, &err) : 0;
	if (!ret && c->sort)
		ret = kwork_order_parse(&c->show.order, c->view, c->sort, &err);
	if (ret)
		usage_with_options_msg(usage, options, "%s", err.msg);
	if (c->show.classes & ~possible)
		usage_with_options_msg(usage, options, "--kwork: this verb cannot show all of '%s'",
				       c->classes);
	if (c->dump)
		usage_with_options_msg(usage, options,
				       "-D dumps raw records: perf kwork -D script");
	if (!c->show.classes)
		c->show.classes = classes;
	c->show.whole = c->verbose;
	c->source.verbose = c->verbose;
	source_defaults(&c->source);
	return c->live ? count_live(c, argv) : analyse_recording(&c->source, work, c);
}

#define LIVE_OPTION(c)                                                                             \
	OPT_BOOLEAN('b', "use-bpf", &(c)->live,                                                    \
		    "count in the running kernel by BPF programs; nothing is recorded")

#define ALL (KWORK_BIT(KWORK_CLASSES) - 1)
#define USUAL (ALL & ~KWORK_BIT(KWORK_SCHED))

static int run_report(int argc, const char **argv, struct command_line *c,
		      const struct option *parent)
{
	static const char *const usage[] = { "perf kwork report [<options>] [<command>]", NULL };
	const struct option options[] = {
		FILTER_OPTIONS(c),
		OPT_STRING('s', "sort", &c->sort, "key[,key2...]",
			   "sort by key(s): runtime, max, count"),
		LIVE_OPTION(c),
		HEATMAP_OPTION(&c->show.heatmap, "runs"),
		OPT_BOOLEAN('S', "with-summary", &c->show.summary, "Show summary with statistics"),
		OPT_PARENT(parent),
	};

	c->sort = "runtime,max,count";
	return read_recording(argc, argv, c, options, usage, USUAL, ALL, write_table);
}

static int run_latency(int argc, const char **argv, struct command_line *c,
		       const struct option *parent)
{
	static const char *const usage[] = { "perf kwork latency [<options>] [<command>]", NULL };
	const struct option options[] = {
		FILTER_OPTIONS(c),
		OPT_STRING('s', "sort", &c->sort, "key[,key2...]",
			   "sort by key(s): avg, max, count"),
		HEATMAP_OPTION(&c->show.heatmap, "delays"),
		LIVE_OPTION(c),
		OPT_PARENT(parent),
	};

	c->view = KWORK_LATENCY;
	c->sort = "avg,max,count";
	return read_recording(argc, argv, c, options, usage, USUAL, USUAL, write_table);
}

static int run_timehist(int argc, const char **argv, struct command_line *c,
			const struct option *parent)
{
	static const char *const usage[] = { "perf kwork timehist [<options>]", NULL };
	const struct option options[] = {
		FILTER_OPTIONS(c),
		HEATMAP_OPTION(&c->show.heatmap, "delays"),
		OPT_BOOLEAN('g', "call-graph", &c->show.chains, "Display call chains if present"),
		OPT_STRING('k', "vmlinux", &c->source.vmlinux, "file", "vmlinux pathname"),
		OPT_STRING(0, "kallsyms", &c->source.kallsyms, "file", "kallsyms pathname"),
		OPT_UINTEGER(0, "max-stack", &c->show.max_stack,
			     "Maximum number of functions to display backtrace."),
		SYMFS_OPTION(&c->source),
		COMMON_OPTIONS(c),
		CLASS_OPTION(c, 0),
		OPT_END(),
	};

	c->show.max_stack = 5;
	return read_recording(argc, argv, c, options, usage, USUAL, ALL, write_history);
}

static int run_top(int argc, const char **argv, struct command_line *c, const struct option *parent)
{
	static const char *const usage[] = { "perf kwork top [<options>] [<command>]", NULL };
	const u32 classes = ALL & ~KWORK_BIT(KWORK_WORKQUEUE);
	const struct option options[] = {
		FILTER_OPTIONS(c),
		OPT_STRING('s', "sort", &c->sort, "key[,key2...]",
			   "sort by key(s): rate, runtime, tid"),
		LIVE_OPTION(c),
		OPT_PARENT(parent),
	};

	c->view = KWORK_TOP;
	c->sort = "rate,runtime,tid";
	return read_recording(argc, argv, c, options, usage, classes, classes, write_table);
}

static const struct {
	const char *name;
	int (*run)(int argc, const char **argv, struct command_line *c,
		   const struct option *parent);
} verbs[] = {
	{ "record", run_record },     { "report", run_report }, { "latency", run_latency },
	{ "timehist", run_timehist }, { "top", run_top },       { "script", run_script },
};

int cmd_kwork(int argc, const char **argv)
{
	struct command_line c = { .verbose = debug_level("verbose") };
	struct err err = { 0 };
	const struct option options[] = {
		COMMON_OPTIONS(&c),
		CLASS_OPTION(&c, 'k'),
		OPT_END(),
	};

	argc = parse_options_subcommand(argc, argv, options, subcommands, kwork_usage,
					PARSE_OPT_STOP_AT_NON_OPTION);
	if (!argc)
		usage_with_options(kwork_usage, options);
	if (c.classes && kwork_classes_parse(&c.show.classes, c.classes, &err))
		usage_with_options_msg(kwork_usage, options, "%s", err.msg);
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strncmp(verbs[i].name, argv[0], MAX(strlen(argv[0]), (size_t)3)))
			return verbs[i].run(argc, argv, &c, options);
	usage_with_options_msg(kwork_usage, options, "Unknown command: %s", argv[0]);
}
