/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Timelines as pictures (SVG) and as pages for a browser. A picture of the scheduler has a row for
 * each CPU, for each workqueue, block device and virtual CPU of which there are events, and for
 * each task that ran long enough; one of I/O has a row for each task that has moved enough bytes.
 *
 * The size of a picture depends on its rows and its width and not on the number of events: what is
 * narrower than a pixel is merged to columns, in which each kind has its share of the height. Names
 * are escaped, and nothing in a picture loads or runs.
 */
#ifndef PERF_TIMECHART_TIMECHART_H
#define PERF_TIMECHART_TIMECHART_H

#include "analysis/analysis.h"
#include "analyze/io-calls.h"
#include "analysis/other-events.h"
#include "analyze/timeline.h"
#include "block/names.h"
#include "export/export.h"
#include "queues/queues.h"
#include "recordopts/verb-args.h"
#include "schedtext/chains.h"

#define TIMECHART_WIDTH 1000  /* the usual number of pixels */
#define TIMECHART_NARROW 100  /* and the bounds of what makes sense */
#define TIMECHART_WIDE 100000 /* beyond these, viewers fail */
#define TIMECHART_TASKS 15    /* the usual number of tasks */
#define TIMECHART_FRAMES 12   /* so many functions of a call chain are shown */

struct timechart_conf {
	struct task_table *tasks; /* borrowed */
	/* Names the functions in which tasks left their CPUs; borrowed. NULL: they are not told. */
	struct sched_chains *chains;
	/* What works for tasks, and names of devices; borrowed. NULL: they are not shown, and
	 * devices have no names. */
	const struct queue_lanes *queues;
	struct block_names *devices;
	/* All other events, and the recording's list with their names; borrowed. NULL: they are not
	 * shown. */
	const struct other_marks *others;
	const struct evlist *events;
	u32 width;            /* of the time axis, in pixels */
	u32 least;            /* show at least so many tasks, if there are */
	bool cpus, processes; /* show these */
	/* Show the tasks of these names and numbers, however short they ran; none: see @least. */
	const char *const *selected;
	u32 nr_selected;
	u64 long_run;          /* highlight runs from so many ns on; UINT64_MAX: none */
	const char *highlight; /* highlight the task of this name; NULL: none */
	const char *cpu_model; /* NULL: unknown */
	/* By CPU; the rows of CPUs are sorted by these and then by number. NULL: by number alone */
	const s32 *socket_of, *core_of;
	u32 nr_socket_of; /* length of each */
};

/** timechart_svg - draw a timeline of the scheduler. */
void timechart_svg(const struct timechart_conf *conf, const struct timeline_lanes *lanes,
		   struct export_out *out);

/* A page tells this of its recording. */
struct timechart_about {
	const char *title, *hostname; /* NULL: unknown */
	u64 lost, events;             /* records that were lost, and those that are there */
};

/** timechart_page - write a timeline of the scheduler as a page for a browser, which shows any part
 * of it. */
void timechart_page(const struct timechart_conf *conf, const struct timechart_about *about,
		    const struct timeline_lanes *lanes, struct export_out *out);

/** timechart_pftrace - write a timeline of the scheduler as a trace for ui.perfetto.dev: lanes as
 * tracks, with slices, and arrows from wakers. */
void timechart_pftrace(const struct timechart_conf *conf, const struct timeline_lanes *lanes,
		       struct export_out *out);
/**
 * timechart_ctf - write a timeline of the scheduler as a trace in the Common Trace Format, with the
 * names of the kernel's events.
 * @env: facts about the recording
 * @path: a directory, which is created; one that exists must hold nothing but such a trace
 * Return: 0, or a negative errno and a sentence.
 */
int timechart_ctf(const struct timechart_conf *conf, const struct timeline_lanes *lanes,
		  const struct env *env, const char *path, struct err *err);

#define TIMECHART_IO_MERGE 1000 /* the usual values of these, in ns */
#define TIMECHART_IO_LEAST 1000000

struct timechart_io_conf {
	bool skip_eagain; /* leave out calls that found nothing to do */
	u64 merge;        /* calls of a kind on a file that are so many ns apart are one */
	u64 least;        /* ns; shorter calls are drawn as if they took so long */
};

/** timechart_io_svg - draw the I/O of tasks. */
void timechart_io_svg(const struct timechart_conf *conf, const struct timechart_io_conf *io,
		      const struct io_calls *calls, struct export_out *out);

enum timechart_form {
	TIMECHART_SVG,
	TIMECHART_PAGE,    /* for a browser */
	TIMECHART_PFTRACE, /* for ui.perfetto.dev */
	TIMECHART_CTF,     /* a directory with a trace in the Common Trace Format */
	TIMECHART_FORMS
};

/** timechart_form_name - return the option's name of a form: "html". */
const char *timechart_form_name(enum timechart_form form);

/* This is drawn, in this way. */
struct timechart_options {
	struct timechart_conf conf; /* without @tasks, @chains, @cpu_model and the topology */
	struct timechart_io_conf io;
	bool topology; /* sort CPUs by their places */
	enum timechart_form form;
	const char *output; /* name of the file or directory; "-": standard output */
};

#define TIMECHART_NOT_GIVEN UINT32_MAX

/* Users ask for this. Strings are borrowed; NULL: not given. */
struct timechart_wish {
	const char *output, *highlight, *io_least, *io_merge;
	u32 width, least; /* TIMECHART_NOT_GIVEN: not given */
	const char *const *selected;
	u32 nr_selected;
	bool power_only, tasks_only, topology, skip_eagain;
	bool page, pftrace, ctf; /* forms */
};

/**
 * timechart_settle - make options of what users ask for.
 * Return: 0, or -EINVAL and a sentence.
 */
int timechart_settle(const struct timechart_wish *w, struct timechart_options *o, struct err *err);

/* The picture shows this. */
struct timechart_result {
	u64 span;                   /* ns */
	struct sched_counts counts; /* of what does not fit together; 0 with I/O */
	u64 grain, left_out;        /* as of struct timeline_lanes, or of struct io_calls */
	bool io;                    /* it shows calls of I/O */
	u64 others, others_shown;   /* times that other events happened, and those that are shown */
};

/** timechart_put_notes - append lines on what the recording lacks or the picture leaves out. */
void timechart_put_notes(const struct timechart_result *result,
			 const struct analysis_losses *losses, struct strbuf *out);

/**
 * timechart_run - read a recording to its end and write the picture: of I/O if it has events of
 * that, otherwise of the scheduler. I/O has one form only, TIMECHART_SVG.
 * Return: 0, or a negative errno and a sentence; -ENOENT: there are no such events.
 */
int timechart_run(const struct timechart_options *o, struct analysis *a,
		  struct timechart_result *result, struct err *err);

/* These parts are recorded; without any, both power and tasks are. */
struct timechart_wanted {
	bool power, tasks, io, chains;
};

/** timechart_record_args - make the arguments of record. @argc, @argv: what is left of those of the
 * verb; @sr: where tracefs is looked for. verb_args_release() frees them. */
void timechart_record_args(struct verb_args *a, const struct timechart_wanted *w,
			   const struct sysroot *sr, int argc, const char **argv);

#endif
