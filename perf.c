// SPDX-License-Identifier: GPL-2.0-or-later
/* main: the table of commands, the global options, and the exit status. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/commands.h"
#include "cmd/common/words.h"
#include "cmd/common/pager.h"
#include "cmd/common/settings.h"
#include "cmd/common/signals.h"

#include "base/alloc.h"
#include "base/suggest.h"
#include "cli/exec.h"
#include "cli/privileged.h"

#include "perf-paths.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/*
 * One line per command, sorted by name. The summary is what `perf` lists; a command
 * without one works and is not listed.
 */
static const struct command commands[] = {
	{ "annotate", cmd_annotate,
	  "Read perf.data (created by perf record) and display annotated code", RIGHTS_NAMES },
	{ "archive", cmd_archive,
	  "Create archive with object files with build-ids found in perf.data file" },
	{ "bench", cmd_bench, "General framework for benchmark suites" },
	{ "block", cmd_block, "Tool to trace/measure block devices (requests, latencies)",
	  RIGHTS_MEASURE },
	{ "buildid-cache", cmd_buildid_cache, "Manage build-id cache." },
	{ "buildid-list", cmd_buildid_list, "List the buildids in a perf.data file" },
	{ "c2c", cmd_c2c, "Shared Data C2C/HITM Analyzer.", RIGHTS_MEASURE },
	{ "check", cmd_check, "check if features are present in perf" },
	{ "config", cmd_config, "Get and set variables in a configuration file." },
	{ "daemon", cmd_daemon, "Run record sessions on background" },
	{ "data", cmd_data, "Data file related processing" },
	{ "diff", cmd_diff, "Read perf.data files and display the differential profile",
	  RIGHTS_NAMES },
	{ "doctor", cmd_doctor, "Tell what perf can do here, or what a recording lacks",
	  RIGHTS_MEASURE },
	{ "evlist", cmd_evlist, "List the event names in a perf.data file" },
	{ "flame", cmd_flame, "Run a command and write its profile as a page for a browser",
	  RIGHTS_MEASURE },
	{ "ftrace", cmd_ftrace, "simple wrapper for kernel's ftrace functionality" },
	{ "help", cmd_help, NULL },
	{ "inject", cmd_inject, "Filter to augment the events stream with additional information" },
	{ "iostat", cmd_iostat, "Show I/O performance metrics", RIGHTS_MEASURE },
	{ "kallsyms", cmd_kallsyms, "Searches running kernel for symbols", RIGHTS_NAMES },
	{ "kvm", cmd_kvm, "Tool to trace/measure kvm guest os", RIGHTS_MEASURE },
	{ "kwork", cmd_kwork, "Tool to trace/measure kernel work properties (latencies)",
	  RIGHTS_MEASURE },
	{ "kmem", cmd_kmem, "Tool to trace/measure kernel memory properties", RIGHTS_MEASURE },
	{ "list", cmd_list, "List all symbolic event types" },
	{ "lock", cmd_lock, "Analyze lock events", RIGHTS_MEASURE },
	{ "mem", cmd_mem, "Profile memory accesses", RIGHTS_MEASURE },
	{ "probe", cmd_probe, "Define new dynamic tracepoints" },
	{ "record", cmd_record, "Run a command and record its profile into perf.data",
	  RIGHTS_MEASURE },
	{ "report", cmd_report, "Read perf.data (created by perf record) and display the profile",
	  RIGHTS_NAMES },
	{ "sched", cmd_sched, "Tool to trace/measure scheduler properties (latencies)",
	  RIGHTS_MEASURE },
	{ "script", cmd_script, "Read perf.data (created by perf record) and display trace output",
	  RIGHTS_NAMES },
	{ "stat", cmd_stat, "Run a command and gather performance counter statistics",
	  RIGHTS_MEASURE },
	{ "test", cmd_test, "Runs sanity tests." },
	{ "timechart", cmd_timechart, "Tool to visualize total system behavior during a workload",
	  RIGHTS_MEASURE },
	{ "top", cmd_top, "System profiling tool.", RIGHTS_MEASURE },
	{ "trace", cmd_trace, "strace inspired tool", RIGHTS_MEASURE },
	{ "triage", cmd_triage, "Say where the time of a program or of the machine goes",
	  RIGHTS_MEASURE },
	{ "version", cmd_version, "display the version of perf binary" },
};

