// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "schedtext/schedtext-internal.h"

void sched_put_comm(const struct task_at *task, struct strbuf *out)
{
	if (task->comm)
		strbuf_addname(out, task->comm);
	else
		strbuf_addf(out, ":%u", task->tid);
}
