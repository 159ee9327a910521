// SPDX-License-Identifier: GPL-2.0-or-later
/* perf bench: benchmarks of the kernel, of the C library and of perf itself. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/message.h"
#include "cmd/common/usage.h"

#include "base/alloc.h"
#include "base/suggest.h"
#include "base/sysroot.h"
#include "bench/bench.h"
#include "benchown/benchown.h"

#include <errno.h>
#include <sys/prctl.h>

#define MOST_NAMES 16 /* benchmarks of a collection */

static const char *const bench_usage[] = {
	"perf bench [<common options>] <collection> <benchmark> [<options>]",
	NULL,
};

static const struct bench_collection *const collections[] = {
	&bench_sched, &bench_syscall,   &bench_mem,        &bench_numa,   &bench_futex,
	&bench_epoll, &bench_internals, &bench_breakpoint, &bench_uprobe,
};

struct command_line {
	const char *format, *baseline;
	unsigned int repeat;
	bool repeat_given, json;
	struct bench_results results;
};

static void list_collections(void)
{
	size_t i;

	printf("Usage: \n\t%s\n\n        # List of all available benchmark collections:\n\n",
	       bench_usage[0]);
	for (i = 0; i < ARRAY_SIZE(collections); i++)
		printf("%14s: %s\n", collections[i]->name, collections[i]->summary);
	printf("%14s: %s\n\n", "all", "All benchmarks");
}

static void list_benchmarks(const struct bench_collection *c)
{
	const struct benchmark *m;

	printf("\n        # List of available benchmarks for collection '%s':\n\n", c->name);
	for (m = c->list; m->name; m++)
		printf("%14s: %s\n", m->name, m->summary);
	printf("%14s: %s\n\n", "all", c->all);
}

static void parse(struct bench *b, const struct option *options, const char *const usage[])
{
	parse_options(b->argc, b->argv, options, usage, 0);
}

static void write_text(void *ctx, const char *text, size_t len)
{
	fwrite(text, 1, len, stdout);
	fflush(stdout);
}

/* Run a benchmark as often as asked for. @head: of its line above. Return: the exit status. */
static int run(struct command_line *c, const struct bench_collection *of, const struct benchmark *m,
	       int argc, const char **argv, const char *head)
{
	unsigned int runs = c->repeat_given && !m->repeats ? c->repeat : 1, i;
	char *name = xasprintf("%s/%s", of->name, m->name);
	const char **args = xcalloc((size_t)argc + 1, sizeof(*args));
	char *comm = xasprintf("%s-%s", of->name, m->name);
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	int ret = 0;

	prctl(PR_SET_NAME, comm);
	for (i = 0; i < runs && !ret; i++) {
		struct bench b = {
			.argc = argc,
			.argv = args,
			.given = argv,
			.format = strcmp(c->format, "simple") ? BENCH_DEFAULT : BENCH_SIMPLE,
			.repeat = c->repeat,
			.parse = parse,
			.write = c->json ? NULL : write_text,
			.results = &c->results,
			.of = name,
		};

		memcpy(args, argv, (size_t)argc * sizeof(*args));
		if (head && !i)
			bench_say(&b, head, name);
		ret = m->run(&b, &err);
	}
	if (ret)
		error_err(&err);
	if (!ret && runs > 1 && !c->json) {
		bench_results_text(&c->results, name, &text);
		print_text(&text);
	}
	free(comm);
	free(args);
	free(name);
	return ret < 0 ? EXIT_FAILED : ret;
}

/* Run all of a collection, whatever becomes of each. Return: the exit status. */
static int run_all(struct command_line *c, const struct bench_collection *of)
{
	const struct benchmark *m;
	int status = EXIT_OK, ret;

	for (m = of->list; m->name; m++) {
		ret = run(c, of, m, 1, (const char *[]){ m->name, NULL },
			  "# Running %s benchmark...\n");
		if (!c->json)
			putchar('\n');
		fflush(stdout);
		status = ret ? ret : status;
	}
	return status;
}

static int run_everything(struct command_line *c)
{
	int status = EXIT_OK, ret;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(collections); i++) {
		ret = run_all(c, collections[i]);
		status = ret ? ret : status;
	}
	return status;
}

