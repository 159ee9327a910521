// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "schedtext/schedtext-internal.h"

#include "base/units.h"

void sched_put_comm(const struct task_at *task, struct strbuf *out)
{
	if (task->comm)
		strbuf_addname(out, task->comm);
	else
		strbuf_addf(out, ":%u", task->tid);
}

/* The text of a buffer now ends at @end, up to which it was written. */
static void end_text(struct strbuf *out, char *end)
{
	*end = '\0';
	out->len = (size_t)(end - out->buf);
}

void sched_put_thousandths(struct strbuf *out, u64 value, u32 part, unsigned int width)
{
	strbuf_grow(out, width + DIGITS_THOUSANDTHS);
	end_text(out, digits_thousandths(out->buf + out->len, value, part, width));
}

void sched_put_ms(struct strbuf *out, u64 ns, unsigned int width)
{
	sched_put_thousandths(out, ns / 1000000, (u32)(ns % 1000000 / 1000), width);
}

void sched_put_time(struct strbuf *out, u64 ns, unsigned int width)
{
	u32 us = (u32)(ns % 1000000000 / 1000);
	char *p;

	strbuf_grow(out, width + DIGITS_THOUSANDTHS);
	p = digits_thousandths(out->buf + out->len, ns / 1000000000, us / 1000, width);
	end_text(out, digits_three(p, us % 1000));
}
