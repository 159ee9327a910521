// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The terms between the slashes of "cpu/event=0x3c,period=1000/". Terms that all events have are in
 * a table here; the others are fields of a PMU's format files and names of its events.
 */
#include "base/compat.h"
#include "events/branch.h"
#include "events/config.h"
#include "events/names.h"
#include "events/parse-internal.h"

#include "base/alloc.h"

#include <ctype.h>
#include <errno.h>
#include <strings.h>

#define STACK_SIZE_MAX                                                                             \
	65528 /* the kernel's limit: PERF_SAMPLE_STACK_USER is a u16, in multiples of eight */
#define MAX_TERMS 64

struct term {
	const char *at, *value_at; /* the places that errors point to */
	char name[128], value[256];
	bool has_value;
	bool is_num; /* it is a number or has no value, which means 1 */
	u64 num;
};

struct term_ctx {
	struct evparse *ep;
	struct evsel *e;
	enum term_kind kind;
	struct pmu *pmu;   /* NULL except with TERMS_PMU */
	bool inside;       /* the terms define a named event and are not the user's */
	bool event_named;  /* one of the PMU's events was named */
	const char *event; /* if inside, the name of the event */
	struct term *v;    /* all terms of the text */
	size_t nr;
	struct int_list cpus; /* of all cpu= terms */
	const char *cpus_at;  /* the last one of them, NULL: there is none */
};

static int apply_list(struct term_ctx *c, const char *p, const char *end, const char *report_at);

/* --- terms of all events -------------------------------------------------- */

static u64 *config_word(struct evsel *e, u32 word)
{
	switch (word) {
	case PMU_CONFIG:
		return (u64 *)&e->attr.config;
	case PMU_CONFIG1:
		return (u64 *)&e->attr.config1;
	case PMU_CONFIG2:
		return (u64 *)&e->attr.config2;
	case PMU_CONFIG3:
		return &e->config3;
	default:
		return NULL;
	}
}

static int set_config(struct term_ctx *c, const struct term *t)
{
	/* "config" or "config1" */
	u64 *word = config_word(c->e, t->name[6] ? (u32)(t->name[6] - '0') : PMU_CONFIG);

	*word = c->inside ? *word | t->num : t->num;
	return 0;
}

static int set_name(struct term_ctx *c, const struct term *t)
{
	if (c->inside || c->e->terms.named)
		return 0;
	free(c->e->name);
	c->e->name = xstrdup(t->value);
	c->e->terms.named = true;
	return 0;
}

static int check_rate(struct term_ctx *c, const struct term *t)
{
	return t->num ? 0 : parse_fail(c->ep, t->value_at, -EINVAL, "expected a number above 0");
}

static int set_period(struct term_ctx *c, const struct term *t)
{
	if (check_rate(c, t))
		return -EINVAL;
	c->e->attr.freq = 0;
	c->e->attr.sample_period = t->num;
	c->e->terms.freq_set = false;
	/* a period from a table is overridden by -c and -F */
	c->e->terms.period_set = !c->inside;
	return 0;
}

static int set_freq(struct term_ctx *c, const struct term *t)
{
	if (check_rate(c, t))
		return -EINVAL;
	c->e->attr.freq = 1;
	c->e->attr.sample_freq = t->num;
	c->e->terms.freq_set = true;
	c->e->terms.period_set = false;
	return 0;
}

static int set_branch_type(struct term_ctx *c, const struct term *t)
{
	const char *bad;
	size_t len;
	u64 mask;

	if (branch_mask_parse(t->value, &mask, &bad, &len))
		return parse_fail(c->ep, t->value_at, -EINVAL, "invalid branch sample type");
	c->e->attr.branch_sample_type = mask;
	c->e->terms.branches_set = true;
	return 0;
}

static int set_time(struct term_ctx *c, const struct term *t)
{
	c->e->terms.time = t->num != 0;
	return 0;
}

