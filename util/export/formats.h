/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats that export.c lists. */
#ifndef PERF_EXPORT_FORMATS_H
#define PERF_EXPORT_FORMATS_H

#include "export/export.h"

extern const struct export_ops export_svg;
extern const struct export_ops export_folded;
extern const struct export_ops export_pprof, export_speedscope, export_gecko, export_trace,
	export_perfetto, export_dot, export_callgrind, export_otlp, export_ndjson;
extern const struct export_ops export_diff;

#endif
