/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of perf stat --iostat: a line for each PCIe root port. */
#ifndef PERF_STATTEXT_IOSTAT_H
#define PERF_STATTEXT_IOSTAT_H

#include "stat/iostat.h"
#include "stat/result.h"

/* How the table is written. */
struct iostat_style {
	const char *sep; /* borrowed; between fields; NULL: columns */
	bool times;      /* each line begins with the time */
};

/** iostat_heading - append the line that names the columns. */
void iostat_heading(const struct iostat_style *st, struct strbuf *out);
/**
 * iostat_rows - append a line for each port, with megabytes, or "<not counted>".
 * @r: of the events of iostat_events(), by die
 * @time: ns since the start
 */
void iostat_rows(const struct iostat_style *st, const struct iostat_ports *p,
		 const struct stat_result *r, u64 time, struct strbuf *out);

#endif
