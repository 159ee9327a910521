// SPDX-License-Identifier: GPL-2.0-or-later
/* perf report: what cannot be shown of a recording is told before anything else. One message is
 * all there is to see, so they come in the order of perf 6.1. */
#include "base/compat.h"

#include "cmd/common/refusal.h"
#include "cmd/report/report.h"

#include "base/alloc.h"

#include <errno.h>

/* The order within groups is asked for: are there none? */
static bool lacks_groups(const struct report *rep)
{
	const struct evlist *l = &rep->rec.session.evlist;

	return rep->asked.group_sort && !evlist_has_groups(l) &&
	       !(rep->asked.group_set && l->nr > 1);
}

void report_tell_keys(const struct report *rep, const struct err *err)
{
	bool sorted = profile_sort(rep->profile), fields = rep->asked.fields;
	char *sentence = xasprintf("Error:\n%s", err->msg);
	const struct refusal row = {
		.holds = true,
		.sentence = sentence,
		.options = { sorted   ? "s"
			     : fields ? "F"
				      : NULL,
			     sorted && fields ? "F" : NULL },
	};
	int status;

	refusal_tell(&row, 1, rep->usage, rep->options, &status);
	free(sentence);
}

bool report_refuses_options(struct report *rep, int *ret)
{
	const struct profile_options *o = &rep->asked;
	const struct report_facts *f = &rep->facts;
	bool stream = recording_is_stream(&rep->rec); /* its events are not known yet */
	struct err no_switch = { 0 }, err = { 0 };
	const struct refusal rows[] = {
		{ !stream && recording_bind_switch(&rep->rec, &no_switch), no_switch.msg,
		  .status = -ENOENT },
		{ lacks_groups(rep), NULL, { "group-sort-idx" }, .no_usage = true },
		{ o->mem && o->branches_set && o->branches,
		  "branch and mem mode incompatible: leave out -b or --mem-mode",
		  .accepted = true },
		{ o->fields && o->hierarchy,
		  "Error: --hierarchy and --fields options cannot be used together",
		  { "F", "hierarchy" },
		  .accepted = true },
		{ f->stats && (f->tasks || f->mmaps),
		  "Error: --tasks and --mmaps can't be used together with --stats",
		  .accepted = true },
	};

	*ret = 0;
	if (refusal_tell(rows, ARRAY_SIZE(rows), rep->usage, rep->options, ret))
		return true;
	if (!profile_check_keys(rep->profile, !stream, &err))
		return false;
	report_tell_keys(rep, &err);
	return true;
}

int report_filters(struct profile *p, struct err *err)
{
	int ret = profile_take_threads(p, err) ?: profile_take_levels(p, err);

	if (!ret && profile_take_cpus(p, err))
		ret = err_set(err, -EINVAL, "failed to set cpu bitmap");
	return ret;
}

/* Tell whether the text of --time can be read. Percentages of the recorded time can, whatever the
 * times of the first and the last sample are. */
static int check_time(const char *time, struct err *err)
{
	struct sample_filter scratch = { 0 };
	int ret = time ? sample_filter_time(&scratch, time, 0, 1, err) : 0;

	sample_filter_release(&scratch);
	return ret;
}

/* Tell of a key that no table has. The keys of a stream are known only now, and they are looked at
 * only as something else has to be told anyway. */
static bool lacks_key(struct report *rep)
{
	struct err err = { 0 };

	if (!rep->rec.session.file->pipe || !profile_check_keys(rep->profile, true, &err))
		return false;
	report_tell_keys(rep, &err);
	return true;
}

/* Check lists and separators before samples are looked at. Return: status to end with, as 6.1 has
 * it; *@err: filled in when there is something to say. */
static int check_values(struct report *rep, struct err *err)
{
	int ret;

	if (rep->sep && *rep->sep == '.') {
		err_set(err, 0, "'.' is the only non valid --field-separator argument");
		return 0;
	}
	ret = report_filters(rep->profile, err);
	return ret ? ret : check_time(rep->source.time, err);
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
	if (rep->rec.session.file->pipe || !profile_check_samples(rep->profile, &err))
		return false;
	print_preamble(rep);
	report_names(rep, &no_key);
	fprintf(stderr, "Error:\n%s\n", err.msg);
	return true;
}
