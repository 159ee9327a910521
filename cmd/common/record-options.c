// SPDX-License-Identifier: GPL-2.0-or-later
/* Read the values of the options of perf record. */
#include "base/compat.h"
#include "cmd/common/record-options.h"

#include "cmd/common/message.h"
#include "cmd/common/record-front.h"
#include "cmd/common/settings.h"
#include "recordopts/values.h"

int record_opt_value(const struct option *opt, const char *arg, int unset)
{
	struct record_front *f = opt->value;
	const struct record_values v = { &f->o, &f->given, &f->sysroot, &stderr_notices };
	struct err err = { 0 };

	return record_value_set(&v, opt->long_name, arg, unset, &err) ? error_err(&err) : 0;
}

int record_opt_g(const struct option *opt, const char *arg __unused, int unset)
{
	struct sample_opts *s = opt->value;
	const char *mode = NULL, *size = NULL;
	struct err err = { 0 };

	if (unset) {
		s->callgraph = CALLGRAPH_NONE;
		return 0;
	}
	if (s->callgraph != CALLGRAPH_NONE) /* --call-graph has said how */
		return 0;
	config_default_str("call-graph.record-mode", &mode);
	config_default_str("record.call-graph", &mode);
	config_default_str("call-graph.dump-size", &size);
	return record_callgraph_default(s, mode, size, &err) ? error_err(&err) : 0;
}

int record_opt_setup_filter(const struct option *opt, const char *arg, int unset)
{
	const char **action = opt->value;

	if (unset || (strcmp(arg, "pin") && strcmp(arg, "unpin") && strcmp(arg, "list"))) {
		fprintf(stderr, "Unknown --setup-filter action: '%s': give pin, unpin or list\n",
			arg ? arg : "");
		return -1;
	}
	*action = arg;
	return 0;
}
