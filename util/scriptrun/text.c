// SPDX-License-Identifier: GPL-2.0-or-later
/* Make the writers of samples' lines, once the events are known. */
#include "base/compat.h"
#include "scriptrun/run-internal.h"

#include <errno.h>

void script_text_drop(struct script_run *run)
{
	int i;

	for (i = 0; i < SCRIPT_WORKERS; i++) {
		sample_writer_free(run->writers[i]);
		run->writers[i] = NULL;
	}
	sample_text_free(run->text);
	run->text = NULL;
	sample_metrics_free(run->metrics);
	run->metrics = NULL;
	rows_file_drop(&run->rows);
	view_close(&run->view);
}

/* Prepare to show samples to the programs of users. */
static void make_view(struct script_run *run, const struct sample_text_conf *conf)
{
	const struct view_source of = {
		.session = &run->r->session,
		.machine = conf->machine,
		.symbols = conf->symbols,
		.tracefmt = conf->tracefmt,
		.chains = sample_chain_source(conf),
		.max_stack = conf->hide_callchain ? 0 : conf->max_stack,
		.inlines = conf->inlines,
	};

	if (!run->filter && !run->engine)
		return;
	view_open(&run->view, &of);
	if (run->engine)
		script_engine_ops(run->engine)->events(script_engine_state(run->engine));
}

/* A stream's events may come before what tells of its clock: then times are shown without it. */
static int wall_clock(struct script_run *run, struct sample_time_conf *times, struct err *err)
{
	const struct env *env = &run->r->session.file->env;

	times->wall_offset = env->clock_wall - env->clock_time;
	times->no_wall = !env->clock_wall;
	if (env->clock_wall || recording_is_stream(run->r) ||
	    !sample_fields_shown(&run->fields, &run->r->session.evlist, SF_TOD))
		return 0;
	return err_set(err, -EINVAL,
		       "Can't provide 'tod' time, missing clock data. Please record with "
		       "-k/--clockid option.");
}

/* Make the files of --per-event-dump. */
static int make_files(struct script_run *run, struct err *err)
{
	const struct perf_file *f = run->r->session.file;
	/* Standard input has no name, so its files are called like those of perf.data. */
	const char *path = strcmp(f->path, "-") ? f->path : "perf.data";

	if (!run->o->per_event)
		return 0;
	if (run->files)
		return event_files_more(run->files, &run->r->session.evlist, err);
	run->files = event_files_open(path, &run->r->session.evlist, err);
	return run->files ? 0 : err->code;
}

/* Write the legend of the letters that stand for branch counters. */
static int tell_counters(struct script_run *run, struct err *err)
{
	struct strbuf sb = STRBUF_INIT;
	int ret;

	if (run->legend || rows_file_any(&run->rows) ||
	    !sample_fields_shown(&run->fields, &run->r->session.evlist, SF_BRCNTR))
		return 0;
	run->legend = true;
	if (!run->counters.width)
		notice(run->out->notices, "the recording does not say how wide branch counters are "
					  "(branch_counter_width): they are shown as recorded\n");
	else if (!run->o->names)
		branch_counters_legend(&run->counters, &sb);
	ret = script_write(run, &sb, err);
	strbuf_release(&sb);
	return ret;
}

int script_text_make(struct script_run *run, struct err *err)
{
	struct sample_text_conf conf = {
		.evlist = &run->r->session.evlist,
		.fields = &run->fields,
		.machine = run->r->machine,
		.symbols = run->r->symbols,
		.tracefmt = run->r->formats.tracefmt,
		.max_stack = run->o->max_stack,
		.max_blocks = run->o->max_blocks,
		.inlines = run->o->inlines,
		.full_source_path = run->o->full_source_path,
		.runtime_addresses = run->o->runtime_addresses,
		.hide_callchain = run->o->hide_callchain,
		.narrow = run->o->narrow,
		.kernel_path = run->o->kernel_path,
		.wide_objects = run->o->wide_objects,
		.times = { .form = run->o->delta      ? TIMES_DELTA
				   : run->o->relative ? TIMES_RELATIVE
						      : TIMES_FULL,
			   .nanosecs = run->o->nanosecs },
		.places = &run->places,
		.guests = &run->r->session.guests,
		.counters = &run->counters,
		.arch = run->r->session.file->env.arch,
		.swap = run->r->session.file->swap,
		.unwind_style = run->r->unwind_style,
	};
	int workers = recording_is_stream(run->r) ? 1 : run->workers, ret, i;

	if (run->o->cpus && !evlist_tells_cpus(conf.evlist, recording_is_stream(run->r)))
		return err_set(err, -EINVAL,
			       "File does not contain CPU events. Remove -C option to proceed.");
	ret = sample_fields_check(&run->fields, conf.evlist, run->o->hide_callchain, err);
	/* perf 6.1 finds that amid the records */
	if (ret == -EINVAL && recording_is_stream(run->r))
		run->fault = SCRIPT_FAULT_INVALID;
	if (!ret)
		ret = wall_clock(run, &conf.times, err);
	if (!ret && !recording_is_stream(run->r))
		ret = recording_settle_time(run->r, err);
	if (!ret) {
		ret = recording_bind_switch(run->r, err);
		run->fault = ret ? SCRIPT_FAULT_SWITCH : run->fault;
	}
	if (!ret)
		ret = make_files(run, err);
	if (ret)
		return ret;
	branch_counters_init(&run->counters, run->r->session.file, conf.evlist);
	run->counters.names = run->o->names;
	ret = tell_counters(run, err);
	if (ret)
		return ret;
	run->text = sample_text_new(&conf);
	make_view(run, &conf);
	if (sample_fields_shown(&run->fields, conf.evlist, SF_METRIC))
		run->metrics = sample_metrics_new(conf.evlist);
	for (i = 0; i < workers; i++)
		run->writers[i] = sample_writer_new(run->text);
	return rows_file_any(&run->rows) ? rows_file_make(&run->rows, &conf, workers, err) : 0;
}
