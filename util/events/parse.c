// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The event parser. It reads the text once, and goes back only after "name:", which may be a
 * tracepoint.
 */
#include "base/compat.h"
#include "events/parse-internal.h"

#include "base/alloc.h"
#include "events/names.h"

#include <ctype.h>
#include <errno.h>

#define MAX_EVENTS 65536

/* --- errors --------------------------------------------------------------- */

static int unknown_event(struct evparse *ep, const char *at, const char *name)
{
	struct near near = { .word = name };
	size_t cache = event_cache_known(name);

	parse_fail(ep, at, -EINVAL, "parser error");
	if (parse_help_tracepoint(ep, name))
		return -EINVAL;
	parse_near_names(ep, &near);
	if (!near.nr && cache && name[cache]) {
		parse_fail(ep, at + cache + 1, -EINVAL, "parser error");
		parse_help(ep, "What a cache counts: load, store, prefetch; refs, misses\n");
	}
	parse_help_near(ep, &near);
	return -EINVAL;
}

/* --- words ---------------------------------------------------------------- */

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_*?[]!.-@%", c));
}

static size_t name_len(const char *p)
{
	size_t n = 0;

	while (is_name_char(p[n]))
		n++;
	return n;
}

/* Copy the name at ep->p to @buf. Return: its length, or 0 when there is none or it is too long. */
static size_t take_name(struct evparse *ep, char *buf, size_t size)
{
	size_t n = name_len(ep->p);

	if (!n || n >= size)
		return 0;
	memcpy(buf, ep->p, n);
	buf[n] = 0;
	ep->p += n;
	return n;
}

static void skip_space(struct evparse *ep)
{
	while (isspace((unsigned char)*ep->p))
		ep->p++;
}

/* --- modifiers ------------------------------------------------------------ */

static void append_name(struct evsel *e, const char *text, size_t len)
{
	char *name = xasprintf("%s%.*s", e->name, (int)len, text);

	free(e->name);
	e->name = name;
}

static void no_guests(struct evlist *l, size_t from)
{
	for (size_t i = from; i < l->nr; i++)
		l->evsels[i]->attr.exclude_guest = 1;
}

static int apply_modifiers(struct evparse *ep, struct evsel *e, const char *mods, size_t len,
			   bool member)
{
	bool pinned = e->attr.pinned, exclusive = e->attr.exclusive;

	int rc = event_modifiers(e, mods, len);

	if (rc)
		return parse_fail(ep, mods, -EINVAL,
				  rc == -EOPNOTSUPP
					  ? "R is for events of a processor's PMU, which retire"
					  : "Bad modifier");
	/* these are modifiers of a whole group, and only its leader may have them */
	if (member) {
		e->attr.pinned = pinned;
		e->attr.exclusive = exclusive;
	}
	return 0;
}

/* Parse [":" modifiers] after the events from @from on. After terms the colon is optional. */
static int parse_modifiers(struct evparse *ep, size_t from, bool in_group_end, bool after_terms)
{
	const char *start = ep->p, *mods = start + (*start == ':');
	size_t len = 0;
	int rc = 0;

	if (mods > start || after_terms)
		while (isalnum((unsigned char)mods[len]))
			len++;
	if (!len && !in_group_end)
		no_guests(ep->l, from);
	if (len && !modifiers_known(mods, len))
		return parse_fail(ep, start, -EINVAL, "parser error");
	ep->p = mods + len;
	for (size_t i = from; !rc && i < ep->l->nr && len; i++) {
		struct evsel *e = ep->l->evsels[i];

		rc = apply_modifiers(ep, e, mods, len, in_group_end && e->leader != e->idx);
		if (!in_group_end && !e->terms.named && !evsel_is_tracepoint(e))
			append_name(e, start, (size_t)(ep->p - start));
	}
	return rc;
}

/* --- events --------------------------------------------------------------- */

