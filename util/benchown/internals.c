// SPDX-License-Identifier: GPL-2.0-or-later
/* The collection internals. */
#include "base/compat.h"
#include "benchown/benchown.h"
#include "benchown/own-internal.h"

static const struct benchmark list[] = {
	{ "synthesize", "Benchmark perf event synthesis", own_synthesize },
	{ "kallsyms-parse", "Benchmark kallsyms parsing", own_kallsyms },
	{ "inject-build-id", "Benchmark build-id injection", own_inject },
	{ "evlist-open-close", "Benchmark evlist open and close", own_open_close },
	{ "pmu-scan", "Benchmark sysfs PMU info scanning", own_pmu_scan },
	{ NULL },
};

const struct bench_collection bench_internals = { "internals", "Perf-internals benchmarks", list,
						  "Run all internals benchmarks" };
