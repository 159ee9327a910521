// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cmd/common/option-groups.h"

#include "cmd/common/message.h"

#include "base/units.h"
#include "cli/values.h"
#include "dwarf/lines.h"
#include "session/itrace.h"

#include <errno.h>

int opt_duration(const struct option *opt, const char *arg, int unset)
{
	u64 *ms = opt->value;
	double seconds;

	*ms = 0;
	if (unset)
		return 0;
	if (!seconds_parse(arg, 0.001, 1e9, &seconds)) {
		fprintf(stderr, "invalid duration '%s': give a number of seconds\n", arg);
		return -1;
	}
	*ms = (u64)(seconds * 1000 + 0.5);
	return 0;
}

int heatmap_check_live(const char *file, struct err *err)
{
	return file ? err_set(err, -EINVAL, "-b has sums only, and --heatmap needs a recording")
		    : 0;
}

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

int opt_itrace(const struct option *opt, const char *arg, int unset)
{
	struct itrace_option *asked = opt->value;

	*asked = (struct itrace_option){ .given = !unset, .none = unset, .letters = arg };
	if (unset || !arg || itrace_is_valid(arg))
		return 0;
	fprintf(stderr, "Bad Instruction Tracing options '%s'\n", arg);
	return -1;
}

/* ---- what only matters where functions are looked into ---- */

int look_option(const struct option *opt, const char *arg, int unset)
{
	static const char *const types[] = { "local-period", "local-hits", "global-period",
					     "global-hits" };
	struct look_options *o = opt->value;
	bool known = strcmp(opt->long_name, "percent-type") != 0 || unset;
	char *end;

	for (size_t i = 0; !known && i < ARRAY_SIZE(types); i++)
		known = !strcmp(arg, types[i]);
	if (!known) {
		fprintf(stderr,
			"invalid --percent-type '%s': say local-period, local-hits, global-period or global-hits\n",
			arg);
		return -1;
	}
	if (!strcmp(opt->long_name, "samples") && !unset) {
		strtol(arg, &end, 10);
		if (!*arg || *end) {
			fprintf(stderr, " Error: option `samples' expects a numerical value\n");
			return -1;
		}
	}
	o->prefix |= !strcmp(opt->long_name, "prefix");
	o->prefix_strip |= !strcmp(opt->long_name, "prefix-strip");
	if (!unset && !strstr(o->given, opt->long_name)) {
		size_t len = strlen(o->given);

		snprintf(o->given + len, sizeof(o->given) - len, "%s--%s", len ? ", " : "",
			 opt->long_name);
	}
	return 0;
}

void look_options_tell(const struct look_options *o)
{
	if (*o->given)
		fprintf(stderr, "%s: of no effect on a report that is text\n", o->given);
}

/* ---- rows of a profile ---- */

int row_opt_percent_limit(const struct option *opt, const char *arg, int unset)
{
	struct row_options *r = opt->value;
	struct err err = { 0 };

	r->percent_limit = 0;
	if (!unset && percent_parse(&r->percent_limit, arg, &err))
		return error_err(&err);
	r->asked->chain.min_percent = r->percent_limit;
	return 0;
}

int row_opt_percentage(const struct option *opt, const char *arg, int unset)
{
	struct row_options *r = opt->value;
	struct err err = { 0 };

	r->relative = r->relative_default;
	return !unset && percentage_parse(&r->relative, arg, &err) ? error_err(&err) : 0;
}

int row_opt_widths(const struct option *opt, const char *arg, int unset)
{
	struct row_options *r = opt->value;
	struct err err = { 0 };

	memset(r->widths, 0, sizeof(r->widths));
	r->asked->fixed_widths = r->widths_given = !unset;
	if (unset || !widths_parse(r->widths, HIST_MAX_COLUMNS, arg, &err))
		return 0;
	return error_err(&err);
}

int row_opt_callees(const struct option *opt, const char *arg, int unset)
{
	struct row_options *r = opt->value;
	char why[128];
	int ret;

	if (r->asked->chain.ignore_callees)
		regfree(&r->callees);
	r->asked->chain.ignore_callees = NULL;
	if (unset)
		return 0;
	ret = regcomp(&r->callees, arg, REG_EXTENDED);
	if (ret) {
		regerror(ret, &r->callees, why, sizeof(why));
		fprintf(stderr, "Invalid --ignore-callees regex: %s\n%s\n", arg, why);
		return -1;
	}
	r->asked->chain.ignore_callees = &r->callees;
	return 0;
}
