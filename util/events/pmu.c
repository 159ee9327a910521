// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Terms of an event ("cpu/event=0x3c,period=1000/") and the PMUs of sysfs: their type, the bit
 * fields of their format files ("config:0-7,32-35"), and the named events they bring along.
 */
#include "base/compat.h"
#include "events/parse-internal.h"

#include "base/alloc.h"

#include <ctype.h>
#include <errno.h>

#define PMU_DIR "/sys/bus/event_source/devices"

static bool plain_name(const char *s)
{
	return *s && *s != '.' && !strchr(s, '/');
}

int pmu_type(const struct sysroot *sr, const char *pmu, u32 *type)
{
	u64 v;
	int rc = plain_name(pmu) ? sysroot_read_u64(sr, &v, PMU_DIR "/%s/type", pmu) : -ENOENT;

	if (!rc)
		*type = (u32)v;
	return rc;
}

static u64 *config_word(struct perf_event_attr *a, const char *name, size_t len)
{
	if (len == 6 && !memcmp(name, "config", 6))
		return (u64 *)&a->config;
	if (len == 7 && !memcmp(name, "config1", 7))
		return (u64 *)&a->config1;
	if (len == 7 && !memcmp(name, "config2", 7))
		return (u64 *)&a->config2;
	return NULL;
}

/* Scatter @value over the bits a format file names. Return: 0, -EINVAL, -ERANGE when it does not
 * fit. */
static int apply_format(struct perf_event_attr *a, const char *format, u64 value)
{
	const char *colon = strchr(format, ':'), *p;
	u64 *word = colon ? config_word(a, format, (size_t)(colon - format)) : NULL;

	if (!word)
		return -EINVAL;
	for (p = colon + 1; isdigit((unsigned char)*p);) {
		char *end;
		unsigned long lo = strtoul(p, &end, 10), hi = lo;

		if (*end == '-')
			hi = strtoul(end + 1, &end, 10);
		if (hi < lo || hi > 63)
			return -EINVAL;
		for (; lo <= hi; lo++, value >>= 1)
			*word = (*word & ~(1ULL << lo)) | (value & 1) << lo;
		p = *end == ',' ? end + 1 : end;
	}
	return value ? -ERANGE : 0;
}

struct term {
	const char *at;
	char name[128], value[256];
	bool has_value;
	u64 num;
	bool is_num;
};

static int set_period(struct evparse *ep, struct evsel *e, const struct term *t, bool freq)
{
	if (!t->is_num || !t->num)
		return parse_fail(ep, t->at, -EINVAL, "expected a number above 0");
	e->attr.freq = freq;
	e->attr.sample_period = t->num;
	e->terms.freq_set = freq;
	e->terms.period_set = !freq;
	return 0;
}

/* Terms that every event takes. Return: 1 when @t is none of them. */
static int generic_term(struct evparse *ep, struct evsel *e, const struct term *t)
{
	u64 *word = config_word(&e->attr, t->name, strlen(t->name));

	if (word) {
		if (!t->is_num)
			return parse_fail(ep, t->at, -EINVAL, "expected numeric value");
		*word = t->num;
		return 0;
	}
	if (!strcmp(t->name, "period"))
		return set_period(ep, e, t, false);
	if (!strcmp(t->name, "freq"))
		return set_period(ep, e, t, true);
	if (!strcmp(t->name, "name") && t->has_value) {
		free(e->name);
		e->name = xstrdup(t->value);
		e->terms.named = true;
		return 0;
	}
	if (!strcmp(t->name, "call-graph") && t->has_value) {
		if (strcmp(t->value, "fp") && strcmp(t->value, "no"))
			return parse_fail(ep, t->at, -EINVAL, "call-graph is fp or no");
		e->terms.callgraph = !strcmp(t->value, "fp");
		return 0;
	}
	if (!strcmp(t->name, "inherit") || !strcmp(t->name, "no-inherit")) {
		e->terms.inherit = !strcmp(t->name, "inherit") == (!t->is_num || t->num);
		return 0;
	}
	if (!strcmp(t->name, "time") && t->is_num) {
		e->terms.time = t->num != 0;
		return 0;
	}
	if (!strcmp(t->name, "max-stack") && t->is_num) {
		e->attr.sample_max_stack = (u16)MIN(t->num, (u64)UINT16_MAX);
		return 0;
	}
	return 1;
}

