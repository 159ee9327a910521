/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Show a profile in the report browser: what that asks of the recording is answered here. */
#ifndef PERF_CMD_COMMON_BROWSE_PROFILE_H
#define PERF_CMD_COMMON_BROWSE_PROFILE_H

#include "profile/profile.h"
#include "profiletext/profile-text.h"

/* Pointers are borrowed. */
struct browsed_profile {
	struct profile *profile; /* that was run, and has samples */
	struct session *session; /* of its recording */
	struct profile_text_conf text;
	const char *command; /* that asked for it: command_line() */
};

/** browse_profile - show it until it is left. @tui: it was asked for. Return: false: there is no
 * screen, and text has to do. */
bool browse_profile(struct browsed_profile *p, bool tui);

#endif
