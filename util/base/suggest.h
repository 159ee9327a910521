/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "Did you mean": find the known names that are closest to an unknown word. */
#ifndef PERF_BASE_SUGGEST_H
#define PERF_BASE_SUGGEST_H

#include "base/compat.h"
#include "base/err.h"

/**
 * edit_distance - return the number of letters that have to be inserted, deleted, replaced or
 * swapped with their neighbour to turn @a into @b. Words longer than 63 bytes are UINT_MAX apart.
 */
unsigned int edit_distance(const char *a, const char *b);

#define NEAR_MAX 4

/* A search for the names nearest to a word, among names that are offered one after the other. */
struct near {
	const char *word;   /* borrowed */
	unsigned int least; /* the smallest distance so far */
	size_t nr;
	char *best[NEAR_MAX]; /* owned; in the order they were offered */
};

/** near_add - offer a name. It is copied when it is as near as the nearest name so far. */
void near_add(struct near *n, const char *name);
/** near_release - free the names. The word may then be changed for another search. */
void near_release(struct near *n);

/**
 * suggest - find the names nearest to @word, in the order of the list.
 * @best: room for @max names; the strings stay those of @names
 * Return: the number of names stored; 0 when none is near enough to be what the user meant.
 */
size_t suggest(const char *word, const char *const *names, size_t nr, const char **best,
	       size_t max);

/**
 * err_suggest - append "Did you mean x?", a line of its own, to the sentence of @e when a word is
 * near to what was given.
 * @given: @len bytes
 * @words: what would have been right, with blanks between the words
 * Return: the code of @e; 0 when @e is NULL.
 */
int err_suggest(struct err *e, const char *given, size_t len, const char *words);

#endif
