/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording that is opened once more, to count what passes the filters of the report browser, or
 * to count another recording in the same way. */
#ifndef PERF_BROWSE_COUNTED_H
#define PERF_BROWSE_COUNTED_H

#include "profile/profile.h"
#include "ui/views/report.h"

struct counted {
	struct recording_options source;
	struct profile_options asked;
	struct recording rec; /* open when it has a machine */
	struct profile *profile;
	char *path;                    /* that @source names; owned */
	struct report_filters filters; /* owned; @source and @asked borrow their texts */
};

/**
 * counted_new - ask for what users asked for, but with filters; nothing is opened yet.
 * @path: of another recording; NULL: the one that users named
 */
struct counted *counted_new(const struct recording_options *source,
			    const struct profile_options *asked, const char *path,
			    const struct report_filters *f);
/** counted_free - free it; NULL is fine. */
void counted_free(struct counted *c);
/** counted_run - count the rows. Return: 0, or negative and a sentence; then it can only be freed.
 */
int counted_run(struct counted *c, struct err *err);

#endif
