// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "base/progress.h"

enum { STEPS = 256 }; /* ticks per stage; enough for any terminal's width */

static u64 step(const struct progress *p)
{
	return p->total > STEPS ? p->total / STEPS : 1;
}

void progress_start(struct progress *p, const char *title, u64 total)
{
	if (!p)
		return;
	p->title = title;
	p->total = total;
	p->done = 0;
	p->next = step(p);
	if (p->tick)
		p->tick(p);
}

void progress_end(struct progress *p)
{
	if (p && p->end)
		p->end(p);
}

void progress_slow(struct progress *p, u64 done)
{
	u64 due = __atomic_load_n(&p->next, __ATOMIC_RELAXED);

	/* The thread that moves the mark shows the progress; the others continue. */
	if (done >= due &&
	    __atomic_compare_exchange_n(&p->next, &due, done + step(p), false, __ATOMIC_RELAXED,
					__ATOMIC_RELAXED) &&
	    p->tick)
		p->tick(p);
}
