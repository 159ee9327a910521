/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events at which a task enters the kernel for a system call and leaves it again: the two of
 * raw_syscalls, which are of all calls, and syscalls:sys_enter_NAME with sys_exit_NAME. Where their
 * numbers are in the payload is looked up once per event of a recording.
 */
#ifndef PERF_ANALYZE_SYSCALL_EVENTS_H
#define PERF_ANALYZE_SYSCALL_EVENTS_H

#include "analyze/engine.h"

#define SYSCALL_ARGS 6

enum syscall_side { SYSCALL_NEITHER, SYSCALL_ENTER, SYSCALL_EXIT };

struct syscall_binding {
	enum syscall_side side;
	bool swap;                              /* numbers are of the other byte order */
	u8 nr_args;                             /* of SYSCALL_ENTER */
	u32 payload;                            /* bytes that contain all that is read */
	struct engine_place nr;                 /* the number of the call */
	struct engine_place args[SYSCALL_ARGS]; /* of SYSCALL_ENTER */
	struct engine_place ret;                /* of SYSCALL_EXIT */
	bool words; /* all numbers have 64 bits in native order, and the arguments are six in a row
		     */
};

/* The numbers in an event. Arguments that it does not have are 0. */
struct syscall_numbers {
	s64 nr;
	u64 args[SYSCALL_ARGS];
	u32 lacking; /* arguments, the last ones, that the event does not have */
	s64 ret;
};

/**
 * syscall_side_of - tell from its name whether an event is of this kind.
 * @name: "raw_syscalls:sys_enter", "syscalls:sys_exit_read"
 * @call: is set to the name of the call, a part of @name; NULL where the event is of all calls
 */
enum syscall_side syscall_side_of(const char *name, const char **call);
/**
 * syscall_bind - find the numbers in events of a format.
 * @name: of the event
 * @swap: numbers in the recording are of the other byte order
 * Return: false when the event is of another kind, or lacks a field.
 */
bool syscall_bind(const char *name, const struct tf_event *format, bool swap,
		  struct syscall_binding *out);
/** syscall_read_parts - do what syscall_read() does, whatever the numbers look like. */
bool syscall_read_parts(const struct syscall_binding *b, const void *raw, size_t size,
			struct syscall_numbers *out);

/** syscall_read - read the numbers of an event. Return: false when it is too short. */
static inline bool syscall_read(const struct syscall_binding *b, const void *raw, size_t size,
				struct syscall_numbers *out)
{
	const u8 *p = raw;

	if (unlikely(!b->words || !raw || size < b->payload))
		return syscall_read_parts(b, raw, size, out);
	out->nr = (s64) * (const u64_una *)(p + b->nr.offset);
	if (b->side == SYSCALL_EXIT)
		out->ret = (s64) * (const u64_una *)(p + b->ret.offset);
	else
		memcpy(out->args, p + b->args[0].offset, sizeof(out->args));
	out->lacking = 0;
	return true;
}

#endif
