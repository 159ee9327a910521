// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "analyze/syscall-sums.h"

#include "base/alloc.h"

#include <math.h>

void syscall_sums_init(struct syscall_sums *s, size_t most_ended)
{
	*s = (struct syscall_sums){ .most_ended = most_ended };
}

static void group_release(struct syscall_group *g)
{
	for (size_t i = 0; i < g->nr; i++) {
		free(g->sums[i].errnos);
		free(g->sums[i].steps);
	}
	free(g->sums);
	map64_release(&g->by_nr);
}

void syscall_sums_release(struct syscall_sums *s)
{
	for (size_t i = 0; i < s->nr; i++)
		group_release(&s->groups[i]);
	free(s->groups);
	map64_release(&s->by_key);
	*s = (struct syscall_sums){ 0 };
}

/* ---- groups ---- */

static size_t group_new(struct syscall_sums *s, u64 key, u32 pid)
{
	VEC_GROW(s->groups, s->nr + 1, s->cap);
	s->groups[s->nr] = (struct syscall_group){ .key = key, .pid = pid };
	return s->nr++;
}

size_t syscall_sums_find(struct syscall_sums *s, u64 key, u32 pid)
{
	u32 *slot = map64_slot(&s->by_key, key);

	if (*slot == MAP64_NONE || s->groups[*slot].ended)
		*slot = (u32)group_new(s, key, pid);
	return s->recent = *slot;
}

/* ---- calls ---- */

static struct syscall_sum *sum_look_up(struct syscall_group *g, s64 nr)
{
	u32 *slot = map64_slot(&g->by_nr, (u64)nr);

	if (*slot == MAP64_NONE) {
		VEC_GROW(g->sums, g->nr + 1, g->cap);
		g->sums[g->nr] = (struct syscall_sum){ .nr = nr };
		*slot = (u32)g->nr++;
	}
	return g->recent = &g->sums[*slot];
}

/* A return follows its call, and calls of one kind each other. */
static inline struct syscall_sum *sum_of(struct syscall_group *g, s64 nr)
{
	return likely(g->recent && g->recent->nr == nr) ? g->recent : sum_look_up(g, nr);
}

static void add_errno(struct syscall_sum *s, u32 error, u64 nr)
{
	u32 i = 0;

	while (i < s->nr_errnos && s->errnos[i].error != error)
		i++;
	if (i == s->nr_errnos) {
		s->errnos = xrealloc(s->errnos, i + 1U, sizeof(*s->errnos));
		s->errnos[s->nr_errnos++] = (struct syscall_errno){ .error = error };
	}
	s->errnos[i].nr += nr;
}

static void add_time(struct syscall_sum *s, u64 ns)
{
	s->min = s->timed ? MIN(s->min, ns) : ns;
	s->max = MAX(s->max, ns);
	s->total += ns;
	s->squares += (unsigned __int128)ns * ns;
	s->timed++;
}

/* Return the distribution, which is made when it is first needed. */
static u32 *steps_get(struct syscall_sum *s)
{
	if (!s->steps)
		s->steps = xcalloc(STEPS, sizeof(*s->steps));
	return s->steps;
}

void syscall_sums_call(struct syscall_sums *s, size_t group, s64 nr)
{
	sum_of(&s->groups[group], nr)->calls++;
}

void syscall_sums_return(struct syscall_sums *s, size_t group, s64 nr, bool timed, u64 ns, s64 ret)
{
	struct syscall_sum *sum = sum_of(&s->groups[group], nr);

	if (timed)
		add_time(sum, ns);
	if (timed && s->steps)
		steps_get(sum)[step_of(ns)]++;
	if (ret < 0 && ret >= -SYSCALL_MAX_ERRNO) {
		sum->errors++;
		add_errno(sum, (u32)-ret, 1);
	}
}

u64 syscall_sum_quantile(const struct syscall_sum *s, u32 millionths)
{
	return s->steps ? steps_quantile(s->steps, s->timed, s->max, millionths) : 0;
}

/* Return the sum of the squares of the differences to the mean, which is that of the squares less
 * the square of the sum by the number: both are exact. */
