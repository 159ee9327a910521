/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_LOCKRUN_LOCKRUN_INTERNAL_H
#define PERF_LOCKRUN_LOCKRUN_INTERNAL_H

#include "lockrun/lockrun.h"

#include "bpf/lock-watch.h"
#include "running/running.h"

/* Users choose what is counted: these are the options of the programs, and the lists that they
 * point to. */
struct lock_choice {
	struct lock_watch_opts opts;
	struct int_list tids, cpus, cgroups; /* owned; the descriptors of cgroups, too */
	u32 flags[64];
	u64 *addresses; /* owned */
	struct lock_delay delays[LOCK_RUN_DELAYS];
};

/**
 * lock_choice_make - find out what is to be counted.
 * Return: 0, or a negative errno and a sentence. lock_choice_release() frees it in any case.
 */
int lock_choice_make(struct lock_choice *c, const struct lock_run *r,
		     const struct running_kernel *k, struct err *err);
void lock_choice_release(struct lock_choice *c);

/** lock_delay_parse - read "10us@lock" up to the "@". Return: 0, or -EINVAL and a sentence. */
int lock_delay_parse(const char *text, bool force, u64 *ns, const char **lock, struct err *err);

/** lock_put_lost - append what there was no room for. @entries: that there was room for */
void lock_put_lost(const struct lock_watch_lost *lost, u32 entries, struct strbuf *out);

#endif
