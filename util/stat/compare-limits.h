/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Check limits of changes between compared commands: what is beyond one is worth an exit status. */
#ifndef PERF_STAT_COMPARE_LIMITS_H
#define PERF_STAT_COMPARE_LIMITS_H

#include "base/err.h"
#include "base/strbuf.h"
#include "cli/values.h"
#include "stat/compare.h"

/* The limit of an event, or of all. */
struct compare_limit {
	char *event; /* owned; NULL: any */
	struct limit limit;
};

struct compare_limits {
	struct compare_limit *v; /* owned */
	size_t nr, cap;
};

/** compare_limits_add - add "[EVENT:]LIMIT". Return: 0, or -EINVAL with a sentence. */
int compare_limits_add(struct compare_limits *c, const char *text, struct err *err);
/** compare_limits_check - check whether the events of all limits are in @t. Return: 0, or -EINVAL
 * with a sentence. */
int compare_limits_check(const struct compare_limits *c, const struct compare_table *t,
			 struct err *err);
/**
 * compare_limits_passed - look for changes that are more than a limit and more than chance.
 * @out: a line for each of them is appended
 * Return: there is one.
 */
bool compare_limits_passed(const struct compare_limits *c, const struct compare_table *t,
			   struct strbuf *out);
/** compare_limits_release - free the contents. */
void compare_limits_release(struct compare_limits *c);

#endif
