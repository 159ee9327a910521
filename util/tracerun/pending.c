// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "tracerun/pending.h"

#include <stdlib.h>

void trace_pending_add(struct trace_pending *p, struct trace_memory_pool *pool, u32 tid,
		       const struct call_record *r)
{
	u32 at = p->nr < TRACE_PENDING ? p->nr++ : p->next++ % TRACE_PENDING;
	struct trace_pending_call *c = &p->v[at];

	trace_memory_give(pool, c->memory);
	c->tid = tid;
	c->head = r->head;
	c->memory = trace_memory_new(pool);
	trace_memory_add(c->memory, r);
}

bool trace_memory_is_of(const struct call_head *head, const struct syscall_call *call)
{
	return head->nr == sysargs_own_number(call->nr) &&
	       !memcmp(head->args, call->args,
		       (SYSCALL_ARGS - call->lacking) * sizeof(*call->args));
}

/* Memory that waits is mostly of the call that begins, and one of few. */
struct trace_memory *trace_pending_take(struct trace_pending *p, const struct syscall_call *call)
{
	for (u32 i = p->nr; i-- > 0;) {
		struct trace_pending_call *c = &p->v[i];
		struct trace_memory *m = c->memory;

		if (c->tid != call->tid || !trace_memory_is_of(&c->head, call))
			continue;
		*c = p->v[--p->nr];
		p->v[p->nr].memory = NULL;
		return m;
	}
	return NULL;
}

void trace_pending_release(struct trace_pending *p)
{
	for (u32 i = 0; i < TRACE_PENDING; i++)
		free(p->v[i].memory);
}
