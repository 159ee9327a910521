/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a thread waited for, by the functions of the kernel in which it left its CPU. Each kind has
 * a place of its own in the kernel's address space, so that it can be the innermost frame of a
 * stack.
 */
#ifndef PERF_PROFILE_WAITS_H
#define PERF_PROFILE_WAITS_H

#include "machine/machine.h"

enum wait_kind {
	WAIT_NONE, /* the function says nothing of it */
	WAIT_FUTEX,
	WAIT_IO,
	WAIT_SLEEP,
	WAIT_POLL,
	WAIT_PIPE,
	WAIT_SOCKET,
	WAIT_CHILD,
	WAIT_SIGNAL,
	WAIT_TERMINAL,
	WAIT_LOCK,
	WAIT_STOPPED,
	WAIT_YIELD,
	WAIT_PREEMPTED,
	WAIT_OTHER,
	WAIT_UNFINISHED, /* a sleep that lasts longer than the recording */
	WAIT_EXIT,       /* the thread ended: it does not wait */
	NR_WAITS
};

/** wait_of_function - return what a thread waits for in this function of the kernel. */
enum wait_kind wait_of_function(const char *name);
/** wait_name - return the name of a frame: "[futex]"; NULL for WAIT_NONE and WAIT_EXIT. */
const char *wait_name(enum wait_kind kind);
/** wait_address - return the address that stands for a kind. */
u64 wait_address(enum wait_kind kind);
/** waits_map - give all these addresses their names, from @time on. */
void waits_map(struct machine *m, u64 time);

#endif
