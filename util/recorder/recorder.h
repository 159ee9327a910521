/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder: what happens between events that were asked for and the finished file. A command
 *goes through its steps in order, tells of the error of each, and closes it in any case:
 *
 *	r = recorder_new(&opts, &sysroot, &events, &hooks);
 *	rc = recorder_prepare(r, &err);			target and command
 *	rc = rc ? rc : recorder_open(r, &err);		events and their rings
 *	rc = rc ? rc : recorder_record(r, &err);	until the end, file included
 *	recorder_close(r, &result);			waits for the command
 */
#ifndef PERF_RECORDER_RECORDER_H
#define PERF_RECORDER_RECORDER_H

#include "control/control.h"
#include "recorder/opened.h"
#include "recordopts/options.h"

struct recorder;

/* The things outside of the recorder that it works with while it runs. */
struct record_hooks {
	struct record_notes notes;
	struct progress *progress; /* borrowed; of the opening of events; NULL: nobody looks */
	struct control *control;   /* borrowed; commands come from there; NULL: none do */
};

/* The lists of events. All are borrowed, and changed to what was really opened. */
struct record_events {
	struct evlist *list;          /* what is recorded */
	struct evlist *triggers;      /* those that switch the output */
	struct evlist *begins, *ends; /* those that open and close windows of recording */
};

struct record_result {
	int status;    /* exit status: that of the command, or that of perf 6.1 for a failure */
	int signal;    /* that ended us or the command; 0: none */
	bool stopped;  /* by a signal or because time was up: the command had not ended */
	bool complete; /* the output file that ended last has its header */
};

/** recorder_new - make a recorder; nothing is done yet. All are borrowed until recorder_close(). */
struct recorder *recorder_new(const struct record_opts *o, const struct sysroot *sr,
			      const struct record_events *events, const struct record_hooks *hooks);
/** recorder_prepare - find the target and hold the command at its gate. From now on signals are
 * taken by the recorder. Return: 0, or negative errno and a sentence. */
int recorder_prepare(struct recorder *r, struct err *err);
/** recorder_open - open the events and map their rings. Return: as above. */
int recorder_open(struct recorder *r, struct err *err);
/** recorder_record - record until the command ends, a signal comes or it is told to end, and
 * complete the file. Return: as above; after an error the file is completed, too, if it can be. */
int recorder_record(struct recorder *r, struct err *err);
/** recorder_close - wait for the command, release everything and free @r. */
void recorder_close(struct recorder *r, struct record_result *result);

#endif
