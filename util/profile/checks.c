// SPDX-License-Identifier: GPL-2.0-or-later
/* Check whether the recording has what is asked for. One thing is told, in the order of perf
 * 6.1. */
#include "base/compat.h"

#include "profile/profile-internal.h"
#include "columns/columns.h"
#include "recording/formats.h"

#include <errno.h>

/* Tell whether any event has these fields in its samples. */
static bool samples_have(const struct profile *p, u64 fields)
{
	const struct evlist *l = events_of(p);

	for (size_t i = 0; i < l->nr; i++)
		if (l->evsels[i]->attr.sample_type & fields)
			return true;
	return false;
}

bool profile_has_chains(const struct profile *p)
{
	return samples_have(p, PERF_SAMPLE_CALLCHAIN);
}

bool profile_has_branches(const struct profile *p)
{
	return samples_have(p, PERF_SAMPLE_BRANCH_STACK);
}

void profile_settle_branches(struct profile *p)
{
	const struct evlist *l = events_of(p);
	bool calls = false;

	for (size_t i = 0; i < l->nr; i++)
		calls |= layout_lbr_chain(&l->evsels[i]->layout);
	if (!p->o.branches_set)
		p->o.branches = !p->o.mem && profile_has_branches(p) && !calls &&
				perf_file_has_feature(p->r->session.file, HEADER_BRANCH_STACK);
}

/* Fields of tracepoints are not known before the stream tells of them. */
static const struct hist_column *any_column(void *ctx, const char *key, size_t len, u32 nth)
{
	static const struct hist_column any;

	return nth ? NULL : &any;
}

static int check_list(struct hist_columns *c, const char *keys, const char *option, struct err *err)
{
	if (!keys)
		return 0;
	if (!strcmp(keys, "+"))
		return err_set(err, -EINVAL, "Invalid --%s key: `+'", option);
	return columns_check(c, keys + (*keys == '+'), option, err);
}

int profile_check_keys(struct profile *p, bool known, struct err *err)
{
	struct profile_fields fields = { .formats = &p->r->formats,
					 .evlist = events_of(p),
					 .env = env_of(p),
					 .notices = p->r->notices };
	struct hist_columns c = { .mem = p->o.mem, .more_ctx = &fields };
	int ret;

	if (p->o.stacks)
		return 0;
	if (known)
		profile_settle_branches(p);
	if (known && p->o.cycles && p->o.branches && !recording_is_stream(p->r))
		p->o.sort = NULL; /* blocks have their own order */
	/* It is not known yet whether a stream has branches. */
	c.branches = p->o.branches || (!known && !p->o.branches_set);
	c.more = known ? profile_fields_column : any_column;
	ret = check_list(&c, p->o.sort, "sort", err);
	p->asks_parent = p->o.parent || c.need & NEED_PARENT;
	if (!ret)
		ret = check_list(&c, p->o.fields, "fields", err);
	profile_fields_release(&fields);
	return ret;
}

/* Samples tell their CPU, and there was such a CPU as far as the file knows. A notice says which of
 * the two is wrong. */
static int check_cpus(const struct profile *p)
{
	s64 last = sample_filter_last_cpu(&p->r->filter);
	u32 nr = p->r->session.file->env.nr_cpus_avail;

	if (!p->r->filter.cpus)
		return 0;
	if (!evlist_tells_cpus(events_of(p), recording_is_stream(p->r))) {
		notice(p->r->notices,
		       "File does not contain CPU events. Remove -C option to proceed.\n");
		return -EINVAL;
	}
	if (recording_is_stream(p->r) || p->o.default_sort || !nr || last < nr)
		return 0;
	notice(p->r->notices, "CPU %d is none of the %u of this recording\n", (int)last, nr);
	return -EINVAL;
}

static const char no_parents[] = "Selected --sort parent, but no callchain data. Did you call "
				 "'perf record' without -g?";

int profile_check_samples(struct profile *p, struct err *err)
{
	bool pipe = recording_is_stream(p->r), branches = profile_has_branches(p),
	     chains = profile_has_chains(p);

	if (check_cpus(p))
		return err_set(err, -EINVAL, "failed to set cpu bitmap");
	if (p->asks_parent && !chains)
		return err_set(err, -EINVAL, no_parents);
	/* Streams show what they have. */
	if (!chains && (p->o.chain.marks ? !branches : p->o.graph_asked) && !pipe)
		return err_set(
			err, -EINVAL,
			"Selected -g or --branch-history.\nBut no callchain or branch data.\n"
			"Did you call 'perf record' without -g or -b?");
	if (p->o.mem && !samples_have(p, PERF_SAMPLE_DATA_SRC))
		return err_set(err, -EINVAL,
			       "Selected --mem-mode but no mem data. Did you call perf record "
			       "without -d?");
	profile_settle_branches(p);
	if (p->o.branches && !branches)
		return err_set(err, -EINVAL,
			       "Selected -b but no branch data. Did you call "
			       "perf record without -b?");
	return 0;
}

int profile_check_rows(const struct profile *p, struct err *err)
{
	const struct evlist *l = events_of(p);
	bool any = false;

	if (p->o.exclude_other && !profile_has_chains(p) && !p->o.default_sort)
		return err_set(err, -EINVAL, no_parents);
	for (size_t i = 0; i < l->nr; i++)
		any |= l->evsels[i]->attr.context_switch;
	if (any || (!p->cols.key_at[KEY_PARALLELISM] && !p->levels.nr))
		return 0;
	return err_set(err, -EINVAL,
		       "How many threads ran at a time is not in this file. Use --latency of "
		       "perf record.");
}
