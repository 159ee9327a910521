// SPDX-License-Identifier: GPL-2.0-or-later
/* perf mem: record memory accesses and show them, as a front of perf record and perf report. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/mem/record.h"
#include "cmd/common/message.h"
#include "cmd/common/option-groups.h"
#include "cmd/common/pager.h"
#include "cmd/common/refusal.h"
#include "cmd/common/settings.h"
#include "cmd/common/source.h"
#include "cmd/common/usage.h"

#include "base/pool.h"
#include "mem/mem-dump.h"

static const char *const subcommands[] = { "record", "report", NULL };
static const char *const usage[] = {
	"perf mem [<options>] {record|report}",
	NULL,
};

static int opt_type(const struct option *opt, const char *arg, int unset)
{
	struct mem_front *f = opt->value;
	struct err err = { 0 };

	f->ops = 0;
	return !unset && mem_front_ops(f, arg, &err) ? error_err(&err) : 0;
}

/* Options that both verbs have. @f: a struct mem_front */
#define COMMON_OPTIONS(f)                                                                          \
	OPT_CALLBACK('t', "type", f, "type", "memory operations(load,store) Default load,store",   \
		     opt_type),                                                                    \
		OPT_BOOLEAN('p', "phys-data", &(f)->phys,                                          \
			    "Record/Report sample physical addresses"),                            \
		OPT_BOOLEAN(0, "data-page-size", &(f)->page_size,                                  \
			    "Record/Report sample data address page size"),                        \
		OPT_STRING('C', "cpu", &(f)->cpus, "cpu", "list of cpus to profile"),              \
		OPT_INCR('v', "verbose", &(f)->verbose,                                            \
			 "be more verbose (show counter open errors, etc)")

/* Options of the report. @f: a struct mem_front */
#define REPORT_OPTIONS(f)                                                                          \
	OPT_STRING('i', "input", &(f)->input, "file", "input file name"),                          \
		OPT_BOOLEAN('f', "force", &(f)->force, "don't complain, do it"),                   \
		OPT_BOOLEAN('D', "dump-raw-samples", &(f)->dump, "dump raw samples in ASCII"),     \
		OPT_STRING('x', "field-separator", &(f)->separator, "separator",                   \
			   "separator for columns, no spaces will be added between columns '.' "   \
			   "is reserved."),                                                        \
		OPT_BOOLEAN('U', "hide-unresolved", &(f)->hide_unresolved,                         \
			    "Only display entries resolved to a symbol"),                          \
		OPT_STRING('s', "sort", &(f)->sort, "key[,key2...]",                               \
			   "sort by key(s), as perf report does"),                                 \
		OPT_STRING('F', "fields", &(f)->fields, "key[,key2...]",                           \
			   "output field(s), as those of perf report"),                            \
		OPT_BOOLEAN('T', "type-profile", &(f)->types, "Show the types of the data")

/* The answer to options of the report that are given to the recorder. */
#define OF_REPORT                                                                                  \
	"--input, --force, --dump-raw-samples, --field-separator, --hide-unresolved, --sort, "     \
	"--fields and --type-profile choose what perf mem report shows: give them to it, and "     \
	"leave them out of perf mem record"

static int run_record(struct mem_front *f, int argc, const char **argv)
{
	static const char *const record_usage[] = {
		"perf mem record [<options>] [<command>]",
		"perf mem record [<options>] -- <command> [<options>]",
		NULL,
	};
	const struct option options[] = {
		COMMON_OPTIONS(f), MEM_RECORD_OPTIONS(f),
		OPT_BOOLEAN('K', "all-kernel", &f->all_kernel, "collect only kernel level data"),
		OPT_BOOLEAN('U', "all-user", &f->all_user, "collect only user level data"),
		/* perf 6.1 takes them and does nothing; -D and -i are the recorder's. */
		OPT_GONE(0, "input", OF_REPORT), OPT_GONE('f', "force", OF_REPORT),
		OPT_GONE(0, "dump-raw-samples", OF_REPORT),
		OPT_GONE('x', "field-separator", OF_REPORT),
		OPT_GONE(0, "hide-unresolved", OF_REPORT), OPT_END()
	};

	if (f->input || f->force || f->dump || f->separator || f->hide_unresolved || f->sort ||
	    f->fields || f->types) {
		error("%s", OF_REPORT);
		return EXIT_USAGE;
	}
	return mem_record_run(f, argc, argv, options, record_usage);
}

