/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One stack that is being unwound, and the operations of those who can do it. */
#ifndef PERF_UNWIND_BACKEND_INTERNAL_H
#define PERF_UNWIND_BACKEND_INTERNAL_H

#include "symbol/elf-image.h"
#include "unwind/object.h"
#include "unwind/step.h"
#include "unwind/style.h"
#include "unwind/unwind.h"

struct unw_place;

struct unw_stack {
	struct unwinder *unwinder; /* borrowed, as all else */
	struct unwind_thread *thread;
	const struct arch_frames *arch;
	u32 epoch;
	struct unw_memory memory;
	struct unw_frame frame;       /* at first that of the sample */
	const struct unw_place *last; /* where the last frame is; NULL: nothing is known of it */
	u32 nr;                       /* frames so far that can have a caller */
	bool guessed;                 /* one of them is not from a table */
};

/* A way to unwind. Each thread of the program has a state of it. */
struct unw_backend {
	const char *name;
	bool only_x86_64; /* of recordings and of this machine */
	/* Makes the state. NULL: the library is not here. The function is NULL when this perf was
	 * built without the library. */
	void *(*open)(void);
	void (*close)(void *state);
	/* Hands every frame to unw_enter(), the innermost one first, until that tells to stop.
	 * Return: how the stack ended. */
	enum unw_step (*walk)(void *state, struct unw_stack *s);
};

extern const struct unw_backend unw_libdw, unw_libunwind;

/** unw_backend_of - return the operations of a style; NULL: UNWIND_TABLES, which needs none. */
const struct unw_backend *unw_backend_of(enum unwind_style style);

/**
 * unw_enter - add a frame to the result.
 * @pc: the next instruction if the frame was interrupted, which the first one and the callers of
 *	handlers of signals were, else the one behind the call
 * Return: what is known of the place; NULL: the stack ends there.
 */
const struct unw_place *unw_enter(struct unw_stack *s, u64 pc);

/* Code of an object where a process has it. */
struct unw_code {
	const struct unw_object *object;
	u64 bias; /* addresses of the process minus those in the headers of the object */
};
/** unw_code_at - find the code that is mapped at an address. Return: false when there is none. */
bool unw_code_at(struct unw_stack *s, u64 addr, struct unw_code *out);

#endif
