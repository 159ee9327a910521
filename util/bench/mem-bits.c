// SPDX-License-Identifier: GPL-2.0-or-later
/* mem find_bit: two ways to visit the bits that are set in a map of up to 2048. */
#include "base/compat.h"
#include "bench/mem-internal.h"

#include "base/clock.h"

#define MOST_BITS 2048

typedef unsigned int visit_fn(const u64 *map, unsigned int nr);

/* Tell the compiler that @v is used, so that nothing of its making can be left out. */
static inline void use(unsigned int v)
{
	__asm__ volatile("" : : "r"(v) : "memory");
}

/* Each bit that is found costs a call, as in perf 6.1, so that the ways to find it are compared,
 * and not how well a compiler merges the rest with them. */
static __attribute__((noinline)) unsigned int count_bit(unsigned int sum, unsigned int at)
{
	use(at);
	return sum + 1;
}

/* Look for the next bit that is set, word by word. */
static unsigned int visit_set(const u64 *map, unsigned int nr)
{
	unsigned int sum = 0, at;
	u64 word;

	for (at = 0; at < nr; at += 64)
		for (word = map[at / 64]; word; word &= word - 1)
			sum = count_bit(sum, at + (unsigned int)__builtin_ctzll(word));
	return sum;
}

/* Test one bit after the other. */
static unsigned int visit_test(const u64 *map, unsigned int nr)
{
	unsigned int sum = 0, at;

	for (at = 0; at < nr; at++)
		if (map[at / 64] >> (at % 64) & 1)
			sum = count_bit(sum, at);
	return sum;
}

static struct spread measure(visit_fn *visit, const u64 *map, unsigned int nr, unsigned int outer,
			     unsigned int inner)
{
	struct spread s = { 0 };
	unsigned int i, j;
	u64 from;

	for (i = 0; i < outer; i++) {
		from = clock_ns(CLOCK_MONOTONIC);
		for (j = 0; j < inner; j++)
			use(visit(map, nr));
		spread_add(&s, (double)(clock_ns(CLOCK_MONOTONIC) - from) / 1000);
	}
	return s;
}

int mem_find_bit(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench mem find_bit <options>", NULL };
	unsigned int outer = 5, inner = 100000, nr, set, i;
	const struct option options[] = {
		OPT_UINTEGER('i', "outer-iterations", &outer, "Number of outer iterations used"),
		OPT_UINTEGER('j', "inner-iterations", &inner, "Number of inner iterations used"),
		OPT_END(),
	};

	b->parse(b, options, usage);
	for (nr = 1; nr <= MOST_BITS; nr *= 2)
		for (set = 1; set <= nr; set *= 2) {
			u64 map[MOST_BITS / 64] = { 0 };
			struct spread find, test;
			char figure[80];

			for (i = 0; i < nr; i += nr / set)
				map[i / 64] |= 1ULL << (i % 64);
			find = measure(visit_set, map, nr, outer, inner);
			test = measure(visit_test, map, nr, outer, inner);
			bench_say(b, "%u operations %u bits set of %u bits\n", inner, set, nr);
			bench_say(b, "  Average for_each_set_bit took: %.3f usec (+- %.3f usec)\n",
				  find.mean, spread_error(&find));
			bench_say(b, "  Average test_bit loop took:    %.3f usec (+- %.3f usec)\n",
				  test.mean, spread_error(&test));
			snprintf(figure, sizeof(figure), "for_each_set_bit, %u of %u", set, nr);
			bench_spread(b, figure, "usecs", false, &find);
			snprintf(figure, sizeof(figure), "test_bit, %u of %u", set, nr);
			bench_spread(b, figure, "usecs", false, &test);
		}
	return 0;
}
