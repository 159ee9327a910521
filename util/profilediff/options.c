// SPDX-License-Identifier: GPL-2.0-or-later
/* Take the options of comparisons: what users write, and what follows from it. */
#include "base/compat.h"
#include "profilediff/profile-diff.h"

#include "base/alloc.h"
#include "base/suggest.h"
#include "base/pool.h"
#include "columns/columns.h"

#include <errno.h>

static int parse_weights(struct diff_conf *c, const char *text, struct err *err)
{
	long long w1, w2;
	int end = 0;

	if (sscanf(text, ":%lld,%lld%n", &w1, &w2, &end) != 2 || text[end] || !w1 || !w2)
		return err_set(err, -EINVAL, "Failed: wrong weight data, use 'wdiff:w1,w2'");
	c->w1 = w1;
	c->w2 = w2;
	return 0;
}

static const char *const names[] = {
	[DIFF_DELTA] = "delta", [DIFF_DELTA_ABS] = "delta-abs", [DIFF_RATIO] = "ratio",
	[DIFF_WDIFF] = "wdiff", [DIFF_CYCLES] = "cycles",
};

void differ_computes(struct strbuf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		strbuf_addf(out, "%s ", names[i]);
}

const char *differ_compute_name(enum diff_compute c)
{
	return names[c];
}

int differ_compute(struct diff_conf *c, const char *text, struct err *err)
{
	struct strbuf all = STRBUF_INIT;
	size_t len = strcspn(text, ":");

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strlen(names[i]) != len || strncmp(text, names[i], len))
			continue;
		c->compute = (enum diff_compute)i;
		if (i == DIFF_WDIFF)
			return parse_weights(c, text + len, err);
		return text[len] ? -EINVAL : 0;
	}
	err_set(err, -EINVAL,
		"Failed: '%s' is not computation method (use 'delta','ratio' or 'wdiff')", text);
	differ_computes(&all);
	err_suggest(err, text, len, strbuf_str(&all));
	strbuf_release(&all);
	return -EINVAL;
}

int differ_graph(struct differ *d, const char *text, struct err *err)
{
	char *copy = xstrdup(text), *tok, *at, *end;
	int ret = 0;

	for (tok = strtok_r(copy, ",", &at); tok && !ret; tok = strtok_r(NULL, ",", &at)) {
		double limit = strtod(tok, &end);

		if (!strcmp(tok, "caller") || !strcmp(tok, "callee"))
			d->asked.chain.caller = !strcmp(tok, "caller");
		else if (end != tok && !*end && limit >= 0)
			d->path_limit = limit;
		else
			ret = err_set(err, -EINVAL,
				      "invalid call graph '%s': say a least change in percent, "
				      "caller or callee",
				      text);
	}
	free(copy);
	return ret;
}

/* The keys that were asked for; with "+" they follow those that are there anyway. */
static const char *asked_keys(const struct differ *d)
{
	return d->asked.sort && *d->asked.sort == '+' ? d->asked.sort + 1 : d->asked.sort;
}

int differ_check_keys(const struct differ *d, struct err *err)
{
	struct hist_columns cols = { 0 };
	const char *keys = asked_keys(d);

	return keys ? columns_sort(&cols, keys, false, false, false, err) : 0;
}

bool differ_sorts_functions(const struct differ *d)
{
	struct hist_columns cols = { 0 };

	if (!d->asked.sort || *d->asked.sort == '+')
		return true;
	return !columns_sort(&cols, d->asked.sort, false, false, false, NULL) &&
	       cols.need & NEED_SYM;
}

u32 differ_time_parts(const struct differ *d)
{
	const char *time = d->source.time;
	u32 parts = 1;

	for (; time && (time = strchr(time, ':')); time++)
		parts++;
	return parts;
}

void differ_settle(struct differ *d, u32 nr_files)
{
	d->asked.cycles = d->conf.compute == DIFF_CYCLES;
	d->asked.workers = pool_workers();
	d->asked.fixed_widths = d->text.sep;
	d->text.numbered = nr_files > 2;
	d->list_files |= nr_files > 2;
	d->text.keys = asked_keys(d);
	d->asked.graph_asked = d->graph || d->stream;
	d->asked.chain.mode = d->asked.graph_asked ? CHAIN_GRAPH : CHAIN_NONE;
	if (d->stream) {
		d->asked.sort = "comm";
		d->asked.chain.caller = false;
	}
}
