/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf diff: options (builtin-diff.c), the recordings (read.c), what is shown of them (show.c). */
#ifndef PERF_CMD_DIFF_DIFF_H
#define PERF_CMD_DIFF_DIFF_H

#include "base/color.h"
#include "cmd/common/limit.h"
#include "profile/profile.h"
#include "report/diff-text.h"

/* One recording, and the profile of it. */
struct diff_file {
	struct recording_options source;
	struct recording rec; /* open while @profile is there */
	struct profile *profile;
};

struct differ {
	/* asked for; what all recordings and profiles have in common */
	struct recording_options source;
	struct profile_options asked;
	bool dump, modules;
	struct diff_conf conf;
	struct diff_text text;
	struct palette palette;
	struct limit limit;
	bool relative, quiet, graph, stream;
	double path_limit; /* least change of a call path */
	int verbose;
	/* running */
	struct diff_file *files; /* owned, the first is what the others are compared with */
	u32 nr_files;            /* that are open */
	char *times;             /* owned: --time of each file */
};

/** diff_read - open recordings and count them. Release with diff_release(), also after an error.
 * Return: 0, or an exit status with a message printed. */
int diff_read(struct differ *d, const char *const *names, u32 nr);
/** diff_release - close them. */
void diff_release(struct differ *d);

/** diff_show - print the comparison. Return: exit status: 1 when a share changed by more than the
 * limit allows. */
int diff_show(const struct differ *d);

#endif
