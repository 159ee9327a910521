/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why the kernel says no, and what would make it say yes: perf_event_paranoid, capabilities, limits
 * on locked memory and open files, user namespaces, lockdown.
 */
#ifndef PERF_KERNEL_RIGHTS_H
#define PERF_KERNEL_RIGHTS_H

#include "base/err.h"
#include "base/sysroot.h"
#include "events/evlist.h"

struct rights {
	int paranoid; /* kernel.perf_event_paranoid; 2 when it cannot be read */
	bool no_file; /* it is not there: the kernel has no perf events, or /proc hides it */
	u64 caps;     /* effective capabilities, bits of linux/capability.h */
	bool user_ns; /* in a user namespace, where the kernel takes none of them for perf */
	bool seccomp; /* system calls go through a filter */
	enum lockdown lockdown;
};

/** rights_read - what this process may do. */
void rights_read(const struct sysroot *sr, struct rights *r);
/** rights_perfmon - may it do anything, whatever the level? */
bool rights_perfmon(const struct rights *r);

/**
 * rights_level - the highest perf_event_paranoid at which an unprivileged user may open @attr.
 * @everywhere: for all that a CPU does (tid -1), also within a control group
 */
int rights_level(const struct perf_event_attr *attr, bool everywhere);

/**
 * rights_refused - a sentence about perf_event_open() that returned @code, -EACCES or -EPERM.
 * @e: as it was asked for. Return: @code
 */
int rights_refused(const struct sysroot *sr, const struct evsel *e, bool everywhere, int code,
		   struct err *err);
#define FILES_SPARE 64 /* descriptors that a program needs beside those of events, generously */
/**
 * rights_files - the same for -EMFILE and -ENFILE.
 * @needed: descriptors that the events take on all CPUs and threads; @opened: that there are
 */
int rights_files(const struct sysroot *sr, size_t needed, size_t opened, int code, struct err *err);
/**
 * rights_memory - append to @out why @nr rings of @pages pages each cannot be mapped, and what
 * would help; lines that end in newlines.
 */
void rights_memory(const struct sysroot *sr, size_t nr, size_t pages, struct strbuf *out);
/**
 * rights_addresses - when the kernel's addresses are hidden from this process, append to @out by
 * what, and what would help. Return: whether they are hidden.
 */
bool rights_addresses(const struct sysroot *sr, struct strbuf *out);

#endif
