// SPDX-License-Identifier: GPL-2.0-or-later
/* perf report: options that are more than a variable. */
#include "base/compat.h"

#include "cmd/common/message.h"
#include "cmd/report/report.h"

#include "profile/graph-option.h"

int report_opt_graph(const struct option *opt, const char *arg, int unset)
{
	struct report *rep = opt->value;
	struct err err = { 0 };

	if (unset)
		profile_graph_off(&rep->asked);
	else if (profile_graph_parse(&rep->asked, arg ? arg : "", &err))
		return error_err(&err);
	return 0;
}

int report_opt_callees(const struct option *opt, const char *arg, int unset)
{
	struct report *rep = opt->value;
	char why[128];
	int ret;

	if (rep->asked.chain.ignore_callees)
		regfree(&rep->callees);
	rep->asked.chain.ignore_callees = NULL;
	if (unset)
		return 0;
	ret = regcomp(&rep->callees, arg, REG_EXTENDED);
	if (ret) {
		regerror(ret, &rep->callees, why, sizeof(why));
		fprintf(stderr, "Invalid --ignore-callees regex: %s\n%s", arg, why);
		return -1;
	}
	rep->asked.chain.ignore_callees = &rep->callees;
	return 0;
}

/* ---- what only matters where rows are looked into ---- */

int report_opt_browse(const struct option *opt, const char *arg, int unset)
{
	static const char *const types[] = { "local-period", "local-hits", "global-period",
					     "global-hits" };
	struct report *rep = opt->value;
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
	rep->prefix |= !strcmp(opt->long_name, "prefix");
	rep->prefix_strip |= !strcmp(opt->long_name, "prefix-strip");
	if (!unset && !strstr(rep->browse, opt->long_name)) {
		size_t len = strlen(rep->browse);

		snprintf(rep->browse + len, sizeof(rep->browse) - len, "%s--%s", len ? ", " : "",
			 opt->long_name);
	}
	return 0;
}

void report_tell_browse(const struct report *rep)
{
	if (*rep->browse && !rep->quiet)
		fprintf(stderr, "%s: of no effect on a report that is text\n", rep->browse);
}
