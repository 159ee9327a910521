/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time of a thread is split into kinds: it computes, it waits for a CPU, or it waits for
 * something else. Functions of the kernel in its call chains tell which kind it is.
 */
#ifndef PERF_TRIAGE_KINDS_H
#define PERF_TRIAGE_KINDS_H

#include "base/compat.h"

enum triage_kind {
	/* On a CPU: */
	TRIAGE_USER,      /* code of programs */
	TRIAGE_SYSCALL,   /* the kernel works for a system call */
	TRIAGE_FAULT,     /* page faults; also waits for the disk in one */
	TRIAGE_INTERRUPT, /* interrupts and softirqs that hit the thread */
	/* Waiting: */
	TRIAGE_QUEUE, /* for a CPU */
	TRIAGE_DISK,
	TRIAGE_LOCK,    /* for a lock of the kernel, asleep or spinning */
	TRIAGE_FUTEX,   /* for a lock of the program */
	TRIAGE_NET,     /* for a network peer */
	TRIAGE_PEER,    /* for another process: pipes, local sockets */
	TRIAGE_CHILD,   /* for the end of a child */
	TRIAGE_THREADS, /* for other threads: conditions, joins */
	TRIAGE_SLEEP,   /* for a time that it has chosen */
	TRIAGE_POLL,    /* for something to do */
	TRIAGE_INPUT,   /* for a terminal */
	TRIAGE_SIGNAL,  /* for a signal, or it is stopped */
	TRIAGE_OTHER,   /* for something that no table knows */
	TRIAGE_KINDS
};

enum triage_class {
	TRIAGE_WORK,    /* the program does what it is for */
	TRIAGE_LOSS,    /* time is lost */
	TRIAGE_PASSIVE, /* others explain it: a child or another thread works */
	TRIAGE_IDLE,    /* the program has nothing to do, or wants to wait */
};

/** triage_kind_name - return the name of a kind for programs: "run-queue". */
const char *triage_kind_name(enum triage_kind kind);
/** triage_kind_class - return what a kind of time means. */
enum triage_class triage_kind_class(enum triage_kind kind);

/* A futex is waited for in these ways, as the call tells. */
enum triage_futex {
	TRIAGE_FUTEX_UNKNOWN,
	TRIAGE_FUTEX_LOCK,  /* a mutex, or what is built like one */
	TRIAGE_FUTEX_EVENT, /* a condition, a join */
};

/**
 * triage_futex_of - tell what a call of futex() waits for. The C library waits with FUTEX_WAIT for
 * a mutex, whose value is 2 while others wait, and with FUTEX_WAIT_BITSET for all else.
 */
enum triage_futex triage_futex_of(u64 op, u64 value);

/**
 * triage_wait_kind - tell what a thread waits for.
 * @names: functions of the kernel where it left its CPU, innermost first; NULL: unknown ones
 * @state: the letter of its state
 * @futex: of the call of futex() that it has begun last
 * @at: receives the number of the function that has told it; @nr: none has
 */
enum triage_kind triage_wait_kind(const char *const *names, size_t nr, char state,
				  enum triage_futex futex, size_t *at);
/**
 * triage_cpu_kind - tell what a thread does on a CPU.
 * @names, @nr: the part of its call chain in the kernel; nr is 0 in a program
 */
enum triage_kind triage_cpu_kind(const char *const *names, size_t nr);

/** triage_syscall_name - return the name of the system call in a chain of the kernel; NULL: there
 * is none. @names: as above */
const char *triage_syscall_name(const char *const *names, size_t nr);

#endif
