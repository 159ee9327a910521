/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Show a profile in the report browser: what that asks of the recording is answered here. */
#ifndef PERF_BROWSE_PROFILE_H
#define PERF_BROWSE_PROFILE_H

#include "profile/profile.h"
#include "profiletext/profile-text.h"
#include "ui/widgets/ui.h"

/* Pointers are borrowed. */
struct browsed_profile {
	struct profile *profile; /* that was run, and has samples */
	struct session *session; /* of its recording */
	struct profile_text_conf text;
	const char *command; /* that asked for it: browse_command() */
};

/** browse_profile - show it until it is left. Return: as view_run() */
int browse_profile(struct ui *ui, struct browsed_profile *p);

#endif
