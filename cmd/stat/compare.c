// SPDX-License-Identifier: GPL-2.0-or-later
/* perf stat --compare: what is printed, and the limits of --fail-if. */
#include "base/compat.h"
#include "cmd/stat/stat.h"

#include "stattext/compare.h"

#include <errno.h>

static bool no_such_event(const struct compare_table *t, const char *event)
{
	for (size_t i = 0; i < t->nr_rows; i++)
		if (!strcmp(t->rows[i].name, event))
			return false;
	return true;
}

int compare_check(const struct stat_cmd *s, struct err *err)
{
	for (size_t i = 0; i < s->limits.nr; i++) {
		const char *event = s->limits.v[i].event;

		if (event && no_such_event(&s->results->compared, event))
			return err_set(err, -EINVAL, "--fail-if: '%s' is not counted", event);
	}
	return 0;
}

static bool over(const struct compare_table *t, const struct compare_limit *l,
		 const struct compare_row *row, size_t k)
{
	struct ratio r = compare_ratio(t, row, k);

	if ((l->event && strcmp(l->event, row->name)) || !r.differs ||
	    !limit_passed(&l->limit, (r.value - 1) * 100))
		return false;
	fprintf(stderr, "%s: %.6g -> %.6g (%+.2f%%) in '%s': more than %g%% and than chance\n",
		row->name, row->of[0].mean, row->of[k].mean, (r.value - 1) * 100, t->commands[k],
		l->limit.percent);
	return true;
}

static bool any_over(const struct stat_cmd *s)
{
	const struct compare_table *t = &s->results->compared;
	bool any = false;

	for (size_t n = 0; n < s->limits.nr; n++)
		for (size_t i = 0; i < t->nr_rows; i++)
			for (size_t k = 1; k < t->nr_commands; k++)
				any |= over(t, &s->limits.v[n], &t->rows[i], k);
	return any;
}

int compare_show(struct stat_cmd *s)
{
	const struct compare_table *t = &s->results->compared;
	struct strbuf out = STRBUF_INIT;

	if (s->out.json)
		compare_json(t, &out);
	else if (s->out.sep)
		compare_csv(t, s->out.sep, &out);
	else
		compare_text(t, s->view.thousands, &out);
	fputs(strbuf_str(&out), s->out.file);
	fflush(s->out.file);
	strbuf_release(&out);
	return any_over(s);
}
