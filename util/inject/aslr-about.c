// SPDX-License-Identifier: GPL-2.0-or-later
/* Headers and features of a recording are written without their addresses. */
#include "base/compat.h"
#include "inject/aslr-internal.h"

#include "base/cur.h"

#include <ctype.h>
#include <string.h>

/* Fields of samples that are not in the output: memory, or addresses that cannot be replaced. */
#define NOT_KEPT                                                                                   \
	(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_STACK_USER |                  \
	 PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_AUX)
#define KERNEL_HALF (1ULL << 63)

bool aslr_attr(struct perf_event_attr *a)
{
	a->sample_type &= ~(u64)NOT_KEPT;
	a->sample_regs_user = a->sample_regs_intr = 0;
	a->sample_stack_user = 0;
	a->aux_sample_size = 0;
	/* The address of a breakpoint, of a kprobe. */
	if (a->type == PERF_TYPE_BREAKPOINT)
		a->bp_addr = 0;
	else if (a->config1 & KERNEL_HALF)
		a->config1 = 0;
	if (a->type != PERF_TYPE_BREAKPOINT && a->config2 & KERNEL_HALF)
		a->config2 = 0;
	return true;
}

static bool drops(u32 type)
{
	return type == PERF_RECORD_AUXTRACE_INFO || type == PERF_RECORD_AUXTRACE ||
	       type == PERF_RECORD_AUXTRACE_ERROR;
}

/* Replace the digits of a hexadecimal number of any length by zeros. Return: what follows it. */
static u8 *zero_digits(u8 *p, const u8 *end)
{
	while (p < end && isxdigit(*p))
		*p++ = '0';
	return p;
}

/* Do so with the addresses of breakpoints that are named, as in "mem:0x601020:rw". */
static void zero_breakpoints(u8 *p, size_t size)
{
	static const char mark[] = "mem:0x";
	const u8 *end = p + size;

	while ((p = memmem(p, (size_t)(end - p), mark, strlen(mark))))
		p = zero_digits(p + strlen(mark), end);
}

/* Do so with the addresses at the beginning of each line, behind "0x" or not. */
static void zero_lines(u8 *p, size_t size)
{
	const u8 *end = p + size;

	while (p && p < end) {
		if (end - p > 2 && p[0] == '0' && p[1] == 'x')
			p += 2;
		zero_digits(p, end);
		p = memchr(p, '\n', (size_t)(end - p));
		p = p ? p + 1 : NULL;
	}
}

/* Pass over a file in the tracing data, whose size stands before it. */
static void skip_file(struct cur *c)
{
	cur_skip(c, cur_u64(c));
}

static void skip_string(struct cur *c)
{
	while (cur_ok(c) && cur_u8(c))
		;
}

/* The lists that the tracing data have after the formats: symbols and texts of the kernel. */
static void zero_tracing(u8 *body, size_t size)
{
	struct cur c = cur_make(body, size, false);
	u8 big;
	u32 n;

	cur_skip(&c, 10); /* magic, which tracefmt checks */
	skip_string(&c);  /* version */
	big = cur_u8(&c);
	c.swap = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	cur_skip(&c, 1 + 4);                 /* sizes of long and of a page */
	cur_skip(&c, sizeof("header_page")); /* with its end */
	skip_file(&c);
	cur_skip(&c, sizeof("header_event"));
	skip_file(&c);
	for (n = cur_u32(&c); n && cur_ok(&c); n--)
		skip_file(&c);
	for (n = cur_u32(&c); n && cur_ok(&c); n--) {
		skip_string(&c);
		for (u32 events = cur_u32(&c); events && cur_ok(&c); events--)
			skip_file(&c);
	}
	for (n = 0; n < 2; n++) { /* kallsyms, printk formats */
		u32 len = cur_u32(&c);
		u8 *text = body + (c.p - body);

		cur_skip(&c, len);
		if (!cur_ok(&c))
			return;
		zero_lines(text, len);
	}
}

static bool change_body(u32 bit, u8 *body, size_t size)
{
	switch (bit) {
	case HEADER_BPF_PROG_INFO: /* code, and where it is */
	case HEADER_AUXTRACE:
		return false;
	case HEADER_TRACING_DATA:
		zero_tracing(body, size);
		return true;
	case HEADER_CMDLINE:
	case HEADER_EVENT_DESC:
	case HEADER_GROUP_DESC:
		zero_breakpoints(body, size);
		return true;
	default:
		return bit <= HEADER_CLN_SIZE;
	}
}

const struct rewrite_about aslr_about = { .attr = aslr_attr, .drops = drops, .body = change_body };
