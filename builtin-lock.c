// SPDX-License-Identifier: GPL-2.0-or-later
/* perf lock: which locks of the kernel are taken, and who waits for them. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/commands.h"
#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/settings.h"
#include "cmd/common/signals.h"
#include "cmd/common/source.h"
#include "cmd/common/usage.h"

#include "lockrun/lockrun.h"

#include <errno.h>
#include <signal.h>

static const char *const subcommands[] = {
	"record", "report", "script", "info", "contention", NULL
};
static const char *const lock_usage[] = {
	"perf lock [<options>] {record|report|script|info|contention}",
	NULL,
};

/* Options of all verbs may stand before and behind the verb; each verb has others beside them. */
struct command_line {
	struct recording_options source;
	struct lock_show show;
	const char *fields, *key, *types; /* as given; parsed when the view is known */
	const char *output;
	bool dump, combine, by_task, by_lock, by_cgroup, by_owner, live, user;
	struct lock_run run; /* of contention -b */
	u32 nr_delays;
	int verbose;
};

#define TABLE_OPTIONS(c)                                                                           \
	OPT_U64('E', "entries", &(c)->show.entries, "display this many functions"),                \
		OPT_STRING('F', "field", &(c)->fields, "field[,field...]", "output fields"),       \
		OPT_STRING('k', "key", &(c)->key, "key", "key for sorting")

#define USER_OPTION(c)                                                                             \
	OPT_BOOLEAN(0, "user", &(c)->user, "locks of programs (futexes), not those of the kernel")

/* ---- verbs that run other commands ---- */

static int run_record(int argc, const char **argv, struct command_line *c,
		      const struct option *parent)
{
	static const char *const usage[] = {
		"perf lock record [<options>] [<command>]",
		"perf lock record [<options>] -- <command> [<options>]",
		NULL,
	};
	const struct sysroot here = { 0 };
	const struct option options[] = { USER_OPTION(c), OPT_END() };
	struct verb_args a;

	argc = parse_options(argc, argv, options, usage, RECORD_VERB_PARSING);
	lock_record_args(&a, &here, c->user, argc, argv);
	return record_verb(&a, usage, options);
}

static int run_script(int argc, const char **argv, struct command_line *c,
		      const struct option *parent)
{
	return script_verb(&c->source, c->dump, argc, argv);
}

/* ---- verbs that read a recording ---- */

static int drop_output(struct strbuf *text, struct strbuf *notes, int ret)
{
	strbuf_release(text);
	strbuf_release(notes);
	return ret;
}

/* Write on stderr, as perf 6.1 does, or into the file that was asked for. */
static int write_output(const struct command_line *c, struct strbuf *text, struct strbuf *notes,
			struct err *err)
{
	FILE *f = c->output ? fopen(c->output, "w") : stderr;
	int ret = f ? 0 : -errno;

	if (f && fwrite(strbuf_str(text), 1, text->len, f) != text->len)
		ret = -EIO;
	if (f && c->output && fclose(f))
		ret = -EIO;
	fputs(strbuf_str(notes), stderr);
	drop_output(text, notes, 0);
	return ret && c->output
		       ? err_set(err, ret, "cannot write '%s': %s", c->output, err_str(ret))
		       : 0;
}

static int work(void *ctx, struct analysis *a, struct err *err)
{
	const struct command_line *c = ctx;
	struct strbuf text = STRBUF_INIT, notes = STRBUF_INIT;
	int ret = (c->user ? lock_show_futexes : lock_show_run)(&c->show, a, &text, &notes, err);

	return ret ? drop_output(&text, &notes, ret) : write_output(c, &text, &notes, err);
}

static int choose(struct command_line *c, struct err *err)
{
	int ret = c->fields ? lock_fields_parse(&c->show, c->fields, err) : 0;

	if (!ret && c->key)
		ret = lock_key_parse(&c->show, c->key, err);
	if (!ret && c->types)
		ret = lock_types_parse(&c->show, c->types, err);
	return ret ? ret : lock_show_settle(&c->show, err);
}

/* Count waits until the command has ended or a signal comes: without a command, Ctrl-C is the
 * normal end. */
static int run_live(struct command_line *c)
{
	const struct sysroot here = { 0 };
	struct strbuf text = STRBUF_INIT, notes = STRBUF_INIT;
	struct err err = { 0 };
	int sig = 0, ret;

	c->run.sysroot = &here;
	c->run.show = &c->show;
	c->run.o = &c->source;
	c->run.force = c->source.force;
	ret = lock_run(&c->run, &text, &notes, &sig, &err);
	if (ret)
		drop_output(&text, &notes, ret);
	else
		ret = write_output(c, &text, &notes, &err);
	if (ret) {
		error_err(&err);
		return EXIT_FAILED;
	}
	if (sig && (c->run.command[0] || sig != SIGINT))
		end_by_signal(sig);
	return EXIT_OK;
}