static double differences(const struct syscall_sum *s)
{
	const unsigned __int128 square = (unsigned __int128)s->total * s->total;
	const unsigned __int128 part = square / s->timed;
	const u64 rest = (u64)(square % s->timed);

	return s->squares < part ? 0
				 : (double)(s->squares - part) - (double)rest / (double)s->timed;
}

double syscall_sum_deviation(const struct syscall_sum *s)
{
	double n = (double)s->timed;

	if (s->timed < 2 || !s->total)
		return 0;
	return 100 * sqrt(MAX(differences(s), 0.0) / (n - 1) / n) / syscall_sum_mean(s);
}

/* ---- sums that become one ---- */

/* Add the calls of one number to others. */
static void sum_fold(struct syscall_sum *to, const struct syscall_sum *from)
{
	to->calls += from->calls;
	to->errors += from->errors;
	for (u32 i = 0; i < from->nr_errnos; i++)
		add_errno(to, from->errnos[i].error, from->errnos[i].nr);
	if (from->steps)
		steps_fold(steps_get(to), from->steps);
	if (!from->timed)
		return;
	to->min = to->timed ? MIN(to->min, from->min) : from->min;
	to->max = MAX(to->max, from->max);
	to->total += from->total;
	to->timed += from->timed;
	to->squares += from->squares;
}

void syscall_sums_add(struct syscall_sums *s, size_t group, const struct syscall_sum *more)
{
	sum_fold(sum_of(&s->groups[group], more->nr), more);
}

static void group_fold(struct syscall_group *to, struct syscall_group *from)
{
	for (size_t i = 0; i < from->nr; i++)
		sum_fold(sum_of(to, from->sums[i].nr), &from->sums[i]);
	to->events += from->events;
	to->faults_major += from->faults_major;
	to->faults_minor += from->faults_minor;
	to->runtime += from->runtime;
	to->folded++;
	group_release(from);
}

/* Fold all groups that have ended into one, which is the first, and close the gaps. */
static void fold_ended(struct syscall_sums *s)
{
	size_t kept = 0;
	struct syscall_group common = { .ended = true };

	if (s->nr && s->groups[0].folded)
		common = s->groups[kept++];
	for (size_t i = kept; i < s->nr; i++)
		if (s->groups[i].ended)
			group_fold(&common, &s->groups[i]);
	if (!kept) { /* at least one group has ended, so the first place behind is free */
		size_t gap = 0;

		while (!s->groups[gap].ended)
			gap++;
		memmove(s->groups + 1, s->groups, gap * sizeof(*s->groups));
		kept = 1;
	}
	s->groups[0] = common;
	map64_release(&s->by_key);
	for (size_t i = kept; i < s->nr; i++) {
		if (s->groups[i].ended)
			continue;
		s->groups[kept] = s->groups[i];
		map64_set(&s->by_key, s->groups[kept].key, (u32)kept);
		kept++;
	}
	s->nr = kept;
	s->ended = 0;
}

void syscall_sums_end(struct syscall_sums *s, u64 key)
{
	u32 at = map64_get(&s->by_key, key);

	if (at == MAP64_NONE || s->groups[at].ended)
		return;
	s->groups[at].ended = true;
	map64_release(&s->groups[at].by_nr);
	if (++s->ended > s->most_ended)
		fold_ended(s);
}

/* ---- the result ---- */

static int by_total(const void *a, const void *b)
{
	const struct syscall_sum *x = a, *y = b;

	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	return (x->nr > y->nr) - (x->nr < y->nr);
}

static int by_number(const void *a, const void *b)
{
	const struct syscall_errno *x = a, *y = b;

	return (x->error > y->error) - (x->error < y->error);
}

void syscall_sums_sort(struct syscall_sums *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		struct syscall_group *g = &s->groups[i];

		for (size_t k = 0; k < g->nr; k++)
			if (g->sums[k].nr_errnos)
				qsort(g->sums[k].errnos, g->sums[k].nr_errnos,
				      sizeof(*g->sums[k].errnos), by_number);
		if (g->nr)
			qsort(g->sums, g->nr, sizeof(*g->sums), by_total);
	}
}
