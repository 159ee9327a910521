// SPDX-License-Identifier: GPL-2.0-or-later
/* May what is asked for be had of the recording? One thing is told, in the order of perf 6.1. */
#include "base/compat.h"

#include "profile/profile.h"
#include "columns/columns.h"
#include "recording/formats.h"

#include <errno.h>

/* Does any event have these fields in its samples? */
static bool samples_have(const struct profile *p, u64 fields)
{
	const struct evlist *l = &p->session.evlist;

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
	const struct evlist *l = &p->session.evlist;
	bool calls = false;

	for (size_t i = 0; i < l->nr; i++)
		calls |= layout_lbr_chain(&l->evsels[i]->layout);
	if (!p->branches_set)
		p->branches = !p->mem && profile_has_branches(p) && !calls &&
			      perf_file_has_feature(p->session.file, HEADER_BRANCH_STACK);
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
	struct profile_fields fields = { .formats = &p->formats,
					 .evlist = &p->session.evlist,
					 .env = &p->session.file->env };
	struct hist_columns c = { .mem = p->mem, .more_ctx = &fields };
	int ret;

	if (p->stacks)
		return 0;
	if (known)
		profile_settle_branches(p);
	/* Of a stream it is not known yet whether it has branches. */
	c.branches = p->branches || (!known && !p->branches_set);
	c.more = known ? profile_fields_column : any_column;
	ret = check_list(&c, p->sort, "sort", err);
	p->asks_parent = p->parent || c.need & NEED_PARENT;
	if (!ret)
		ret = check_list(&c, p->fields, "fields", err);
	profile_fields_release(&fields);
	return ret;
}

/* Samples tell their CPU, and there was such a CPU as far as the file knows. With a message. */
static int check_cpus(const struct profile *p)
{
	s64 last = sample_filter_last_cpu(&p->only);
	u32 nr = p->session.file->env.nr_cpus_avail;

	if (!p->only.cpus)
		return 0;
	if (!evlist_tells_cpus(&p->session.evlist, p->session.file->pipe)) {
		fprintf(stderr, "File does not contain CPU events. Remove -C option to proceed.\n");
		return -EINVAL;
	}
	if (p->session.file->pipe || p->default_sort || !nr || last < nr)
		return 0;
	fprintf(stderr, "CPU %d is none of the %u of this recording\n", (int)last, nr);
	return -EINVAL;
}

static const char no_parents[] = "Selected --sort parent, but no callchain data. Did you call "
				 "'perf record' without -g?";

int profile_check_samples(struct profile *p, struct err *err)
{
	bool pipe = p->session.file->pipe, branches = profile_has_branches(p),
	     chains = profile_has_chains(p);

	if (check_cpus(p))
		return err_set(err, -EINVAL, "failed to set cpu bitmap");
	if (p->asks_parent && !chains)
		return err_set(err, -EINVAL, no_parents);
	/* Streams show what they have. */
	if (!chains && (p->chain.marks ? !branches : p->graph_asked) && !pipe)
		return err_set(
			err, -EINVAL,
			"Selected -g or --branch-history.\nBut no callchain or branch data.\n"
			"Did you call 'perf record' without -g or -b?");
	if (p->mem && !samples_have(p, PERF_SAMPLE_DATA_SRC))
		return err_set(err, -EINVAL,
			       "Selected --mem-mode but no mem data. Did you call perf record "
			       "without -d?");
	profile_settle_branches(p);
	if (p->branches && !branches)
		return err_set(err, -EINVAL,
			       "Selected -b but no branch data. Did you call "
			       "perf record without -b?");
	return 0;
}

int profile_check_rows(const struct profile *p, struct err *err)
{
	const struct evlist *l = &p->session.evlist;
	bool any = false;

	if (p->exclude_other && !profile_has_chains(p) && !p->default_sort)
		return err_set(err, -EINVAL, no_parents);
	for (size_t i = 0; i < l->nr; i++)
		any |= l->evsels[i]->attr.context_switch;
	if (any || (!p->cols.key_at[KEY_PARALLELISM] && !p->levels.nr))
		return 0;
	return err_set(err, -EINVAL,
		       "How many threads ran at a time is not in this file. Use --latency of "
		       "perf record.");
}
