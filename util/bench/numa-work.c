// SPDX-License-Identifier: GPL-2.0-or-later
/* numa mem: the ways in which a task goes through memory. */
#include "base/compat.h"
#include "bench/numa-internal.h"

#include <string.h>

#define RUN_WORDS 1024 /* a random walk goes through so many words at a place */

/* The next number of a register with feedback, which has all values but 0. */
static u32 lfsr_32(u32 v)
{
	return v >> 1 ^ ((0u - (v & 1u)) & 0xd0000001u);
}

/* Access words one after the other. The flags are constants where this is called from, so that the
 * loop has no branches. */
static inline __attribute__((always_inline)) u64 go_on(u64 *data, u64 from, u64 to, u64 sum,
						       bool reads, bool writes)
{
	u64 i;

	for (i = from; i < to; i++) {
		if (reads)
			sum += data[i];
		if (writes)
			data[i] = sum;
	}
	return sum;
}

static inline __attribute__((always_inline)) u64 go_back(u64 *data, u64 from, u64 to, u64 sum,
							 bool reads, bool writes)
{
	u64 i;

	for (i = to; i-- > from;) {
		if (reads)
			sum += data[i];
		if (writes)
			data[i] = sum;
	}
	return sum;
}

/* Access the words from @from to @to - 1 as asked for. */
static u64 access_span(const struct numa_options *o, u64 *data, u64 from, u64 to, u64 sum,
		       bool back)
{
	if (o->zero)
		memset(data + from, 0, (to - from) * sizeof(*data));
	else if (o->reads && o->writes)
		sum = back ? go_back(data, from, to, sum, true, true)
			   : go_on(data, from, to, sum, true, true);
	else if (o->reads)
		sum = back ? go_back(data, from, to, sum, true, false)
			   : go_on(data, from, to, sum, true, false);
	else if (o->writes)
		sum = back ? go_back(data, from, to, sum, false, true)
			   : go_on(data, from, to, sum, false, true);
	/* The words that were written count as used. */
	__asm__ volatile("" : : "r"(data) : "memory");
	return sum;
}

/* As many words as there are, at places that look random. */
static u64 walk(const struct numa_options *o, u64 *data, u64 words, u64 loop)
{
	u32 place = (u32)loop * 2654435761u | 1;
	u64 n = words < RUN_WORDS ? words : RUN_WORDS, done, from, sum = 0;

	for (done = 0; done < words; done += n) {
		place = lfsr_32(place);
		from = words > n ? (u64)place * 8 % (words - n) : 0;
		sum = access_span(o, data, from, from + n, sum, false);
	}
	return sum;
}

u64 numa_work(const struct numa_options *o, u64 *data, u64 bytes, unsigned int part,
	      unsigned int of, u64 loop)
{
	u64 words = bytes / sizeof(u64), from = of ? words / of * part : 0, sum = 0;

	if (!words)
		return 0;
	if (o->random_walk)
		return walk(o, data, words, loop + part);
	if (o->backwards && loop & 1) {
		sum = access_span(o, data, 0, from, sum, true);
		return access_span(o, data, from, words, sum, true);
	}
	sum = access_span(o, data, from, words, sum, false);
	return access_span(o, data, 0, from, sum, false);
}
