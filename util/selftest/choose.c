// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "selftest/choose.h"

#include "base/alloc.h"

#include <strings.h>

static bool is_number(const char *s)
{
	return *s && strspn(s, "0123456789") == strlen(s);
}

static bool has_fragment(const char *name, const char *fragment)
{
	size_t n = strlen(fragment);

	for (; *name; name++)
		if (!strncasecmp(name, fragment, n))
			return true;
	return !n;
}

/* Tell whether one of the names in a list, with a blank between two of them, is @word. */
static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word), len;

	for (; list && *list; list += len + (list[len] == ' ')) {
		len = strcspn(list, " ");
		if (len == n && !strncasecmp(list, word, n))
			return true;
	}
	return false;
}

static bool suite_matches(const struct test_suite *s, size_t nr, const char *word)
{
	if (is_number(word))
		return strtoul(word, NULL, 10) == nr;
	for (size_t i = 0; i < s->nr_cases; i++)
		if (s->nr_cases > 1 && has_fragment(s->cases[i].name, word))
			return true;
	return has_fragment(s->name, word) || has_word(s->rooms, word);
}

bool selftest_chosen(const struct selftest *t, size_t nr)
{
	for (size_t i = 0; i < t->nr_words; i++)
		if (suite_matches(t->suites[nr - 1], nr, t->words[i]))
			return true;
	return !t->nr_words;
}

bool selftest_skipped(const struct selftest *t, size_t nr)
{
	const char *list = t->skip;
	bool found = false;

	while (list && *list && !found) {
		size_t n = strcspn(list, ",");
		char *word = xstrndup(list, n);

		found = n && suite_matches(t->suites[nr - 1], nr, word);
		free(word);
		list += n + (list[n] == ',');
	}
	return found;
}

void selftest_list(const struct selftest *t, struct strbuf *out)
{
	for (size_t nr = 1; nr <= t->nr_suites; nr++) {
		const struct test_suite *s = t->suites[nr - 1];

		if (!selftest_chosen(t, nr))
			continue;
		strbuf_addf(out, "%3zu: %s%s%s\n", nr, s->name, t->verbose && s->rooms ? ": " : "",
			    t->verbose && s->rooms ? s->rooms : "");
		for (size_t i = 0; s->nr_cases > 1 && i < s->nr_cases; i++)
			strbuf_addf(out, "%3zu:%zu: %s\n", nr, i + 1, s->cases[i].name);
	}
}