/* The clocks count nanoseconds and are shown in milliseconds. */
static struct evsel *parse_add_symbol(struct evparse *ep, const struct event_symbol *sym,
				      const char *at, const char *end)
{
	struct evsel *e = parse_add(ep, sym->type, sym->config, at, end);

	if (sym->type == PERF_TYPE_SOFTWARE &&
	    (sym->config == PERF_COUNT_SW_CPU_CLOCK || sym->config == PERF_COUNT_SW_TASK_CLOCK)) {
		e->unit = xstrdup("msec");
		e->scale = 1e-6;
	}
	/* what BPF programs put out is all there is to such a sample */
	if (sym->type == PERF_TYPE_SOFTWARE && sym->config == PERF_COUNT_SW_BPF_OUTPUT) {
		e->attr.sample_period = 1;
		e->attr.sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
				      PERF_SAMPLE_PERIOD;
	}
	return e;
}

/* A word that needs no PMU: a generic, cache or raw event. Return: 0, 1 when it is none of them. */
static int add_plain(struct evparse *ep, const char *at, const char *end, const char *name)
{
	const struct event_symbol *sym = event_symbol_find(name, strlen(name));
	u64 config;
	int rc;

	if (sym) {
		parse_add_symbol(ep, sym, at, end);
		return 0;
	}
	if (parse_raw(name, &config)) {
		parse_add(ep, PERF_TYPE_RAW, config, at, end);
		return 0;
	}
	rc = event_cache_parse(name, strlen(name), &config);
	if (rc == -EINVAL)
		return parse_fail(ep, at, rc, "no cache has such an event");
	if (rc)
		return 1;
	parse_add(ep, PERF_TYPE_HW_CACHE, config, at, end);
	return 0;
}

static int no_last_slash(struct evparse *ep)
{
	parse_fail(ep, ep->p, -EINVAL, "parser error");
	parse_help(ep, "There is no '/' after the terms\n");
	return -EINVAL;
}

static int add_tool(struct evparse *ep, const char *at, const char *end, enum tool_event tool)
{
	struct evsel *e = parse_add(ep, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, at, end);

	e->tool = tool;
	e->snapshot = tool >= TOOL_FACTS;
	if (!e->snapshot)
		e->unit = xstrdup("ns");
	return 0;
}

/* Parse "duration_time" or "duration_time,name=x" of the PMU "tool", which has the values that perf
 * measures by itself. Such an event has its usual name. */
static int parse_tool(struct evparse *ep, const char *terms, const char *end)
{
	const size_t len = strcspn(terms, ",/"), from = ep->l->nr;
	char *name = xstrndup(terms, len);
	const enum tool_event tool = event_tool_find(name);

	free(name);
	if (!tool)
		return parse_fail(ep, terms, -EINVAL, "'tool' has no such event");
	add_tool(ep, terms, terms + len, tool);
	return terms[len] == '/' ? 0
				 : parse_terms(ep, ep->l->evsels[from], TERMS_GENERIC, NULL,
					       terms + len + 1, end, NULL, false);
}

/* Parse name '/' terms '/', with ep->p at the first slash. */
static int parse_with_terms(struct evparse *ep, const char *at, const char *name)
{
	const char *terms = ep->p + 1, *end = terms_end(terms);
	size_t from = ep->l->nr;
	int rc;

	if (!*end)
		return no_last_slash(ep);
	ep->p = end + 1;
	if (!strcmp(name, "tool"))
		return parse_tool(ep, terms, end);
	rc = parse_gauge(ep, at, ep->p, name, terms, end);
	if (rc != 1)
		return rc;
	rc = add_plain(ep, at, ep->p, name);
	if (!rc)
		return parse_terms(ep, ep->l->evsels[from], TERMS_GENERIC, NULL, terms, end, NULL,
				   false);
	return rc == 1 ? parse_pmu_event(ep, at, ep->p, name, terms, end) : rc;
}

/* Parse terms of the events that were added from @from on, with ep->p at the first slash. */
static int parse_more_terms(struct evparse *ep, size_t from, enum term_kind kind)
{
	const char *terms = ep->p + 1, *end = terms_end(terms);
	int rc = 0;

	if (!*end)
		return no_last_slash(ep);
	for (size_t i = from; !rc && i < ep->l->nr; i++) {
		struct evsel *e = ep->l->evsels[i];

		if (kind == TERMS_GENERIC)
			append_name(e, ep->p, (size_t)(end + 1 - ep->p));
		rc = parse_terms(ep, e, kind, NULL, terms, end, NULL, false);
	}
	ep->p = end + 1;
	return rc;
}

