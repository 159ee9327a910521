// SPDX-License-Identifier: GPL-2.0-or-later
/* These functions are shared by the two languages of --filter. */
#include "base/compat.h"
#include "events/filter-internal.h"

#include "base/suggest.h"

#include <ctype.h>
#include <errno.h>

void filter_error_format(const struct filter_error *fe, const char *text, struct strbuf *out)
{
	static const char intro[] = "filter syntax error: '";

	strbuf_addf(out, "%s%s'\n%*s\\___ %s\n", intro, text, (int)(sizeof(intro) - 1 + fe->at), "",
		    fe->text);
	if (fe->help[0])
		strbuf_addf(out, "\n%s", fe->help);
}

int filter_fail(struct filter_parser *fp, const char *at, const char *fmt, ...)
{
	va_list ap;

	if (fp->fe->text[0])
		return -EINVAL;
	fp->fe->at = (size_t)(at - fp->text);
	va_start(ap, fmt);
	vsnprintf(fp->fe->text, sizeof(fp->fe->text), fmt, ap);
	va_end(ap);
	return -EINVAL;
}

void filter_help(struct filter_parser *fp, const char *fmt, ...)
{
	size_t len = strlen(fp->fe->help);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(fp->fe->help + len, sizeof(fp->fe->help) - len, fmt, ap);
	va_end(ap);
}

char filter_blank(struct filter_parser *fp)
{
	while (isspace((unsigned char)*fp->p))
		fp->p++;
	return *fp->p;
}

bool filter_take(struct filter_parser *fp, const char *token)
{
	size_t len = strlen(token);

	filter_blank(fp);
	if (strncmp(fp->p, token, len))
		return false;
	fp->p += len;
	return true;
}

size_t filter_word(const char *p)
{
	size_t n = 0;

	while (isalnum((unsigned char)p[n]) || p[n] == '_')
		n++;
	return n;
}

const char *filter_mistaken_op(const char *p, size_t *len)
{
	static const char *const pairs[][2] = {
		{ "===", "==" }, { "=>", ">=" },   { "=<", "<=" }, { "=~", "~" },   { "<>", "!=" },
		{ "=!", "!=" },  { "~=", "~" },    { "=", "==" },  { "eq ", "==" }, { "ne ", "!=" },
		{ "lt ", "<" },  { "le ", "<=" },  { "gt ", ">" }, { "ge ", ">=" }, { "is ", "==" },
		{ "in ", "==" }, { "like ", "~" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		*len = strlen(pairs[i][0]);
		if (!strncmp(p, pairs[i][0], *len)) {
			*len -= pairs[i][0][*len - 1] == ' ';
			return pairs[i][1];
		}
	}
	return NULL;
}

const char *filter_nearest(const char *word, size_t len, const char *const *names, size_t nr,
			   char *out, size_t size)
{
	const char *best[1];
	char copy[64];

	out[0] = 0;
	if (len < sizeof(copy)) {
		memcpy(copy, word, len);
		copy[len] = 0;
		if (suggest(copy, names, nr, best, 1))
			snprintf(out, size, ", did you mean '%s'?", best[0]);
	}
	return out;
}
