// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cmd/common/itrace.h"

#include "session/itrace.h"

int opt_itrace(const struct option *opt, const char *arg, int unset)
{
	bool *given = opt->value;

	*given = !unset;
	if (unset || !arg || itrace_is_valid(arg))
		return 0;
	fprintf(stderr, "Bad Instruction Tracing options '%s'\n", arg);
	return -1;
}
