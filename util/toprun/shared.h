/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One address space that stands for all processes, where nobody asks which process a sample was
 * in. Each object has a range of its own there, so that samples in the same place of an object are
 * equal, whoever ran it. Samples of short processes do not add up then, and nothing has to be known
 * of these processes once they have ended.
 */
#ifndef PERF_TOPRUN_SHARED_H
#define PERF_TOPRUN_SHARED_H

#include "machine/machine.h"
#include "recording/state-log.h"
#include "wire/event.h"

struct shared_space {
	struct map64 by_dso; /* id of an object -> its number */
	u32 nr;              /* of the ranges that there are */
	u32 *unused;         /* owned; numbers of those that no object has */
	size_t nr_unused, cap_unused;
};

/**
 * shared_sample - move a sample to the shared address space, which belongs to the idle task. A
 * sample in memory without a file stays where it was.
 * @m: unsealed; it learns of objects that are new there, and so does @log
 * @at: the thread of the sample; set to the idle task when the sample was moved
 */
void shared_sample(struct shared_space *sp, struct machine *m, struct state_log *log,
		   struct sample *s, struct thread_at *at);
/** shared_range - return the number of the range that a moved sample is in; MAP64_NONE: none. */
u32 shared_range(const struct sample *s);
/** shared_forget - drop from the log what it tells of ranges that are not in @used (by number), as
 * no sample is in them any more. shared_renew() has to follow, when other objects get them. */
void shared_forget(const struct shared_space *sp, struct state_log *log, const struct map64 *used);
/** shared_renew - go on with another machine, which has learned all that is in the log. */
void shared_renew(struct shared_space *sp, const struct machine *m);
void shared_release(struct shared_space *sp);

#endif
