// SPDX-License-Identifier: GPL-2.0-or-later
/* perf diff: the recordings, each counted as perf report counts it. */
#include "base/compat.h"

#include "cmd/common/header.h"
#include "cmd/common/message.h"
#include "cmd/common/progress.h"
#include "cmd/diff/diff.h"

#include "base/alloc.h"

#include <errno.h>

/* -D; the file is read again for the profile. */
static void dump_file(const struct recording_options *o, int workers)
{
	struct session s;

	if (session_open(&s, o->input, o->force, NULL))
		return; /* said when it is opened again */
	print_dump_order(&s);
	print_dump(&s, workers);
	session_close(&s);
}

static int count(struct diff_file *f, struct err *err)
{
	struct progress *bar = progress_open();
	int ret = profile_take_cpus(f->profile, err) ?: profile_take_threads(f->profile, err);

	f->rec.session.progress = bar;
	if (!ret && profile_run(f->profile, err))
		ret = profile_fault(f->profile) == PROFILE_FAULT_TIME ? -EINVAL : EXIT_FAILED;
	progress_close(bar);
	return ret;
}

static int read_file(struct differ *d, struct diff_file *f)
{
	const char *name = f->source.input;
	struct err err = { 0 };
	int ret;

	if (d->dump)
		dump_file(&f->source, d->asked.workers);
	if (recording_open(&f->rec, &f->source, &stderr_notices, &err)) {
		error_err(&err);
		fprintf(stderr, "Failed to open %s\n", name);
		return EXIT_FAILED;
	}
	f->profile = profile_new(&d->asked, &f->rec);
	d->nr_files++;
	if (d->asked.cycles && !perf_file_has_feature(f->rec.session.file, HEADER_BRANCH_STACK)) {
		fprintf(stderr, "%s has no branch stacks. Record with -b to compare cycles.\n",
			name);
		return EXIT_FAILED;
	}
	ret = count(f, &err);
	if (ret)
		fprintf(stderr, "Error:\n%s\n", err.msg);
	else if (!d->quiet)
		warn_diag(&f->rec.session.diag);
	return ret;
}

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

int diff_read(struct differ *d, const char *const *names, u32 nr)
{
	int ret = 0;

	d->files = xcalloc(nr, sizeof(*d->files));
	for (u32 i = 0; i < nr; i++) {
		d->files[i].source = d->source;
		d->files[i].source.input = names[i];
	}
	part_times(d, nr);
	for (u32 i = 0; i < nr && !ret; i++)
		ret = read_file(d, &d->files[i]);
	return ret;
}

void diff_release(struct differ *d)
{
	for (u32 i = 0; i < d->nr_files; i++) {
		profile_free(d->files[i].profile);
		recording_close(&d->files[i].rec);
	}
	free(d->files);
	free(d->times);
}
