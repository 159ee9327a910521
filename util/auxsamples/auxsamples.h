/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples made of the traces of processors. Records of Arm SPE tell of sampled operations, and each
 * becomes a sample of the events that it counts for: l1d-miss, llc-access, memory and others. The
 * recording is written again with these events, into a file that does not stay, and read from
 * there: whoever reads samples needs to know nothing of traces.
 */
#ifndef PERF_AUXSAMPLES_AUXSAMPLES_H
#define PERF_AUXSAMPLES_AUXSAMPLES_H

#include "base/notice.h"
#include "session/itrace.h"
#include "session/session.h"

struct aux_samples_conf {
	const struct itrace_option *asked; /* which events are wanted */
	bool in_place;                     /* samples are put in the place of traces */
	const struct notices *notices;     /* hears of traces that are damaged; may be NULL */
};

/**
 * aux_samples_open - replace a session whose recording has traces of Arm SPE by one with their
 * samples. A stream is read to its end, a directory becomes a file. Other sessions, and those of
 * the other byte order, stay as they are.
 * @first: is set to the number of the first event that was made, when it was replaced; if none was
 *	made, to the number of events
 * Return: 1: it was replaced; 0: it is as it was; or negative errno and a sentence, and then it may
 * only be closed.
 */
int aux_samples_open(struct session *s, const struct aux_samples_conf *conf, size_t *first,
		     struct err *err);

#endif
