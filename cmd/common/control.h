/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --control fd:N[,M] and fifo:PATH[,PATH]: commands to what is running, in lines. */
#ifndef PERF_CMD_COMMON_CONTROL_H
#define PERF_CMD_COMMON_CONTROL_H

#include "base/strbuf.h"
#include "events/evlist.h"
#include "kernel/open.h"

struct control {
	bool given, own;    /* own: we opened the descriptors */
	int fd, ack;        /* -1: none */
	bool ack_late;      /* set by a verb that is not done yet: it calls control_ack() */
	struct strbuf text; /* read, and not a whole command yet */
};

struct control_verb {
	const char *name;
	bool takes_arg;
	int (*run)(void *ctx, const char *arg); /* Return: 0, or positive to end */
};

/** control_take - the argument of the option. Return: 0, or -1, maybe after a message. */
int control_take(struct control *c, const char *arg, int unset);
/** control_read - there is something to read: run the whole commands that are there. @gone: nothing
 * will come any more. Return: the largest that a verb returned. */
int control_read(struct control *c, const struct control_verb *verbs, size_t nr, void *ctx,
		 bool *gone);
/** control_ack - say that a command is done. */
void control_ack(struct control *c);
/** control_close - and forget. */
void control_close(struct control *c);

/** control_enable_event - one event by its name, and say so on stderr. */
void control_enable_event(const struct evlist *l, const struct kevents *k, const char *name,
			  bool on);
/** control_list_events - the events on stderr, with -v, -F or -g as perf-evlist shows them. */
void control_list_events(const struct evlist *l, const char *arg);

#endif
