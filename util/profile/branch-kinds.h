/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Count the kinds of branches, from branch stacks that tell it. */
#ifndef PERF_PROFILE_BRANCH_KINDS_H
#define PERF_PROFILE_BRANCH_KINDS_H

#include "base/strbuf.h"

struct branch_kinds {
	u64 of[16]; /* by kind; 0: not told, which counts nowhere */
	u64 back, pages, large_pages;
};

/** branch_kinds_add - count a branch. @flags: the third word of an entry of a branch stack. */
void branch_kinds_add(struct branch_kinds *k, u64 from, u64 to, u64 flags);
/** branch_kinds_merge - add what another worker counted. */
void branch_kinds_merge(struct branch_kinds *to, const struct branch_kinds *from);
/** branch_kinds_text - append the share of each kind; nothing when there are none. */
void branch_kinds_text(const struct branch_kinds *k, struct strbuf *out);

#endif
