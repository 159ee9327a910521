/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts on scheduling share these functions. */
#ifndef PERF_SCHEDTEXT_SCHEDTEXT_INTERNAL_H
#define PERF_SCHEDTEXT_SCHEDTEXT_INTERNAL_H

#include "analyze/task-table.h"
#include "base/strbuf.h"

#define SCHED_FLUSH_BYTES 65536 /* text of rows is handed on in pieces of this size */

/** sched_put_comm - append the name of a task, or ":TID" when nothing names it. */
void sched_put_comm(const struct task_at *task, struct strbuf *out);

/** sched_put_thousandths - append @value right-aligned, a point, and @part as three digits. */
void sched_put_thousandths(struct strbuf *out, u64 value, u32 part, unsigned int width);
/** sched_put_ms - append a duration in ms, with @width columns before the point. */
void sched_put_ms(struct strbuf *out, u64 ns, unsigned int width);
/** sched_put_time - append a time in ns as seconds in @width columns, with six digits behind the
 * point. */
void sched_put_time(struct strbuf *out, u64 ns, unsigned int width);

#endif
