/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happened when in a recording: the latencies of pairs of events, or the number of samples,
 * over time. The result is a picture (a heat map) and, for pairs, text with the figures.
 */
#ifndef PERF_TIMELINE_TIMELINE_H
#define PERF_TIMELINE_TIMELINE_H

#include "analyze/pair.h"
#include "base/notice.h"
#include "base/strbuf.h"
#include "recording/event-switch.h"
#include "recording/guest.h"
#include "session/session.h"
#include "symbol/symbol.h"

/* What is asked for. Strings are borrowed and outlive the timeline; NULL: not given. */
struct timeline_options {
	const char *pair;  /* "START,END": two events; without it samples are counted */
	const char *key;   /* the fields that tell which events are a pair; "tid" when not given */
	const char *title; /* of the picture and of the text; one that names the events when not
			      given */
	/* which samples count, each as the option of that name is written */
	const char *pids, *tids, *cpus, *time, *comms, *dsos, *symbols;
	int socket; /* only samples of CPUs of this processor; -1: all */
	struct event_switch on_off;
	struct guest_options guest;
	struct symconf symbols_of;     /* where symbols come from, for @dsos and @symbols */
	const struct notices *notices; /* take what is wrong with formats of tracepoints; NULL */
	bool verbose;                  /* say of single formats, too, what is wrong */
};

struct timeline;

/** timeline_new - nothing is read yet. @o is copied, @s is borrowed. Free with timeline_free(). */
struct timeline *timeline_new(const struct timeline_options *o, struct session *s);
void timeline_free(struct timeline *t);

/**
 * timeline_run - read the session, which is open, to its end.
 * Return: 0, or negative and a sentence: an option makes no sense, an event is not there, samples
 * were recorded without their time.
 */
int timeline_run(struct timeline *t, struct err *err);

/** timeline_pairs - the pairs that were found; NULL when samples were counted. Borrowed. */
struct pairs *timeline_pairs(const struct timeline *t);
/** timeline_samples - how many samples each moment had; empty with pairs. Borrowed. */
const struct grid *timeline_samples(const struct timeline *t);

/**
 * timeline_picture - write the heat map: a page when the name ends in ".html" or ".htm", else SVG.
 * @path: "-": standard output
 * Return: 0, or negative and a sentence.
 */
int timeline_picture(const struct timeline *t, const char *path, struct err *err);
/** timeline_text - append the histogram and the figures of pairs; nothing when there are none. */
void timeline_text(const struct timeline *t, struct strbuf *out);

#endif