static const char main_usage[] = "perf [--version] [--help] [OPTIONS] COMMAND [ARGS]";

const struct command *find_command(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

void list_commands(void)
{
	size_t i;

	printf("\n usage: %s\n\n The most commonly used perf commands are:\n", main_usage);
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (commands[i].summary)
			printf("   %-15s %s\n", commands[i].name, commands[i].summary);
	printf("\n See 'perf help COMMAND' for more information on a specific command.\n\n");
}

static void __printf(1, 2) __attribute__((noreturn)) main_usage_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\n\n Usage: %s\n", main_usage);
	exit(OPTIONS_STATUS_USAGE);
}

/* The global options, in the order of --list-opts. */
enum global_kind {
	G_HELP,
	G_VERSION,
	G_EXEC_PATH,
	G_HTML_PATH,
	G_PAGINATE,
	G_NO_PAGER,
	G_BUILDID_DIR,
	G_LIST_CMDS,
	G_LIST_OPTS,
	G_DEBUG
};
static const struct {
	const char *name;
	enum global_kind kind;
} globals[] = {
	{ "--help", G_HELP },
	{ "--version", G_VERSION },
	{ "--exec-path", G_EXEC_PATH },
	{ "--html-path", G_HTML_PATH },
	{ "--paginate", G_PAGINATE },
	{ "--no-pager", G_NO_PAGER },
	{ "--buildid-dir", G_BUILDID_DIR },
	{ "--list-cmds", G_LIST_CMDS },
	{ "--list-opts", G_LIST_OPTS },
	{ "--debug", G_DEBUG },
};

static void __attribute__((noreturn)) leave(void)
{
	exit(finish_output(0));
}

static void list_names(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		printf("%s ", commands[i].name);
	printf("\n");
}

static void list_globals(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(globals); i++)
		printf("%s ", globals[i].name);
	printf("\n");
}

static const char *global_value(const char ***argv, const char *what)
{
	if (!(*argv)[1])
		main_usage_error("%s", what);
	return *++*argv;
}

/* --exec-path prints, --exec-path=DIR sets. */
static void exec_path_option(const char *value)
{
	if (*value == '=') {
		setenv("PERF_EXEC_PATH", value + 1, 1);
		return;
	}
	printf("%s\n", exec_path());
	leave();
}

static void debug_option(const char *arg)
{
	if (!debug_set(arg))
		main_usage_error("Unknown option name '%.*s'", (int)strcspn(arg, "="), arg);
}

/* Take one global option at *argv; move *argv over its value, if it has one of its own. */
static void global_option(const char ***argv)
{
	const char *arg = **argv;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(globals); i++) {
		size_t len = strlen(globals[i].name);

		if (!strncmp(arg, globals[i].name, len) &&
		    (!arg[len] || (arg[len] == '=' && globals[i].kind == G_EXEC_PATH)))
			break;
	}
	if (i == ARRAY_SIZE(globals))
		main_usage_error("Unknown option: %s", arg);
	switch (globals[i].kind) {
	case G_EXEC_PATH:
		exec_path_option(arg + strlen("--exec-path"));
		break;
	case G_HTML_PATH:
		printf("%s\n", PERF_DOC_PATH);
		leave();
	case G_PAGINATE:
		force_pager(true);
		break;
	case G_NO_PAGER:
		force_pager(false);
		break;
	case G_BUILDID_DIR:
		setenv("PERF_BUILDID_DIR",
		       global_value(argv, "No directory given for --buildid-dir."), 1);
		break;
	case G_LIST_CMDS:
		list_names();
		leave();
	case G_LIST_OPTS:
		list_globals();
		leave();
	case G_DEBUG:
		debug_option(global_value(argv, "No variable specified for --debug."));
		break;
	case G_HELP:
	case G_VERSION:
		break; /* commands, see command_word() */
	}
}

/* --list-words=KIND, which completion asks, is in no list. Return: it was that. */
static bool list_words(const char *arg)
{
	static const char name[] = "--list-words=";
	struct strbuf out = STRBUF_INIT;
	bool known;

	if (strncmp(arg, name, strlen(name)) != 0)
		return false;
	known = words_of(arg + strlen(name), &out);
	if (known)
		printf("%s\n", strbuf_str(&out));
	strbuf_release(&out);
	return known;
}

