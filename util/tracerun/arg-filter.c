// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The grammar is that of the kernel's event filters, which checks it: comparisons of a field with a
 * value, joined by && and ||, with parentheses. Here only words are replaced.
 */
#include "base/compat.h"

#include "tracerun/arg-filter.h"

#include "base/suggest.h"

#include <errno.h>

#define BLANKS " \t"
#define WORD_FIRST "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define WORD WORD_FIRST "0123456789"
#define OPERATOR "=!<>&~"

static const struct sysarg *find_arg(const struct syscall_desc *d, const char *name, size_t len)
{
	for (u32 i = 0; i < d->nr_args; i++)
		if (strlen(d->args[i].name) == len && !memcmp(d->args[i].name, name, len))
			return &d->args[i];
	return NULL;
}

static int unknown_arg(const struct syscall_desc *d, const char *name, size_t len, struct err *err)
{
	struct strbuf names = STRBUF_INIT;
	int rc = err_set(err, -EINVAL, "--filter: %s has no argument '%.*s'", d->name, (int)len,
			 name);

	for (u32 i = 0; i < d->nr_args; i++)
		strbuf_addf(&names, "%s%s", i ? " " : "", d->args[i].name);
	err_suggest(err, name, len, strbuf_str(&names));
	strbuf_release(&names);
	return rc;
}

/* Return how long a value is: up to a blank, a closing parenthesis, && or ||; or up to the second
 * quote. */
static size_t value_length(const char *p)
{
	const char *quote = *p == '"' ? strchr(p + 1, '"') : NULL;
	size_t n = 0;

	if (quote)
		return (size_t)(quote + 1 - p);
	while (p[n] && !strchr(BLANKS ")", p[n]) && strncmp(p + n, "&&", 2) &&
	       strncmp(p + n, "||", 2))
		n++;
	return n;
}

/* Append a value of an argument as a number. Strings are the kernel's to compare. */
static int add_value(struct strbuf *out, const struct sysargs *sa, const struct sysarg *arg,
		     const char *text, size_t len, struct err *err)
{
	u64 value;
	int rc;

	if (!len || *text == '"') {
		strbuf_add(out, text, len);
		return 0;
	}
	rc = sysargs_parse(sa, arg, text, len, &value, err);
	/* Registers of narrower values are filled up with zeros. */
	if (!rc)
		strbuf_addf(out, "%" PRIu64, arg->width == 4 ? (u64)(u32)value : value);
	return rc;
}

/* Append the comparison that @*p begins with, and go on behind it. */
static int add_comparison(struct strbuf *out, const struct sysargs *sa,
			  const struct syscall_desc *d, const char **p, struct err *err)
{
	const size_t name = strspn(*p, WORD), gap = strspn(*p + name, BLANKS);
	const char *operator= * p + name + gap;
	const char *value = operator+ strspn(operator, OPERATOR);
	const struct sysarg *arg = find_arg(d, *p, name);
	size_t len;

	if (!arg && strncmp(*p, "common_", 7))
		return unknown_arg(d, *p, name, err);
	value += strspn(value, BLANKS);
	strbuf_add(out, *p, (size_t)(value - *p));
	len = value_length(value);
	*p = value + len;
	if (arg)
		return add_value(out, sa, arg, value, len, err);
	strbuf_add(out, value, len);
	return 0;
}

int trace_arg_filter(struct strbuf *out, const struct sysargs *sa, const struct syscall_desc *d,
		     const char *text, struct err *err)
{
	int rc = 0;

	for (const char *p = text; *p && !rc;) {
		if (strchr(WORD_FIRST, *p))
			rc = add_comparison(out, sa, d, &p, err);
		else
			strbuf_addch(out, *p++);
	}
	return rc;
}
