// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "recording/strangers.h"

#include "base/alloc.h"

void strangers_note(struct strangers *s, u64 time, const struct thread_at *at)
{
	u32 *slot = map64_slot(&s->by_ids, (u64)at->pid << 32 | at->tid);
	struct stranger *who;

	if (*slot == MAP64_NONE) {
		*slot = (u32)s->nr;
		VEC_GROW(s->v, s->nr + 1, s->cap);
		s->v[s->nr++] = (struct stranger){ at->pid, at->tid, time, time };
	}
	who = &s->v[*slot];
	who->first = MIN(who->first, time);
	who->last = MAX(who->last, at->until - 1);
}

bool strangers_stay(const struct strangers *s, const struct machine *m)
{
	for (size_t i = 0; i < s->nr; i++) {
		const struct stranger *who = &s->v[i];
		struct thread_at at;

		machine_thread_at(m, who->pid, who->tid, who->first, &at);
		if (machine_stranger(m, at.thread) == UINT32_MAX || at.until <= who->last)
			return false;
	}
	return true;
}

void strangers_release(struct strangers *s)
{
	free(s->v);
	map64_release(&s->by_ids);
	*s = (struct strangers){ 0 };
}
