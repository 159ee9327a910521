/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The choice of how callers are found in the programs that a recording is about. */
#ifndef PERF_RECORDUNWIND_CHOOSE_H
#define PERF_RECORDUNWIND_CHOOSE_H

#include "base/intern.h"
#include "base/strbuf.h"

/* The facts on stacks that the objects of a recording tell. */
struct stack_facts {
	u32 nr;            /* objects with tables, or whose frame pointers are kept */
	const char *first; /* borrowed: the first one that keeps no frame pointers; NULL: none */
	bool program;      /* that is the first object of all */
};

/** stacks_look - look at the code of objects, which are paths. The result borrows from @objects. */
void stacks_look(const struct intern *objects, struct stack_facts *out);

#endif
