/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls made whole: where a task enters the kernel and where it leaves it become one call.
 * Events have to come in the order of time. Memory grows with the threads that are alive, of which
 * each is in one call at most.
 *
 * A call is told of when it ends. Before that it may be told of as one that goes on, when something
 * else is to be shown in between:
 *
 *	A enters read	B enters write	B leaves	A leaves
 *			"read ..."	"write = 1"	"... read = 7"
 */
#ifndef PERF_ANALYZE_SYSCALLS_H
#define PERF_ANALYZE_SYSCALLS_H

#include "analyze/syscall-events.h"
#include "base/hash.h"

enum syscall_state {
	SYSCALL_DONE,    /* it has returned */
	SYSCALL_GOES_ON, /* other events come in between */
	SYSCALL_LAST,    /* it never returns: the task has asked for its end */
};

struct syscall_call {
	u32 pid, tid;
	enum syscall_state state;
	s64 nr;
	bool begun;   /* its begin was seen, so that there are @start and @args */
	bool resumed; /* it was shown as one that goes on */
	u64 start, end;
	u64 args[SYSCALL_ARGS];
	u32 lacking; /* of @args, the last ones, are not known and 0 */
	s64 ret;     /* of SYSCALL_DONE */
	void *kept;  /* what conf.entered() has returned for this call */
};

/* The numbers of some calls, which differ between architectures. -1: there is none. */
struct syscall_special {
	s64 exits[4]; /* exit, exit_group */
	s64 execs[4]; /* execve, execveat */
};

struct syscalls_conf {
	/*
	 * A call is told of.
	 * @state: of call->state
	 * Return: it was shown. A call that goes on and was shown is resumed when it ends.
	 */
	bool (*call)(void *ctx, const struct syscall_call *call);
	/* A call has begun. What is returned is kept with it, and handed to forget() when it has
	 * been told of. Both may be NULL. */
	void *(*entered)(void *ctx, const struct syscall_call *call);
	void (*forget)(void *ctx, void *kept);
	void *ctx;
	struct syscall_special special;
};

struct syscalls;

/** syscalls_new - prepare; syscalls_free() frees the state. @conf: copied */
struct syscalls *syscalls_new(const struct syscalls_conf *conf);
void syscalls_free(struct syscalls *s);

/** syscalls_special - change the numbers, as soon as the architecture is known. */
void syscalls_special(struct syscalls *s, const struct syscall_special *special);
/** syscalls_enter - a task begins a call. */
void syscalls_enter(struct syscalls *s, u32 pid, u32 tid, u64 time,
		    const struct syscall_numbers *n);
/** syscalls_exit - a task returns from a call. */
void syscalls_exit(struct syscalls *s, u32 pid, u32 tid, u64 time, const struct syscall_numbers *n);
/** syscalls_between - something else is to be shown: the call that was begun last is told of before
 * it, if it goes on. */
void syscalls_between(struct syscalls *s);
/** syscalls_is_in - tell whether a thread has begun a call and not returned from it. */
bool syscalls_is_in(struct syscalls *s, u32 tid, s64 nr);
/** syscalls_task_end - a thread is no more. It never comes back from its call. */
void syscalls_task_end(struct syscalls *s, u32 tid);
/** syscalls_each_open - call @fn for each call that has begun and not ended. It may set kept. */
void syscalls_each_open(struct syscalls *s, void (*fn)(void *ctx, struct syscall_call *call),
			void *ctx);
/** syscalls_open_call - return the call that a thread has begun and not ended, or NULL. Its kept
 * may be set. */
struct syscall_call *syscalls_open_call(struct syscalls *s, u32 tid);
/** syscalls_open - return how many calls have begun and not ended. */
size_t syscalls_open(const struct syscalls *s);

#endif
