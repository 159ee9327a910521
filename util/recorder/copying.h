/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that arguments of system calls point to, which BPF programs copy into the rings
 * (bpf/call-memory.h). Where the kernel or our rights do not allow it, there is none.
 */
#ifndef PERF_RECORDER_COPYING_H
#define PERF_RECORDER_COPYING_H

#include "bpf/call-memory.h"
#include "recorder/opened.h"

struct copying {
	bool on; /* @bpf is open */
	struct call_memory bpf;
};

/**
 * copying_prepare - load the programs if opts->copies asks for it, and add their event to the list.
 * It is called when the target is known, and before events are configured and opened.
 * @notes: is told why there are none
 */
void copying_prepare(struct copying *c, struct opened *ev, const struct record_opts *o,
		     const struct notices *notes);
/** copying_start - run the programs, as soon as there are rings. */
void copying_start(struct copying *c, const struct opened *ev, const struct notices *notes);
/** copying_stop - remove the programs, before the events in @ev are closed. */
void copying_stop(struct copying *c);

#endif
