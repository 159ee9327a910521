// SPDX-License-Identifier: GPL-2.0-or-later
/* These functions serve all parts of the event parser: errors and hints, numbers, new events. */
#include "base/compat.h"
#include "events/parse-internal.h"

#include "base/alloc.h"

#include <ctype.h>
#include <errno.h>

int parse_fail(struct evparse *ep, const char *at, int code, const char *fmt, ...)
{
	va_list ap;

	ep->pe->at = (size_t)(at - ep->text);
	ep->pe->help[0] = 0;
	va_start(ap, fmt);
	vsnprintf(ep->pe->text, sizeof(ep->pe->text), fmt, ap);
	va_end(ap);
	return code;
}

void parse_help(struct evparse *ep, const char *fmt, ...)
{
	size_t len = strlen(ep->pe->help);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(ep->pe->help + len, sizeof(ep->pe->help) - len, fmt, ap);
	va_end(ap);
}

void parse_help_near(struct evparse *ep, struct near *n)
{
	for (size_t i = 0; i < n->nr; i++)
		parse_help(ep, "%s%s", i ? ", " : "Did you mean ", n->best[i]);
	if (n->nr)
		parse_help(ep, "?\n");
	near_release(n);
}

bool parse_number(const char *p, size_t len, u64 *v)
{
	bool hex = len > 2 && p[0] == '0' && p[1] == 'x';
	u64 n = 0;

	for (size_t i = hex ? 2 : 0; i < len; i++) {
		int c = tolower((unsigned char)p[i]);

		if (!(hex ? isxdigit(c) : isdigit(c)))
			return false;
		if (__builtin_mul_overflow(n, hex ? 16 : 10, &n) ||
		    __builtin_add_overflow(n, isdigit(c) ? c - '0' : c - 'a' + 10, &n))
			return false;
	}
	*v = n;
	return len > 0;
}

bool parse_raw(const char *name, u64 *config)
{
	size_t digits = strspn(name + (*name == 'r'), "0123456789abcdefABCDEF");

	/* "read" is a part of cache events */
	if (*name != 'r' || name[1 + digits] || !digits || digits > 16 || !strcmp(name, "read"))
		return false;
	*config = strtoull(name + 1, NULL, 16);
	return true;
}

struct evsel *parse_add(struct evparse *ep, u32 type, u64 config, const char *at, const char *end)
{
	struct perf_event_attr attr = { .type = type, .config = config, .size = sizeof(attr) };
	char *name = xasprintf("%.*s", (int)(end - at), at);
	struct evsel *e = evlist_add(ep->l, &attr, name);

	free(name);
	return e;
}

bool parse_only_on(struct evsel *e, const struct int_list *cpus)
{
	struct int_list mask = { 0 };
	struct strbuf text = STRBUF_INIT;
	bool all = !e->cpumask || cpu_list_parse(&mask, e->cpumask), any;

	for (size_t i = 0; i < cpus->nr; i++)
		if (all || int_list_has(&mask, cpus->v[i]))
			strbuf_addf(&text, "%s%d", text.len ? "," : "", cpus->v[i]);
	int_list_release(&mask);
	any = text.len;
	if (any) {
		free(e->cpumask);
		e->cpumask = strbuf_detach(&text);
	}
	strbuf_release(&text);
	return any;
}
