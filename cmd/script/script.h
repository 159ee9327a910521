/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf script: options (builtin-script.c), the run (-run), what is done with each record (-records)
 * and what lines are made of (-text).
 */
#ifndef PERF_CMD_SCRIPT_SCRIPT_H
#define PERF_CMD_SCRIPT_SCRIPT_H

#include "sampletext/branch-counters.h"
#include "sampletext/sample-metric.h"
#include "sampletext/sample-text.h"
#include "script/dlfilter.h"
#include "dump/session-dump.h"
#include "recording/recording.h"
#include "cmd/script/dump.h"
#include "convert/rows-file.h"
#include "sampletext/record-lines.h"
#include "dump/count-lines.h"

#define SCRIPT_WORKERS 64 /* at most */

/* Starts zeroed but for the defaults of options. */
struct script {
	/* options */
	struct recording_options opts;
	bool hide_callchain, nanosecs, narrow, demangle, header, header_only, show_info, raw_dump;
	int verbose;
	const char *wanted, *dsos, *stops, *functions;
	bool all_cpus, delta, relative, checks, unsorted, per_event, kernel_path;
	bool stitch, itrace, trace, call_trace, xed, full_source_path, inlines;
	u64 addr_range;
	unsigned int max_stack, max_blocks;
	const char *dlfilter_name;
	char **dlargs; /* --dlarg */
	size_t nr_dlargs, cap_dlargs;
	bool list_dlfilters;
	struct sample_fields fields;
	/* running */
	struct recording rec;
	struct dump_text dump;
	struct record_lines show;
	struct count_lines stat;
	struct guest_ids guests;
	bool counts; /* the file may have counts, which are taken in one after the other */
	struct place_filter places;
	struct name_list graph_functions;
	struct dlfilter *dlfilter;
	struct script_dump *files; /* --per-event-dump */
	struct rows_file rows;
	u64 last_time, misordered; /* -d */
	struct sample_text *text;
	struct sample_writer *writers[SCRIPT_WORKERS];
	int workers;
	struct sample_metrics *metrics; /* -F metric */
	bool invalid;   /* what was asked for cannot be: the status is that of an argument */
	bool no_switch; /* the events that switch are not in the recording */
	bool unwritten; /* standard output took no more */
	u64 shown;      /* features of a pipe that were printed */
	struct branch_counters counters;
	bool legend; /* of them was printed */
};

/** script_text_make - what is shown depends on what the events have: made when they are known,
 * again when more of them come. */
int script_text_make(struct script *sc, struct err *err);
/** script_text_drop - forget what script_text_make() made. */
void script_text_drop(struct script *sc);

/** script_sinks - what takes the records. */
struct recording_ops script_sinks(const struct script *sc);

/** script_run - show the recording as asked. Return: 0, or negative and a sentence. */
int script_run(struct script *sc, struct err *err);

#endif
