// SPDX-License-Identifier: GPL-2.0-or-later
/* Running commands in turns (A B B A ...), so that what drifts meets all of them alike. */
#include "base/compat.h"
#include "statrun/statrun.h"

#include "base/alloc.h"

#include <errno.h>

#define CONFIDENCE 0.95

enum { ROW_ELAPSED, ROW_USER, ROW_SYS, NR_TIMES }; /* behind the events */

static const char *const time_names[NR_TIMES] = { "elapsed", "user", "sys" };

int compare_add(struct stat_compare *c, const char *command)
{
	if (c->nr == COMPARE_MOST) {
		fprintf(stderr, "no more than %d commands can be compared\n", COMPARE_MOST);
		return -1;
	}
	if (!command[strspn(command, " \t\n")]) {
		fputs("--compare: a command is empty\n", stderr);
		return -1;
	}
	c->commands[c->nr++] = (char *)(uintptr_t)command;
	return 0;
}

int opt_compare(const struct option *opt, const char *arg, int unset)
{
	return compare_add(opt->value, arg);
}

int opt_compare_fail_if(const struct option *opt, const char *arg, int unset)
{
	struct stat_compare *c = opt->value;
	const char *colon = strrchr(arg, ':');
	struct compare_limit l = { 0 };

	if (!limit_parse(&l.limit, colon ? colon + 1 : arg))
		return -1;
	if (colon)
		l.event = xstrndup(arg, (size_t)(colon - arg));
	VEC_GROW(c->limits, c->nr_limits + 1, c->cap_limits);
	c->limits[c->nr_limits++] = l;
	return 0;
}

/* --- what is measured ------------------------------------------------------------- */

static void make_rows(struct stat_cmd *s)
{
	struct compare_table *t = &s->compare.table;
	size_t nr = s->evlist.nr;

	t->commands = s->compare.commands;
	t->nr_commands = s->compare.nr;
	t->confidence = CONFIDENCE;
	t->thousands = s->view.thousands;
	t->nr_rows = nr + NR_TIMES;
	t->rows = xcalloc(t->nr_rows, sizeof(*t->rows));
	s->compare.counted = xcalloc(nr * s->compare.nr + 1, sizeof(*s->compare.counted));
	for (size_t i = 0; i < nr; i++) {
		const struct evsel *e = s->evlist.evsels[i];

		t->rows[i].name = e->name;
		t->rows[i].unit = e->unit && *e->unit ? e->unit : NULL;
		t->rows[i].real = e->scale != 0;
	}
	for (size_t i = 0; i < NR_TIMES; i++) {
		t->rows[nr + i].name = time_names[i];
		t->rows[nr + i].unit = "sec";
		t->rows[nr + i].real = true;
	}
}

static void keep_run(struct stat_cmd *s, size_t k)
{
	struct compare_table *t = &s->compare.table;
	size_t nr = s->evlist.nr;

	t->runs[k]++;
	for (size_t i = 0; i < nr; i++) {
		const struct stat_value *v = stat_value_at(&s->result, i, 0);
		double scale = s->evlist.evsels[i]->scale;

		t->rows[i].unsupported = s->unsupported[i];
		if (!s->unsupported[i] && v->enabled)
			turns_add(&s->compare.counted[i * s->compare.nr + k],
				  v->val * (scale != 0 ? scale : 1), v->enabled, v->running);
	}
	spread_add(&t->rows[nr + ROW_ELAPSED].of[k], (double)s->times.wall / 1e9);
	spread_add(&t->rows[nr + ROW_USER].of[k], (double)s->times.user / 1e9);
	spread_add(&t->rows[nr + ROW_SYS].of[k], (double)s->times.system / 1e9);
}

/* --- running ---------------------------------------------------------------------- */