static int set_callgraph(struct term_ctx *c, const struct term *t)
{
	static const char *const modes[] = { [CALLGRAPH_NONE] = "no",
					     [CALLGRAPH_FP] = "fp",
					     [CALLGRAPH_DWARF] = "dwarf",
					     [CALLGRAPH_LBR] = "lbr" };

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		if (strcmp(t->value, modes[i]))
			continue;
		c->e->terms.callgraph = (s8)i;
		return 0;
	}
	return parse_fail(c->ep, t->value_at, -EINVAL, "call-graph is fp, dwarf, lbr or no");
}

static int set_stack_size(struct term_ctx *c, const struct term *t)
{
	if (!t->num || t->num % 8 || t->num > STACK_SIZE_MAX)
		return parse_fail(c->ep, t->value_at, -EINVAL,
				  "a stack size is a multiple of 8, up to %d", STACK_SIZE_MAX);
	c->e->terms.stack_size = (u16)t->num;
	return 0;
}

static int set_inherit(struct term_ctx *c, const struct term *t)
{
	c->e->terms.inherit = !strncmp(t->name, "no-", 3) != (t->num != 0);
	return 0;
}

static int set_overwrite(struct term_ctx *c, const struct term *t)
{
	c->e->terms.overwrite = !strncmp(t->name, "no-", 3) != (t->num != 0);
	return 0;
}

static int set_max_stack(struct term_ctx *c, const struct term *t)
{
	if (t->num > UINT16_MAX)
		return parse_fail(c->ep, t->value_at, -EINVAL, "value too big, maximum is %d",
				  UINT16_MAX);
	c->e->terms.max_stack = (u16)t->num;
	return 0;
}

static int set_nr(struct term_ctx *c, const struct term *t)
{
	c->e->terms.max_events = t->num;
	return 0;
}

static int set_percore(struct term_ctx *c, const struct term *t)
{
	c->e->terms.percore = t->num != 0;
	return 0;
}

static int set_aux_output(struct term_ctx *c, const struct term *t)
{
	c->e->attr.aux_output = t->num != 0;
	return 0;
}

static int set_aux_sample_size(struct term_ctx *c, const struct term *t)
{
	if (t->num > UINT32_MAX)
		return parse_fail(c->ep, t->value_at, -EINVAL, "value too big, maximum is %u",
				  UINT32_MAX);
	c->e->terms.aux_sample_size = (u32)t->num;
	return 0;
}

static int set_metric_id(struct term_ctx *c, const struct term *t)
{
	free(c->e->metric_id);
	c->e->metric_id = xstrdup(t->value);
	return 0;
}

/* Take the CPUs on which the event is to count: a number, a range, or those of a PMU. */
static int set_cpu(struct term_ctx *c, const struct term *t)
{
	const struct pmu *pmu = pmus_find(parse_pmus(c->ep), t->value);
	const char *list = pmu ? pmu->cpumask : t->value;

	if (pmu && !list)
		return 0; /* it is on all of them */
	if (!*list || cpu_list_parse(&c->cpus, list))
		return parse_fail(c->ep, t->value_at, -EINVAL,
				  "expected a CPU, a range of CPUs such as 0-3, or a PMU");
	c->cpus_at = t->value_at;
	return 0;
}

enum value_kind { VALUE_NUM, VALUE_BOOL, VALUE_STR, VALUE_ANY };

