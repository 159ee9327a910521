/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Show a profile in the report browser: what that asks of the recording is answered here. A filter
 * counts the samples of the recording again, so that what is shown is what text would have.
 */
#ifndef PERF_BROWSE_PROFILE_H
#define PERF_BROWSE_PROFILE_H

#include "profile/profile.h"
#include "profiletext/profile-text.h"
#include "ui/widgets/ui.h"

/* Pointers are borrowed. */
struct browsed_profile {
	struct profile *profile; /* that was run, and has samples */
	struct recording *rec;   /* its recording */
	/* Both were made of this. */
	const struct recording_options *source;
	const struct profile_options *asked;
	struct profile_text_conf text;
	const char *command;       /* that asked for it: browse_command() */
	struct counted *counted;   /* private: what is shown in its place; NULL: it is itself */
	struct profile_code *code; /* private: its functions; NULL: none was looked into so far */
	struct stacks *stacks; /* private: of its samples; NULL: nothing asked for them so far */
	struct over_time *over_time; /* private: when they were taken; NULL likewise */
};

/** browse_profile - show its rows, or its blocks with text.blocks, until they are left. Return: as
 * view_run() */
int browse_profile(struct ui *ui, struct browsed_profile *p);

#endif
