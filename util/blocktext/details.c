// SPDX-License-Identifier: GPL-2.0-or-later
/* It is shown how large the requests of a device are, how far from each other, and how many there
 * are at a time. */
#include "base/compat.h"

#include "blocktext/blocktext-internal.h"

#define SECTOR 512U

static u64 size_count(const struct block_place *p, u32 size)
{
	u64 sum = 0;

	for (u32 kind = 0; kind < BLOCK_KINDS; kind++)
		sum += p->sizes[kind][size];
	return sum;
}

static void put_size(u64 bytes, struct strbuf *out)
{
	static const char *const units[] = { "B", "KiB", "MiB" };
	u32 unit = 0;

	for (; bytes >= 1024 && unit + 1 < ARRAY_SIZE(units); unit++)
		bytes /= 1024;
	strbuf_addf(out, "%4" PRIu64 " %s", bytes, units[unit]);
}

static void put_sizes(const struct block_place *p, struct strbuf *out)
{
	strbuf_addf(out, "#\n# %-12s %10s %10s %10s\n", "size from", "read", "write", "discard");
	for (u32 size = 0; size < BLOCK_SIZES; size++) {
		size_t at = out->len;

		if (!size_count(p, size))
			continue;
		strbuf_addstr(out, "  ");
		put_size((u64)SECTOR << size, out);
		strbuf_pad(out, at + 14);
		strbuf_addf(out, " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 "\n",
			    p->sizes[BLOCK_READ][size], p->sizes[BLOCK_WRITE][size],
			    p->sizes[BLOCK_DISCARD][size]);
	}
}

static void put_seeks(const struct block_place *p, struct strbuf *out)
{
	u64 nr = p->seek.nr + p->sequential;

	if (!nr)
		return;
	strbuf_addf(out, "#\n  %.1f%% of %" PRIu64 " requests begin where the last one ended",
		    100.0 * (double)p->sequential / (double)nr, nr);
	if (p->seek.nr)
		strbuf_addf(out,
			    "; the others are %" PRIu64 " sectors away (50%%), %" PRIu64
			    " (90%%), at most %" PRIu64,
			    block_times_quantile(&p->seek, 500000),
			    block_times_quantile(&p->seek, 900000), p->seek.max);
	strbuf_addch(out, '\n');
}

static void put_depths(const struct block_report *r, const struct block_depth *d,
		       struct strbuf *out)
{
	strbuf_addf(out, "#\n# %-12s %10s %10s\n", "from s", "depth", "at most");
	for (u32 i = 0; i < BLOCK_DEPTH_PARTS; i++) {
		u64 start = d->start + i * d->step;

		if (!d->parts[i].max)
			continue;
		strbuf_addf(out, "  %-12.6f %10.2f %10u\n",
			    (double)(start - MIN(start, r->first)) / 1e9,
			    (double)d->parts[i].sum / (double)d->step, d->parts[i].max);
	}
}

void block_put_details(const struct block_report *r, u32 dev, struct strbuf *out)
{
	const struct block_place *place = block_place_of(&r->places, dev);
	const struct block_depth *depth = block_flow_depth(r->flow, dev);

	if (place) {
		put_sizes(place, out);
		put_seeks(place, out);
	}
	if (depth)
		put_depths(r, depth, out);
}
