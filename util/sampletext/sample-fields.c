// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "sampletext/sample-fields.h"

#include "sampletext/branch-counters.h"

#include "base/alloc.h"
#include "base/suggest.h"

#include <errno.h>

#define SF_ADDRESS (SF_IP | SF_SYM | SF_SYMOFF | SF_DSO)
#define SF_START (SF_COMM | SF_TID | SF_CPU | SF_TIME | SF_EVENT)
/* Fields of memory accesses, in the order of the output. */
#define SF_MEMORY                                                                                  \
	(SF_ADDR | SF_DATA_SRC | SF_WEIGHT | SF_INS_LAT | SF_PHYS_ADDR | SF_DATA_PAGE_SIZE |       \
	 SF_CODE_PAGE_SIZE)
#define SF_HARDWARE (SF_START | SF_ADDRESS | SF_PERIOD)

static const struct {
	const char *prefix; /* before ':' in -F; NULL: cannot be selected */
	const char *name;   /* in messages */
	u64 fields, invalid;
} kinds[SK_NR] = {
	[SK_HARDWARE] = { "hw", "hardware", SF_HARDWARE, SF_TRACE | SF_BPF_OUTPUT },
	[SK_SOFTWARE] = { "sw", "software", SF_HARDWARE | SF_BPF_OUTPUT, SF_TRACE },
	[SK_TRACEPOINT] = { "trace", "tracepoint", SF_START | SF_TRACE, 0 },
	[SK_HW_CACHE] = { NULL, "hardware-cache", SF_HARDWARE, SF_TRACE | SF_BPF_OUTPUT },
	[SK_RAW] = { "raw", "unknown", SF_HARDWARE | SF_MEMORY, SF_TRACE | SF_BPF_OUTPUT },
	[SK_BREAKPOINT] = { "break", "unknown", SF_HARDWARE, SF_TRACE | SF_BPF_OUTPUT },
	[SK_OTHER] = { NULL, "unknown", SF_HARDWARE, SF_TRACE | SF_BPF_OUTPUT },
	[SK_SYNTH] = { "synth", "unknown", SF_START | SF_ADDRESS, SF_TRACE | SF_BPF_OUTPUT },
};

static const char *const words[SF_NR] = {
#define X(name, word) [SF_NR_##name] = word,
	SAMPLE_FIELDS(X)
#undef X
};

void sample_fields_names(struct strbuf *out)
{
	for (int i = 0; i < SF_NR; i++)
		strbuf_addf(out, "%s ", words[i]);
}

void sample_fields_init(struct sample_fields *sf)
{
	int k;

	memset(sf, 0, sizeof(*sf));
	for (k = 0; k < SK_NR; k++) {
		sf->kind[k].fields = kinds[k].fields;
		sf->kind[k].invalid = kinds[k].invalid;
	}
}

enum sample_kind sample_kind_of(const struct evsel *e)
{
	return e->attr.type <= SK_BREAKPOINT ? (enum sample_kind)e->attr.type : SK_OTHER;
}

static int unknown_field(const char *w, size_t len, struct err *err)
{
	char *word = xstrndup(w, len);
	const char *best;
	int ret;

	if (suggest(word, words, SF_NR, &best, 1))
		ret = err_set(err, -EINVAL,
			      "Invalid field requested.\nThere is no '%s': did you mean '%s'?",
			      word, best);
	else
		ret = err_set(err, -EINVAL, "Invalid field requested.\nThere is no '%s'.", word);
	free(word);
	return ret;
}

static u64 field_by_word(const char *w, size_t len)
{
	int i;

	for (i = 0; i < SF_NR; i++)
		if (strlen(words[i]) == len && !memcmp(words[i], w, len))
			return 1ULL << i;
	return 0;
}

static const char *word_of(u64 field)
{
	return words[__builtin_ctzll(field)];
}

/*
 * Apply one field. sign: '+' adds it, '-' removes it, 0 replaces the columns (which are empty
 * already). @must: an event that lacks it is an error; a column for one kind of events is just
 * removed
 */
static void apply(struct sample_fields *sf, int k, u64 field, char sign, bool must)
{
	if (sign == '-') {
		sf->kind[k].fields &= ~field;
		sf->kind[k].asked &= ~field;
	} else {
		sf->kind[k].fields |= field;
		sf->kind[k].asked |= must ? field : 0;
	}
	sf->kind[k].user_set = true;
	sf->kind[k].typed = false;
}

static int apply_all(struct sample_fields *sf, u64 field, char sign, struct strbuf *notices)
{
	int k;

	for (k = 0; k < SK_NR; k++) {
		if (sf->kind[k].invalid & field) {
			strbuf_addf(notices, "'%s' not valid for %s events. Ignoring.\n",
				    word_of(field), kinds[k].name);
			continue;
		}
		apply(sf, k, field, sign, true);
	}
	return 0;
}

/*
 * Parse "type:" before the list. Return: the kind; -1 when there is none; -EINVAL when it is
 * unknown.
 */
