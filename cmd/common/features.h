/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this binary was built with, for perf version and perf check. */
#ifndef PERF_CMD_COMMON_FEATURES_H
#define PERF_CMD_COMMON_FEATURES_H

#include "base/compat.h"

struct feature {
	const char *name;
	bool on;
	const char *macro;
};

/* Ends with a row without a name; made by the build's probes. */
static const struct feature features[] = {
#define FEATURE(name, on, macro) { name, on, macro },
#include "build-features.h"
#undef FEATURE
	{ NULL, false, NULL },
};

/** print_feature - one line of `perf version --build-options`, on stdout. */
static inline void print_feature(const struct feature *f)
{
	printf("%22s: [ %s ]  # %s\n", f->name, f->on ? "on " : "OFF", f->macro);
}

#endif