static const struct term_def {
	const char *name;
	enum value_kind value;
	bool tracepoint; /* tracepoints accept it as well */
	int (*set)(struct term_ctx *c, const struct term *t);
} terms[] = {
	{ "config", VALUE_NUM, false, set_config },
	{ "config1", VALUE_NUM, false, set_config },
	{ "config2", VALUE_NUM, false, set_config },
	{ "config3", VALUE_NUM, false, set_config },
	{ "name", VALUE_STR, false, set_name },
	{ "period", VALUE_NUM, false, set_period },
	{ "freq", VALUE_NUM, false, set_freq },
	{ "branch_type", VALUE_STR, false, set_branch_type },
	{ "time", VALUE_BOOL, false, set_time },
	{ "call-graph", VALUE_STR, true, set_callgraph },
	{ "stack-size", VALUE_NUM, true, set_stack_size },
	{ "no-inherit", VALUE_NUM, true, set_inherit },
	{ "inherit", VALUE_NUM, true, set_inherit },
	{ "max-stack", VALUE_NUM, true, set_max_stack },
	{ "nr", VALUE_NUM, true, set_nr },
	{ "no-overwrite", VALUE_NUM, true, set_overwrite },
	{ "overwrite", VALUE_NUM, true, set_overwrite },
	{ "percore", VALUE_BOOL, false, set_percore },
	{ "aux-output", VALUE_NUM, true, set_aux_output },
	{ "aux-sample-size", VALUE_NUM, true, set_aux_sample_size },
	{ "metric-id", VALUE_STR, false, set_metric_id },
	{ "cpu", VALUE_ANY, true, set_cpu },
};

/* Apply a term of the table. Return: 1 when @t is not in the table. */
static int generic_term(struct term_ctx *c, const struct term *t)
{
	const struct term_def *d = terms, *end = terms + ARRAY_SIZE(terms);

	while (d < end && strcmp(d->name, t->name))
		d++;
	if (d == end || (c->kind == TERMS_TRACEPOINT && !d->tracepoint))
		return 1;
	if (d->value == VALUE_STR && (!t->value[0] || isdigit((unsigned char)t->value[0])))
		return parse_fail(c->ep, t->value_at, -EINVAL, "expected string value");
	if (d->value == VALUE_ANY)
		return d->set(c, t);
	if (d->value != VALUE_STR && !t->is_num)
		return parse_fail(c->ep, t->value_at, -EINVAL, "expected numeric value");
	if (d->value == VALUE_BOOL && t->num > 1)
		return parse_fail(c->ep, t->value_at, -EINVAL, "expected 0 or 1");
	return d->set(c, t);
}

/* --- errors --------------------------------------------------------------- */

static void list_valid(struct term_ctx *c, struct strbuf *sb, struct near *near)
{
	const char *comma = "";

	for (size_t i = 0; c->pmu && i < c->pmu->nr_formats; i++) {
		strbuf_addf(sb, "%s%s", comma, c->pmu->formats[i].name);
		near_add(near, c->pmu->formats[i].name);
		comma = ",";
	}
	for (size_t i = 0; i < ARRAY_SIZE(terms); i++) {
		if (c->kind == TERMS_TRACEPOINT && !terms[i].tracepoint)
			continue;
		strbuf_addf(sb, "%s%s", comma, terms[i].name);
		near_add(near, terms[i].name);
		comma = ",";
	}
}

static int unknown_term(struct term_ctx *c, const struct term *t)
{
	struct near near = { .word = t->name };
	struct strbuf sb = STRBUF_INIT;

	if (c->kind == TERMS_PMU)
		parse_fail(c->ep, t->at, -EINVAL, "unknown term '%s' for pmu '%s'", t->name,
			   c->pmu->name);
	else
		parse_fail(c->ep, t->at, -EINVAL, "unknown term");
	list_valid(c, &sb, &near);
	for (size_t i = 0; c->pmu && i < c->pmu->nr_aliases; i++)
		near_add(&near, c->pmu->aliases[i].name);
	parse_help(c->ep, "valid terms: %s\n", strbuf_str(&sb));
	parse_help_near(c->ep, &near);
	strbuf_release(&sb);
	return -EINVAL;
}

/* --- terms of a PMU ------------------------------------------------------- */

/*
 * Distribute the bits of @value to the places of the format. Return: the largest value that fits.
 */
