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

void sched_put_thousandths(struct strbuf *out, u64 value, u32 part, unsigned int width)
{
	char digits[4] = { '.', (char)('0' + part / 100), (char)('0' + part / 10 % 10),
			   (char)('0' + part % 10) };

	strbuf_dec(out, value, width);
	strbuf_add(out, digits, sizeof(digits));
}

void sched_put_time(struct strbuf *out, u64 ns, unsigned int width)
{
	u32 us = (u32)(ns % 1000000000 / 1000);

	sched_put_thousandths(out, ns / 1000000000, us / 1000, width);
	strbuf_grow(out, 3);
	out->buf[out->len++] = (char)('0' + us / 100 % 10);
	out->buf[out->len++] = (char)('0' + us / 10 % 10);
	out->buf[out->len++] = (char)('0' + us % 10);
}
