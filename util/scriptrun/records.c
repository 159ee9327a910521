// SPDX-License-Identifier: GPL-2.0-or-later
/* Handle each record of the recording. */
#include "base/compat.h"
#include "scriptrun/run-internal.h"

#include "dump/header-text.h"

static int on_events(void *ctx, struct err *err)
{
	struct script_run *run = ctx;
	const struct session *s = &run->r->session;

	struct strbuf sb = STRBUF_INIT;
	int ret = 0;

	script_text_drop(run);
	if (run->o->features && s->file->pipe) {
		header_features(s->file, &s->evlist, run->o->full, &run->shown, &sb);
		ret = script_write(run, &sb, err);
	}
	strbuf_release(&sb);
	return ret;
}

static int on_ready(void *ctx, struct err *err)
{
	return script_text_make(ctx, err);
}

static int on_state(void *ctx, const struct session_event *ev, bool applied, struct err *err)
{
	struct script_run *run = ctx;

	if (applied)
		record_lines_note(&run->show, ev);
	return 0;
}

static int on_other(void *ctx, const struct session_event *ev, struct err *err)
{
	struct script_run *run = ctx;

	dump_text_note(&run->dump, ev->hdr);
	return 0;
}

static int on_arrived(void *ctx, const struct pipe_record *raw, const wire_header *rec,
		      struct err *err)
{
	struct script_run *run = ctx;

	dump_arrived(&run->dump, raw);
	return 0;
}

/* -d: nothing is shown but how many samples are older than the one before. */
static int check_order(struct script_run *run, const struct sample *s)
{
	if (run->r->filter.nr_spans && !sample_filter_time_takes(&run->r->filter, s->time))
		return 0;
	if (s->time < run->last_time) {
		notice(run->out->notices,
		       "Samples misordered, previous: %" PRIu64 " this: %" PRIu64 "\n",
		       run->last_time, s->time);
		run->misordered++;
	}
	run->last_time = s->time;
	return 0;
}

static int ask_dlfilter(struct script_run *run, struct sample_writer *w,
			const struct session_event *ev, bool early)
{
	const struct sample *s = ev->sample;

	return dlfilter_call(run->filter, ev, sample_writer_thread(w, s->pid, s->tid, ev->time),
			     early);
}

static void put_metrics(struct script_run *run, struct sample_writer *w,
			const struct session_event *ev, struct strbuf *out)
{
	const struct sample *s = ev->sample;
	const struct thread_at *at = sample_writer_thread(w, s->pid, s->tid, ev->time);

	if (run->fields.kind[sample_kind_of(ev->evsel)].fields & SF_METRIC)
		sample_metrics_put(run->metrics, w, ev->evsel, s,
				   machine_comm(run->r->machine, at->comm), out);
}

/* -D: what is left out by time or CPU, or counted only, has no lines of its thread. */
static void put_dump(struct script_run *run, struct sample_writer *w,
		     const struct session_event *ev, struct strbuf *out)
{
	const struct sample *s = ev->sample;
	bool told = s && !run->o->checks &&
		    (!run->r->filter.any || (sample_filter_time_takes(&run->r->filter, s->time) &&
					     sample_filter_takes_cpu(&run->r->filter, s->cpu)));

	dump_event(&run->r->session, &run->dump, ev,
		   told ? sample_writer_thread(w, s->pid, s->tid, ev->time) : NULL, out);
}

/* A task that is about to end may be sampled as one of the idle task's: --pid is of the thread. */
static bool passes(struct script_run *run, struct sample_writer *w, const struct session_event *ev)
{
	const struct sample *s = ev->sample;
	const struct thread_at *at = NULL;

	if (run->r->filter.comms.set || run->r->filter.nr_pids)
		at = sample_writer_thread(w, s->pid, s->tid, ev->time);
	return sample_filter_match(&run->r->filter, at ? at->pid : s->pid, s->tid, s->cpu, s->time,
				   at ? machine_comm(run->r->machine, at->comm) : "");
}

/* Return: 1: to be shown, 0: not, or negative: stop. */
static inline int takes_sample(struct script_run *run, struct sample_writer *w,
			       const struct session_event *ev)
{
	const struct sample *s = ev->sample;
	int ret;

	if (run->filter) {
		ret = ask_dlfilter(run, w, ev, true);
		if (ret)
			return MIN(ret, 0);
	}
	if (run->r->filter.any && !passes(run, w, ev))
		return 0;
	if (!sample_writer_wants(w, s, ev->time) || run->graph_functions.set)
		return 0;
	if (!recording_switch_takes(run->r, ev))
		return 0;
	if (run->filter) {
		ret = ask_dlfilter(run, w, ev, false);
		if (ret)
			return MIN(ret, 0);
	}
	return 1;
}

