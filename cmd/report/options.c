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
