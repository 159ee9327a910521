// SPDX-License-Identifier: GPL-2.0-or-later
/* The event parser: one pass over the text, no backtracking but for "name:" that may be a
 * tracepoint. */
#include "base/compat.h"
#include "events/parse-internal.h"

#include "base/alloc.h"
#include "events/names.h"

#include <ctype.h>
#include <errno.h>

#define MAX_EVENTS 65536

int parse_fail(struct evparse *ep, const char *at, int code, const char *fmt, ...)
{
	va_list ap;

	ep->pe->at = (size_t)(at - ep->text);
	va_start(ap, fmt);
	vsnprintf(ep->pe->text, sizeof(ep->pe->text), fmt, ap);
	va_end(ap);
	return code;
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_*?[]!.-@%", c));
}

/* The name at ep->p, in @buf; its length, 0 when there is none or it is too long. */
static size_t take_name(struct evparse *ep, char *buf, size_t size)
{
	size_t n = 0;

	while (is_name_char(ep->p[n]))
		n++;
	if (!n || n >= size)
		return 0;
	memcpy(buf, ep->p, n);
	buf[n] = 0;
	ep->p += n;
	return n;
}

/* --- modifiers ------------------------------------------------------------ */

static bool modifiers_known(const char *mods, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!strchr("ukhGHpPSDIeW", mods[i]))
			return false;
	return len > 0;
}

static bool modifiers_repeat(const char *mods, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (mods[i] != 'p' && memchr(mods + i + 1, mods[i], len - i - 1))
			return true;
	return false;
}

int event_modifiers(struct evsel *e, const char *mods, size_t len)
{
	struct perf_event_attr *a = &e->attr;
	bool ex = a->exclude_user || a->exclude_kernel || a->exclude_hv;
	bool ex_gh = false;
	unsigned int precise = 0;

	if (!modifiers_known(mods, len) || modifiers_repeat(mods, len))
		return -EINVAL;
	for (size_t i = 0; i < len; i++) {
		char c = mods[i];

		if (strchr("ukh", c) && !ex) {
			a->exclude_user = a->exclude_kernel = a->exclude_hv = 1;
			ex = true;
		}
		if (strchr("GH", c) && !ex_gh) {
			a->exclude_guest = a->exclude_host = 1;
			ex_gh = true;
		}
		/* Guest user space and precise events of a guest are nobody's wish here. */
		if (strchr("up", c) && !ex_gh)
			a->exclude_guest = 1;
		switch (c) {
		case 'u':
			a->exclude_user = 0;
			break;
		case 'k':
			a->exclude_kernel = 0;
			break;
		case 'h':
			a->exclude_hv = 0;
			break;
		case 'G':
			a->exclude_guest = 0;
			break;
		case 'H':
			a->exclude_host = 0;
			break;
		case 'p':
			precise++;
			break;
		case 'P':
			e->terms.precise_max = true;
			break;
		case 'S':
			e->terms.sample_read = true;
			break;
		case 'D':
			a->pinned = 1;
			break;
		case 'I':
			a->exclude_idle = 1;
			break;
		case 'e':
			a->exclusive = 1;
			break;
		default:
			e->terms.weak = true;
			break;
		}
	}
	if (precise > 3)
		return -EINVAL;
	if (precise)
		a->precise_ip = precise & 3;
	return 0;
}

static void append_name(struct evsel *e, const char *text, size_t len)
{
	char *name = xasprintf("%s%.*s", e->name, (int)len, text);

	free(e->name);
	e->name = name;
}

/* [":" modifiers] behind the events from @from on. After terms the colon may be missing. */
static int parse_modifiers(struct evparse *ep, size_t from, bool in_group_end, bool after_terms)
{
	const char *start = ep->p, *mods;
	size_t len = 0;
	bool colon = *ep->p == ':';

	if (!colon && !(after_terms && isalpha((unsigned char)*ep->p))) {
		for (size_t i = from; i < ep->l->nr && !in_group_end; i++)
			ep->l->evsels[i]->attr.exclude_guest = 1;
		return 0;
	}
	mods = ep->p + colon;
	while (isalnum((unsigned char)mods[len]))
		len++;
	if (len && !modifiers_known(mods, len))
		return parse_fail(ep, start, -EINVAL, "parser error");
	ep->p = mods + len;
	for (size_t i = from; i < ep->l->nr && len; i++) {
		struct evsel *e = ep->l->evsels[i];

		if (event_modifiers(e, mods, len))
			return parse_fail(ep, mods, -EINVAL, "Bad modifier");
		if (!in_group_end && !e->terms.named && !evsel_is_tracepoint(e))
			append_name(e, start, (size_t)(ep->p - start));
	}
	for (size_t i = from; i < ep->l->nr && !len && !in_group_end; i++)
		ep->l->evsels[i]->attr.exclude_guest = 1;
	return 0;
}

