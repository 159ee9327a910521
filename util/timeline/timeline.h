/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording over time: the latencies of pairs of events, or the number of samples. The result is
 * a picture (a heat map) and, for pairs, a text with figures.
 */
#ifndef PERF_TIMELINE_TIMELINE_H
#define PERF_TIMELINE_TIMELINE_H

#include "analyze/tracks.h"
#include "analyze/pair.h"
#include "base/strbuf.h"
#include "recording/recording.h"

/* The options beside those of the recording. Strings are borrowed and outlive the timeline; NULL:
 * not given. */
struct timeline_options {
	const char *pair;           /* "START,END": two events; NULL: count samples */
	const char *key;            /* the fields by which events are matched; NULL: "tid" */
	const char *title;          /* title of picture and text; NULL: one that names the events */
	const char *dsos, *symbols; /* only samples in these objects and symbols */
	int socket;                 /* only samples of CPUs of this processor; -1: all */
	/* Samples are counted in tracks instead, only those of the @nr_events events from number
	 * @event on; 0: they are not. */
	u32 event, nr_events;
};

struct timeline;

/**
 * timeline_new - prepare; nothing is read yet. @o is copied, @r is opened and borrowed.
 * timeline_free() frees the result.
 */
struct timeline *timeline_new(const struct timeline_options *o, struct recording *r);
/** timeline_free - free a timeline, but not its recording. */
void timeline_free(struct timeline *t);

/**
 * timeline_run - prepare the recording and read it to its end.
 * Return: 0, or a negative errno and a sentence when an option is not valid, an event does not
 * exist, or samples have no time.
 */
int timeline_run(struct timeline *t, struct err *err);

/**
 * timeline_pairs - return the pairs that were found, which are borrowed; NULL when samples were
 * counted.
 */
struct pairs *timeline_pairs(const struct timeline *t);
/**
 * timeline_samples - return the numbers of samples of an event over time, which are borrowed; NULL
 * with pairs. @event: its number in the recording
 */
const struct grid *timeline_samples(const struct timeline *t, u32 event);
/** timeline_tracks - return the tracks of a kind, which are borrowed; CPUs by their numbers, or the
 * busiest threads first. The name of a track is the machine_comm() of its thread. */
const struct tracks *timeline_tracks(const struct timeline *t, enum tracks_of kind);

/**
 * timeline_picture - write the heat map: a page when the name ends in ".html" or ".htm", otherwise
 * SVG.
 * @path: "-": standard output
 * Return: 0, or a negative errno and a sentence.
 */
int timeline_picture(const struct timeline *t, const char *path, struct err *err);
/** timeline_text - append the histogram and the figures of pairs; nothing when there are none. */
void timeline_text(const struct timeline *t, struct strbuf *out);

#endif