static const char *const dump_usage[] = { "perf mem report -D [<options>]", NULL };

static bool dump_refused(const struct mem_front *f, const struct recording_options *o,
			 const struct option *options, int *status)
{
	const struct refusal rows[] = {
		{ f->sort || f->fields || f->types,
		  "-s, -F and -T choose rows and columns of the report: leave them out with -D",
		  .no_usage = true, .status = EXIT_USAGE },
		REFUSE_UNREADABLE_SYMBOLS(o, EXIT_REFUSED),
	};

	return refusal_tell(rows, ARRAY_SIZE(rows), dump_usage, options, status);
}

/* Read what stands behind the verb beside the options of the front. Return: false: it is refused,
 * with a message printed. */
static bool dump_options(const struct mem_front *f, struct recording_options *o, int argc,
			 const char **argv, int *status)
{
	bool plain = false;
	const struct option options[] = {
		SYMBOL_OPTIONS(o), SAMPLE_FILTER_OPTIONS(o),
		OPT_STRING('c', "comms", &o->comms, "comm[,comm...]",
			   "only consider symbols in these comms"),
		OPT_BOOLEAN(0, "stdio", &plain, "Use the stdio interface, as a dump always does"),
		OPT_END()
	};

	if (parse_options(argc, argv, options, dump_usage, 0))
		usage_with_options(dump_usage, options);
	return !dump_refused(f, o, options, status);
}

static int dump(const struct mem_front *f, int argc, const char **argv)
{
	const struct mem_dump d = { f->phys, f->page_size, f->hide_unresolved, f->separator,
				    write_stdout };
	struct recording_options o = { .input = f->input, .force = f->force, .cpus = f->cpus };
	struct recording r;
	struct err err = { 0 };
	int ret;

	if (!dump_options(f, &o, argc, argv, &ret))
		return ret;
	source_defaults(&o);
	if (open_recording(&r, &o))
		return EXIT_FAILED;
	setup_pager();
	ret = mem_dump_run(&d, &r, pool_workers(), &err);
	if (ret)
		error_err(&err);
	ret = ret ? EXIT_FAILED : warn_diag(&r.session);
	recording_close(&r);
	return ret;
}

static int run_report(struct mem_front *f, int argc, const char **argv)
{
	const struct option options[] = { COMMON_OPTIONS(f), REPORT_OPTIONS(f), OPT_END() };
	struct verb_args a;

	argc = parse_options(argc, argv, options, usage,
			     PARSE_OPT_KEEP_UNKNOWN | PARSE_OPT_KEEP_ARGV0);
	if (f->dump)
		return dump(f, argc, argv);
	mem_front_report(f, &a, argc, argv);
	return run_verb(&a);
}

int cmd_mem(int argc, const char **argv)
{
	struct mem_front f = { .verbose = debug_level("verbose") };
	const struct option options[] = { COMMON_OPTIONS(&f), REPORT_OPTIONS(&f), OPT_END() };

	argc = parse_options_subcommand(argc, argv, options, subcommands, usage,
					PARSE_OPT_STOP_AT_NON_OPTION);
	if (!argc)
		usage_with_options(usage, options);
	if (strlen(argv[0]) > 2 && !strncmp("record", argv[0], strlen(argv[0])))
		return run_record(&f, argc, argv);
	if (strlen(argv[0]) > 2 && !strncmp("report", argv[0], strlen(argv[0])))
		return run_report(&f, argc, argv);
	usage_with_options(usage, options);
}
