// SPDX-License-Identifier: GPL-2.0-or-later
/* Files of vendors' events and metrics: what is taken from them is in order, its terms are ones
 * that the event parser takes, and its metrics can be tried. */
#include "base/compat.h"
#include "events/parse.h"
#include "events/vendor.h"
#include "metric/metric.h"

#include "base/alloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_event(const struct vendor_event *e)
{
	for (const char *p = e->terms; *p; p++)
		if (*p <= ' ' || *p > '~' || *p == '/')
			abort();
	for (const char *p = e->name; *p; p++)
		if (*p <= ' ' || *p > '~')
			abort();
	if (!e->pmu || !e->pmu[0] || !e->terms[0])
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct sysroot nowhere = { "/nonexistent" };
	const struct parse_env parse = { .sr = &nowhere };
	struct vendor_table t = { 0 };
	struct metric_env env = { .parse = &parse, .table = &t, .cpuid = "GenuineIntel-6-55-7" };
	struct err err = { 0 };
	int rc = vendor_load_text(&t, (const char *)data, size, "dir/some-file.json", &err);

	if (rc && !err.msg[0])
		abort();
	for (size_t i = 0; i < t.nr_events; i++) {
		check_event(&t.events[i]);
		if (i && strcmp(t.events[i - 1].name, t.events[i].name) > 0)
			abort();
		if (!vendor_find(&t, t.events[i].name))
			abort();
	}
	for (size_t i = 0; i < t.nr_metrics && i < 8; i++) {
		metric_usable(&t.metrics[i], &env);
		if (!metric_find(&t, t.metrics[i].name))
			abort();
	}
	vendor_release(&t);
	return 0;
}