static int parse_kind(const char **arg, struct err *err)
{
	const char *colon = strchr(*arg, ':');
	size_t len;
	int k;

	if (!colon)
		return -1;
	len = (size_t)(colon - *arg);
	for (k = 0; k < SK_NR; k++) {
		if (kinds[k].prefix && strlen(kinds[k].prefix) == len &&
		    !memcmp(*arg, kinds[k].prefix, len)) {
			*arg = colon + 1;
			return k;
		}
	}
	return err_set(err, -EINVAL, "Invalid event type in field string.");
}

static int one_word(struct sample_fields *sf, int kind, const char *w, size_t len, char sign,
		    struct strbuf *notices, struct err *err)
{
	u64 field = field_by_word(w, len);

	if (!field)
		return unknown_field(w, len, err);
	if (field == SF_FLAGS) {
		sf->flags = sign != '-';
		return 0;
	}
	if (kind < 0)
		return apply_all(sf, field, sign, notices);
	if (sf->kind[kind].invalid & field)
		return err_set(err, -EINVAL, "'%s' not valid for %s events.", word_of(field),
			       kinds[kind].name);
	apply(sf, kind, field, sign, false);
	return 0;
}

/* Check that either all words of a list change the defaults (+-) or none does. */
static int check_mix(const char *list, bool *change, struct err *err)
{
	const char *p = list;
	bool plain = false;

	*change = false;
	while (*p) {
		if (*p == '+' || *p == '-')
			*change = true;
		else if (*p != ',')
			plain = true;
		p += strcspn(p, ",");
		p += *p == ',';
	}
	if (*change && plain)
		return err_set(err, -EINVAL, "Cannot mix +-field with overridden fields");
	return 0;
}

/* Note that a list replaces one that was given before. */
static void note_override(const struct sample_fields *sf, int kind, struct strbuf *notices)
{
	bool any = false;

	for (int k = 0; k < SK_NR; k++)
		any |= (kind < 0 || k == kind) && sf->kind[k].user_set;
	if (any)
		strbuf_addf(notices, "Overriding previous field request for %s events.\n",
			    kind < 0 ? "all" : kinds[kind].name);
}

int sample_fields_parse(struct sample_fields *sf, const char *arg, struct strbuf *notices,
			struct err *err)
{
	int kind = parse_kind(&arg, err), k, ret;
	bool change;

	if (kind < -1)
		return kind;
	if (kind < 0 && !*arg)
		return err_set(err, -EINVAL, "Cannot set fields to 'none' for all event types.");
	ret = check_mix(arg, &change, err);
	if (ret)
		return ret;
	if (!change)
		note_override(sf, kind, notices);
	for (k = 0; k < SK_NR; k++) {
		if (kind >= 0 && k != kind)
			continue;
		if (change)
			continue;
		sf->kind[k].typed = kind >= 0;
		sf->kind[k].fields = sf->kind[k].asked = 0;
		sf->kind[k].user_set = sf->kind[k].replaced = true;
	}
	while (*arg) {
		char sign = *arg == '+' || *arg == '-' ? *arg++ : 0;
		size_t len = strcspn(arg, ",");

		ret = len || sign ? one_word(sf, kind, arg, len, sign, notices, err) : 0;
		if (ret)
			return ret;
		arg += len;
		arg += *arg == ',';
	}
	return 0;
}

/* ------------------------------------------------------------------ against the file */

struct need {
	u64 field;
	u64 sample_type; /* any of these bits is sufficient */
	const char *name;
};

/*
 * In the order in which missing data are reported; those of the second table come after the
 * requirements among columns.
 */