static const struct bench_collection *find_collection(const char *name)
{
	struct strbuf names = STRBUF_INIT;
	struct err err = { 0 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(collections); i++) {
		if (!strcmp(collections[i]->name, name))
			break;
		strbuf_addf(&names, "%s ", collections[i]->name);
	}
	if (i == ARRAY_SIZE(collections)) {
		err_set(&err, -ENOENT, "Unknown collection: '%s'", name);
		err_suggest(&err, name, strlen(name), strbuf_str(&names));
		error_err(&err);
	}
	strbuf_release(&names);
	return i < ARRAY_SIZE(collections) ? collections[i] : NULL;
}

static void no_options(int argc, const char **argv)
{
	const struct option none[] = { OPT_END() };

	parse_options(argc, argv, none, bench_usage, 0);
}

/* Run what the arguments behind the name of a collection say. Return: the exit status. */
static int run_named(struct command_line *c, const struct bench_collection *of, int argc,
		     const char **argv)
{
	const struct option none[] = { OPT_END() };
	const char *names[MOST_NAMES + 1], *head = NULL;
	const struct benchmark *m;
	struct err err = { 0 };
	size_t nr = 0;

	for (m = of->list; m->name && nr + 1 < MOST_NAMES; m++)
		names[nr++] = m->name;
	names[nr++] = "all";
	names[nr] = NULL;
	argc = parse_options_subcommand(argc, argv, none, names, bench_usage,
					PARSE_OPT_STOP_AT_NON_OPTION);
	if (!argc) {
		list_benchmarks(of);
		return EXIT_OK;
	}
	if (!strcmp(argv[0], "all")) {
		no_options(argc, argv);
		return run_all(c, of);
	}
	m = bench_find(of, argv[0], &err);
	if (!m) {
		error_err(&err);
		return 1;
	}
	/* Lists of options are read by programs: they have no line above. */
	if (!strcmp(c->format, "default") && (argc < 2 || strncmp(argv[1], "--list-", 7)))
		head = "# Running '%s' benchmark:\n";
	return run(c, of, m, argc, argv, head);
}

/* Read the earlier run, before the benchmarks take their time. Return: whether it could be. */
static bool read_baseline(const char *path, struct bench_results *before)
{
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	int ret = sysroot_read(NULL, &text, "%s", path);

	if (ret)
		err_set(&err, ret, "could not read %s: %s", path, err_str(ret));
	else
		ret = bench_results_parse(before, strbuf_str(&text), text.len, path, &err);
	if (ret)
		error_err(&err);
	strbuf_release(&text);
	return !ret;
}

/* Tell what was measured. */
static void tell(const struct command_line *c, const struct bench_results *before)
{
	struct strbuf text = STRBUF_INIT;
	double worse;

	if (c->json && c->results.nr)
		bench_results_json(&c->results, &text);
	if (before->nr && !c->json)
		bench_compare(before, &c->results, &text, &worse);
	print_text(&text);
}

int cmd_bench(int argc, const char **argv)
{
	struct command_line c = { .format = "default", .repeat = 10 };
	struct bench_results before = { 0 };
	const struct option options[] = {
		OPT_STRING('f', "format", &c.format, "default|simple",
			   "Specify the output formatting style"),
		OPT_UINTEGER_SET('r', "repeat", &c.repeat, &c.repeat_given,
				 "Specify amount of times to repeat the run"),
		OPT_BOOLEAN(0, "json", &c.json, "Print the figures as JSON, and nothing else"),
		OPT_STRING(0, "baseline", &c.baseline, "file",
			   "Compare the figures with those that --json wrote to a file"),
		OPT_END(),
	};
	const char *names[ARRAY_SIZE(collections) + 2] = { NULL };
	const struct bench_collection *of;
	int status;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(collections); i++)
		names[i] = collections[i]->name;
	names[i] = "all";
	argc = parse_options_subcommand(argc, argv, options, names, bench_usage,
					PARSE_OPT_STOP_AT_NON_OPTION);
	if (strcmp(c.format, "default") && strcmp(c.format, "simple")) {
		error("Unknown format descriptor: '%s'; it is default or simple", c.format);
		return 1;
	}
	if (!c.repeat) {
		error("--repeat is 0; it must be 1 at least");
		return 1;
	}
	if (!argc) {
		list_collections();
		return EXIT_OK;
	}
	if (c.baseline && !read_baseline(c.baseline, &before))
		return EXIT_FAILED;
	if (strcmp(argv[0], "all")) {
		of = find_collection(argv[0]);
		status = of ? run_named(&c, of, argc, argv) : 1;
	} else {
		no_options(argc, argv);
		status = run_everything(&c);
	}
	tell(&c, &before);
	bench_results_release(&c.results);
	bench_results_release(&before);
	return status;
}