/* Settle what options say together, and do the work of a verb. */
static int show(struct command_line *c, const struct option *options, const char *const usage[])
{
	struct err err = { 0 };
	int status;

	c->source.verbose = c->show.verbose = c->verbose && !c->show.quiet;
	if (c->dump)
		usage_with_options_msg(usage, options, "-D dumps raw records: perf lock -D script");
	if (choose(c, &err))
		usage_with_options_msg(usage, options, "%s", err.msg);
	source_defaults(&c->source);
	status = c->live ? run_live(c) : analyse_recording(&c->source, work, c);
	lock_show_release(&c->show);
	return status;
}

static int run_report(int argc, const char **argv, struct command_line *c,
		      const struct option *parent)
{
	static const char *const usage[] = { "perf lock report [<options>]", NULL };
	const struct option options[] = {
		TABLE_OPTIONS(c),
		HEATMAP_OPTION(&c->show.heatmap, "waits"),
		OPT_BOOLEAN('t', "threads", &c->by_task, "show per-thread lock stats"),
		OPT_BOOLEAN('c', "combine-locks", &c->combine, "combine locks in the same class"),
		OPT_PARENT(parent),
	};

	c->key = "acquired";
	if (parse_options(argc, argv, options, usage, 0))
		usage_with_options(usage, options);
	if (c->by_task && c->combine)
		usage_with_options_msg(usage, options, "-c combines locks, and -t shows threads");
	c->show.by = c->by_task ? LOCK_BY_TASK : c->combine ? LOCK_BY_CLASS : LOCK_BY_ADDRESS;
	return show(c, options, usage);
}

static int run_info(int argc, const char **argv, struct command_line *c,
		    const struct option *parent)
{
	static const char *const usage[] = { "perf lock info [<options>]", NULL };
	const struct option options[] = {
		OPT_BOOLEAN('t', "threads", &c->show.threads, "dump the thread list"),
		OPT_BOOLEAN('m', "map", &c->show.map,
			    "dump the map of lock instances (address:name table)"),
		OPT_PARENT(parent),
	};

	c->show.view = LOCK_INFO;
	if (parse_options(argc, argv, options, usage, 0))
		usage_with_options(usage, options);
	return show(c, options, usage);
}

static int opt_names(const struct option *opt, const char *arg, int unset)
{
	struct err err = { 0 };

	if (unset) {
		name_list_release(opt->value);
		return 0;
	}
	return name_list_parse(opt->value, arg, opt->long_name, &err) ? error_err(&err) : 0;
}

static int opt_delay(const struct option *opt, const char *arg, int unset)
{
	struct command_line *c = opt->value;

	if (unset)
		c->nr_delays = 0;
	else if (c->nr_delays == LOCK_RUN_DELAYS)
		return -1;
	else
		c->run.delays[c->nr_delays++] = arg;
	return 0;
}

/* Choose what waits are counted by. Return: 0, or -EINVAL and a sentence. */
static int settle_by(struct command_line *c, struct err *err)
{
	if (c->by_task + c->by_lock + c->by_cgroup + c->by_owner > 1)
		return err_set(err, -EINVAL, "-t, -l, -o and --lock-cgroup exclude each other");
	if (c->user && (c->by_task || c->by_lock || c->by_cgroup || c->by_owner || c->live ||
			c->types || c->show.locks.set || c->show.stacks.set || c->show.cgroups.set))
		return err_set(
			err, -EINVAL,
			"-b -t -l -o -Y -L -S -G --lock-cgroup are about locks of the kernel, "
			"and --user about futexes");
	c->show.by = c->by_task     ? LOCK_BY_TASK
		     : c->by_lock   ? LOCK_BY_ADDRESS
		     : c->by_cgroup ? LOCK_BY_CGROUP
		     : c->by_owner  ? LOCK_BY_OWNER
		     : c->user      ? LOCK_BY_FUTEX
				    : LOCK_BY_CALLER;
	return 0;
}

/* Choose whose waits are counted. A recording is filtered, and the kernel told to count no others.
 * Return: 0, or -EINVAL and a sentence. */
static int settle_target(struct command_line *c, const char **command, struct err *err)
{
	struct target *t = &c->run.target;

	if (t->pids && t->tids)
		return err_set(err, -EINVAL, "--pid and --tid exclude each other");
	if (t->all_cpus && (t->pids || t->tids || t->cpus))
		return err_set(err, -EINVAL,
			       "-a is about everything, and -p, --tid and -C are not");
	if (!c->live && command[0])
		return err_set(err, -EINVAL,
			       "waits of a command are counted with -b, or recorded: "
			       "perf lock record -- %s",
			       command[0]);
	if (!c->live && (c->by_owner || c->nr_delays))
		return err_set(err, -EINVAL, "-o and -J need -b: a recording does not have that");
	if (c->live && c->source.input)
		return err_set(err, -EINVAL, "-b counts what happens now, and -i is a recording");
	if (c->live && heatmap_check_live(c->show.heatmap, err))
		return err->code;
	if (c->live && (t->pids || t->tids) && command[0])
		return err_set(err, -EINVAL, "-p and --tid are about tasks that run already");
	c->source.pids = t->pids;
	c->source.tids = t->tids;
	c->source.cpus = t->cpus;
	c->run.command = (char *const *)command;
	return 0;
}

