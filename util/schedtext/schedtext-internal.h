/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the texts on scheduling share. */
#ifndef PERF_SCHEDTEXT_SCHEDTEXT_INTERNAL_H
#define PERF_SCHEDTEXT_SCHEDTEXT_INTERNAL_H

#include "analyze/task-table.h"
#include "base/strbuf.h"

/** sched_put_comm - append the name of a task, or ":TID" when nothing names it. */
void sched_put_comm(const struct task_at *task, struct strbuf *out);

#endif