static const struct need needs[] = {
	{ SF_TRACE, PERF_SAMPLE_RAW, "RAW" },
	{ SF_IP, PERF_SAMPLE_IP, "IP" },
	{ SF_ADDR, PERF_SAMPLE_ADDR, "ADDR" },
	{ SF_DATA_SRC, PERF_SAMPLE_DATA_SRC, "DATA_SRC" },
	{ SF_WEIGHT, PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT" },
}, further_needs[] = {
	{ SF_PID | SF_TID, PERF_SAMPLE_TID, "TID" },
	{ SF_TIME, PERF_SAMPLE_TIME, "TIME" },
	{ SF_CPU, PERF_SAMPLE_CPU, "CPU" },
	{ SF_IREGS, PERF_SAMPLE_REGS_INTR, "IREGS" },
	{ SF_UREGS, PERF_SAMPLE_REGS_USER, "UREGS" },
	{ SF_PHYS_ADDR, PERF_SAMPLE_PHYS_ADDR, "PHYS_ADDR" },
	{ SF_DATA_PAGE_SIZE, PERF_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE" },
	{ SF_CODE_PAGE_SIZE, PERF_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE" },
	{ SF_INS_LAT | SF_RETIRE_LAT, PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT" },
	{ SF_CGROUP, PERF_SAMPLE_CGROUP, "CGROUP" },
};

static u64 lacking_of(const struct evsel *e, const struct need *n, size_t nr)
{
	u64 out = 0;

	for (size_t i = 0; i < nr; i++)
		if (!(e->attr.sample_type & n[i].sample_type))
			out |= n[i].field;
	return out;
}

static u64 lacking(const struct evsel *e)
{
	return lacking_of(e, needs, ARRAY_SIZE(needs)) |
	       lacking_of(e, further_needs, ARRAY_SIZE(further_needs));
}

/* Check that an event has what columns need. @fields: the columns that were requested */
static int check_needs(const struct evsel *e, u64 fields, const struct need *n, size_t nr,
		       struct err *err)
{
	for (size_t i = 0; i < nr; i++) {
		u64 f = n[i].field & fields & ~(u64)SF_TRACE;

		if (f && !(e->attr.sample_type & n[i].sample_type))
			return err_set(err, -EINVAL,
				       "Samples for '%s' event do not have %s attribute set. "
				       "Cannot print '%s' field.",
				       e->name, n[i].name, word_of(f));
	}
	return 0;
}

/* Check what columns require of each other and of branch stacks. */
static int check_together(const struct evsel *e, u64 fields, struct err *err)
{
	if ((fields & SF_SYMOFF) && !(fields & SF_SYM))
		return err_set(err, -EINVAL,
			       "Display of offsets requested but symbol is notselected.");
	if ((fields & (SF_SRCLINE | SF_SRCCODE)) && !(fields & SF_IP))
		return err_set(err, -EINVAL,
			       "Display of source line number requested but sample IP is not\n"
			       "selected. Hence, no address to lookup the source line number.");
	if ((fields & (SF_BRSTACKINSN | SF_BRSTACKINSNLEN | SF_BRSTACKDISASM)) &&
	    !(e->attr.branch_sample_type & PERF_SAMPLE_BRANCH_ANY))
		return err_set(err, -EINVAL,
			       "Display of branch stack assembler requested, but non all-branch "
			       "filter set\nHint: run 'perf record -b ...'");
	if ((fields & SF_BRCNTR) && !(fields & (SF_BRSTACKINSN | SF_BRSTACKDISASM)))
		return err_set(err, -EINVAL,
			       "'brcntr' requires instructions: add 'brstackinsn' or "
			       "'brstackdisasm', too");
	if ((fields & SF_BRCNTR) && !branch_counters_recorded(e))
		return err_set(err, -EINVAL,
			       "Samples for '%s' event have no branch counters, which "
			       "'record -j any,counter' of later versions adds. Cannot print "
			       "'brcntr' field.",
			       e->name);
	return 0;
}

static int check_event(const struct sample_fields *sf, const struct evsel *e, struct err *err)
{
	u64 fields = sf->kind[sample_kind_of(e)].fields,
	    asked = fields & sf->kind[sample_kind_of(e)].asked;
	int ret = check_needs(e, asked, needs, ARRAY_SIZE(needs), err);

	if (!ret)
		ret = check_together(e, fields, err);
	return ret ? ret : check_needs(e, asked, further_needs, ARRAY_SIZE(further_needs), err);
}

static bool is_chain_tracepoint(const struct evsel *e)
{
	return evsel_is_tracepoint(e) && (e->attr.sample_type & PERF_SAMPLE_CALLCHAIN);
}

/* Tell whether the event only tracks tasks and mappings, so that columns do not apply to it. */
static bool is_dummy(const struct evsel *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config == PERF_COUNT_SW_DUMMY;
}

int sample_fields_check(struct sample_fields *sf, const struct evlist *evlist, bool hide_callchain,
			struct err *err)
{
	bool seen[SK_NR] = { false };
	size_t i;
	int ret;

	for (i = 0; i < evlist->nr; i++) {
		const struct evsel *e = evlist->evsels[i];
		enum sample_kind k = sample_kind_of(e);

		if (is_dummy(e))
			continue;
		if (!seen[k] && sf->kind[k].fields) {
			ret = check_event(sf, e, err);
			if (ret)
				return ret;
			/* the first event decides about the columns of its kind */
			sf->kind[k].fields &= ~(lacking(e) & ~SF_TRACE);
		}
		seen[k] = true;
		if (!hide_callchain && is_chain_tracepoint(e) && !sf->kind[k].user_set)
			sf->kind[k].fields |= SF_ADDRESS;
	}
	for (i = 0; i < SK_SYNTH; i++)
		if (sf->kind[i].typed && !sf->kind[i].fields && !seen[i])
			return err_set(err, -ENOENT,
				       "%s events do not exist. "
				       "Remove corresponding -F option to proceed.",
				       kinds[i].name);
	return 0;
}

u64 sample_fields_of(const struct sample_fields *sf, const struct evsel *e)
{
	u64 fields = sf->kind[sample_kind_of(e)].fields & ~lacking(e);

	return fields && sf->flags ? fields | SF_FLAGS : fields;
}

bool sample_fields_shown(const struct sample_fields *sf, const struct evlist *evlist, u64 field)
{
	size_t i;

	for (i = 0; i < evlist->nr; i++)
		if (sample_fields_of(sf, evlist->evsels[i]) & field)
			return true;
	return false;
}
