/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks are unwound while they are recorded (record --call-graph dwarf,unwind): on their way from
 * the rings to the output, samples lose their registers and the copy of their stack, and get the
 * call chain that these lead to. The event's attr stays as it was opened, so that both kinds of
 * samples can stand in one file: an unwound one has no registers (PERF_SAMPLE_REGS_ABI_NONE) and a
 * copy of 0 bytes, one that could not be unwound, or not in time, has both.
 */
#ifndef PERF_RECORDUNWIND_UNWINDING_H
#define PERF_RECORDUNWIND_UNWINDING_H

#include "base/sysroot.h"
#include "events/evlist.h"
#include "file/compress-thread.h"
#include "unwind/unwind.h"

struct unwinding_opts {
	const struct sysroot *sysroot; /* borrowed, as the rest */
	const struct evlist *list;
	const char *cache_dir; /* of the build-id cache; NULL: there is none */
	size_t patience;       /* when more bytes wait, stacks stay as they are */
	bool keep_regs;        /* registers of user space were asked for and stay */
};

/* The counts, in samples, of what became of copied stacks. */
struct unwound {
	u64 stacks;
	u64 late;    /* stacks that stayed as they were because too much was waiting */
	u64 unknown; /* stacks that stayed because an object or mapping was not found: readers may
			know more */
	u64 jit;     /* stacks that stayed because they go through code of a process that writes a
			jitdump: readers will know its unwind information */
	struct unwind_counts ends; /* of the others */
};

/** unwound_release - free what is owned. */
void unwound_release(struct unwound *u);
/** unwound_tell - say how many stacks were unwound, and what would have helped the others. */
void unwound_tell(const struct unwound *u, const struct notices *notes);

struct unwinding;

/** unwinding_new - begin with a recording, or with a further output file of it, which describes all
 * processes again. Return: NULL when stacks cannot be unwound on this machine. */
struct unwinding *unwinding_new(const struct unwinding_opts *o);
/** unwinding_changer - return what changes records on the thread that writes them; @u may be NULL.
 */
struct record_changer unwinding_changer(struct unwinding *u);
/** unwinding_free - add what was counted to @sum and free @u, which may be NULL, once that thread
 * has ended. */
void unwinding_free(struct unwinding *u, struct unwound *sum);

#endif
