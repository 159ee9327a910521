// SPDX-License-Identifier: GPL-2.0-or-later
/* The distribution of the delays of all tasks. */
#include "base/compat.h"

#include "schedtext/schedtext.h"

#include "base/units.h"

#include <errno.h>

#define LOG_BUCKETS 36    /* below 1 us, then one for each power of two, up to 4 hours */
#define LINEAR_BUCKETS 20 /* of the same width */
#define BAR_COLUMNS 40

struct bucket {
	u64 low, high; /* ns; delays are at least low and less than high */
	u64 nr;
};

int delay_scale_parse(enum delay_scale *scale, const char *name, struct err *err)
{
	*scale = !strcmp(name, "linear") ? DELAY_LINEAR : DELAY_LOG;
	if (*scale == DELAY_LOG && strcmp(name, "log"))
		return err_set(err, -EINVAL, "--hist-mode: '%s' is neither log nor linear", name);
	return 0;
}

/* Make empty buckets for delays up to @max. Return: their number. */
static u32 make_buckets(enum delay_scale scale, u64 max, struct bucket *b)
{
	u32 most = scale == DELAY_LOG ? LOG_BUCKETS : LINEAR_BUCKETS, nr = 0;
	u64 width = max / LINEAR_BUCKETS + 1, low = 0, high;

	for (; nr < most && low <= max; low = high) {
		if (scale == DELAY_LINEAR)
			high = low > UINT64_MAX - width ? UINT64_MAX : low + width;
		else
			high = low ? low * 2 : 1000;
		b[nr++] = (struct bucket){ .low = low, .high = high };
	}
	if (low <= max)
		b[nr - 1].high = UINT64_MAX;
	return nr;
}

/* A delay is known within its step; it counts where the step begins. */
static void fill_buckets(struct bucket *b, u32 nr, const struct sched_delays *rows, size_t nr_rows)
{
	for (size_t i = 0; i < nr_rows; i++) {
		u32 at = 0;

		for (u32 step = 0; rows[i].steps && step < STEPS; step++) {
			while (at + 1 < nr && step_low(step) >= b[at].high)
				at++;
			b[at].nr += rows[i].steps[step];
		}
	}
}

static void put_bound(struct strbuf *out, u64 ns)
{
	struct strbuf text = STRBUF_INIT;

	duration_text(ns, &text);
	strbuf_addf(out, "%8s", strbuf_str(&text));
	strbuf_release(&text);
}

static void put_bucket(const struct bucket *b, u64 all, u64 most, struct strbuf *out)
{
	u64 bar = most ? (b->nr * BAR_COLUMNS + most - 1) / most : 0;

	put_bound(out, b->low);
	strbuf_addstr(out, " - ");
	if (b->high == UINT64_MAX)
		strbuf_addstr(out, "        ");
	else
		put_bound(out, b->high);
	strbuf_addf(out, " |%10" PRIu64 " |%6.2f%% |", b->nr,
		    all ? 100.0 * (double)b->nr / (double)all : 0.0);
	while (bar--)
		strbuf_addch(out, '#');
	strbuf_addch(out, '\n');
}

void delay_histogram(enum delay_scale scale, const struct sched_delays *rows, size_t nr_rows,
		     struct strbuf *out)
{
	struct bucket b[MAX(LOG_BUCKETS, LINEAR_BUCKETS)];
	u64 max = 0, all = 0, most = 0;
	u32 nr;

	for (size_t i = 0; i < nr_rows; i++)
		max = MAX(max, rows[i].max);
	nr = make_buckets(scale, max, b);
	fill_buckets(b, nr, rows, nr_rows);
	for (u32 i = 0; i < nr; i++) {
		all += b[i].nr;
		most = MAX(most, b[i].nr);
	}
	strbuf_addf(out, "Latency Distribution Histogram (%s), %" PRIu64 " delays\n\n",
		    scale == DELAY_LOG ? "log" : "linear", all);
	strbuf_addstr(out, "              delay |    number |  share |\n");
	for (u32 i = 0; i < nr; i++)
		put_bucket(&b[i], all, most, out);
	strbuf_addch(out, '\n');
}
