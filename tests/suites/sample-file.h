/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small recording with known samples, for suites that check what is made of one. It names its
 * functions itself (PERF_RECORD_KSYMBOL), so that no file of this machine is asked for them.
 *
 *	process  stack            samples  period of each
 *	worker   caller -> hot    3        100
 *	worker   cool             1        100
 *
 * So the function hot has 75 % of all, and cool has 25 %.
 */
#ifndef PERF_TESTS_SAMPLE_FILE_H
#define PERF_TESTS_SAMPLE_FILE_H

#include "base/compat.h"
#include "base/strbuf.h"

#include <linux/perf_event.h>

struct sample_file {
	char *dir;  /* owned; a new folder */
	char *path; /* owned; the recording in it */
};

/** sample_file_write - write the recording; sample_file_remove() has to follow. Return: TEST_OK, or
 * TEST_FAIL, which was told, and then there is nothing to remove. */
int sample_file_write(struct sample_file *f);
/** sample_file_write_hot - do so with another number of samples in the function hot, at least 1. */
int sample_file_write_hot(struct sample_file *f, u32 hot);
/** sample_file_remove - remove the folder with all that is in it, and free the paths. */
void sample_file_remove(struct sample_file *f);

#define RECORDING_ID 5 /* of the event that recording_put() writes */
/** recording_put - write a recording of one event. @event: its name; @records: all of them, as
 * bytes. Return: TEST_OK, or TEST_FAIL, which was told. */
int recording_put(const char *path, const struct perf_event_attr *attr, const char *event,
		  const struct strbuf *records);

#endif
