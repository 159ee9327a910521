/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "Did you mean": the names closest to a word that is none. */
#ifndef PERF_BASE_SUGGEST_H
#define PERF_BASE_SUGGEST_H

#include "base/compat.h"

/**
 * edit_distance - how many letters have to be put in, taken out, replaced or swapped with
 * their neighbour to turn @a into @b; words longer than 63 bytes are UINT_MAX apart.
 */
unsigned int edit_distance(const char *a, const char *b);

#define NEAR_MAX 4

/* The names nearest to a word among many that are offered one after the other. */
struct near {
	const char *word; /* borrowed */
	unsigned int least;
	size_t nr;
	char *best[NEAR_MAX]; /* owned; in the order they were offered */
};

/** near_add - offer a name; it is copied if it is as near as the nearest so far. */
void near_add(struct near *n, const char *name);
/** near_release - free the names; the word may be changed for another search. */
void near_release(struct near *n);

/**
 * suggest - the names nearest to @word, in the order of the list.
 * @best: room for @max names; borrowed from @names
 * Return: how many were stored; 0 when nothing is near enough to be what was meant.
 */
size_t suggest(const char *word, const char *const *names, size_t nr, const char **best,
	       size_t max);

#endif
