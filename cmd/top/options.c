// SPDX-License-Identifier: GPL-2.0-or-later
/* perf top: options that are more than a variable. */
#include "base/compat.h"
#include "cmd/top/top.h"

#include "base/alloc.h"
#include "base/units.h"
#include "cli/values.h"
#include "cmd/common/message.h"
#include "profile/graph-option.h"
#include "recordopts/values.h"

int top_opt_delay(const struct option *opt, const char *arg, int unset)
{
	struct top *top = opt->value;
	double v = 2;

	if (!unset && !seconds_parse(arg, 0.01, 1e6, &v)) {
		fprintf(stderr, "-d %s: give seconds between refreshes, 0.01 or more\n", arg);
		return -1;
	}
	top->text.set.delay = v;
	return 0;
}

int top_opt_symbol(const struct option *opt, const char *arg, int unset)
{
	struct top *top = opt->value;

	free(top->text.symbol);
	top->text.symbol = unset ? NULL : xstrdup(arg);
	return 0;
}

/* ---- call chains ---- */

int top_opt_g(const struct option *opt, const char *arg, int unset)
{
	struct top *top = opt->value;
	const struct option record = { .value = &top->rec.o.sample };

	top->asked.graph_asked = !unset;
	if (unset)
		profile_graph_off(&top->asked);
	return record_opt_g(&record, arg, unset);
}

int top_opt_graph(const struct option *opt, const char *arg, int unset)
{
	struct top *top = opt->value;
	const struct option record = { .value = &top->rec, .long_name = "call-graph" };
	struct err err = { 0 };
	size_t len = unset ? 0 : record_callgraph_part(arg);
	char *mode = unset ? NULL : xasprintf("%.*s", len ? (int)len : 2, len ? arg : "fp");
	int ret = record_opt_value(&record, mode, unset);

	free(mode);
	if (unset) {
		profile_graph_off(&top->asked);
		return ret;
	}
	top->asked.graph_asked = true;
	if (!ret && arg[len] && profile_graph_parse(&top->asked, arg + len + (len > 0), &err))
		return error_err(&err);
	return ret;
}