static u64 scatter(u64 *word, u64 bits, u64 value)
{
	u64 max = 0;

	for (unsigned int i = 0; i < 64; i++) {
		if (!(bits >> i & 1))
			continue;
		*word = (*word & ~(1ULL << i)) | (value & 1) << i;
		value >>= 1;
		max = max << 1 | 1;
	}
	return max;
}

static int format_term(struct term_ctx *c, const struct term *t)
{
	const struct pmu_format *f = pmu_format_find(c->pmu, t->name);
	u64 *word, max;

	if (!f)
		return 1;
	/* need_params() checks it after the user's terms */
	if (c->inside && !strcmp(t->value, "?"))
		return 0;
	if (!t->is_num)
		return parse_fail(c->ep, t->value_at, -EINVAL, "expected numeric value");
	word = config_word(c->e, f->word);
	if (!word)
		return parse_fail(c->ep, t->at, -EINVAL,
				  "'%s' is in a part of the attr that is not known here", t->name);
	max = scatter(word, f->bits, t->num);
	if (t->num > max)
		return parse_fail(c->ep, t->value_at, -EINVAL,
				  "value too big for format, maximum is %" PRIu64, max);
	return 0;
}

/*
 * Generic events are the same on all cores. If there are several kinds of cores, the upper half of
 * the config selects one.
 */
static u64 of_core(struct term_ctx *c, u64 config)
{
	const struct pmus *all = parse_pmus(c->ep);
	size_t cores = 0;

	for (size_t i = 0; i < all->nr; i++)
		cores += all->v[i].core;
	return cores > 1 ? config | (u64)c->pmu->type << 32 : config;
}

/* Take generic names that sysfs does not have: "cpu/cycles/", "cpu/LLC-loads/", "software/cs/". */
static int generic_name(struct term_ctx *c, const struct term *t)
{
	const struct event_symbol *sym = event_symbol_find(t->name, strlen(t->name));
	struct perf_event_attr *a = &c->e->attr;
	u64 config;

	if (sym && c->pmu->type == PERF_TYPE_SOFTWARE && sym->type == PERF_TYPE_SOFTWARE) {
		a->config = sym->config;
		return 0;
	}
	if (!c->pmu->core)
		return 1;
	if (sym && sym->type == PERF_TYPE_HARDWARE) {
		a->type = PERF_TYPE_HARDWARE;
		a->config = of_core(c, sym->config);
		return 0;
	}
	if (sym || event_cache_parse(t->name, strlen(t->name), &config))
		return 1;
	a->type = PERF_TYPE_HW_CACHE;
	a->config = of_core(c, config);
	return 0;
}

/* Return the named event with that name, or with the other name of the same generic event. */
static const struct pmu_alias *find_alias(const struct pmu *pmu, const char *name)
{
	const struct pmu_alias *a = pmu_alias_find(pmu, name);
	const struct event_symbol *sym = a ? NULL : event_symbol_find(name, strlen(name));

	if (!a && sym)
		a = pmu_alias_find(pmu, sym->name);
	if (!a && sym && sym->alias)
		a = pmu_alias_find(pmu, sym->alias);
	return a;
}

/* Apply a word without a value: a named event of the PMU, a raw config, or a generic event. */
static int event_term(struct term_ctx *c, const struct term *t)
{
	const struct pmu_alias *a = find_alias(c->pmu, t->name);
	int rc;

	if (c->inside)
		return unknown_term(c, t);
	if (a) {
		c->inside = true;
		c->event = a->name;
		rc = apply_list(c, a->terms, a->terms + strlen(a->terms), t->at);
		c->inside = false;
		if (!rc)
			parse_alias_marks(c->e, a->unit, a->scale, a->per_pkg, a->snapshot);
	} else {
		rc = parse_vendor_term(c->ep, c->e, c->pmu, t->name, t->at);
		if (rc == 1 && parse_raw(t->name, (u64 *)&c->e->attr.config))
			rc = 0;
		if (rc == 1)
			rc = generic_name(c, t);
		if (rc == 1)
			rc = unknown_term(c, t);
	}
	if (rc)
		return rc;
	if (c->event_named)
		return parse_fail(c->ep, t->at, -EINVAL, "a second event, '%s'", t->name);
	c->event_named = true;
	return 0;
}