/* The options that are commands by another name. */
static const char *command_word(const char *arg)
{
	if (!strcmp(arg, "--help") || !strcmp(arg, "-h"))
		return "help";
	if (!strcmp(arg, "--version") || !strcmp(arg, "-v"))
		return "version";
	if (!strcmp(arg, "-vv"))
		return "-vv";
	return NULL;
}

/* Become the copy of perf that has capabilities, where the command needs some. */
static void become_privileged(const struct command *c, const char **all)
{
	char *copy = xasprintf("%s/privileged/perf", exec_path());

	if (c->rights)
		privileged_become(copy, PERF_BIN_PATH, all);
	free(copy);
}

/*
 * Run a builtin, and see to it that what it printed has arrived. @all are the arguments of main(),
 * for another perf that may do more.
 */
static int run(const struct command *c, int argc, const char **argv, const char **all)
{
	become_privileged(c, all);
	if (c->rights != RIGHTS_MEASURE)
		privileged_drop(c->rights == RIGHTS_NAMES);
	check_pager_config(c->name);
	return finish_output(c->fn(argc, argv) & 0xff);
}

/* Say "perf: 'x' is not a perf-command", and what may have been meant. */
static int unknown_command(const char *name)
{
	struct names names = { 0 };
	const char *best[8];
	size_t i, n;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		names_add(&names, commands[i].name);
	exec_list_dir(&names, exec_path());
	exec_list_path(&names, exec_path());
	names_sort(&names);
	n = suggest(name, (const char *const *)names.v, names.nr, best, ARRAY_SIZE(best));
	fprintf(stderr, "perf: '%s' is not a perf-command. See 'perf --help'.\n", name);
	if (n)
		fprintf(stderr, "\nDid you mean %s?\n", n == 1 ? "this" : "one of these");
	for (i = 0; i < n; i++)
		fprintf(stderr, "\t%s\n", best[i]);
	names_release(&names);
	return 1;
}

static int run_word(int argc, const char **argv, const char **all)
{
	const char *name = argv[0];
	const struct command *c;

	/* perf CMD --help is perf help CMD */
	if (argc >= 2 && !strcmp(argv[1], "--help") && strcmp(name, "help")) {
		argv[1] = name;
		argv[0] = name = "help";
	}
	c = find_command(name);
	if (c)
		return run(c, argc, argv, all);
	exec_external(exec_path(), argv);
	return unknown_command(name);
}

/* A link to the binary called perf-CMD, or trace, is that command. */
static const char *command_of_link(const char *argv0)
{
	const char *base = strrchr(argv0, '/');

	base = base ? base + 1 : argv0;
	if (!strncmp(base, "perf-", 5) && find_command(base + 5))
		return base + 5;
	return !strcmp(base, "trace") && find_command(base) ? base : NULL;
}

/*
 * A file that is opened takes the lowest free descriptor: where a caller has closed a standard
 * stream, messages would go into the file. What takes its place fails like the closed one, because
 * it is open for the other direction only.
 */
static void fill_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, const char **argv)
{
	const char **all = argv, **end = argv + argc, *word;
	const char *link = command_of_link(argc ? argv[0] : "perf");
	const char *with_options[] = { "version", "--build-options", NULL };

	fill_standard_streams();
	heap_ready();
	handle_sigbus();
	privileged_start();
	if (link) {
		const struct command *c = find_command(link);

		/* by the name of the link, which tells the other perf its command */
		become_privileged(c, all);
		argv[0] = link;
		return run(c, argc, argv, all);
	}
	for (argv += !!argc; argv < end && **argv == '-' && !command_word(*argv); argv++) {
		if (!strcmp(*argv, "-p"))
			force_pager(true);
		else if (list_words(*argv))
			leave();
		else
			global_option(&argv);
	}
	if (argv >= end) {
		list_commands();
		return finish_output(1);
	}
	word = command_word(*argv);
	if (word && !strcmp(word, "-vv"))
		return finish_output(cmd_version(2, with_options));
	if (word)
		*argv = word;
	return run_word((int)(end - argv), argv, all);
}
