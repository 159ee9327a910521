// SPDX-License-Identifier: GPL-2.0-or-later
/* mem find_bit: two ways to visit the bits that are set in a map of up to 2048. */
#include "base/compat.h"
#include "bench/mem-internal.h"

#include "base/clock.h"

#include <errno.h>

#define MOST_BITS 2048

/* Visit the bits of a map that are set. Return: the sum of 1 and the number of each. */
typedef u64 visit_fn(const u64 *map, unsigned int nr);

/* Add bit @at to what was found. The compiler is told that the sum changes here and that all memory
 * may, so that it can neither add several bits at once nor leave any out, nor keep a word of the
 * map from one bit that is found to the next. */
static inline u64 count_bit(u64 sum, unsigned int at)
{
	sum += at + 1;
	__asm__ volatile("" : "+r"(sum) : : "memory");
	return sum;
}

/* Look for the next bit that is set, word by word, behind the one that was found before. */
static u64 visit_set(const u64 *map, unsigned int nr)
{
	unsigned int at, bit;
	u64 word, behind, sum = 0;

	for (at = 0; at < nr; at += 64)
		for (behind = ~0ULL; (word = map[at / 64] & behind); behind = ~1ULL << bit) {
			bit = (unsigned int)__builtin_ctzll(word);
			sum = count_bit(sum, at + bit);
		}
	return sum;
}

/* Test one bit after the other. */
static u64 visit_test(const u64 *map, unsigned int nr)
{
	unsigned int at;
	u64 sum = 0;

	for (at = 0; at < nr; at++)
		if (map[at / 64] >> (at % 64) & 1)
			sum = count_bit(sum, at);
	return sum;
}

/* Measure a way to visit the bits of a map. Return: whether each visit has found the bits that make
 * @sum. */
static bool measure(visit_fn *visit, const u64 *map, unsigned int nr, unsigned int outer,
		    unsigned int inner, u64 sum, struct spread *s)
{
	unsigned int i, j;
	bool same = true;
	u64 from;

	for (i = 0; i < outer; i++) {
		from = clock_ns(CLOCK_MONOTONIC);
		for (j = 0; j < inner; j++)
			same &= visit(map, nr) == sum;
		spread_add(s, (double)(clock_ns(CLOCK_MONOTONIC) - from) / 1000);
	}
	return same;
}

static void tell(struct bench *b, const char *way, unsigned int set, unsigned int nr,
		 const struct spread *s)
{
	char figure[80];

	snprintf(figure, sizeof(figure), "%s, %u of %u", way, set, nr);
	bench_spread(b, figure, "usecs", false, s);
}

/* Measure both ways on a map of @nr bits, of which @set are set at equal distances. */
static int measure_map(struct bench *b, unsigned int set, unsigned int nr, unsigned int outer,
		       unsigned int inner, struct err *err)
{
	u64 map[MOST_BITS / 64] = { 0 }, sum = 0;
	struct spread find = { 0 }, test = { 0 };
	unsigned int i;

	for (i = 0; i < nr; i += nr / set) {
		map[i / 64] |= 1ULL << (i % 64);
		sum += i + 1;
	}
	if (!measure(visit_set, map, nr, outer, inner, sum, &find) ||
	    !measure(visit_test, map, nr, outer, inner, sum, &test))
		return err_set(err, -EINVAL, "not all of %u bits out of %u were found", set, nr);
	bench_say(b, "%u operations %u bits set of %u bits\n", inner, set, nr);
	bench_say(b, "  Average for_each_set_bit took: %.3f usec (+- %.3f usec)\n", find.mean,
		  spread_error(&find));
	bench_say(b, "  Average test_bit loop took:    %.3f usec (+- %.3f usec)\n", test.mean,
		  spread_error(&test));
	tell(b, "for_each_set_bit", set, nr, &find);
	tell(b, "test_bit", set, nr, &test);
	return 0;
}

int mem_find_bit(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench mem find_bit <options>", NULL };
	unsigned int outer = 5, inner = 100000, nr, set;
	const struct option options[] = {
		OPT_UINTEGER('i', "outer-iterations", &outer, "Number of outer iterations used"),
		OPT_UINTEGER('j', "inner-iterations", &inner, "Number of inner iterations used"),
		OPT_END(),
	};
	int ret = 0;

	b->parse(b, options, usage);
	for (nr = 1; nr <= MOST_BITS && !ret; nr *= 2)
		for (set = 1; set <= nr && !ret; set *= 2)
			ret = measure_map(b, set, nr, outer, inner, err);
	return ret;
}