/* Parse TYPE ':' CONFIG in numbers, of which @name is the first one, with ep->p at the colon. */
static bool add_numeric(struct evparse *ep, const char *at, const char *name)
{
	size_t len = 0;
	u64 type, config;

	if (!parse_number(name, strlen(name), &type) || type > UINT32_MAX)
		return false;
	while (isalnum((unsigned char)ep->p[1 + len]))
		len++;
	if (!parse_number(ep->p + 1, len, &config))
		return false;
	ep->p += 1 + len;
	parse_add(ep, (u32)type, config, at, ep->p);
	return true;
}

/*
 * Parse a tracepoint: after name ':' there are no modifiers, or @name is unknown. ep->p is at the
 * colon.
 */
static int parse_sys_name(struct evparse *ep, const char *at, const char *name)
{
	char second[256], *object;
	size_t len = name_len(ep->p + 1);
	int rc = 1;

	if (!len || modifiers_known(ep->p + 1, len))
		rc = parse_named(ep, at, ep->p, name);
	if (rc != 1)
		return rc;
	ep->p++;
	if (!take_name(ep, second, sizeof(second)))
		return parse_fail(ep, at, -EINVAL, "parser error");
	object = strncmp(name, "sdt_", 4) && *name != '%' ? NULL : strchr(second, '@');
	if (!object)
		return parse_tracepoint(ep, at, name, second, NULL);
	/* the rest is a path, which need not have the form of a name */
	ep->p -= strlen(object + 1);
	*object = 0;
	len = strcspn(ep->p, ",{}:(");
	if (ep->p[len] == '(')
		len += strcspn(ep->p + len, ")") + 1;
	if (len > strlen(ep->p))
		return parse_fail(ep, ep->p, -EINVAL, "parser error");
	object = xstrndup(ep->p, len);
	ep->p += len;
	rc = parse_tracepoint(ep, at, name, second, object);
	free(object);
	return rc;
}

/* A program in C or its object, as events were until BPF programs were no longer events. */
static bool is_bpf_program(const char *p)
{
	size_t len = strcspn(p, ",{}: ");

	return len > 2 && p[len - 2] == '.' && (p[len - 1] == 'c' || p[len - 1] == 'o');
}

/* Parse everything except modifiers. @terms: receives whether there were terms */
static int parse_thing(struct evparse *ep, bool *terms)
{
	const char *at = ep->p;
	size_t from = ep->l->nr;
	enum term_kind kind = TERMS_GENERIC;
	enum tool_event tool;
	char name[256];
	u64 type;
	int rc;

	if (is_bpf_program(at))
		return parse_fail(ep, at, -EINVAL,
				  "BPF programs are no events any more: load it with bpftool, and "
				  "record bpf-output or a probe; --filter selects samples");
	if (!take_name(ep, name, sizeof(name)))
		return parse_fail(ep, at, -EINVAL, "parser error");
	tool = event_tool_find(name);
	if (*ep->p == '/') {
		*terms = true;
		return tool ? parse_fail(ep, ep->p, -EINVAL, "parser error")
			    : parse_with_terms(ep, at, name);
	}
	if (tool && tool != TOOL_SLOTS)
		return add_tool(ep, at, ep->p, tool);
	if (!strcmp(name, "mem") && *ep->p == ':') {
		ep->p++;
		return parse_breakpoint(ep, at);
	}
	rc = add_plain(ep, at, ep->p, name);
	if (rc != 1)
		return rc;
	if (*ep->p != ':') {
		rc = parse_named(ep, at, ep->p, name);
		if (rc == 1 && tool)
			return add_tool(ep, at, ep->p, tool);
		if (rc == 1)
			rc = parse_gauge(ep, at, ep->p, name, NULL, NULL);
		return rc == 1 ? unknown_event(ep, at, name) : rc;
	}
	if (parse_number(name, strlen(name), &type) && type > UINT32_MAX) {
		rc = parse_fail(ep, at, -EINVAL, "a type is a number of 32 bits");
	} else if (isdigit((unsigned char)*name)) {
		rc = add_numeric(ep, at, name) ? 0 : parse_fail(ep, ep->p, -EINVAL, "parser error");
	} else {
		kind = TERMS_TRACEPOINT;
		rc = parse_sys_name(ep, at, name);
	}
	if (rc || *ep->p != '/')
		return rc;
	*terms = true;
	return parse_more_terms(ep, from, kind);
}

