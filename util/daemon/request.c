// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "daemon/request.h"

#include <errno.h>

static const char *const verbs[] = { "list", "status", "signal", "ping", "stop" };

static bool fits(const char *text)
{
	return !strpbrk(text, "\t\n");
}

int request_put(const struct daemon_request *r, struct strbuf *out)
{
	if (!fits(r->session) || strchr(r->separator, '\n'))
		return -EINVAL;
	strbuf_addf(out, "%s\t%d\t%s\t%s\n", verbs[r->verb], r->verbose, r->session, r->separator);
	return 0;
}

/* Copy the field that begins at *p, up to a tab, or to @end for the last one. Return: it is not
 * too long, and has no zero. */
static bool take(const char **p, const char *end, bool last, char *out, size_t room)
{
	const char *stop = last ? end : memchr(*p, '\t', (size_t)(end - *p));
	size_t len = stop ? (size_t)(stop - *p) : room;

	if (len >= room || memchr(*p, 0, len))
		return false;
	memcpy(out, *p, len);
	out[len] = 0;
	*p = stop + !last;
	return true;
}

int request_parse(struct daemon_request *r, const char *line, size_t len)
{
	const char *p = line, *end = line + len;
	char verb[16], verbose[2];

	*r = (struct daemon_request){ 0 };
	if (!take(&p, end, false, verb, sizeof(verb)) ||
	    !take(&p, end, false, verbose, sizeof(verbose)) ||
	    !take(&p, end, false, r->session, sizeof(r->session)) ||
	    !take(&p, end, true, r->separator, sizeof(r->separator)))
		return -EINVAL;
	r->verbose = !strcmp(verbose, "1");
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		if (!strcmp(verb, verbs[i])) {
			r->verb = (enum request_verb)i;
			return 0;
		}
	}
	return -EINVAL;
}
