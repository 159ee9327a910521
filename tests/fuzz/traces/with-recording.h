/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes of a fuzzer are opened as a recording, for the targets that read whole files. */
#ifndef PERF_TESTS_FUZZ_WITH_RECORDING_H
#define PERF_TESTS_FUZZ_WITH_RECORDING_H

#include "base/compat.h"
#include "pdata-build.h"
#include "recording/recording.h"

/** with_recording - call @fn on the bytes as a recording. Return: whether they are one. */
static inline bool with_recording(const u8 *data, size_t size,
				  void (*fn)(struct recording *r, u32 arg), u32 arg)
{
	struct recording_options o = { .buildid_dir = "" };
	struct err err = { 0 };
	struct recording r;
	char path[64];
	bool opened;
	int fd;

	o.input = pb_save(data, size, &fd, path);
	opened = !recording_open(&r, &o, NULL, &err);
	if (opened) {
		fn(&r, arg);
		recording_close(&r);
	}
	pb_unsave(fd);
	return opened;
}

#endif