/* --- events --------------------------------------------------------------- */

static struct evsel *add_event(struct evparse *ep, u32 type, u64 config, const char *name)
{
	struct perf_event_attr attr = { .type = type, .config = config, .size = sizeof(attr) };

	return evlist_add(ep->l, &attr, name);
}

/* r1a8: a raw config */
static bool is_raw(const char *name, u64 *config)
{
	char *end;

	if (name[0] != 'r' || !isxdigit((unsigned char)name[1]))
		return false;
	errno = 0;
	*config = strtoull(name + 1, &end, 16);
	return !*end && !errno;
}

/* mem:ADDR[/LEN][:ACCESS] with ep->p behind "mem:" */
static int parse_breakpoint(struct evparse *ep, const char *at)
{
	struct evsel *e;
	char *end;
	u64 addr, len = 0;
	u32 type = 0;
	size_t n = 0;

	if (!isdigit((unsigned char)*ep->p))
		return parse_fail(ep, at, -EINVAL, "parser error");
	addr = strtoull(ep->p, &end, 0);
	ep->p = end;
	if (*ep->p == '/') {
		len = strtoull(ep->p + 1, &end, 0);
		if (end == ep->p + 1 || !len || len > 8)
			return parse_fail(ep, ep->p + 1, -EINVAL,
					  "a breakpoint covers 1 to 8 bytes");
		ep->p = end;
	}
	if (*ep->p == ':' && strchr("rwx", ep->p[1]) && ep->p[1]) {
		while (ep->p[1 + n] && strchr("rwx", ep->p[1 + n])) {
			u32 bit = ep->p[1 + n] == 'r' ? 1 : ep->p[1 + n] == 'w' ? 2 : 4;

			if (type & bit)
				return parse_fail(ep, ep->p + 1, -EINVAL, "Bad modifier");
			type |= bit;
			n++;
		}
		ep->p += 1 + n;
	}
	type = type ? type : 3;
	e = add_event(ep, PERF_TYPE_BREAKPOINT, 0, "");
	e->attr.bp_addr = addr;
	e->attr.bp_type = type;
	e->attr.bp_len = len ? len : type == 4 ? sizeof(long) : 4;
	e->attr.sample_period = 1;
	append_name(e, at, (size_t)(ep->p - at));
	return 0;
}

/* name '/' terms '/' with ep->p at the first slash */
static int parse_with_terms(struct evparse *ep, const char *at, const char *name)
{
	const struct event_symbol *sym = event_symbol_find(name, strlen(name));
	const char *terms = ep->p + 1, *end = strchr(terms, '/');
	u64 config = 0;
	u32 type = 0;
	const char *pmu = NULL;
	struct evsel *e;
	int rc;

	if (!end)
		return parse_fail(ep, ep->p, -EINVAL, "parser error");
	if (sym) {
		type = sym->type;
		config = sym->config;
	} else if (is_raw(name, &config)) {
		type = PERF_TYPE_RAW;
	} else if (!event_cache_parse(name, strlen(name), &config)) {
		type = PERF_TYPE_HW_CACHE;
	} else if (pmu_type(ep->sr, name, &type)) {
		return parse_fail(ep, at, -ENOENT, "Cannot find PMU `%s'. Missing kernel support?",
				  name);
	} else {
		pmu = name;
	}
	e = add_event(ep, type, config, "");
	append_name(e, at, (size_t)(end + 1 - at));
	rc = parse_terms(ep, e, pmu, terms, (size_t)(end - terms));
	ep->p = end + 1;
	return rc;
}

/* Something that is one word: a generic, cache or raw event. False when it is none of them. */
static bool add_plain(struct evparse *ep, const char *name)
{
	const struct event_symbol *sym = event_symbol_find(name, strlen(name));
	u64 config;

	if (sym)
		add_event(ep, sym->type, sym->config, name);
	else if (is_raw(name, &config))
		add_event(ep, PERF_TYPE_RAW, config, name);
	else if (!event_cache_parse(name, strlen(name), &config))
		add_event(ep, PERF_TYPE_HW_CACHE, config, name);
	else
		return false;
	return true;
}

/* TYPE ':' CONFIG in numbers, @name being the first one; ep->p at the colon */
static bool add_numeric(struct evparse *ep, const char *name)
{
	char *end, *end2;
	u64 type = strtoull(name, &end, 0), config;
	struct evsel *e;

	if (!isdigit((unsigned char)*name) || *end || !isdigit((unsigned char)ep->p[1]))
		return false;
	config = strtoull(ep->p + 1, &end2, 0);
	e = add_event(ep, (u32)type, config, name);
	append_name(e, ep->p, (size_t)(end2 - ep->p));
	ep->p = end2;
	return true;
}

