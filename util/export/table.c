// SPDX-License-Identifier: GPL-2.0-or-later
/* List the export formats. */
#include "base/compat.h"
#include "export/export.h"

#include "export/formats.h"
#include "export/page.h"

const struct export_ops *const export_table[] = {
	&export_svg,   &export_folded, &export_html,     &export_pprof, &export_speedscope,
	&export_gecko, &export_trace,  &export_perfetto, &export_dot,   &export_callgrind,
	&export_otlp,  &export_ndjson, &export_diff,     NULL,
};

const struct export_ops *export_find(const char *name)
{
	for (const struct export_ops *const *e = export_table; *e; e++)
		if (!strcmp((*e)->name, name))
			return *e;
	return NULL;
}
