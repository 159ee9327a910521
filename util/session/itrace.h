/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse --itrace, which says what to make of instruction traces. */
#ifndef PERF_SESSION_ITRACE_H
#define PERF_SESSION_ITRACE_H

#include "base/compat.h"

/* The option --itrace of a command. */
struct itrace_option {
	bool given, none;    /* it was given; with --no-itrace, no samples are made of traces */
	const char *letters; /* borrowed; NULL: the default */
};

/** itrace_is_valid - tell whether @text is made of the letters that exist, each with the numbers
 * and flags it may have. */
bool itrace_is_valid(const char *text);

#endif
