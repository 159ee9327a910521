// SPDX-License-Identifier: GPL-2.0-or-later
/* perf report: what cannot be shown of a recording is told before anything else. One message is
 * all there is to see, so they come in the order of perf 6.1. */
#include "base/compat.h"

#include "cmd/common/message.h"
#include "cmd/report/report.h"
#include "cmd/common/usage.h"

#include <errno.h>

/* The order within groups is asked for: there must be some. */
static int check_groups(const struct report *rep)
{
	const struct evlist *l = &rep->p.session.evlist;
	bool any = !rep->p.group_sort || evlist_has_groups(l) || (rep->p.group_set && l->nr > 1);

	if (!any)
		usage_one_option(NULL, rep->options, "group-sort-idx", false);
	return any ? 0 : -EINVAL;
}

/* Options that exclude each other. */
static bool excluded(const struct report *rep)
{
	if (rep->p.mem && rep->p.branches_set && rep->p.branches) {
		fprintf(stderr, "branch and mem mode incompatible: leave out -b or --mem-mode\n");
	} else if (rep->p.fields && rep->p.hierarchy) {
		fprintf(stderr,
			"Error: --hierarchy and --fields options cannot be used together\n");
		usage_one_option(rep->usage, rep->options, "F", true);
		usage_one_option(NULL, rep->options, "hierarchy", false);
	} else if (rep->facts.stats && (rep->facts.tasks || rep->facts.mmaps)) {
		fprintf(stderr, "Error: --tasks and --mmaps can't be used together with --stats\n");
	} else {
		return false;
	}
	return true;
}

void report_tell_keys(const struct report *rep, const struct err *err)
{
	fprintf(stderr, "Error:\n%s\n", err->msg);
	if (rep->p.sort)
		usage_one_option(rep->usage, rep->options, "s", true);
	if (rep->p.fields)
		usage_one_option(rep->p.sort ? NULL : rep->usage, rep->options, "F", true);
}

bool report_refuses_options(struct report *rep, int *ret)
{
	struct err err = { 0 };

	*ret = 0;
	/* What events a stream has is not known yet. */
	if (!rep->p.session.file->pipe)
		*ret = event_switch_start(&rep->p.on_off, &rep->p.session.evlist, &err);
	if (*ret)
		error_err(&err);
	if (!*ret)
		*ret = check_groups(rep);
	if (*ret || excluded(rep))
		return true;
	if (rep->total_cycles && !rep->p.session.file->pipe) {
		profile_settle_branches(&rep->p);
		if (rep->p.branches) /* blocks have their own order */
			rep->p.sort = NULL;
	}
	if (!profile_check_keys(&rep->p, !rep->p.session.file->pipe, &err))
		return false;
	report_tell_keys(rep, &err);
	return true;
}

/* Is it understood? Parts of the time from the first sample to the last are whatever these are. */
static int check_time(const char *time, struct err *err)
{
	struct sample_filter scratch = { 0 };
	int ret = time ? sample_filter_time(&scratch, time, 0, 1, err) : 0;

	sample_filter_release(&scratch);
	return ret;
}

/* Of a stream only now, and only as something has to be told: a key that is not in the table. */
static bool lacks_key(struct report *rep)
{
	struct err err = { 0 };

	if (!rep->p.session.file->pipe || !profile_check_keys(&rep->p, true, &err))
		return false;
	report_tell_keys(rep, &err);
	return true;
}

/* What is said of lists and separators before samples are looked at. Return: status to end with,
 * as 6.1 has it; *@err: filled in when there is something to say. */
static int check_values(struct report *rep, struct err *err)
{
	int ret;

	if (rep->sep && *rep->sep == '.') {
		err_set(err, 0, "'.' is the only non valid --field-separator argument");
		return 0;
	}
	ret = report_filters(rep, &rep->p, err);
	return ret ? ret : check_time(rep->p.time, err);
}

bool report_refuses_samples(struct report *rep, int *ret)
{
	struct err err = { 0 }, no_key = { 0 };

	*ret = check_values(rep, &err);
	if (*err.msg) {
		if (lacks_key(rep)) {
			*ret = 0;
			return true;
		}
		print_preamble(rep);
		fprintf(stderr, "%s\n", err.msg);
		return true;
	}
	if (rep->p.session.file->pipe || !profile_check_samples(&rep->p, &err))
		return false;
	print_preamble(rep);
	report_names(rep, &no_key);
	fprintf(stderr, "Error:\n%s\n", err.msg);
	return true;
}
