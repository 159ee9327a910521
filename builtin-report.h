/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of perf report that need no histogram. */
#ifndef PERF_BUILTIN_REPORT_H
#define PERF_BUILTIN_REPORT_H

#include "base/compat.h"

/* What to show of a file instead of a profile. */
struct report_facts {
	bool stats, tasks, mmaps; /* the first that is set counts, mmaps before tasks */
};

static inline bool report_facts_any(const struct report_facts *f)
{
	return f->stats || f->tasks || f->mmaps;
}

struct session;
/** report_facts - print them of an open session. Return: 0, or -1 with a message printed. */
int report_facts(const struct report_facts *f, struct session *s);

#endif
