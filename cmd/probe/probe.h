/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf probe: what the options say, and the verbs, which print what room proberun makes. */
#ifndef PERF_CMD_PROBE_H
#define PERF_CMD_PROBE_H

#include "proberun/proberun.h"
#include "proberun/wants.h"

struct probe_cmd {
	struct probe_run run;
	struct probe_wants wants; /* owned */
	const char **deletions;   /* owned array of borrowed filters */
	size_t nr_deletions, cap_deletions;
	/* borrowed; NULL: not given */
	const char *list, *funcs; /* filters; "": all */
	const char *filter, *lines, *vars;
	int target_ns, verbose, max_probes;
	bool add, quiet, bootconfig, externs, range, json;
};

/* Each verb returns the exit status of the command. */

/** probe_verb_add - add all probes that are wanted, or show their definitions. */
int probe_verb_add(struct probe_cmd *c);
/** probe_verb_remove - remove events. */
int probe_verb_remove(const struct probe_cmd *c);
/** probe_verb_list - show the events that there are. */
int probe_verb_list(const struct probe_cmd *c);
/** probe_verb_functions - show the functions of an object. */
int probe_verb_functions(const struct probe_cmd *c);
/** probe_verb_lines - show source lines that can be probed. */
int probe_verb_lines(const struct probe_cmd *c);
/** probe_verb_vars - show variables that can be arguments. */
int probe_verb_vars(const struct probe_cmd *c);

#endif
