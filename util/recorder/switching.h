/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Switching of the output: the file is completed, gets the time as its suffix, and another one is
 * begun. Triggers (SIGUSR2, a time, an event, the control channel) only set a flag: the switch
 * itself is done between two drains, so that no round is split.
 */
#ifndef PERF_RECORDER_SWITCHING_H
#define PERF_RECORDER_SWITCHING_H

#include "control/event-watch.h"
#include "recorder/opened.h"

struct switching {
	const struct switch_opts *opts; /* borrowed */
	struct event_watch watch;       /* of the events that are triggers; its list is borrowed */
	bool of_target;                 /* they are of what is recorded, not of the whole system */
	bool wanted;                    /* a trigger has fired since the last switch */
};

/** switching_trigger - switch after the next drain. Return: output switching was asked for. */
bool switching_trigger(struct switching *s);
/** switching_start - watch the triggers; before anything happens that may be one. @system_wide:
 * what is recorded is the whole system. Return: 0, or negative errno and a sentence. */
int switching_start(struct switching *s, const struct opened *ev, bool system_wide,
		    const struct record_notes *notes, struct event_loop *loop, struct err *err);
/** switching_due - tell whether the output is to be switched now. @any: the last drain moved
 * something;
 * @written: bytes in the current file. A trigger counts once. */
bool switching_due(struct switching *s, bool any, u64 written);
/** switching_release - close and free. */
void switching_release(struct switching *s);

/* The files that were completed. Starts zeroed. */
struct rotation {
	unsigned int max; /* 0: keep all */
	char **files;     /* owned, each; what was written, oldest first */
	size_t nr, cap;
};

/** rotation_rename - give a complete file its final name: @path and the time, in the order of time.
 * Return: the name, the caller's, or NULL with a sentence. */
char *rotation_rename(const char *path, struct err *err);
/** rotation_keep - @name was completed (the rotation's from now on): the oldest file is removed
 * when there are too many. @always is told when that cannot be done. */
void rotation_keep(struct rotation *r, char *name, const struct notices *always);
/** rotation_release - forget them; the files stay. */
void rotation_release(struct rotation *r);

#endif