static int parse_event(struct evparse *ep)
{
	const char *at = ep->p;
	size_t from = ep->l->nr;
	bool terms = false;
	int rc = parse_thing(ep, &terms);

	if (rc)
		return rc;
	if (ep->l->nr > MAX_EVENTS)
		return parse_fail(ep, at, -E2BIG, "more than %d events", MAX_EVENTS);
	rc = parse_modifiers(ep, from, false, terms);
	return rc ? rc : parse_split_cores(ep, from, at);
}

/* The kernel counts the events of a group at once, and therefore on the same CPUs. */
static int check_group_cpus(struct evparse *ep, size_t from, const char *at)
{
	const struct evlist *l = ep->l;
	bool given = false, differ = false;

	for (size_t i = from; i < l->nr; i++) {
		const char *a = l->evsels[from]->cpumask, *b = l->evsels[i]->cpumask;

		given |= l->evsels[i]->terms.cpus_given;
		differ |= !a != !b || (a && strcmp(a, b));
	}
	return given && differ
		       ? parse_fail(ep, at, -EINVAL, "the events of a group count on the same CPUs")
		       : 0;
}

/* Parse '{' events '}'. The last brace may be missing. */
static int parse_group(struct evparse *ep, const char *name, size_t len)
{
	const char *at = ep->p;
	size_t from = ep->l->nr;
	int rc;

	do {
		ep->p++;
		skip_space(ep);
		rc = parse_event(ep);
		if (rc)
			return rc;
		skip_space(ep);
	} while (*ep->p == ',');
	if (*ep->p == '}')
		ep->p++;
	else if (*ep->p)
		return parse_fail(ep, ep->p, -EINVAL, "parser error");
	rc = check_group_cpus(ep, from, at);
	if (rc)
		return rc;
	parse_make_groups(ep->l, from, name, len);
	return parse_modifiers(ep, from, true, false);
}

static int parse_item(struct evparse *ep)
{
	const char *name = ep->p;
	size_t n = name_len(name);
	bool colon = n && name[n] == ':';

	if (name[n + colon] != '{')
		return parse_event(ep);
	ep->p += n + colon;
	return parse_group(ep, name, n);
}

static int parse_list(struct evparse *ep)
{
	const char *end;
	int rc;

	skip_space(ep);
	for (;;) {
		rc = parse_item(ep);
		if (rc)
			return rc;
		end = ep->p;
		skip_space(ep);
		if (!*ep->p)
			return 0;
		if (*ep->p != ',' || !ep->p[1] || ep->p[1] == ',')
			return parse_fail(ep, end, -EINVAL, "parser error");
		ep->p++;
		skip_space(ep);
	}
}

/* Return the text without double quotes, which have no meaning anywhere. The caller frees it. */
static char *without_quotes(const char *text)
{
	char *out = xstrdup(text), *w = out;

	for (; *text; text++)
		if (*text != '"')
			*w++ = *text;
	*w = 0;
	return out;
}

/* Return the position in @text of byte @at of the text without quotes. */
static size_t with_quotes(const char *text, size_t at)
{
	size_t i = 0;

	for (; text[i] == '"' || (text[i] && at); i++)
		at -= text[i] != '"';
	return i;
}

int parse_events(struct evlist *l, const char *text, const struct parse_env *env,
		 struct parse_error *pe)
{
	struct evparse ep = { .l = l, .env = env, .sr = env->sr, .pe = pe };
	char *plain = without_quotes(text);
	size_t nr = l->nr, last = l->last_item;
	int rc;

	memset(pe, 0, sizeof(*pe));
	ep.text = ep.p = plain;
	l->last_item = nr;
	rc = parse_list(&ep);
	if (rc) {
		evlist_truncate(l, nr);
		l->last_item = last;
		pe->at = with_quotes(text, pe->at);
	}
	event_machines(l, nr, env->machines);
	pmus_release(&ep.pmus);
	free(plain);
	return rc;
}

/* The caret is at most so far into the quoted text; the beginning is cut otherwise. */
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