static int run_contention(int argc, const char **argv, struct command_line *c,
			  const struct option *parent)
{
	static const char *const usage[] = {
		"perf lock contention [<options>]",
		"perf lock contention -b [<options>] [<command>]",
		NULL,
	};
	const struct option options[] = {
		TABLE_OPTIONS(c),
		USER_OPTION(c),
		HEATMAP_OPTION(&c->show.heatmap, "waits"),
		OPT_BOOLEAN('b', "use-bpf", &c->live,
			    "count in the running kernel by BPF programs; nothing is recorded"),
		OPT_BOOLEAN('t', "threads", &c->by_task, "show per-thread lock stats"),
		OPT_BOOLEAN('l', "lock-addr", &c->by_lock, "show lock stats by address"),
		OPT_BOOLEAN('o', "lock-owner", &c->by_owner, "show lock owners instead of waiters"),
		OPT_BOOLEAN(0, "lock-cgroup", &c->by_cgroup, "show lock stats by cgroup"),
		OPT_BOOLEAN('a', "all-cpus", &c->run.target.all_cpus,
			    "System-wide collection from all CPUs"),
		OPT_STRING('C', "cpu", &c->run.target.cpus, "cpu", "List of cpus to monitor"),
		OPT_STRING('p', "pid", &c->run.target.pids, "pid", "Trace on existing process id"),
		OPT_STRING(0, "tid", &c->run.target.tids, "tid",
			   "Trace on existing thread id (exclusive to --pid)"),
		OPT_UINTEGER('M', "map-nr-entries", &c->run.entries,
			     "Max number of BPF map entries"),
		OPT_STRING('Y', "type-filter", &c->types, "FLAGS", "Filter specific type of locks"),
		OPT_CALLBACK('L', "lock-filter", &c->show.locks, "ADDRS/NAMES",
			     "Filter specific address/symbol of locks", opt_names),
		OPT_CALLBACK('S', "callstack-filter", &c->show.stacks, "NAMES",
			     "Filter specific function in the callstack", opt_names),
		OPT_CALLBACK('G', "cgroup-filter", &c->show.cgroups, "CGROUPS",
			     "Filter specific cgroups", opt_names),
		OPT_CALLBACK('J', "inject-delay", c, "TIME@LOCK",
			     "Keep a lock so much longer after each wait for it", opt_delay),
		OPT_UINTEGER(0, "max-stack", &c->show.max_stack,
			     "Set the maximum stack depth when collecting lock contention, "
			     "Default: 8"),
		OPT_UINTEGER(0, "stack-skip", &c->show.stack_skip,
			     "Set the number of stack depth to skip when finding a lock caller, "
			     "Default: 0"),
		OPT_STRING('x', "field-separator", &c->show.separator, "separator",
			   "print result in CSV format with custom separator"),
		OPT_PARENT(parent),
	};
	struct err err = { 0 };

	c->show.view = LOCK_CONTENTION;
	c->key = "wait_total";
	c->run.entries = LOCK_RUN_ENTRIES;
	argc = parse_options(argc, argv, options, usage, PARSE_OPT_STOP_AT_NON_OPTION);
	if (settle_by(c, &err) || settle_target(c, argv, &err))
		usage_with_options_msg(usage, options, "%s", err.msg);
	if (!c->run.entries)
		usage_with_options_msg(usage, options, "-M: there must be room for a row");
	return show(c, options, usage);
}

static const struct {
	const char *name;
	int (*run)(int argc, const char **argv, struct command_line *c,
		   const struct option *parent);
} verbs[] = {
	{ "record", run_record }, { "report", run_report },         { "script", run_script },
	{ "info", run_info },     { "contention", run_contention },
};

int cmd_lock(int argc, const char **argv)
{
	struct command_line c = {
		.show = LOCK_SHOW(LOCK_REPORT),
		.verbose = debug_level("verbose"),
	};
	const struct option options[] = {
		INPUT_OPTIONS(&c.source),
		OPT_STRING(0, "output", &c.output, "file", "output file name"),
		OPT_INCR('v', "verbose", &c.verbose,
			 "be more verbose (show call chains and what could not be counted)"),
		OPT_BOOLEAN('D', "dump-raw-trace", &c.dump, "dump raw trace in ASCII"),
		OPT_STRING(0, "vmlinux", &c.source.vmlinux, "file", "vmlinux pathname"),
		OPT_STRING(0, "kallsyms", &c.source.kallsyms, "file", "kallsyms pathname"),
		OPT_BOOLEAN('q', "quiet", &c.show.quiet, "Do not show any warnings or messages"),
		OPT_END(),
	};

	argc = parse_options_subcommand(argc, argv, options, subcommands, lock_usage,
					PARSE_OPT_STOP_AT_NON_OPTION);
	if (!argc)
		usage_with_options(lock_usage, options);
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strncmp(verbs[i].name, argv[0], MAX(strlen(argv[0]), (size_t)3)))
			return verbs[i].run(argc, argv, &c, options);
	usage_with_options_msg(lock_usage, options, "Unknown command: %s", argv[0]);
}
