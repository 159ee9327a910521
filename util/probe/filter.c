// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "probe/filter.h"

#include "base/alloc.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>

#define DEPTH_MAX 64      /* of parentheses and negations */
#define PATTERNS_MAX 1024 /* of a filter, whose tree may be as deep */

/* A filter is a tree: a pattern, or an operation on one or two filters. */
struct name_filter {
	char op;                          /* '!', '&', '|'; 0: a pattern */
	char *pattern;                    /* owned */
	bool one_star;                    /* the pattern is text, one *, and text */
	size_t head, tail;                /* the lengths of these texts */
	struct name_filter *left, *right; /* owned */
};

void name_filter_free(struct name_filter *f)
{
	if (!f)
		return;
	name_filter_free(f->left);
	name_filter_free(f->right);
	free(f->pattern);
	free(f);
}

/* A filter that is being read. */
struct reading {
	const char *text, *p;
	int depth, patterns;
	struct err *err;
};

static struct name_filter *read_any(struct reading *r);

static struct name_filter *fail(struct reading *r, const char *what)
{
	err_set(r->err, -EINVAL, "The filter \"%s\" %s at \"%s\".", r->text, what, r->p);
	return NULL;
}

static char next(struct reading *r)
{
	while (isspace((unsigned char)*r->p))
		r->p++;
	return *r->p;
}

static struct name_filter *make(char op, struct name_filter *left, struct name_filter *right)
{
	struct name_filter *f = xzalloc(sizeof(*f));

	f->op = op;
	f->left = left;
	f->right = right;
	return f;
}

/* Return the end of the pattern at @p; what is in brackets is no operator. */
static const char *pattern_end(const char *p)
{
	while (*p && !isspace((unsigned char)*p) && !strchr("&|!()", *p)) {
		const char *close = *p == '[' ? strchr(p + 1, ']') : NULL;

		if (*p == '\\' && p[1])
			p++;
		p = close ? close + 1 : p + 1;
	}
	return p;
}

/* Most patterns have one * and nothing else that means something: lists of functions are long, and
 * comparing texts is quicker than the matcher. */
static void note_star(struct name_filter *f)
{
	f->head = strcspn(f->pattern, "*?[\\");
	f->tail = strlen(f->pattern) - f->head;
	f->one_star = f->pattern[f->head] == '*' &&
		      !f->pattern[f->head + 1 + strcspn(f->pattern + f->head + 1, "*?[\\")];
	f->tail -= f->one_star;
}

static bool pattern_matches(const struct name_filter *f, const char *name)
{
	size_t len;

	if (!f->one_star)
		return !fnmatch(f->pattern, name, 0);
	if (strncmp(f->pattern, name, f->head) != 0)
		return false;
	len = strlen(name);
	return len >= f->head + f->tail &&
	       !memcmp(name + len - f->tail, f->pattern + f->head + 1, f->tail);
}

static struct name_filter *read_pattern(struct reading *r)
{
	const char *end = pattern_end(r->p);
	struct name_filter *f;

	if (end == r->p)
		return fail(r, "has no pattern");
	if (++r->patterns > PATTERNS_MAX)
		return fail(r, "has too many patterns");
	f = make(0, NULL, NULL);
	f->pattern = xstrndup(r->p, (size_t)(end - r->p));
	note_star(f);
	r->p = end;
	return f;
}

static struct name_filter *read_one(struct reading *r)
{
	char c = next(r);
	struct name_filter *f;

	if (c != '!' && c != '(')
		return read_pattern(r);
	if (++r->depth > DEPTH_MAX)
		return fail(r, "is nested too deeply");
	r->p++;
	f = c == '!' ? read_one(r) : read_any(r);
	r->depth--;
	if (!f || c == '!')
		return f ? make('!', f, NULL) : NULL;
	if (next(r) == ')') {
		r->p++;
		return f;
	}
	name_filter_free(f);
	return fail(r, "lacks a ')'");
}

/* Read operands of '&', or of '|', which are those of '&'. */
static struct name_filter *read_chain(struct reading *r, char op)
{
	struct name_filter *f = op == '&' ? read_one(r) : read_chain(r, '&'), *right;

	while (f && next(r) == op) {
		r->p++;
		right = op == '&' ? read_one(r) : read_chain(r, '&');
		if (!right) {
			name_filter_free(f);
			return NULL;
		}
		f = make(op, f, right);
	}
	return f;
}

static struct name_filter *read_any(struct reading *r)
{
	return read_chain(r, '|');
}

struct name_filter *name_filter_parse(const char *text, struct err *err)
{
	struct reading r = { .text = text, .p = text, .err = err };
	struct name_filter *f = read_any(&r);

	if (f && next(&r)) {
		name_filter_free(f);
		return fail(&r, "goes on");
	}
	return f;
}

bool name_filter_matches(const struct name_filter *f, const char *name)
{
	if (!f)
		return true;
	switch (f->op) {
	case '!':
		return !name_filter_matches(f->left, name);
	case '&':
		return name_filter_matches(f->left, name) && name_filter_matches(f->right, name);
	case '|':
		return name_filter_matches(f->left, name) || name_filter_matches(f->right, name);
	default:
		return pattern_matches(f, name);
	}
}