static int parse_term_list(struct evparse *ep, struct evsel *e, const char *pmu, const char *p,
			   size_t len, const char *report_at);

/* A field of the PMU's format, or one of its named events. Return: 1 when @t is neither. */
static int pmu_term(struct evparse *ep, struct evsel *e, const char *pmu, const struct term *t,
		    bool in_alias)
{
	struct strbuf sb = STRBUF_INIT;
	int rc = 1;

	if (!plain_name(t->name))
		return 1;
	if (!sysroot_read(ep->sr, &sb, PMU_DIR "/%s/format/%s", pmu, t->name)) {
		rc = t->has_value && !t->is_num
			     ? -EINVAL
			     : apply_format(&e->attr, strbuf_str(&sb), t->has_value ? t->num : 1);
		if (rc)
			rc = parse_fail(ep, t->at, -EINVAL,
					rc == -ERANGE ? "value too big for format"
						      : "expected numeric value");
	} else if (!t->has_value && !in_alias &&
		   !sysroot_read(ep->sr, &sb, PMU_DIR "/%s/events/%s", pmu, t->name)) {
		rc = parse_term_list(ep, e, pmu, strbuf_str(&sb),
				     strbuf_str(&sb) ? strlen(strbuf_str(&sb)) : 0, t->at);
	}
	strbuf_release(&sb);
	return rc;
}

static int apply_term(struct evparse *ep, struct evsel *e, const char *pmu, const struct term *t,
		      bool in_alias)
{
	int rc = generic_term(ep, e, t);

	if (rc == 1 && pmu)
		rc = pmu_term(ep, e, pmu, t, in_alias);
	if (rc != 1)
		return rc;
	snprintf(
		ep->pe->help, sizeof(ep->pe->help),
		"valid terms: %sconfig,config1,config2,name,period,freq,time,call-graph,no-inherit,inherit,max-stack",
		pmu ? "the names in " PMU_DIR "/<pmu>/format and events; " : "");
	return parse_fail(ep, t->at, -EINVAL, "unknown term");
}

/* One "name[=value]" of @len bytes. */
static int split_term(const char *p, size_t len, struct term *t)
{
	const char *eq = memchr(p, '=', len);
	size_t name = eq ? (size_t)(eq - p) : len, value = eq ? len - name - 1 : 0;
	char *end;

	t->has_value = eq != NULL;
	if (!name || name >= sizeof(t->name) || value >= sizeof(t->value) || (eq && !value))
		return -EINVAL;
	memcpy(t->name, p, name);
	t->name[name] = 0;
	if (eq)
		memcpy(t->value, eq + 1, value);
	t->value[value] = 0;
	errno = 0;
	t->num = strtoull(t->value, &end, 0);
	t->is_num = value && isdigit((unsigned char)t->value[0]) && !*end && !errno;
	return 0;
}

/* @report_at: where errors point to, for terms that are not in the text itself; else NULL. */
static int parse_term_list(struct evparse *ep, struct evsel *e, const char *pmu, const char *p,
			   size_t len, const char *report_at)
{
	const char *end = p + len;

	while (p < end && isspace((unsigned char)end[-1]))
		end--;
	while (p < end) {
		const char *comma = memchr(p, ',', (size_t)(end - p));
		const char *stop = comma ? comma : end;
		struct term t = { .at = report_at ? report_at : p };
		int rc = split_term(p, (size_t)(stop - p), &t);

		if (rc)
			return parse_fail(ep, t.at, -EINVAL, "parser error");
		rc = apply_term(ep, e, pmu, &t, report_at != NULL);
		if (rc)
			return rc;
		p = stop + 1;
	}
	return 0;
}

int parse_terms(struct evparse *ep, struct evsel *e, const char *pmu, const char *terms, size_t len)
{
	return parse_term_list(ep, e, pmu, terms, len, NULL);
}
