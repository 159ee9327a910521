// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cmd/common/option-groups.h"

#include "cmd/common/message.h"

#include "dwarf/lines.h"

int opt_symfs(const struct option *opt, const char *arg, int unset)
{
	struct symfs *s = opt->value;
	struct err err = { 0 };

	symfs_release(s);
	return !unset && symfs_parse(s, arg, &err) ? error_err(&err) : 0;
}

int opt_debuginfod(const struct option *opt, const char *arg, int unset)
{
	const char **servers = opt->value;

	*servers = unset ? "" : arg ? arg : DEBUGINFOD_SYSTEM;
	return 0;
}

int opt_addr2line(const struct option *opt, const char *arg, int unset)
{
	struct line_source *by = opt->value;
	struct err err = { 0 };

	*by = (struct line_source){ .style = LINES_BUILTIN };
	return !unset && line_source_program(by, arg, &err) ? error_err(&err) : 0;
}

int opt_addr2line_style(const struct option *opt, const char *arg, int unset)
{
	struct line_source *by = opt->value;
	struct err err = { 0 };

	*by = (struct line_source){ .style = LINES_BUILTIN };
	return !unset && line_source_parse(by, arg, &err) ? error_err(&err) : 0;
}
