// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Metrics of events without a type of their own: transactions, and the cost of firmware interrupts.
 * They are recognised by the names under which -T and --smi-cost open them.
 */
#include "base/compat.h"
#include "stat/shadow-internal.h"

#include <math.h>

/* Return the value of the counted event with that name, or NaN. */
static double named(const struct stat_result *r, size_t id, const char *name)
{
	for (size_t i = 0; i < r->evlist->nr; i++)
		if (!strcmp(r->evlist->evsels[i]->name, name) && stat_counted(r, i, id))
			return stat_value_at(r, i, id)->val;
	return NAN;
}

static double share(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : NAN;
}

static double each(double all, double nr)
{
	return nr > 0 ? all / nr : NAN;
}

static void tell_some(stat_metric_fn *fn, void *ctx, double value, const char *fmt,
		      const char *unit)
{
	if (!isnan(value))
		fn(ctx, &(struct stat_metric){ .value = value, .fmt = fmt, .unit = unit });
}

static void tell_smi(const struct stat_result *r, double val, size_t id, stat_metric_fn *fn,
		     void *ctx)
{
	double all = named(r, id, "msr/aperf/"), cycles = named(r, id, "cycles");

	tell_some(fn, ctx, share(all - cycles, all), "%8.1f%%", "SMI cycles%");
	tell_some(fn, ctx, val, "%4.0f", "SMI num");
}

bool shadow_named(const struct stat_result *r, size_t evsel, size_t id, stat_metric_fn *fn,
		  void *ctx)
{
	const char *name = r->evlist->evsels[evsel]->name;
	double val = stat_value_at(r, evsel, id)->val;
	double within = named(r, id, "cpu/cycles-t/"), cycles = named(r, id, "cycles");

	if (!strcmp(name, "cpu/cycles-t/"))
		tell_some(fn, ctx, share(val, cycles), "%7.2f%%", "transactional cycles");
	else if (!strcmp(name, "cpu/cycles-ct/"))
		tell_some(fn, ctx, share(fmax(within - val, 0), cycles), "%7.2f%%",
			  "aborted cycles");
	else if (!strcmp(name, "cpu/tx-start/"))
		tell_some(fn, ctx, each(within, val), "%8.0f", "cycles / transaction");
	else if (!strcmp(name, "cpu/el-start/"))
		tell_some(fn, ctx, each(within, val), "%8.0f", "cycles / elision");
	else if (!strcmp(name, "msr/smi/"))
		tell_smi(r, val, id, fn, ctx);
	else
		return false;
	return true;
}
