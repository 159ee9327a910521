// SPDX-License-Identifier: GPL-2.0-or-later
/* perf script: what is done with each record of the session. */
#include "base/compat.h"
#include "cmd/common/message.h"

#include "cmd/script/script.h"

#include "cmd/common/header.h"

#include <errno.h>
#include <unistd.h>

static int on_events(void *ctx, struct err *err)
{
	struct script *sc = ctx;
	const struct session *s = &sc->rec.session;

	script_text_drop(sc);
	if ((sc->header || sc->show_info) && s->file->pipe)
		print_features(s->file, &s->evlist, sc->show_info, &sc->shown);
	return 0;
}

static int on_ready(void *ctx, struct err *err)
{
	return script_text_make(ctx, err);
}

static int on_state(void *ctx, const struct session_event *ev, bool applied, struct err *err)
{
	struct script *sc = ctx;

	if (applied)
		record_lines_note(&sc->show, ev);
	return 0;
}

static int on_other(void *ctx, const struct session_event *ev, struct err *err)
{
	struct script *sc = ctx;

	if (sc->raw_dump)
		dump_text_note(&sc->dump, ev->hdr);
	guest_ids_note(&sc->guests, ev->hdr);
	return 0;
}

/* -d: nothing is shown but how many samples are older than the one before. */
static int check_order(struct script *sc, const struct sample *s)
{
	if (sc->rec.filter.nr_spans && !sample_filter_time_takes(&sc->rec.filter, s->time))
		return 0;
	if (s->time < sc->last_time) {
		fprintf(stderr, "Samples misordered, previous: %" PRIu64 " this: %" PRIu64 "\n",
			sc->last_time, s->time);
		sc->misordered++;
	}
	sc->last_time = s->time;
	return 0;
}

static int ask_dlfilter(struct script *sc, struct sample_writer *w, const struct session_event *ev,
			bool early)
{
	const struct sample *s = ev->sample;

	return dlfilter_call(sc->dlfilter, ev, sample_writer_thread(w, s->pid, s->tid, ev->time),
			     early);
}

static void put_metrics(struct script *sc, struct sample_writer *w, const struct session_event *ev,
			struct strbuf *out)
{
	const struct sample *s = ev->sample;
	const struct thread_at *at = sample_writer_thread(w, s->pid, s->tid, ev->time);

	if (sc->fields.kind[sample_kind_of(ev->evsel)].fields & SF_METRIC)
		sample_metrics_put(sc->metrics, w, ev->evsel, s,
				   machine_comm(sc->rec.machine, at->comm), out);
}

/* -D: what is left out by time or CPU, or counted only, has no lines of its thread. */
static void put_dump(struct script *sc, struct sample_writer *w, const struct session_event *ev,
		     struct strbuf *out)
{
	const struct sample *s = ev->sample;
	bool told = s && !sc->checks &&
		    (!sc->rec.filter.any || (sample_filter_time_takes(&sc->rec.filter, s->time) &&
					     sample_filter_takes_cpu(&sc->rec.filter, s->cpu)));

	dump_event(&sc->rec.session, &sc->dump, ev,
		   told ? sample_writer_thread(w, s->pid, s->tid, ev->time) : NULL, out);
}

/* A task that is about to end may be sampled as one of the idle task's: --pid is of the thread. */
static bool passes(struct script *sc, struct sample_writer *w, const struct session_event *ev)
{
	const struct sample *s = ev->sample;
	const struct thread_at *at = NULL;

	if (sc->rec.filter.comms.set || sc->rec.filter.nr_pids)
		at = sample_writer_thread(w, s->pid, s->tid, ev->time);
	return sample_filter_match(&sc->rec.filter, at ? at->pid : s->pid, s->tid, s->cpu, s->time,
				   at ? machine_comm(sc->rec.machine, at->comm) : "");
}

