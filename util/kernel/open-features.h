/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an event may ask of the kernel that not every kernel has: which version has it, which option
 * asks for it, and whether an event can do without. Of the versions, perf_event_open(2) and the
 * history of <linux/perf_event.h> tell.
 */
#ifndef PERF_KERNEL_OPEN_FEATURES_H
#define PERF_KERNEL_OPEN_FEATURES_H

#include "base/strbuf.h"
#include "wire/event.h"

/* Features that an event can do without: bits of kevents.missing, in the order in which they are
 * given up. */
enum open_missing {
	MISSING_DEFER = 1 << 0, /* of user parts of call chains */
	MISSING_READ_LOST = 1 << 1,
	MISSING_WEIGHT_STRUCT = 1 << 2,
	MISSING_CGROUP = 1 << 3,
	MISSING_BPF_EVENT = 1 << 4,
	MISSING_KSYMBOL = 1 << 5,
	MISSING_CLOCKID = 1 << 6,
	MISSING_NAMESPACES = 1 << 7,
	MISSING_PAGE_SIZE = 1 << 8,
	MISSING_MMAP2 = 1 << 9,
	MISSING_COMM_EXEC = 1 << 10,
	MISSING_EXCLUDE_GUEST = 1 << 11,
	MISSING_CLOEXEC = 1 << 12,
	MISSING_BRANCH_HW_INDEX = 1 << 13,
	MISSING_BRANCH_NO_FLAGS = 1 << 14, /* and without cycles */
	MISSING_BUILD_ID = 1 << 15,
	MISSING_IDENTIFIER = 1 << 16, /* of an event that only counts */
	MISSING_LAST = 1 << 17
};

/** features_used - tell whether an event asks for the feature; every one does for CLOEXEC. */
bool features_used(const struct perf_event_attr *a, enum open_missing m);

/** features_leave_out - take features out of an attr. @missing: bits of enum open_missing. */
void features_leave_out(struct perf_event_attr *a, u32 missing);

/** features_told - append the options of the user, with the versions of the kernel that they need,
 * of features that were left out. Nothing for those that perf asks for by itself. */
void features_told(u32 missing, struct strbuf *out);

/** features_unknown - append the same of features that an event cannot do without and that the
 * running kernel refuses, which is found out by asking for each alone. @config3: the event has one,
 * which stands behind the attr. */
void features_unknown(const struct perf_event_attr *a, bool config3, struct strbuf *out);

/** features_none - tell whether the kernel, or what filters its system calls, has no performance
 * events at all. */
bool features_none(void);

/**
 * attr_open - call perf_event_open(). The attr is not changed. A kernel whose attr is shorter says
 * so (E2BIG) and by how much; then it is asked again, unless the rest is in use. @config3: the word
 * behind the attr; 0: none. @pid, @cpu, @group, @flags: as of the system call.
 * Return: the descriptor or a negative errno.
 */
int attr_open(const struct perf_event_attr *a, u64 config3, int pid, int cpu, int group,
	      unsigned long flags);

#endif
