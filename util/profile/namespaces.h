/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tell in which namespace of control groups threads are, by NAMESPACES records. */
#ifndef PERF_PROFILE_NAMESPACES_H
#define PERF_PROFILE_NAMESPACES_H

#include "base/strbuf.h"
#include "wire/event.h"

struct namespaces {
	struct namespace_at {
		u32 tid;
		u64 time, dev, ino;
	} * list; /* owned */
	size_t nr, cap;
	bool sorted; /* by thread and time */
};

/** namespaces_note - take a NAMESPACES record. Those of one thread come in the order of time. */
void namespaces_note(struct namespaces *n, const wire_header *rec, u64 time);
/** namespaces_sort - make the list ready for lookups on several threads. */
void namespaces_sort(struct namespaces *n);
/** namespaces_cgroup_text - "4/0x1ab": device and inode, "0/0x0" when they were not recorded;
 * behind the zero byte what texts are sorted by. @out is replaced. */
void namespaces_cgroup_text(struct namespaces *n, u32 tid, u64 time, struct strbuf *out);
void namespaces_release(struct namespaces *n);

#endif
