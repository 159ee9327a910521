// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "base/suggest.h"

#include "base/alloc.h"

#include <limits.h>
#include <strings.h>

enum { MAX_WORD = 63 };

unsigned int edit_distance(const char *a, const char *b)
{
	/*
	 * Three rows of the table of distances between prefixes of the words; [0] is being filled
	 * in.
	 */
	unsigned int rows[3][MAX_WORD + 1], *cur = rows[0], *prev = rows[1], *older = rows[2], *t;
	size_t la = strlen(a), lb = strlen(b), i, j;

	if (la > MAX_WORD || lb > MAX_WORD)
		return UINT_MAX;
	for (j = 0; j <= lb; j++)
		prev[j] = (unsigned int)j;
	for (i = 1; i <= la; i++) {
		cur[0] = (unsigned int)i;
		for (j = 1; j <= lb; j++) {
			unsigned int d = prev[j - 1] + (a[i - 1] != b[j - 1]);

			d = MIN(d, prev[j] + 1);
			d = MIN(d, cur[j - 1] + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d = MIN(d, older[j - 2] + 1);
			cur[j] = d;
		}
		t = older;
		older = prev;
		prev = cur;
		cur = t;
	}
	return prev[lb];
}

/* Return the distance of @name from @word, or UINT_MAX when it cannot have been meant. */
static unsigned int distance(const char *word, const char *name)
{
	size_t len = strlen(word), other = strlen(name);
	unsigned int limit = len <= 3 ? 1 : len <= 7 ? 2 : 3, d;

	/* A prefix of a name, or a different case, counts like one mistake. */
	if ((len >= 2 && !strncmp(name, word, len)) || !strcasecmp(name, word))
		return 1;
	if (other > len + limit || len > other + limit)
		return UINT_MAX;
	d = edit_distance(word, name);
	return d > limit ? UINT_MAX : d;
}

size_t suggest(const char *word, const char *const *names, size_t nr, const char **best, size_t max)
{
	unsigned int least = UINT_MAX;
	size_t found = 0;

	for (size_t i = 0; i < nr; i++) {
		unsigned int d = distance(word, names[i]);

		if (d == UINT_MAX || d > least)
			continue;
		if (d < least) {
			least = d;
			found = 0;
		}
		if (found < max)
			best[found++] = names[i];
	}
	return found;
}

void near_release(struct near *n)
{
	for (size_t i = 0; i < n->nr; i++)
		free(n->best[i]);
	n->nr = 0;
}

void near_add(struct near *n, const char *name)
{
	unsigned int d = distance(n->word, name);

	if (d == UINT_MAX || (n->nr && d > n->least))
		return;
	if (d < n->least)
		near_release(n);
	for (size_t i = 0; i < n->nr; i++)
		if (!strcmp(n->best[i], name))
			return;
	n->least = d;
	if (n->nr < NEAR_MAX)
		n->best[n->nr++] = xstrdup(name);
}

int err_suggest(struct err *e, const char *given, size_t len, const char *words)
{
	char *word = xstrndup(given, len), *list = xstrdup(words), *at;
	struct near near = { .word = word };
	size_t used = e ? strlen(e->msg) : 0;

	for (char *w = strtok_r(list, " ", &at); w; w = strtok_r(NULL, " ", &at))
		near_add(&near, w);
	if (e && near.nr)
		snprintf(e->msg + used, sizeof(e->msg) - used, "\nDid you mean %s?", near.best[0]);
	near_release(&near);
	free(list);
	free(word);
	return e ? e->code : 0;
}
