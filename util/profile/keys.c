// SPDX-License-Identifier: GPL-2.0-or-later
/* Choose the columns of a profile: those asked for, or those that suit its events. */
#include "base/compat.h"

#include "profile/profile-internal.h"

#include "arch/arch.h"
#include "base/alloc.h"
#include "columns/columns.h"

#define DEFAULT_KEYS "comm,dso,sym"
#define BRANCH_KEYS "comm,dso_from,symbol_from,symbol_to,cycles"
#define LATENCY_KEYS "parallelism,comm,sym"
#define MEM_KEYS                                                                                   \
	"local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked,local_ins_lat,local_p_stage_cyc"

static int read_list(struct name_list *l, const char *text, const char *what, struct err *err)
{
	return text && !l->set ? name_list_parse(l, text, what, err) : 0;
}

int profile_lists(struct profile *p, struct err *err)
{
	int ret = read_list(&p->dso_list, p->o.dsos, "dso", err);

	ret = ret ?: read_list(&p->comm_list, p->o.comms, "comm", err);
	return ret ?: read_list(&p->symbol_list, p->o.symbols, "symbol", err);
}

/* Find the columns that would say the same in each row, as only one name passes. */
static void find_known(struct profile *p)
{
	const struct {
		const char *column;
		const struct name_list *names;
	} lists[] = { { "comm", &p->comm_list },
		      { "dso", &p->dso_list },
		      { "symbol", &p->symbol_list } };

	for (u32 i = 0; i < p->cols.nr; i++)
		for (size_t k = 0; k < ARRAY_SIZE(lists); k++)
			if (lists[k].names->nr == 1 &&
			    !strcmp(p->cols.col[i]->name, lists[k].column))
				p->known[p->nr_known++] =
					(struct profile_known){ lists[k].column,
								lists[k].names->names[0] };
}

static bool names_parent(const char *keys)
{
	return keys && strstr(keys, "parent");
}

/* Hide columns that say the same in each row, but keep one at least that says what a row is. */
static void hide_known(struct profile *p)
{
	struct hist_columns all;
	u32 nr = 0;

	all = p->cols;
	for (u32 i = 0; i < p->nr_known; i++)
		columns_hide(&p->cols, p->known[i].column);
	for (u32 i = 0; i < p->cols.nr; i++)
		nr += !p->cols.col[i]->metric;
	if (!nr)
		p->cols = all;
}

static void add_key(char **keys, const char *key)
{
	char *before = *keys;

	*keys = xasprintf("%s,%s", before, key);
	free(before);
}

/* Tell whether all events are tracepoints: their texts are of more interest than the place in the
 * kernel that raises them. Of a stream it is not known yet, so it is false. */
static bool only_tracepoints(const struct profile *p)
{
	const struct evlist *l = events_of(p);
	size_t i = 0;

	while (i < l->nr && evsel_is_tracepoint(l->evsels[i]))
		i++;
	return i && i == l->nr && !recording_is_stream(p->r);
}

static const char *default_keys(const struct profile *p)
{
	if (p->o.latency)
		return LATENCY_KEYS;
	if (!p->o.default_sort && only_tracepoints(p))
		return p->o.raw_trace ? "trace_fields" : "trace";
	if (p->o.mem || p->o.branches)
		return p->o.mem ? MEM_KEYS : BRANCH_KEYS;
	return p->o.default_sort ? p->o.default_sort : DEFAULT_KEYS;
}

static bool needs_parent(const struct profile *p)
{
	return p->o.parent || p->o.exclude_other;
}

/* Return the keys to sort by; "+key" is put behind the default ones. */
static const char *wanted_keys(struct profile *p)
{
	const char *keys = default_keys(p);

	if (p->o.stacks)
		keys = "sym";
	else if (p->o.sort && *p->o.sort != '+')
		keys = p->o.sort;
	p->order = p->o.sort && *p->o.sort == '+' && !p->o.stacks
			   ? xasprintf("%s,%s", keys, p->o.sort + 1)
			   : xstrdup(keys);
	/* Users who ask for "symbol", by whatever name, get rows of one function each. */
	if (p->o.sort && strstr(p->o.sort, "symbol") && !p->o.branches && !p->o.default_sort)
		add_key(&p->order, "ipc_null");
	p->keys = xstrdup(p->order);
	if (needs_parent(p))
		add_key(&p->keys, "parent");
	return p->keys;
}

int profile_columns(struct profile *p, struct err *err)
{
	const struct env *env = env_of(p);
	const char *keys = wanted_keys(p), *fields = NULL, *behind = NULL;
	int ret;

	p->cols.branches = p->o.branches;
	p->cols.mem = p->o.mem;
	p->fields_of_events = (struct profile_fields){ .formats = &p->r->formats,
						       .evlist = events_of(p),
						       .env = env,
						       .notices = p->r->notices,
						       .raw = p->o.raw_trace };
	p->cols.more = profile_fields_column;
	p->cols.more_ctx = &p->fields_of_events;
	p->cols.modes = p->o.modes;
	p->cols.latency = p->o.latency;
	p->cols.stages = arch_of(env->arch)->stage_cycles;
	if (p->o.fields && *p->o.fields == '+' &&
	    p->o.fields[1]) /* more of them, behind the share */
		p->cols.front = p->o.stacks ? NULL : p->o.fields + 1;
	else if (p->o.fields && !p->o.stacks)
		fields = p->o.fields;
	if (p->o.sort)
		behind = keys;
	else if (needs_parent(p))
		behind = "parent";
	if (fields)
		ret = columns_fields(&p->cols, fields, behind, err);
	else
		ret = columns_sort(&p->cols, keys, p->o.children, p->o.nr_samples,
				   p->o.total_period, err);
	if (!fields && p->no_callers)
		columns_drop(&p->cols, "overhead_children");
	if (ret)
		p->fault = PROFILE_FAULT_KEYS;
	find_known(p);
	if (p->o.exclude_other && !p->o.parent && !names_parent(p->o.sort) &&
	    !names_parent(p->o.fields))
		columns_hide(&p->cols, "parent"); /* it is there to be asked */
	if (!ret && p->o.hierarchy && !p->o.stacks) {
		columns_levels(&p->cols, keys);
		return 0;
	}
	hide_known(p);
	return ret;
}

int profile_settle_columns(struct profile *p, struct err *err)
{
	if (p->cols.nr)
		return 0;
	profile_settle_branches(p);
	return profile_lists(p, err) ?: profile_columns(p, err);
}
