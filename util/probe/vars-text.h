/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables that can be arguments of a probe (perf probe --vars). */
#ifndef PERF_PROBE_VARS_TEXT_H
#define PERF_PROBE_VARS_TEXT_H

#include "probe/filter.h"
#include "probe/points.h"

struct vars_shown {
	bool externs; /* variables outside of functions, too */
	bool ranges;  /* where each is known, and also those that are not at the place itself */
	bool json;    /* as a JSON document */
	const struct name_filter *filter;
};

/** probe_vars_text - append the variables at each address of a place. Return: 0, or a negative
 * errno and a sentence. */
int probe_vars_text(struct probe_object *o, const struct probe_definition *d,
		    const struct probe_points *points, const struct vars_shown *shown,
		    struct strbuf *out, struct err *err);

#endif
