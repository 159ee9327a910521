// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cmd/mem/record.h"

#include "cmd/common/message.h"
#include "cmd/common/record-front.h"
#include "cmd/common/source.h"
#include "cmd/common/usage.h"

#include "base/alloc.h"
#include "mem/passed.h"

static int list_events(const struct mem_events *e, bool verbose)
{
	struct strbuf text = STRBUF_INIT;

	mem_events_list(e, verbose, &text);
	print_text(&text);
	return e->nr ? EXIT_OK : EXIT_FAILED;
}

/* Run the recorder with our arguments, those that were handed on, and the command. */
static int record(const struct mem_front *f, const struct mem_events *e,
		  const struct verb_args *passed, int argc, const char **argv)
{
	struct verb_args a;
	struct err err = { 0 };

	if (mem_front_record(f, e, &a, &err)) {
		verb_args_release(&a);
		error_err(&err);
		return EXIT_FAILED;
	}
	for (int i = 1; i < passed->nr; i++)
		verb_args_add(&a, passed->v[i]);
	for (int i = 0; i < argc; i++)
		verb_args_add(&a, argv[i]);
	return run_verb(&a);
}

/* Read the options: ours into the front, those of perf record into words. */
static int read_options(int argc, const char **argv, const struct option *options,
			const char *const usage[], struct verb_args *passed)
{
	/* Only the table is of use here: nothing is stored in it. */
	struct record_front *rec = xzalloc(sizeof(*rec));
	const struct option record_options[] = { RECORD_OPTIONS(rec), OPT_END() };
	struct option *all = passed_options(options, record_options, passed);

	argc = parse_options(argc, argv, all, usage, PARSE_OPT_STOP_AT_NON_OPTION);
	free(all);
	free(rec);
	return argc;
}

int mem_record_run(struct mem_front *f, int argc, const char **argv, const struct option *options,
		   const char *const usage[])
{
	const struct sysroot here = { 0 };
	struct mem_events events = { 0 };
	struct verb_args passed;
	int status;

	verb_args_init(&passed, "record");
	argc = read_options(argc, argv, options, usage, &passed);
	mem_events_find(&events, &here, f->ldlat);
	if (f->events && !strcmp(f->events, "list"))
		status = list_events(&events, f->verbose);
	else
		status = record(f, &events, &passed, argc, argv);
	mem_events_release(&events);
	verb_args_release(&passed);
	return status;
}
