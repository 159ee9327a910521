/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of `perf script`: a recording in, the lines or rows of its samples out, in the order of
 * time. Beside them stand other records, counts, or the raw dump, as the options say.
 *
 *	run = script_run_new(&options, &recording, &programs, &output);
 *	ret = script_run_all(run, &err);
 *	... what the command says of losses ...
 *	ret = script_run_end(run, ret, &err);
 *	script_run_free(run);
 */
#ifndef PERF_SCRIPTRUN_SCRIPTRUN_H
#define PERF_SCRIPTRUN_SCRIPTRUN_H

#include "convert/rows-file.h"
#include "recording/recording.h"
#include "sampletext/record-lines.h"
#include "sampletext/sample-fields.h"
#include "script/dlfilter.h"
#include "script/engine.h"

/* The options of a script run. Strings are borrowed and outlive the run; NULL: not given. */
struct script_options {
	/* which samples, beside those that the recording leaves out */
	const char *wanted, *dsos, *stops, *functions; /* -S, --dsos, --stop-bt, --graph-function */
	u64 addr_range;                                /* with -S */
	const char *cpus;                              /* -C, which needs samples with CPUs */
	/* what is shown of them */
	struct sample_fields fields;
	struct rows_file rows;    /* rows instead of lines */
	struct record_lines show; /* lines of other records */
	bool hide_callchain, inlines, full_source_path, runtime_addresses;
	bool kernel_path, wide_objects;
	bool narrow, nanosecs, delta, relative; /* times */
	bool features; /* of a stream, what it says of itself is shown as it comes */
	bool full;     /* all of that */
	bool raw_dump;
	bool unsorted;  /* records keep the order of the file */
	bool checks;    /* no samples, but which of them are older than the one before */
	bool per_event; /* a file for each event */
	bool names;     /* branch counters are shown with the names of events */
	unsigned int max_stack, max_blocks;
};

/* The destinations of text and messages. */
struct script_output {
	/* Takes text in order. Return: 0, or negative and a sentence, which ends the run. */
	int (*write)(void *ctx, const char *text, size_t len, struct err *err);
	/* Called with a filter: what the filter has printed has to stand in front of what comes. */
	void (*flush)(void *ctx);
	void *ctx;
	const struct notices *notices; /* what users should know; borrowed; may be NULL */
};

/* The programs of users that see samples; NULL: none. */
struct script_programs {
	struct dlfilter *filter;
	struct script_engine *engine; /* gets the samples instead of lines being written */
	struct script_start start;    /* of the engine */
};

struct script_run;

/**
 * script_run_new - prepare a run; nothing is read yet. All is borrowed but the programs
 * themselves, which are owned.
 */
struct script_run *script_run_new(const struct script_options *o, struct recording *r,
				  const struct script_programs *programs,
				  const struct script_output *out);
/** script_run_all - read the recording and write what is asked for. Return: 0, or negative and a
 * sentence, of which script_fault() tells the cause. */
int script_run_all(struct script_run *run, struct err *err);
/**
 * script_run_end - tell what --per-event-dump wrote, and stop the programs.
 * @ret: what script_run_all() returned
 * Return: @ret, or negative and a sentence.
 */
int script_run_end(struct script_run *run, int ret, struct err *err);
/** script_run_rows - return the file of rows, with what is in it after script_run_all(). */
const struct rows_file *script_run_rows(const struct script_run *run);
/** script_run_free - free it; the recording stays open. */
void script_run_free(struct script_run *run);

enum script_fault {
	SCRIPT_FAULT_OTHER,   /* or none */
	SCRIPT_FAULT_INVALID, /* what was asked for cannot be */
	SCRIPT_FAULT_SWITCH,  /* an event that switches is not in the recording */
	SCRIPT_FAULT_SCRIPT,  /* the script has ended itself, and has told why */
};
/** script_fault - return why script_run_all() failed. */
enum script_fault script_fault(const struct script_run *run);

/** script_run_status - return the exit status that the script has chosen, after
 * SCRIPT_FAULT_SCRIPT. */
int script_run_status(const struct script_run *run);

#endif