/* Return: 1: to be shown, 0: not, or negative: stop. */
static inline int takes_sample(struct script *sc, struct sample_writer *w,
			       const struct session_event *ev)
{
	const struct sample *s = ev->sample;
	int ret;

	if (sc->dlfilter) {
		ret = ask_dlfilter(sc, w, ev, true);
		if (ret)
			return MIN(ret, 0);
	}
	if (sc->rec.filter.any && !passes(sc, w, ev))
		return 0;
	if (!sample_writer_wants(w, s, ev->time) || sc->graph_functions.set)
		return 0;
	if (event_switch_any(&sc->rec.on_off) && !event_switch_takes(&sc->rec.on_off, ev->evsel))
		return 0;
	if (sc->dlfilter) {
		ret = ask_dlfilter(sc, w, ev, false);
		if (ret)
			return MIN(ret, 0);
	}
	return 1;
}

static int put_sample(struct script *sc, int worker, const struct session_event *ev,
		      struct strbuf *out, struct err *err)
{
	size_t len = out->len;
	int ret;

	if (rows_file_any(&sc->rows)) {
		rows_put(sc->rows.writers[worker], ev->evsel, ev->sample, ev->time, out);
		return 0;
	}
	sample_writer_put(sc->writers[worker], ev->evsel, ev->sample, ev->time, out);
	if (sc->metrics)
		put_metrics(sc, sc->writers[worker], ev, out);
	if (!sc->files || !sample_fields_of(&sc->fields, ev->evsel)) /* shown or counted nowhere */
		return 0;
	ret = script_dump_put(sc->files, ev->evsel, out->buf + len, out->len - len, err);
	out->len = len;
	return ret;
}

/* A record that is no sample. */
static void put_other(struct script *sc, struct sample_writer *w, const struct session_event *ev,
		      struct strbuf *out)
{
	if (rows_file_any(&sc->rows)) {
		rows_file_show(&sc->rows, &sc->show, ev, out);
		return;
	}
	record_lines_put(&sc->show, w, ev, out);
	if (sc->counts)
		count_lines_put(&sc->stat, &sc->rec.session, ev, out);
}

static int on_record(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct script *sc = ctx;
	struct sample_writer *w = sc->writers[worker];
	int ret;

	if (sc->raw_dump)
		put_dump(sc, w, ev, out);
	if (!ev->sample) {
		put_other(sc, w, ev, out);
		return 0;
	}
	if (ev->part == PART_RECORD)
		return 0;
	if (sc->checks)
		return check_order(sc, ev->sample);
	ret = takes_sample(sc, w, ev);
	return ret > 0 ? put_sample(sc, worker, ev, out, err) : ret;
}

/* Errors are told as finish_output() does it. */
static int cannot_write(struct script *sc, struct err *err)
{
	sc->unwritten = true;
	return err_set(err, -errno, "write failure on standard output: %s", err_str(-errno));
}

/* What a filter prints stands where it was printed. */
static int on_record_now(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
			 struct err *err)
{
	struct script *sc = ctx;
	int ret = on_record(ctx, worker, ev, out, err);

	if (rows_file_any(&sc->rows)) {
		fflush(stdout);
		ret = ret ? ret : rows_file_write(&sc->rows, out->buf, out->len);
	} else if (out->len && fwrite(out->buf, 1, out->len, stdout) != out->len) {
		ret = cannot_write(sc, err);
	}
	strbuf_reset(out);
	return ret;
}

static int on_text(void *ctx, const char *text, size_t len, struct err *err)
{
	struct script *sc = ctx;
	ssize_t n;

	if (sc->rows.out)
		return rows_file_write(&sc->rows, text, len);
	while (len) {
		n = write(STDOUT_FILENO, text, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return cannot_write(sc, err);
		text += n;
		len -= (size_t)n;
	}
	return 0;
}

static bool wants_guests(const struct script *sc)
{
	for (int i = 0; i < SK_NR; i++)
		if (sc->fields.kind[i].fields & (SF_MACHINE_PID | SF_VCPU))
			return true;
	return false;
}

struct recording_ops script_sinks(const struct script *sc)
{
	return (struct recording_ops){
		.formats = true,
		.events = on_events,
		.ready = on_ready,
		.state = record_lines_any(&sc->show) ? on_state : NULL,
		.other = sc->raw_dump || wants_guests(sc) ? on_other : NULL,
		.format = sc->dlfilter ? on_record_now : on_record,
		.write = on_text,
		.all = sc->raw_dump || record_lines_any(&sc->show) ||
		       (sc->counts && !recording_is_stream(&sc->rec)),
	};
}
