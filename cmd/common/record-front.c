// SPDX-License-Identifier: GPL-2.0-or-later
/* Run a recorder for a command: read the configuration and the options, and print what is said of
 * them. */
#include "base/compat.h"
#include "cmd/common/record-front.h"

#include "base/alloc.h"
#include "base/units.h"
#include "bpf/filter.h"
#include "cmd/common/message.h"
#include "cmd/common/progress.h"
#include "cmd/common/sdt.h"
#include "cmd/common/settings.h"
#include "cmd/common/usage.h"
#include "recordopts/settle.h"
#include "recordopts/values.h"

#include <unistd.h>

/* --- the options ---------------------------------------------------------------------- */

/* The configuration's defaults, before the options are read. */
static void take_defaults(struct record_front *f)
{
	struct record_opts *o = &f->o;
	const char *ids = NULL, *aio = NULL, *queue = NULL;
	u64 budget = o->ring.budget, bytes;

	config_default_u64("record.sample-budget", &budget);
	o->ring.budget = (unsigned int)MIN(budget, (u64)100);
	config_default_str("record.aio", &aio);
	if (aio)
		record_aio_default(&o->ring, aio);
	config_default_str("record.unwind-queue", &queue);
	if (queue && !bytes_parse(queue, &bytes))
		fprintf(stderr, "bad config value for 'record.unwind-queue', ignoring...\n");
	else if (queue)
		o->ring.unwind_queue = bytes;
	config_default_str("record.build-id", &ids);
	if (ids && record_buildid_default(o, ids))
		fprintf(stderr, "bad config value for 'record.build-id', ignoring...\n");
}

/* Combine what the options say. Return: 0, or the exit status when it has said what is wrong. */
static int settle(struct record_front *f, struct record_settling *s, const char *const usage[],
		  const struct option *table)
{
	const char *servers = f->given.debuginfod;
	bool named = f->evlist.nr;
	struct err err = { 0 };
	int status, rc;

	if (servers && strcmp(servers, "system"))
		setenv("DEBUGINFOD_URLS", servers, 1);
	rc = record_settle(s, &err);
	if (!rc) {
		status = filters_settle(&f->filter, named);
		if (status)
			return status;
		rc = record_settle_events(s, &err);
	}
	if (!rc)
		return 0;
	error_err(&err);
	if (s->option)
		usage_one_option(usage, table, s->option, false);
	return EXIT_REFUSED;
}

/* --- the recorder --------------------------------------------------------------------- */

static void show_try(void *ctx, const struct open_try *t)
{
	open_show_try(ctx, t);
}

struct record_notes record_front_notes(struct record_front *f)
{
	return (struct record_notes){ .always = &stderr_notices,
				      .info = f->quiet ? NULL : &stderr_notices,
				      .detail = f->verbose ? &stderr_notices : NULL,
				      .tried = f->verbose > 1 ? show_try : NULL,
				      .tried_ctx = &f->shown };
}

static int open_events(struct recorder *r, struct progress *progress, struct err *err)
{
	int rc = recorder_open(r, err);

	progress_close(progress);
	return rc;
}

static void record(struct record_front *f)
{
	struct record_hooks hooks = {
		.notes = record_front_notes(f),
		/* what -vv shows is lines of its own */
		.progress = f->quiet || f->verbose ? NULL : progress_open(),
		.control = &f->control,
	};
	const struct record_events events = { &f->evlist, &f->triggers, &f->begins, &f->ends };
	struct recorder *r = recorder_new(&f->o, &f->sysroot, &events, &hooks);
	struct err err = { 0 };

	if (recorder_prepare(r, &err)) {
		progress_close(hooks.progress);
		error_err(&err);
	} else if (open_events(r, hooks.progress, &err)) {
		fprintf(stderr, "Error:\n");
		error_err(&err);
	} else if (recorder_record(r, &err)) {
		error_err(&err);
	}
	recorder_close(r, &f->result);
	control_close(&f->control);
}

static void dry_run(struct record_front *f)
{
	record_opts_events(&f->o, &f->evlist);
	for (size_t i = 0; i < f->evlist.nr && f->verbose > 1; i++)
		open_show_attr(&f->evlist.evsels[i]->attr, f->evlist.evsels[i]);
}

static int setup_filter(const struct record_front *f)
{
	struct err err = { 0 };
	size_t nr = 0;
	int rc;

	if (!strcmp(f->setup_filter, "pin"))
		rc = bpf_filter_pin(&f->sysroot, &err);
	else if (!strcmp(f->setup_filter, "unpin"))
		rc = bpf_filter_unpin(&f->sysroot, &err);
	else
		rc = bpf_filter_pinned(&f->sysroot, &nr, &err);
	if (rc)
		error_err(&err);
	else if (!strcmp(f->setup_filter, "list"))
		printf("Filters of all users are possible; %zu in use.\n", nr);
	return rc ? EXIT_FAILED : 0;
}

/* Do what was asked for. Return: exit status. */
static int act(struct record_front *f)
{
	char *dir = buildid_cache_dir();

	f->o.cache_dir = dir;
	f->o.release_late = sdt_probes_made();
	f->result.status = 0;
	if (f->setup_filter)
		f->result.status = setup_filter(f);
	else if (f->dry_run)
		dry_run(f);
	else
		record(f);
	free(dir);
	return f->result.status;
}

int record_front_read(struct record_front *f, int argc, const char **argv,
		      const struct option *table, const char *const usage[])
{
	struct record_settling settling = { .opts = &f->o,
					    .given = &f->given,
					    .sysroot = &f->sysroot,
					    .evlist = &f->evlist,
					    .triggers = &f->triggers,
					    .begins = &f->begins,
					    .ends = &f->ends,
					    .always = &stderr_notices };

	f->verbose = debug_level("verbose");
	take_defaults(f);
	event_arg_start(&f->sources, &f->sysroot);
	f->sources.env.programs = true;
	sdt_probe_on_demand(&f->sources.env);
	argc = parse_options(argc, argv, table, usage, PARSE_OPT_STOP_AT_NON_OPTION);
	settling.machines = f->sources.env.machines;
	event_sources_release(&f->sources);
	f->o.command = argc ? (char *const *)argv : NULL;
	settling.controlled = f->control.given;
	settling.info = f->quiet ? NULL : &stderr_notices;
	settling.advise = f->advise && isatty(STDERR_FILENO);
	settling.detail = f->verbose ? &stderr_notices : NULL;
	if (record_settle_target(&settling))
		usage_with_options_msg(
			usage, table,
			"  Error: cgroup monitoring only available in system-wide mode\n");
	return f->setup_filter ? 0 : settle(f, &settling, usage, table);
}

void record_front_release(struct record_front *f)
{
	evlist_release(&f->evlist);
	evlist_release(&f->triggers);
	evlist_release(&f->begins);
	evlist_release(&f->ends);
	delay_spans_release(&f->o.spans);
}

int record_front_run(struct record_front *f, int argc, const char **argv,
		     const struct option *table, const char *const usage[], int (*check)(void *ctx),
		     void *ctx)
{
	const char **words = xcalloc((size_t)argc + 1, sizeof(*words));
	int status;

	/* the parser moves argv about; the file is to hold what was typed */
	memcpy(words, argv, (size_t)argc * sizeof(*words));
	f->o.argc = argc;
	f->o.argv = words;
	status = record_front_read(f, argc, argv, table, usage);
	if (!status && check)
		status = check(ctx);
	if (!status)
		status = act(f);
	record_front_release(f);
	free(words);
	return status;
}
