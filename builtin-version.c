// SPDX-License-Identifier: GPL-2.0-or-later
/* perf version: what this binary is, and what is built into it. */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/usage.h"
#include "cmd/common/features.h"

#include "perf-version.h"

static void print_version(bool with_options)
{
	const struct feature *f;

	printf("perf version %s\n", PERF_VERSION);
	for (f = features; with_options && f->name; f++)
		print_feature(f);
}

int cmd_version(int argc, const char **argv)
{
	bool build_options = false;
	const struct option options[] = {
		OPT_BOOLEAN(0, "build-options", &build_options, "display the build options"),
		OPT_END(),
	};
	static const char *const usage[] = { "perf version [<options>]", NULL };

	parse_options(argc, argv, options, usage, PARSE_OPT_STOP_AT_NON_OPTION);
	print_version(build_options);
	return 0;
}
