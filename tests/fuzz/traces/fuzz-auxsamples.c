// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The input is a trace of Arm SPE and, read as a whole file, a recording with one. The trace must
 * be read to its end; of a recording samples are made, which have to be readable.
 */
#include "base/compat.h"
#include "aux/spe-record.h"
#include "auxsamples/auxsamples.h"
#include "auxsamples/spe-source.h"
#include "drive.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_trace(const u8 *data, size_t size)
{
	struct spe_record r;
	size_t at = 0, last = 0;
	u64 bad = 0;

	while (spe_record_next(data, &at, size, &r, &bad)) {
		if (at <= last || at > size)
			abort();
		last = at;
		(void)spe_data_src(&r, at & 1);
	}
	if (at != size || bad > size)
		abort();
}

static void read_recording(const u8 *data, size_t size)
{
	const struct itrace_option asked = { .letters = "fmtbaMi2i" };
	struct drive d = { 0 };
	struct err err = { 0 };
	struct session s;
	const struct aux_samples_conf conf = { .asked = &asked, .in_place = size & 1 };
	size_t nr, first;
	bool stream;

	if (session_open_bytes(&s, data, size, &err))
		return;
	nr = s.evlist.nr; /* a stream may tell of more of them later */
	stream = s.file->pipe;
	if (aux_samples_open(&s, &conf, &first, &err) == 1) {
		if (stream ? first < nr || s.evlist.nr < first : first != nr || s.evlist.nr <= nr)
			abort();
		(void)drive_ordered(&s, &d, 1, false, &err);
		drive_release(&d);
	}
	session_close(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_trace(data, size);
	read_recording(data, size);
	return 0;
}
