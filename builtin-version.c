// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "builtin.h"

int cmd_version(int argc, const char **argv)
{
	bool build_options = false;
	const struct option options[] = {
		OPT_BOOLEAN(0, "build-options", &build_options, "display the build options"),
		OPT_END(),
	};
	static const char *const usage[] = { "perf version [<options>]", NULL };

	parse_options(argc, argv, options, usage, PARSE_OPT_STOP_AT_NON_OPTION);
	printf("perf version 0.1\n");
	return 0;
}