static int parse_event(struct evparse *ep)
{
	const char *at = ep->p;
	char name[256], second[256];
	size_t from = ep->l->nr;
	bool terms = false;
	int rc = 0;

	if (!take_name(ep, name, sizeof(name)))
		return parse_fail(ep, at, -EINVAL, "parser error");
	if (*ep->p == '/') {
		terms = true;
		rc = parse_with_terms(ep, at, name);
	} else if (!strcmp(name, "mem") && *ep->p == ':') {
		ep->p++;
		rc = parse_breakpoint(ep, at);
	} else if (!add_plain(ep, name)) {
		if (*ep->p != ':')
			return parse_fail(ep, at, -EINVAL, "parser error");
		if (!add_numeric(ep, name)) {
			ep->p++;
			if (!take_name(ep, second, sizeof(second)))
				return parse_fail(ep, at, -EINVAL, "parser error");
			rc = parse_tracepoint(ep, at, name, second);
		}
	}
	if (rc)
		return rc;
	if (ep->l->nr > MAX_EVENTS)
		return parse_fail(ep, at, -E2BIG, "more than %d events", MAX_EVENTS);
	return parse_modifiers(ep, from, false, terms);
}

static void make_group(struct evparse *ep, size_t from, const char *name, size_t len)
{
	struct evsel *leader = ep->l->evsels[from];

	leader->nr_members = (u32)(ep->l->nr - from);
	leader->group_name = len ? xstrndup(name, len) : NULL;
	for (size_t i = from; i < ep->l->nr; i++)
		ep->l->evsels[i]->leader = leader->idx;
}

/* '{' events '}'; a missing last brace is taken as there. */
static int parse_group(struct evparse *ep, const char *name, size_t len)
{
	size_t from = ep->l->nr;
	int rc;

	do {
		ep->p++;
		rc = parse_event(ep);
		if (rc)
			return rc;
	} while (*ep->p == ',');
	if (*ep->p == '}')
		ep->p++;
	else if (*ep->p)
		return parse_fail(ep, ep->p, -EINVAL, "parser error");
	make_group(ep, from, name, len);
	return parse_modifiers(ep, from, true, false);
}

static int parse_item(struct evparse *ep)
{
	size_t n = 0;

	if (*ep->p == '{')
		return parse_group(ep, NULL, 0);
	while (is_name_char(ep->p[n]))
		n++;
	if (n && ep->p[n] == ':' && ep->p[n + 1] == '{') {
		const char *name = ep->p;

		ep->p += n + 1;
		return parse_group(ep, name, n);
	}
	return parse_event(ep);
}

static void undo(struct evlist *l, size_t nr)
{
	struct evlist tail = { 0 };

	if (l->nr == nr)
		return;
	tail.nr = l->nr - nr;
	tail.evsels = xcalloc(tail.nr, sizeof(*tail.evsels));
	memcpy(tail.evsels, l->evsels + nr, tail.nr * sizeof(*tail.evsels));
	l->nr = nr;
	evlist_release(&tail);
}

int parse_events(struct evlist *l, const char *text, const struct sysroot *sr,
		 struct parse_error *pe)
{
	struct evparse ep = { .text = text, .p = text, .l = l, .sr = sr, .pe = pe };
	size_t nr = l->nr;
	const char *end;
	int rc;

	memset(pe, 0, sizeof(*pe));
	while (isspace((unsigned char)*ep.p))
		ep.p++;
	for (;;) {
		l->last_item = l->nr;
		rc = parse_item(&ep);
		if (rc)
			break;
		end = ep.p;
		while (isspace((unsigned char)*ep.p))
			ep.p++;
		if (!*ep.p)
			return 0;
		if (*ep.p != ',' || !ep.p[1] || ep.p[1] == ',') {
			rc = parse_fail(&ep, end, -EINVAL, "parser error");
			break;
		}
		ep.p++;
		while (isspace((unsigned char)*ep.p))
			ep.p++;
	}
	undo(l, nr);
	return rc;
}

/* The caret stands at most this far into the quoted text; what is left of it is cut. */
#define CARET_MAX 13

void parse_error_format(const struct parse_error *pe, const char *text, size_t width,
			struct strbuf *out)
{
	static const char intro[] = "event syntax error: '";
	size_t at = pe->at, cut = at > CARET_MAX ? at - CARET_MAX : 0, len = strlen(text + cut);
	size_t room = width > sizeof(intro) + 20 ? width - sizeof(intro) - 2 : 40;
	bool tail = len > room;

	strbuf_addstr(out, intro);
	if (cut)
		strbuf_addstr(out, "..");
	strbuf_add(out, text + cut + (cut ? 2 : 0), MIN(len, room) - (cut ? 2 : 0));
	strbuf_addf(out, "%s'\n%*s\\___ %s\n", tail ? ".." : "",
		    (int)(sizeof(intro) - 1 + at - cut), "", pe->text);
	if (pe->help[0])
		strbuf_addf(out, "\n%s\n", pe->help);
}
