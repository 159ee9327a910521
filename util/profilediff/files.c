// SPDX-License-Identifier: GPL-2.0-or-later
/* Read the recordings; each is counted as perf report counts it. */
#include "base/compat.h"
#include "profilediff/profile-diff.h"

#include "base/alloc.h"

#include <errno.h>

/* --time has one part for all files, or one for each with colons between. The parts become strings
 * of their own. */
static void part_times(struct differ *d, u32 nr)
{
	char *part = d->source.time ? xstrdup(d->source.time) : NULL, *next;

	d->times = part;
	for (u32 i = 0; part && i < nr; i++) {
		d->files[i].source.time = part;
		if (!strchr(d->source.time, ':'))
			continue;
		next = strchr(part, ':');
		if (next)
			*next++ = '\0';
		part = next;
	}
}

void differ_name_files(struct differ *d, const char *const *names, u32 nr)
{
	d->files = xcalloc(nr, sizeof(*d->files));
	for (u32 i = 0; i < nr; i++) {
		d->files[i].source = d->source;
		d->files[i].source.input = names[i];
	}
	part_times(d, nr);
}

int differ_open(struct differ *d, u32 i, const struct notices *notices, struct err *err)
{
	struct diff_file *f = &d->files[i];
	int ret = recording_open(&f->rec, &f->source, notices, err);

	if (ret)
		return ret;
	f->profile = profile_new(&d->asked, &f->rec);
	d->nr_files++;
	return 0;
}

int differ_count(struct differ *d, u32 i, struct err *err)
{
	struct profile *p = d->files[i].profile;

	if (profile_take_cpus(p, err) || profile_take_threads(p, err))
		return -EINVAL;
	if (!profile_run(p, err))
		return 0;
	return profile_fault(p) == PROFILE_FAULT_TIME ? -EINVAL : -ENODATA;
}

void differ_release(struct differ *d)
{
	for (u32 i = 0; i < d->nr_files; i++) {
		profile_free(d->files[i].profile);
		recording_close(&d->files[i].rec);
	}
	free(d->files);
	free(d->times);
}
