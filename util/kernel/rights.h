/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why the kernel refuses something, and what would make it accept: perf_event_paranoid,
 * capabilities, limits of locked memory and open files, user namespaces, lockdown.
 */
#ifndef PERF_KERNEL_RIGHTS_H
#define PERF_KERNEL_RIGHTS_H

#include "base/err.h"
#include "base/sysroot.h"
#include "events/evlist.h"

struct rights {
	int paranoid; /* kernel.perf_event_paranoid; 2 when it cannot be read */
	bool no_file; /* that file is missing: the kernel has no perf events, or /proc hides it */
	u64 caps;     /* effective capabilities, bits of linux/capability.h */
	bool user_ns; /* in a user namespace, where capabilities do not count for perf */
	bool seccomp; /* a filter checks the system calls */
	enum lockdown lockdown;
};

/** rights_read - find out the rights of this process. */
void rights_read(const struct sysroot *sr, struct rights *r);
/**
 * rights_perfmon - tell whether the process may measure anything, whatever perf_event_paranoid
 * says.
 */
bool rights_perfmon(const struct rights *r);

/**
 * rights_level - return the highest perf_event_paranoid at which an unprivileged user may open
 * @attr.
 * @everywhere: the event is for everything that runs on a CPU (tid -1), perhaps in a
 *	control group
 */
int rights_level(const struct perf_event_attr *attr, bool everywhere);

/* A perf_event_open() that failed. */
struct refused {
	const struct evsel *e; /* as it was requested last */
	const char *name;      /* as the user gave it */
	int tid;               /* the thread that was to be measured; -1: all, or not known */
	bool everywhere;       /* as for rights_level() */
	int code;              /* -EACCES or -EPERM */
};

/**
 * rights_refused - make a sentence about it: which event, why it is not allowed, what to do.
 * Return: the code.
 */
int rights_refused(const struct sysroot *sr, const struct refused *f, struct err *err);
#define FILES_SPARE 64 /* a generous number of descriptors for purposes other than events */
/**
 * rights_files - explain -EMFILE and -ENFILE as rights_refused() explains other errors.
 * @needed: descriptors that the events need on all CPUs and threads
 * @opened: descriptors that were opened
 */
int rights_files(const struct sysroot *sr, size_t needed, size_t opened, int code, struct err *err);
/**
 * rights_memory - append to @out why @nr rings of @pages pages each cannot be mapped, and what
 * would help. The text consists of lines that end in newlines.
 */
void rights_memory(const struct sysroot *sr, size_t nr, size_t pages, struct strbuf *out);
/**
 * rights_addresses - append to @out, if the kernel's addresses are hidden from this process, what
 * hides them and what would help. Return: whether they are hidden.
 */
bool rights_addresses(const struct sysroot *sr, struct strbuf *out);

#endif
