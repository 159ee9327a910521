/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a run, private to the room: run.c begins and ends it, records.c takes its records,
 * text.c makes what lines consist of. */
#ifndef PERF_SCRIPTRUN_RUN_INTERNAL_H
#define PERF_SCRIPTRUN_RUN_INTERNAL_H

#include "dump/count-lines.h"
#include "dump/session-dump.h"
#include "sampletext/branch-counters.h"
#include "sampletext/sample-metric.h"
#include "sampletext/sample-text.h"
#include "scriptrun/event-files.h"
#include "scriptrun/scriptrun.h"

#define SCRIPT_WORKERS 64 /* at most */

/* The counts of `perf stat record` for a script, when those of all CPUs and threads are one. */
struct script_sums {
	bool on;
	struct script_count now;     /* of the event at hand, since the start; evsel NULL: none */
	struct script_count *before; /* owned; of each event, up to the round before */
	size_t nr;
};

struct script_run {
	const struct script_options *o;
	struct recording *r;
	struct dlfilter *filter;      /* owned; NULL: none */
	struct script_engine *engine; /* owned; NULL: none */
	struct script_start start;    /* of the engine */
	struct view view;             /* of samples, for both */
	unsigned int wants;           /* of the engine: enum script_wants */
	const struct script_output *out;
	struct sample_fields fields;
	struct rows_file rows;
	struct record_lines show;
	struct dump_text dump;
	struct count_lines stat;
	bool counts; /* the file may have counts, which are taken in one after the other */
	struct place_filter places;
	struct name_list graph_functions;
	struct event_files *files; /* --per-event-dump */
	u64 last_time, misordered; /* with o->checks */
	struct sample_text *text;
	struct sample_writer *writers[SCRIPT_WORKERS];
	int workers;
	struct sample_metrics *metrics; /* -F metric */
	struct branch_counters counters;
	bool legend; /* of them was written */
	u64 shown;   /* features of a stream that were written */
	enum script_fault fault;
	bool enough;             /* the script wants no more */
	struct script_sums sums; /* of counts, for the script */
};

/** script_text_make - make what is shown, which depends on what the events have: when they are
 * known, and again when more of them come. Return: 0, or negative and a sentence. */
int script_text_make(struct script_run *run, struct err *err);
/** script_text_drop - forget what script_text_make() made. */
void script_text_drop(struct script_run *run);

/**
 * script_verdict - turn the verdict of an engine into what a run is told: 0, or nonzero to stop;
 * run->fault says why.
 */
int script_verdict(struct script_run *run, int verdict, struct err *err);
/** script_put_engine - hand a sample to the engine. @at: its thread. Return: as
 * script_verdict(). */
int script_put_engine(struct script_run *run, const struct session_event *ev,
		      const struct thread_at *at, struct err *err);
/** script_put_other - hand any other record to the engine. Return: as script_verdict(). */
int script_put_other(struct script_run *run, const struct session_event *ev, struct err *err);
/** script_flush_engine - have what the script printed written. Return: as script_verdict(). */
int script_flush_engine(struct script_run *run, struct err *err);

/** script_write - write finished text. Return: 0, or negative and a sentence. */
int script_write(struct script_run *run, const struct strbuf *text, struct err *err);

/** script_sinks - return the functions that take the records. */
struct recording_ops script_sinks(const struct script_run *run);

#endif