/* Apply "@sink" of PMUs that trace: a number below sinks/, for the format's "sinkid". */
static int driver_term(struct term_ctx *c, const struct term *t)
{
	struct term id = *t;
	struct strbuf sb = STRBUF_INIT;
	char *end;
	int rc;

	if (c->kind != TERMS_PMU || t->name[0] != '@' || strchr(t->name, '/'))
		return 1;
	rc = sysroot_read(c->ep->sr, &sb, "/sys/bus/event_source/devices/%s/sinks/%s", c->pmu->name,
			  t->name + 1);
	if (!rc) {
		errno = 0;
		id.num = strtoull(strbuf_str(&sb), &end, 16);
		rc = end == strbuf_str(&sb) || errno ? -EINVAL : 0;
	}
	strbuf_release(&sb);
	if (rc)
		return parse_fail(c->ep, t->at, -ENOENT, "pmu '%s' has no sink '%s'", c->pmu->name,
				  t->name + 1);
	snprintf(id.name, sizeof(id.name), "sinkid");
	id.is_num = true;
	return format_term(c, &id);
}

/* --- the list ------------------------------------------------------------- */

static int apply_term(struct term_ctx *c, const struct term *t)
{
	int rc = generic_term(c, t);

	if (rc == 1)
		rc = driver_term(c, t);
	if (rc == 1 && c->kind == TERMS_PMU)
		rc = format_term(c, t);
	return rc == 1 ? unknown_term(c, t) : rc;
}

/*
 * The order in which terms are applied, wherever they are in the text: fields are put into whole
 * words, and the user's terms override those of a named event.
 */
enum turn { TURN_WORD, TURN_EVENT, TURN_REST, TURN_NR };

static enum turn turn_of(const struct term_ctx *c, const struct term *t)
{
	for (size_t i = 0; i < ARRAY_SIZE(terms); i++)
		if (!strcmp(terms[i].name, t->name))
			return terms[i].set == set_config ? TURN_WORD : TURN_REST;
	/* a word that can only be an event of the PMU */
	if (c->kind != TERMS_PMU || t->has_value || t->name[0] == '@' ||
	    pmu_format_find(c->pmu, t->name))
		return TURN_REST;
	return TURN_EVENT;
}

static bool is_quoted(const char *p, size_t len)
{
	return len >= 2 && p[0] == '\'' && p[len - 1] == '\'';
}

/* Parse one "name[=value]" of @len bytes. */
static int split_term(const char *p, size_t len, struct term *t)
{
	const char *eq = memchr(p, '=', len);
	size_t name = eq ? (size_t)(eq - p) : len, value = eq ? len - name - 1 : 0;

	t->has_value = eq != NULL;
	t->num = 1;
	t->is_num = !eq;
	t->value[0] = 0;
	if (!name || name >= sizeof(t->name) || value >= sizeof(t->value) || (eq && !value))
		return -EINVAL;
	memcpy(t->name, p, name);
	t->name[name] = 0;
	if (!eq)
		return 0;
	p = eq + 1;
	t->is_num = parse_number(p, value, &t->num);
	if (is_quoted(p, value)) {
		p++;
		value -= 2;
	}
	memcpy(t->value, p, value);
	t->value[value] = 0;
	return 0;
}

const char *term_stop(const char *p, const char *end)
{
	bool quoted = false;

	for (; p < end && (quoted || *p != ','); p++)
		if (*p == '\'')
			quoted = !quoted;
	return p;
}

