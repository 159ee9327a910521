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

#define BLANKS 16 /* are written at once, which is cheaper than as many as are needed */

/* Write a number right-aligned in at least one column, from its end, because most are short. */
static char *write_aligned(char *p, u64 v, unsigned int width)
{
	char *at = p + width;
	u64 left = v;

	memset(p, ' ', BLANKS);
	if (unlikely(width > BLANKS))
		memset(p + BLANKS, ' ', width - BLANKS);
	do {
		*--at = (char)('0' + left % 10);
		left /= 10;
	} while (left && at > p);
	return likely(!left) ? p + width : digits_dec(p, v);
}

static char *write_three(char *p, u32 part)
{
	p[0] = (char)('0' + part / 100);
	p[1] = (char)('0' + part / 10 % 10);
	p[2] = (char)('0' + part % 10);
	return p + 3;
}

char *sched_write_thousandths(char *p, u64 value, u32 part, unsigned int width)
{
	p = write_aligned(p, value, width);
	*p++ = '.';
	return write_three(p, part);
}

/* The text of a buffer now ends at @end, up to which it was written. */
static void end_text(struct strbuf *out, char *end)
{
	*end = '\0';
	out->len = (size_t)(end - out->buf);
}

void sched_put_thousandths(struct strbuf *out, u64 value, u32 part, unsigned int width)
{
	strbuf_grow(out, width + SCHED_NUMBER_BYTES);
	end_text(out, sched_write_thousandths(out->buf + out->len, value, part, width));
}

void sched_put_ms(struct strbuf *out, u64 ns, unsigned int width)
{
	sched_put_thousandths(out, ns / 1000000, (u32)(ns % 1000000 / 1000), width);
}

void sched_put_time(struct strbuf *out, u64 ns, unsigned int width)
{
	u32 us = (u32)(ns % 1000000000 / 1000);
	char *p;

	strbuf_grow(out, width + SCHED_NUMBER_BYTES);
	p = sched_write_thousandths(out->buf + out->len, ns / 1000000000, us / 1000, width);
	end_text(out, write_three(p, us % 1000));
}
