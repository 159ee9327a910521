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

/**
 * aux_samples_open - replace a session whose file has traces of Arm SPE by one with their samples.
 * Other sessions, streams, directories and files of the other byte order stay as they are.
 * @asked: which events are wanted
 * @notices: hears of traces that are damaged; may be NULL
 * Return: 1: it was replaced; 0: it is as it was; or negative errno and a sentence, and then it is
 * as it was, too.
 */
int aux_samples_open(struct session *s, const struct itrace_option *asked,
		     const struct notices *notices, struct err *err);

#endif