static int put_sample(struct script_run *run, int worker, const struct session_event *ev,
		      struct strbuf *out, struct err *err)
{
	const struct sample *s = ev->sample;
	size_t len = out->len;
	int ret;

	if (run->engine)
		return script_put_engine(
			run, ev,
			sample_writer_thread(run->writers[worker], s->pid, s->tid, ev->time), err);
	if (rows_file_any(&run->rows)) {
		rows_put(run->rows.writers[worker], ev->evsel, ev->sample, ev->time, out);
		return 0;
	}
	sample_writer_put(run->writers[worker], ev->evsel, ev->sample, ev->time, out);
	if (run->metrics)
		put_metrics(run, run->writers[worker], ev, out);
	if (!run->files ||
	    !sample_fields_of(&run->fields, ev->evsel)) /* shown or counted nowhere */
		return 0;
	ret = event_files_put(run->files, ev->evsel, out->buf + len, out->len - len, err);
	out->len = len;
	return ret;
}

/* A record that is no sample. */
static void put_other(struct script_run *run, struct sample_writer *w,
		      const struct session_event *ev, struct strbuf *out)
{
	if (rows_file_any(&run->rows)) {
		rows_file_show(&run->rows, &run->show, ev, out);
		return;
	}
	record_lines_put(&run->show, w, ev, out);
	if (run->counts && !run->engine)
		count_lines_put(&run->stat, &run->r->session, ev, out);
}

static int on_record(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct script_run *run = ctx;
	struct sample_writer *w = run->writers[worker];
	int ret;

	if (run->o->raw_dump)
		put_dump(run, w, ev, out);
	if (!ev->sample) {
		put_other(run, w, ev, out);
		return run->wants ? script_put_other(run, ev, err) : 0;
	}
	if (ev->part == PART_RECORD)
		return 0;
	if (run->o->checks)
		return check_order(run, ev->sample);
	ret = takes_sample(run, w, ev);
	return ret > 0 ? put_sample(run, worker, ev, out, err) : ret;
}

static void on_soon(void *ctx, int worker, const struct session_event *ev)
{
	struct script_run *run = ctx;

	if (run->rows.writers[worker])
		rows_soon(run->rows.writers[worker], ev->evsel, ev->sample, ev->time);
}

static void on_finish(void *ctx, int worker, struct strbuf *out)
{
	struct script_run *run = ctx;

	if (run->rows.writers[worker])
		rows_finish(run->rows.writers[worker], out);
}

/* Handle a record at once: what a program of the user prints has to stand where it printed it. */
static int on_record_now(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
			 struct err *err)
{
	struct script_run *run = ctx;
	int ret = on_record(ctx, worker, ev, out, err);

	if (run->engine && out->len) {
		int flushed = script_flush_engine(run, err);

		ret = ret ? ret : flushed;
	}
	if (run->rows.out) {
		on_finish(ctx, worker, out);
		run->out->flush(run->out->ctx);
		ret = ret ? ret : rows_file_write(&run->rows, out->buf, out->len);
	} else {
		ret = script_write(run, out, err) ?: ret;
	}
	strbuf_reset(out);
	return ret;
}

static int on_text(void *ctx, const char *text, size_t len, struct err *err)
{
	struct script_run *run = ctx;

	if (run->rows.out)
		return rows_file_write(&run->rows, text, len);
	return run->out->write(run->out->ctx, text, len, err);
}

struct recording_ops script_sinks(const struct script_run *run)
{
	return (struct recording_ops){
		.formats = true,
		.events = on_events,
		.ready = on_ready,
		.state = record_lines_any(&run->show) ? on_state : NULL,
		.other = run->o->raw_dump ? on_other : NULL,
		.arrived = run->o->raw_dump ? on_arrived : NULL,
		.format = run->filter || run->engine ? on_record_now : on_record,
		.soon = rows_file_any(&run->rows) ? on_soon : NULL,
		.finish = rows_file_any(&run->rows) ? on_finish : NULL,
		.write = on_text,
		.all = run->o->raw_dump || record_lines_any(&run->show) || run->wants ||
		       (run->counts && !recording_is_stream(run->r)),
	};
}
