/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line above a live profile, as perf 6.1 has it: what was measured, and how much of it. Behind
 * that it has what measuring costs. */
#ifndef PERF_TOPRUN_TITLE_H
#define PERF_TOPRUN_TITLE_H

#include "kernel/target.h"
#include "toprun/toprun.h"

struct toprun_title {
	const struct target *target;
	const struct evlist *events;
	u32 shown;      /* index of the event whose rows are shown */
	size_t nr_cpus; /* that are measured */
	bool guests;    /* samples of guests are told apart */
};

/** toprun_title - append the line, without newline. */
void toprun_title(const struct toprun_title *t, const struct toprun_numbers *n, struct strbuf *out);

#endif
