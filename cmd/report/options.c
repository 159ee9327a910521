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
