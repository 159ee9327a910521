/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reasons for a dump. A reason holds or does not, and a session is told to dump when it begins to:
 *
 *	psi:RESOURCE>PERCENT	of the last 10 s some task waited for cpu, memory or io
 *				(/proc/pressure)
 *	load>N			the load of the last minute (/proc/loadavg)
 *	file:PATH		the file exists, or is another one than before
 *	cgroup:PATH		the control group exists
 *	event:EVENT>N		the event was counted more than N times in a second, on all CPUs
 */
#ifndef PERF_DAEMON_TRIGGER_H
#define PERF_DAEMON_TRIGGER_H

#include "base/compat.h"
#include "base/err.h"
#include "base/sysroot.h"

struct trigger_count; /* private */

enum trigger_kind { TRIGGER_PSI, TRIGGER_LOAD, TRIGGER_FILE, TRIGGER_CGROUP, TRIGGER_EVENT };

struct trigger {
	enum trigger_kind kind;
	char what[256]; /* a resource, path or event */
	char text[300]; /* as it was written */
	double limit;
};

/* A trigger that is looked at from time to time. */
struct trigger_watch {
	bool known, held;            /* it was looked at, and held */
	u64 file_ino, file_mtime;    /* of the file */
	struct trigger_count *count; /* owned; of the event */
};

/** trigger_parse - read one reason. Return: 0, or -EINVAL and a sentence. */
int trigger_parse(struct trigger *t, const char *text, struct err *err);
/** trigger_same - tell whether both are the same reason. */
bool trigger_same(const struct trigger *a, const struct trigger *b);

/**
 * trigger_look - tell whether a reason began to hold since the last look. The first look finds only
 * how things are; so does one that fails.
 * @now: of the clock, in ns
 * Return: 1, 0, or a negative errno and a sentence when it cannot be looked at.
 */
int trigger_look(const struct trigger *t, struct trigger_watch *w, const struct sysroot *sr,
		 u64 now, struct err *err);
/** trigger_watch_release - free what a watch holds, and make it new. */
void trigger_watch_release(struct trigger_watch *w);

#endif
