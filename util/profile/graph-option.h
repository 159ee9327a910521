/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions read what users want of call graphs: "graph,0.5,caller", as -g of report. */
#ifndef PERF_PROFILE_GRAPH_OPTION_H
#define PERF_PROFILE_GRAPH_OPTION_H

#include "profile/profile.h"

/**
 * profile_graph_word - take one word: a mode, an order, what frames are told apart by, "branch",
 * what is shown, or a number (least percent, then most entries). Words may be cut short.
 * @numbers: how many numbers there were; counted on
 * Return: 0, or -1 when the word means nothing.
 */
int profile_graph_word(struct profile_options *o, const char *word, int *numbers);
/**
 * profile_graph_parse - take all words of @text, with commas or blanks between them. What follows
 * "none" is not looked at.
 * Return: 0, or -EINVAL and a sentence that names the word which means nothing.
 */
int profile_graph_parse(struct profile_options *o, const char *text, struct err *err);
/** profile_graph_off - switch call graphs off. */
void profile_graph_off(struct profile_options *o);
/** profile_branch_history - set what --branch-history means: branch stacks stand in front of call
 * chains, and branches are told apart by address. */
void profile_branch_history(struct profile_options *o);

/** profile_graph_words - append the words it knows to @out, each with a blank behind it. */
void profile_graph_words(struct strbuf *out);

#endif
