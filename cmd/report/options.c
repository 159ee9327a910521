// SPDX-License-Identifier: GPL-2.0-or-later
/* perf report: options that are more than a variable. */
#include "base/compat.h"

#include "cmd/report/report.h"

#include "base/alloc.h"

#include <errno.h>

/* ---- -g ---- */

static bool is_prefix(const char *tok, const char *of)
{
	return *tok && !strncmp(tok, of, strlen(tok));
}

/* How graphs are printed. Return: false when @tok says nothing of it. */
static bool graph_mode(struct report *rep, const char *tok)
{
	static const struct {
		const char *name;
		enum chain_mode mode;
	} modes[] = {
		{ "graph", CHAIN_GRAPH },   { "flat", CHAIN_FLAT }, { "fractal", CHAIN_FRACTAL },
		{ "folded", CHAIN_FOLDED }, { "none", CHAIN_NONE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		if (is_prefix(tok, modes[i].name)) {
			rep->p.chain.mode = modes[i].mode;
			return true;
		}
	}
	return false;
}

int report_graph_word(struct report *rep, const char *tok, int *numbers)
{
	char *end;

	if (graph_mode(rep, tok))
		return 0;
	if (is_prefix(tok, "caller") || is_prefix(tok, "callee")) {
		rep->p.chain.caller = is_prefix(tok, "caller");
		rep->p.order_set = true;
		return 0;
	}
	if (is_prefix(tok, "function") || is_prefix(tok, "address") || is_prefix(tok, "srcline")) {
		rep->p.chain.address = is_prefix(tok, "address");
		rep->p.chain.line = is_prefix(tok, "srcline");
		return 0;
	}
	if (is_prefix(tok, "branch")) {
		rep->p.glue_branches = true;
		return 0;
	}
	if (is_prefix(tok, "percent") || is_prefix(tok, "period") || is_prefix(tok, "count")) {
		rep->p.chain.value = is_prefix(tok, "percent")  ? CHAIN_PERCENT
				     : is_prefix(tok, "period") ? CHAIN_PERIOD
								: CHAIN_COUNT;
		return 0;
	}
	if (!*numbers) {
		rep->p.chain.min_percent = strtod(tok, &end);
	} else {
		rep->p.chain.print_limit = strtoul(tok, &end, 0);
	}
	++*numbers;
	return end == tok || *end ? -1 : 0;
}

int report_opt_graph(const struct option *opt, const char *arg, int unset)
{
	struct report *rep = opt->value;
	int numbers = 0, ret = 0;
	char *copy, *tok, *at;

	if (unset) {
		rep->p.chain.mode = CHAIN_NONE;
		rep->p.graph_asked = false;
		return 0;
	}
	copy = xstrdup(arg ? arg : "");
	/* Nothing is shown: what else is said of it does not matter. */
	for (tok = strtok_r(copy, ", ", &at); tok && !ret; tok = strtok_r(NULL, ", ", &at)) {
		ret = report_graph_word(rep, tok, &numbers);
		if (ret)
			fprintf(stderr, "invalid part '%s' of --call-graph '%s'\n", tok, arg);
		if (rep->p.chain.mode == CHAIN_NONE && is_prefix(tok, "none"))
			break;
	}
	free(copy);
	rep->p.graph_asked = rep->p.chain.mode != CHAIN_NONE;
	return ret;
}

int report_opt_callees(const struct option *opt, const char *arg, int unset)
{
	struct report *rep = opt->value;
	char why[128];
	int ret;

	if (rep->p.chain.ignore_callees)
		regfree(&rep->callees);
	rep->p.chain.ignore_callees = NULL;
	if (unset)
		return 0;
	ret = regcomp(&rep->callees, arg, REG_EXTENDED);
	if (ret) {
		regerror(ret, &rep->callees, why, sizeof(why));
		fprintf(stderr, "Invalid --ignore-callees regex: %s\n%s", arg, why);
		return -1;
	}
	rep->p.chain.ignore_callees = &rep->callees;
	return 0;
}

void report_branch_history(struct report *rep)
{
	rep->p.glue_branches = true;
	rep->p.chain.address = true;
	rep->p.chain.marks = true;
	rep->p.branches = false;
	rep->p.branches_set = true;
	rep->p.graph_asked = rep->p.chain.mode != CHAIN_NONE;
	if (!rep->p.sort && !rep->p.fields)
		rep->p.sort = "srcline,symbol,dso";
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

int report_tell_browse(const struct report *rep)
{
	if (rep->prefix_strip && !rep->prefix) {
		fprintf(stderr, "--prefix-strip requires --prefix\n");
		return -EINVAL;
	}
	if (*rep->browse && !rep->quiet)
		fprintf(stderr, "%s: of no effect on a report that is text\n", rep->browse);
	return 0;
}

int report_filters(const struct report *rep, struct profile *p, struct err *err)
{
	if (rep->pids && sample_filter_pids(&p->threads, rep->pids, err))
		return -EINVAL;
	if (rep->tids && sample_filter_tids(&p->threads, rep->tids, err))
		return -EINVAL;
	if (rep->levels && cpu_list_parse(&p->levels, rep->levels))
		return err_set(err, -EINVAL, "invalid list of parallelism levels '%s'",
			       rep->levels);
	if (rep->cpus && sample_filter_cpus(&p->only, rep->cpus, err))
		return err_set(err, -EINVAL, "failed to set cpu bitmap");
	return 0;
}
