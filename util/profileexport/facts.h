/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions collect what exports say of the recording beside its stacks: where it is from,
 * what is wrong with it. */
#ifndef PERF_PROFILEEXPORT_FACTS_H
#define PERF_PROFILEEXPORT_FACTS_H

#include "profileexport/exports.h"

/* Facts and sentences about a recording; owned. Starts zeroed. */
struct export_facts {
	struct export_fact fact[16];
	char *note[8];
	u32 nr, nr_notes;
};

/** export_facts_fill - gather those of a profile and its stacks, and give them to @opts, which
 * borrows them. */
void export_facts_fill(struct export_facts *f, const struct export_source *from,
		       const struct stacks *s, struct export_opts *opts);
/** export_facts_release - free the contents. */
void export_facts_release(struct export_facts *f);

#endif
