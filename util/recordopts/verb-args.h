/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arguments with which a verb such as "perf sched record" runs another command: some of its
 * own, events that the kernel has, and then the user's.
 *
 *	verb_args_init(&a, "record");
 *	verb_args_add(&a, "-a");
 *	verb_args_events(&a, &sysroot, events, ARRAY_SIZE(events));
 *	verb_args_users(&a, argc, argv);
 *	run(a.nr, a.v);
 *	verb_args_release(&a);
 */
#ifndef PERF_RECORDOPTS_VERB_ARGS_H
#define PERF_RECORDOPTS_VERB_ARGS_H

#include "base/strbuf.h"
#include "base/sysroot.h"

/* A tracepoint that a verb records. Not every kernel has all of them. */
struct verb_event {
	const char *name;    /* "sched:sched_waking" */
	const char *instead; /* the event to record where this one does not exist; NULL: none */
	bool needed; /* it stays in the list, so that the recorder tells why it is missing */
};

struct verb_args {
	const char **v; /* owned; the strings are borrowed */
	int nr;
	int users; /* the place of the user's first one, once verb_args_users() was called */
	size_t cap;
	char **lists; /* owned, as its strings are: those of the words that were made for it */
	size_t nr_lists, cap_lists;
};

/** verb_args_init - begin with the name of the command, which is borrowed as all words are. */
void verb_args_init(struct verb_args *a, const char *command);
/** verb_args_add - append a word. */
void verb_args_add(struct verb_args *a, const char *word);
/** verb_args_own - append a word that @a frees. */
void verb_args_own(struct verb_args *a, char *word);
/** verb_args_events - append -e and those of the events that there are; nothing if there are none.
 * @sr: where tracefs is looked for */
void verb_args_events(struct verb_args *a, const struct sysroot *sr,
		      const struct verb_event *events, size_t nr);
/** verb_args_users - append the user's arguments, which follow @argv[0]. */
void verb_args_users(struct verb_args *a, int argc, const char **argv);
void verb_args_release(struct verb_args *a);

#endif