const char *terms_end(const char *p)
{
	const char *start = p;
	bool quoted = false;

	for (; *p && (quoted || *p != '/'); p++)
		if (*p == '\'')
			quoted = !quoted;
	/* a quote without an end is an ordinary character */
	return *p ? p : start + strcspn(start, "/");
}

static int split_list(struct evparse *ep, const char *p, const char *end, const char *report_at,
		      struct term *v, size_t *nr)
{
	while (p < end && isspace((unsigned char)end[-1]))
		end--;
	for (*nr = 0; p < end;) {
		const char *stop = term_stop(p, end);
		struct term *t = &v[*nr];
		int rc;

		t->at = report_at ? report_at : p;
		if (*nr == MAX_TERMS)
			return parse_fail(ep, t->at, -E2BIG, "more than %d terms", MAX_TERMS);
		rc = split_term(p, (size_t)(stop - p), t);
		t->value_at = t->has_value && !report_at ? p + strlen(t->name) + 1 : t->at;
		/* nothing before or after '=', or nothing after the last comma */
		if (rc || (stop < end && stop + 1 == end))
			return parse_fail(ep,
					  report_at ? report_at
					  : rc      ? p
						    : stop,
					  -EINVAL, "parser error");
		++*nr;
		p = stop + 1;
	}
	return 0;
}

static bool is_given(const struct term_ctx *c, const char *name)
{
	for (size_t i = 0; i < c->nr; i++)
		if (!strcmp(c->v[i].name, name) && c->v[i].has_value)
			return true;
	return false;
}

/* Terms "core=?" of an event are parameters, whose values the user has to give. */
static int need_params(struct term_ctx *c, const struct term *v, size_t nr)
{
	struct strbuf names = STRBUF_INIT, example = STRBUF_INIT;
	const struct term *first = NULL;

	for (size_t i = 0; i < nr; i++) {
		if (strcmp(v[i].value, "?") || is_given(c, v[i].name))
			continue;
		strbuf_addf(&names, "%s'%s'", first ? " and " : "", v[i].name);
		strbuf_addf(&example, ",%s=0", v[i].name);
		first = first ? first : &v[i];
	}
	if (first) {
		parse_fail(c->ep, first->at, -EINVAL, "the event needs a value for %s",
			   strbuf_str(&names));
		if (c->event)
			parse_help(c->ep, "Such as %s/%s%s/\n", c->pmu->name, c->event,
				   strbuf_str(&example));
	}
	strbuf_release(&names);
	strbuf_release(&example);
	return first ? -EINVAL : 0;
}

static int apply_list(struct term_ctx *c, const char *p, const char *end, const char *report_at)
{
	struct term *v = xcalloc(MAX_TERMS + 1, sizeof(*v));
	size_t nr = 0;
	int rc = split_list(c->ep, p, end, report_at, v, &nr);

	if (!c->inside) {
		c->v = v;
		c->nr = nr;
	} else if (!rc) {
		rc = need_params(c, v, nr);
	}
	for (int turn = 0; turn < TURN_NR; turn++)
		for (size_t i = 0; !rc && i < nr; i++)
			if (turn_of(c, &v[i]) == (enum turn)turn)
				rc = turn == TURN_EVENT ? event_term(c, &v[i])
							: apply_term(c, &v[i]);
	free(v);
	return rc;
}

int parse_terms(struct evparse *ep, struct evsel *e, enum term_kind kind, struct pmu *pmu,
		const char *p, const char *end, const char *report_at, bool inside)
{
	struct term_ctx c = { .ep = ep, .e = e, .kind = kind, .pmu = pmu, .inside = inside };
	int rc = apply_list(&c, p, end, report_at);

	if (!rc && c.cpus_at && !parse_only_on(e, &c.cpus))
		rc = parse_fail(ep, c.cpus_at, -EINVAL, "its PMU counts on the CPUs %s only",
				e->cpumask);
	e->terms.cpus_given |= c.cpus_at != NULL;
	int_list_release(&c.cpus);
	return rc;
}
