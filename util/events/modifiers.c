// SPDX-License-Identifier: GPL-2.0-or-later
/* Parse the modifiers of events and groups, and apply them to the attr. */
#include "base/compat.h"
#include "events/parse-internal.h"

#include "base/alloc.h"

#include <errno.h>

bool modifiers_known(const char *mods, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!mods[i] || !strchr("ukhGHpPSDIebWR", mods[i]))
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

/*
 * u, k and h: the first one that is named turns the others off. Later ones, including those of the
 * group that an event with modifiers is in, add to what is counted.
 */
static void count_space(struct perf_event_attr *a, char c)
{
	if (!a->exclude_user && !a->exclude_kernel && !a->exclude_hv)
		a->exclude_user = a->exclude_kernel = a->exclude_hv = 1;
	if (c == 'u')
		a->exclude_user = 0;
	else if (c == 'k')
		a->exclude_kernel = 0;
	else
		a->exclude_hv = 0;
}

static void count_machine(struct evsel *e, char c)
{
	if (!e->terms.guests)
		e->attr.exclude_guest = e->attr.exclude_host = 1;
	e->terms.guests = true;
	if (c == 'G')
		e->attr.exclude_guest = 0;
	else
		e->attr.exclude_host = 0;
}

/* Tell whether the event is one of a processor, whose instructions retire. */
static bool can_retire(const struct evsel *e)
{
	return !e->tool && e->attr.type != PERF_TYPE_SOFTWARE && !evsel_is_tracepoint(e) &&
	       e->attr.type != PERF_TYPE_BREAKPOINT;
}

static void apply(struct evsel *e, char c)
{
	struct perf_event_attr *a = &e->attr;

	/* User space of guests, and precise events of guests, are not wanted here. */
	if ((c == 'u' || c == 'p') && !e->terms.guests)
		a->exclude_guest = 1;
	switch (c) {
	case 'G':
	case 'H':
		count_machine(e, c);
		break;
	case 'p':
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
	case 'b':
		e->terms.bpf_counter = true;
		break;
	case 'W':
		e->terms.weak = true;
		break;
	case 'R':
		e->tool = TOOL_RETIRE_LATENCY;
		e->snapshot = true;
		break;
	default:
		count_space(a, c);
		break;
	}
}

int event_modifiers(struct evsel *e, const char *mods, size_t len)
{
	struct perf_event_attr *a = &e->attr;
	unsigned int precise = a->precise_ip;

	if (!modifiers_known(mods, len) || modifiers_repeat(mods, len))
		return -EINVAL;
	for (size_t i = 0; i < len; i++)
		precise += mods[i] == 'p';
	if (precise > 3)
		return -EINVAL;
	if (memchr(mods, 'R', len) && !can_retire(e))
		return -EOPNOTSUPP;
	for (size_t i = 0; i < len; i++)
		apply(e, mods[i]);
	a->precise_ip = precise & 3;
	return 0;
}

/* Append modifiers to a name that may have some: "cycles:u", "cpu/event=1/u". */
static void name_machines(struct evsel *e, const char *mods)
{
	const char *last = strrchr(e->name, ':'), *terms = strrchr(e->name, '/');
	bool has = (last && modifiers_known(last + 1, strlen(last + 1))) || (terms && !last);
	char *name = xasprintf("%s%s%s", e->name, has ? "" : ":", mods);

	free(e->name);
	e->name = name;
}

void event_machines(struct evlist *l, size_t from, u8 machines)
{
	static const char *const mods[] = {
		[PARSE_HOST] = "H",
		[PARSE_GUEST] = "G",
		[PARSE_HOST | PARSE_GUEST] = "HG",
	};

	for (size_t i = from; machines && i < l->nr; i++) {
		struct evsel *e = l->evsels[i];

		if (evsel_is_tracepoint(e) || (e->cpumask && !e->terms.cpus_given) ||
		    e->terms.guests)
			continue;
		for (const char *c = mods[machines]; *c; c++)
			count_machine(e, *c);
		if (!e->terms.named)
			name_machines(e, mods[machines]);
	}
}

int parse_machines(u8 *machines, const char *text, struct err *err)
{
	static const struct {
		const char *text;
		u8 machines;
	} values[] = {
		{ "host", PARSE_HOST },
		{ "guest", PARSE_GUEST },
		{ "host,guest", PARSE_HOST | PARSE_GUEST },
		{ "guest,host", PARSE_HOST | PARSE_GUEST },
	};

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		if (!strcmp(values[i].text, text)) {
			*machines = values[i].machines;
			return 0;
		}
	}
	return err_set(err, -EINVAL, "--machines: '%s' is neither host nor guest nor both", text);
}
