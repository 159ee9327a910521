// SPDX-License-Identifier: GPL-2.0-or-later
/* Run commands in turns (A B B A ...), so that what drifts meets all of them alike. */
#include "base/compat.h"
#include "statrun/run-internal.h"

#include "base/alloc.h"

#include <errno.h>

#define CONFIDENCE 0.95

enum { ROW_ELAPSED, ROW_USER, ROW_SYS, NR_TIMES }; /* behind the events */

static const char *const time_names[NR_TIMES] = { "elapsed", "user", "sys" };

/* --- what is measured ------------------------------------------------------------- */

void stat_compare_init(struct stat_run *r)
{
	struct compare_table *t = &r->results.compared;
	size_t nr = r->evlist->nr;

	t->commands = r->o->compare.commands;
	t->nr_commands = r->o->compare.nr;
	t->confidence = CONFIDENCE;
	t->nr_rows = nr + NR_TIMES;
	t->rows = xcalloc(t->nr_rows, sizeof(*t->rows));
	r->counted = xcalloc(nr * t->nr_commands + 1, sizeof(*r->counted));
	for (size_t i = 0; i < nr; i++) {
		const struct evsel *e = r->evlist->evsels[i];

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

/* The results are those of a run of the @k-th command. */
static void keep_run(struct stat_run *r, size_t k)
{
	struct compare_table *t = &r->results.compared;
	const struct stat_times *times = &r->results.times;
	size_t nr = r->evlist->nr;

	t->runs[k]++;
	for (size_t i = 0; i < nr; i++) {
		const struct stat_value *v = stat_value_at(&r->results.last, i, 0);
		double scale = r->evlist->evsels[i]->scale;

		t->rows[i].unsupported = r->table.unsupported[i];
		if (!t->rows[i].unsupported && v->enabled)
			multiplexing_add(&r->counted[i * t->nr_commands + k],
					 v->val * (scale != 0 ? scale : 1), v->enabled, v->running);
	}
	spread_add(&t->rows[nr + ROW_ELAPSED].of[k], (double)times->wall / 1e9);
	spread_add(&t->rows[nr + ROW_USER].of[k], (double)times->user / 1e9);
	spread_add(&t->rows[nr + ROW_SYS].of[k], (double)times->system / 1e9);
}

/* Fill the table with what all runs together say of each event. */
static void sum_up(struct stat_run *r)
{
	struct compare_table *t = &r->results.compared;
	const struct multiplexing *counted = r->counted;

	for (size_t i = 0; i < r->evlist->nr; i++)
		for (size_t k = 0; k < t->nr_commands; k++, counted++)
			t->rows[i].of[k] = multiplexing_spread(counted, r->o->scale);
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
static int run_one(struct stat_run *r, size_t k, bool keep, struct err *err)
{
	const char *command = r->o->compare.commands[k];
	char **argv = command_words(command);
	int rc;

	r->command = argv;
	rc = stat_run_once(r, err);
	if (!rc && !r->results.signal) {
		if (r->results.status)
			notice(&r->to.notes, "'%s' failed with status %d\n", command,
			       r->results.status);
		else if (keep)
			keep_run(r, k);
	}
	stat_run_forget(r);
	r->command = NULL;
	free_words(argv);
	return rc;
}

int stat_compare_all(struct stat_run *r, struct err *err)
{
	const struct stat_compare_options *c = &r->o->compare;
	int warmup = (int)c->warmup, rc = 0;

	for (int turn = -warmup; !r->o->repeat || turn < r->o->repeat; turn++)
		for (size_t i = 0; i < c->nr; i++) {
			r->turn = (size_t)MAX(turn, 0);
			rc = run_one(r, turn & 1 ? c->nr - 1 - i : i, turn >= 0, err);
			if (rc || r->results.signal || r->results.status) {
				sum_up(r);
				return rc;
			}
		}
	sum_up(r);
	return 0;
}

int stat_compare_add(struct stat_compare_options *c, const char *command, struct err *err)
{
	if (c->nr == COMPARE_MOST)
		return err_set(err, -E2BIG, "no more than %d commands can be compared",
			       COMPARE_MOST);
	if (!command[strspn(command, " \t\n")])
		return err_set(err, -EINVAL, "--compare: a command is empty");
	c->commands[c->nr++] = (char *)(uintptr_t)command;
	return 0;
}
