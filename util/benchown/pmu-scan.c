// SPDX-License-Identifier: GPL-2.0-or-later
/* internals pmu-scan: what sysfs says of PMUs is read: those of the cores, and all. */
#include "base/compat.h"
#include "benchown/own-internal.h"

#include "base/clock.h"
#include "events/pmu.h"

/* Read all PMUs, or those of the cores. Return: 0 or a negative errno. */
static int scan(bool core)
{
	const struct sysroot here = { 0 };
	struct pmus pmus = { 0 };
	int ret = pmus_scan(&pmus, &here);
	size_t i;

	for (i = 0; i < pmus.nr; i++)
		if (!core || pmus.v[i].core)
			pmu_load(&pmus.v[i], &here);
	pmus_release(&pmus);
	return ret;
}

int own_pmu_scan(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench internals pmu-scan", NULL };
	static const struct {
		bool core;
		const char *text, *figure;
	} kinds[] = { { true, "core PMU", "core PMUs" }, { false, "PMU", "all PMUs" } };
	unsigned int times = 100, i;
	const struct option options[] = {
		OPT_UINTEGER('i', "iterations", &times,
			     "Number of iterations used to compute average"),
		OPT_END(),
	};
	size_t k;
	u64 ns;
	int ret;

	b->parse(b, options, usage);
	if (!times)
		return bench_invalid(err, "--iterations is 0; it must be 1 at least");
	bench_say(b, "Computing performance of sysfs PMU event scan for %u times\n", times);
	for (k = 0; k < ARRAY_SIZE(kinds); k++) {
		struct spread us = { 0 };

		for (i = 0; i < times; i++) {
			ns = clock_ns(CLOCK_MONOTONIC);
			ret = scan(kinds[k].core);
			spread_add(&us, (double)(clock_ns(CLOCK_MONOTONIC) - ns) / 1000);
			if (ret)
				return err_set(err, ret,
					       "could not read /sys/bus/event_source/devices: %s",
					       err_str(ret));
		}
		bench_say(b, "  Average %s scanning took: %.3f usec (+- %.3f usec)\n",
			  kinds[k].text, us.mean, spread_error(&us));
		bench_spread(b, kinds[k].figure, "usecs", false, &us);
	}
	return 0;
}
