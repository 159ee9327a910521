// SPDX-License-Identifier: GPL-2.0-or-later
/* perf script: what the lines of samples are made of, once the events are known. */
#include "base/compat.h"

#include "cmd/script/script.h"

#include <errno.h>

void script_text_drop(struct script *sc)
{
	int i;

	for (i = 0; i < SCRIPT_WORKERS; i++) {
		sample_writer_free(sc->writers[i]);
		sc->writers[i] = NULL;
	}
	sample_text_free(sc->text);
	sc->text = NULL;
	sample_metrics_free(sc->metrics);
	sc->metrics = NULL;
	rows_file_drop(&sc->rows);
}

/* A stream's events may come before what tells of its clock: then times are shown without it. */
static int wall_clock(struct script *sc, struct sample_time_conf *times, struct err *err)
{
	const struct env *env = &sc->rec.session.file->env;

	times->wall_offset = env->clock_wall - env->clock_time;
	times->no_wall = !env->clock_wall;
	if (env->clock_wall || recording_is_stream(&sc->rec) ||
	    !sample_fields_shown(&sc->fields, &sc->rec.session.evlist, SF_TOD))
		return 0;
	return err_set(err, -EINVAL,
		       "Can't provide 'tod' time, missing clock data. Please record with "
		       "-k/--clockid option.");
}

/* The files of --per-event-dump. */
static int make_files(struct script *sc, struct err *err)
{
	const struct perf_file *f = sc->rec.session.file;
	/* What stands on standard input has no name. */
	const char *path = strcmp(f->path, "-") ? f->path : "perf.data";

	if (!sc->per_event)
		return 0;
	if (sc->files)
		return script_dump_more(sc->files, &sc->rec.session.evlist, err);
	sc->files = script_dump_open(path, &sc->rec.session.evlist, err);
	return sc->files ? 0 : err->code;
}

/* Print the legend of the letters that stand for branch counters. */
static void tell_counters(struct script *sc)
{
	struct strbuf sb = STRBUF_INIT;

	if (sc->legend || rows_file_any(&sc->rows) ||
	    !sample_fields_shown(&sc->fields, &sc->rec.session.evlist, SF_BRCNTR))
		return;
	sc->legend = true;
	if (!sc->counters.width)
		fprintf(stderr, "the recording does not say how wide branch counters are "
				"(branch_counter_width): they are shown as recorded\n");
	else if (!sc->verbose)
		branch_counters_legend(&sc->counters, &sb);
	fputs(strbuf_str(&sb), stdout);
	fflush(stdout); /* samples are written past it */
	strbuf_release(&sb);
}

int script_text_make(struct script *sc, struct err *err)
{
	struct sample_text_conf conf = {
		.evlist = &sc->rec.session.evlist,
		.fields = &sc->fields,
		.machine = sc->rec.machine,
		.symbols = sc->rec.symbols,
		.tracefmt = sc->rec.formats.tracefmt,
		.max_stack = sc->max_stack,
		.max_blocks = sc->max_blocks,
		.inlines = sc->inlines,
		.full_source_path = sc->full_source_path,
		.hide_callchain = sc->hide_callchain,
		.narrow = sc->narrow,
		.kernel_path = sc->kernel_path,
		.wide_objects = sc->call_trace,
		.times = { .form = sc->delta      ? TIMES_DELTA
				   : sc->relative ? TIMES_RELATIVE
						  : TIMES_FULL,
			   .nanosecs = sc->nanosecs },
		.places = &sc->places,
		.guests = &sc->guests,
		.counters = &sc->counters,
		.arch = sc->rec.session.file->env.arch,
	};
	int workers = recording_is_stream(&sc->rec) ? 1 : sc->workers, ret, i;

	if (sc->opts.cpus && !evlist_tells_cpus(conf.evlist, recording_is_stream(&sc->rec)))
		return err_set(err, -EINVAL,
			       "File does not contain CPU events. Remove -C option to proceed.");
	ret = sample_fields_check(&sc->fields, conf.evlist, sc->hide_callchain, err);
	/* perf 6.1 finds that amid the records */
	sc->invalid |= ret == -EINVAL && recording_is_stream(&sc->rec);
	if (!ret)
		ret = wall_clock(sc, &conf.times, err);
	if (!ret && !recording_is_stream(&sc->rec))
		ret = recording_settle_time(&sc->rec, err);
	if (!ret) {
		ret = recording_bind_switch(&sc->rec, err);
		sc->no_switch = ret;
	}
	if (!ret)
		ret = make_files(sc, err);
	if (ret)
		return ret;
	branch_counters_init(&sc->counters, sc->rec.session.file, conf.evlist);
	sc->counters.names = sc->verbose;
	tell_counters(sc);
	sc->text = sample_text_new(&conf);
	if (sample_fields_shown(&sc->fields, conf.evlist, SF_METRIC))
		sc->metrics = sample_metrics_new(conf.evlist);
	for (i = 0; i < workers; i++)
		sc->writers[i] = sample_writer_new(sc->text);
	return rows_file_any(&sc->rows) ? rows_file_make(&sc->rows, &conf, workers, err) : 0;
}
