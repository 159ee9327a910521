// SPDX-License-Identifier: GPL-2.0-or-later
/* Begin and end a run, and take its steps in order. */
#include "base/compat.h"
#include "scriptrun/run-internal.h"

#include "base/alloc.h"
#include "base/pool.h"

#include <errno.h>

static int make_place_filter(struct script_run *run, struct err *err)
{
	int ret = 0;

	run->places.range = run->o->addr_range;
	if (run->o->wanted)
		ret = place_filter_symbols(&run->places, run->o->wanted, err);
	if (!ret && run->o->dsos)
		ret = name_list_parse(&run->places.dsos, run->o->dsos, "dso", err);
	if (!ret && run->o->stops)
		ret = name_list_parse(&run->places.stops, run->o->stops, "bt stop", err);
	if (!ret && run->o->functions)
		ret = name_list_parse(&run->graph_functions, run->o->functions, "graph_function",
				      err);
	return ret;
}

/*
 * What depends on the samples before is done one after the other; so is a description of a data
 * source, which is padded to the widest before it.
 */
static int workers_wanted(const struct script_run *run)
{
	if (run->filter || run->engine || run->counts || run->o->delta || run->o->relative ||
	    run->o->checks || run->o->per_event || event_switch_any(&run->r->on_off))
		return 1;
	if (sample_fields_shown(&run->fields, &run->r->session.evlist,
				SF_DATA_SRC | SF_SRCCODE | SF_METRIC))
		return 1;
	return MIN(pool_cpus(), SCRIPT_WORKERS);
}

/* Run the script up to its first sample. */
static int start_engine(struct script_run *run, struct err *err)
{
	int verdict;

	run->start.view = &run->view;
	verdict = script_engine_start(run->engine, &run->start, err);
	if (verdict == SCRIPT_GO_ON)
		run->wants =
			script_engine_ops(run->engine)->wants(script_engine_state(run->engine));
	return script_verdict(run, verdict, err);
}

/* Do all that can fail before anything is read. */
static int start(struct script_run *run, struct err *err)
{
	int ret = rows_file_any(&run->rows) ? rows_file_open(&run->rows, &run->fields, err) : 0;

	if (!ret)
		ret = recording_prepare(run->r, err);
	if (!ret)
		ret = make_place_filter(run, err);
	if (!ret && run->filter)
		ret = dlfilter_start(run->filter, &run->view);
	if (!ret && run->engine)
		ret = start_engine(run, err);
	return ret;
}

/* Read everything, and write it as it comes. */
static int run_records(struct script_run *run, struct err *err)
{
	struct recording_ops ops;
	int ret = start(run, err);

	run->workers = workers_wanted(run);
	ops = script_sinks(run);
	if (!ret)
		ret = recording_ordered(run->r, &ops, run, run->workers, err);
	if (!ret && rows_file_any(&run->rows) && !run->text) /* a pipe without samples */
		ret = script_text_make(run, err);
	return run->enough ? 0 : ret;
}

struct script_run *script_run_new(const struct script_options *o, struct recording *r,
				  const struct script_programs *programs,
				  const struct script_output *out)
{
	struct script_run *run = xzalloc(sizeof(*run));
	struct session *s = &r->session;

	*run = (struct script_run){ .o = o,
				    .r = r,
				    .filter = programs->filter,
				    .engine = programs->engine,
				    .start = programs->start,
				    .out = out };
	run->fields = o->fields;
	run->rows = o->rows;
	run->show = o->show;
	run->show.rec = r;
	run->show.symbols = recording_symbols(r);
	run->show.filter = &r->filter;
	run->counts = !rows_file_any(&run->rows) &&
		      (recording_is_stream(r) || perf_file_has_feature(s->file, HEADER_STAT));
	s->file_order |= run->show.round || o->unsorted;
	s->chains_apart = run->show.deferred;
	if (o->raw_dump) {
		dump_init(&run->dump, s, r->machine, r->symbols);
		s->file->keep_aux = true;
	}
	run->dump.unordered |= o->unsorted;
	return run;
}

int script_run_all(struct script_run *run, struct err *err)
{
	return rows_file_close(&run->rows, run_records(run, err), err);
}

/* Run the end of the script, unless something has failed. */
static int end_engine(struct script_run *run, int ret, struct err *err)
{
	int stopped = run->engine ? script_engine_stop(run->engine, !ret, err) : SCRIPT_GO_ON;

	return ret ?: script_verdict(run, stopped, err);
}

int script_run_end(struct script_run *run, int ret, struct err *err)
{
	struct strbuf lines = STRBUF_INIT;
	int closed, written;

	if (!ret && run->o->checks)
		notice(run->out->notices, "Misordered timestamps: %" PRIu64 "\n", run->misordered);
	closed = event_files_close(run->files, &lines, ret ? NULL : err);
	run->files = NULL;
	ret = ret ?: closed;
	written = script_write(run, &lines, ret ? NULL : err);
	ret = ret ?: written;
	strbuf_release(&lines);
	if (dlfilter_close(run->filter) < 0 && !ret)
		ret = err_set(err, -EINVAL, "the filter failed when it was stopped");
	run->filter = NULL;
	return end_engine(run, ret, err);
}

const struct rows_file *script_run_rows(const struct script_run *run)
{
	return &run->rows;
}

void script_run_free(struct script_run *run)
{
	script_engine_free(run->engine);
	script_text_drop(run);
	place_filter_release(&run->places);
	name_list_release(&run->graph_functions);
	record_lines_release(&run->show);
	count_lines_release(&run->stat);
	dump_text_release(&run->dump);
	free(run->sums.before);
	free(run);
}

enum script_fault script_fault(const struct script_run *run)
{
	return run->fault == SCRIPT_FAULT_OTHER && run->r->bad_time ? SCRIPT_FAULT_INVALID
								    : run->fault;
}

int script_write(struct script_run *run, const struct strbuf *text, struct err *err)
{
	if (!text->len)
		return 0;
	return run->out->write(run->out->ctx, strbuf_str(text), text->len, err);
}
