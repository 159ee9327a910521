// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cmd/common/option-groups.h"

#include "cmd/common/message.h"

int opt_symfs(const struct option *opt, const char *arg, int unset)
{
	struct symfs *s = opt->value;
	struct err err = { 0 };

	*s = (struct symfs){ 0 };
	return !unset && symfs_parse(s, arg, &err) ? error_err(&err) : 0;
}

int opt_debuginfod(const struct option *opt, const char *arg, int unset)
{
	const char **servers = opt->value;

	*servers = unset ? "" : arg ? arg : DEBUGINFOD_SYSTEM;
	return 0;
}