/* One that the shell has nothing to do for runs without it: the shell is not counted, then. */
static char **command_words(const char *command)
{
	size_t nr = 0, cap = 0;
	char **argv = NULL, *copy, *at;

	if (command[strcspn(command, "|&;<>()$`\\\"'*?[]#~=%{}!^\n")]) {
		argv = xcalloc(4, sizeof(*argv));
		argv[0] = xstrdup("/bin/sh");
		argv[1] = xstrdup("-c");
		argv[2] = xstrdup(command);
		return argv;
	}
	copy = xstrdup(command);
	for (char *w = strtok_r(copy, " \t", &at); w; w = strtok_r(NULL, " \t", &at)) {
		VEC_GROW(argv, nr + 2, cap);
		argv[nr++] = xstrdup(w);
		argv[nr] = NULL;
	}
	free(copy);
	return argv;
}

static void free_words(char **argv)
{
	for (char **a = argv; *a; a++)
		free(*a);
	free(argv);
}

/* @keep: it is no warm-up */
static int run_one(struct stat_cmd *s, size_t k, bool keep, const sigset_t *mask, struct err *err)
{
	char **argv = command_words(s->compare.commands[k]);
	int rc;

	s->command = argv;
	rc = stat_run_once(s, mask, err);
	if (!rc && !s->signal) {
		s->compare.status = stat_exit_status(s);
		if (s->compare.status)
			fprintf(stderr, "'%s' failed with status %d\n", s->compare.commands[k],
				s->compare.status);
		else if (keep)
			keep_run(s, k);
	}
	stat_forget_run(s);
	s->command = NULL;
	free_words(argv);
	return rc;
}

static bool no_such_event(const struct stat_compare *c, const char *event)
{
	for (size_t i = 0; i < c->table.nr_rows; i++)
		if (!strcmp(c->table.rows[i].name, event))
			return false;
	return true;
}

int compare_runs(struct stat_cmd *s, const sigset_t *mask, struct err *err)
{
	struct stat_compare *c = &s->compare;
	int warmup = (int)c->warmup, rc = 0;

	make_rows(s);
	for (size_t i = 0; i < c->nr_limits; i++)
		if (c->limits[i].event && no_such_event(c, c->limits[i].event))
			return err_set(err, -EINVAL, "--fail-if: '%s' is not counted",
				       c->limits[i].event);
	for (int turn = -warmup; !s->repeat || turn < s->repeat; turn++)
		for (size_t i = 0; i < c->nr; i++) {
			s->turn = (size_t)MAX(turn, 0);
			rc = run_one(s, turn & 1 ? c->nr - 1 - i : i, turn >= 0, mask, err);
			if (rc || s->signal || c->status)
				return rc;
		}
	return 0;
}

/* What all runs say of each event. */
static void sum_up(struct stat_cmd *s)
{
	const struct turns *t = s->compare.counted;

	for (size_t i = 0; i < s->evlist.nr; i++)
		for (size_t k = 0; k < s->compare.nr; k++, t++)
			s->compare.table.rows[i].of[k] = turns_spread(t, s->scale);
}

/* --- the end ---------------------------------------------------------------------- */

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

static bool any_over(const struct stat_compare *c)
{
	const struct compare_table *t = &c->table;
	bool any = false;

	for (size_t n = 0; n < c->nr_limits; n++)
		for (size_t i = 0; i < t->nr_rows; i++)
			for (size_t k = 1; k < t->nr_commands; k++)
				any |= over(t, &c->limits[n], &t->rows[i], k);
	return any;
}

static void release(struct stat_compare *c)
{
	for (size_t i = 0; i < c->nr_limits; i++)
		free(c->limits[i].event);
	free(c->limits);
	free(c->table.rows);
	free(c->counted);
}

int compare_end(struct stat_cmd *s)
{
	struct stat_compare *c = &s->compare;
	struct strbuf out = STRBUF_INIT;
	int status = c->status;

	if (!status) {
		sum_up(s);
		if (s->json)
			compare_json(&c->table, &out);
		else if (s->sep)
			compare_csv(&c->table, s->sep, &out);
		else
			compare_text(&c->table, &out);
		fputs(strbuf_str(&out), s->out);
		fflush(s->out);
		status = any_over(c);
	}
	strbuf_release(&out);
	release(c);
	return status;
}
