// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "cli/suggest.h"

#include <limits.h>

enum { MAX_WORD = 63 };

unsigned int edit_distance(const char *a, const char *b)
{
	/* Three rows of the table of distances between beginnings of the words; [0] is the one
	 * being filled. */
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

size_t suggest(const char *word, const char *const *names, size_t nr, const char **best, size_t max)
{
	size_t len = strlen(word), found = 0, i;
	unsigned int limit = len <= 3 ? 1 : len <= 7 ? 2 : 3, least = UINT_MAX, d;

	for (i = 0; i < nr; i++) {
		/* A beginning of a name is as good as one slip. */
		d = len >= 2 && !strncmp(names[i], word, len) ? 1 : edit_distance(word, names[i]);
		if (d > limit || d > least)
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
