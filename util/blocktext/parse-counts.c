// SPDX-License-Identifier: GPL-2.0-or-later
/* Events are counted by device and CPU, as blkparse does it. */
#include "base/compat.h"

#include "blocktext/parse-internal.h"

#include "analyze/reach.h"
#include "base/alloc.h"

#define SECTOR 512ULL
#define LARGE 100000000ULL /* numbers above are shown in the next unit */

/* ---- counting ---- */

struct block_tally *block_tally_of(struct block_tallies *t, u32 dev)
{
	u32 *place = map64_slot(&t->of, dev);

	if (*place == MAP64_NONE) {
		*place = (u32)t->nr;
		VEC_GROW(t->v, t->nr + 1, t->cap);
		t->v[t->nr++] = (struct block_tally){ .dev = dev };
	}
	return &t->v[*place];
}

void block_tallies_release(struct block_tallies *t)
{
	for (size_t i = 0; i < t->nr; i++) {
		free(t->v[i].cpus);
		free(t->v[i].sequences);
	}
	free(t->v);
	map64_release(&t->of);
}

u32 block_tally_next(struct block_tally *t, u32 cpu)
{
	VEC_REACH(t->sequences, cpu, t->nr_sequences, t->cap_sequences);
	return t->sequences[cpu] + 1;
}

static void note_sequence(struct block_tally *t, u32 cpu, u32 sequence)
{
	u32 next = block_tally_next(t, cpu);

	if (sequence > next) {
		t->skips++;
		t->skipped += sequence - next;
	}
	if (sequence >= next)
		t->sequences[cpu] = sequence;
}

static void add_count(struct block_count *c, u64 bytes)
{
	c->nr++;
	c->bytes += bytes;
}

static void add_dispatch(struct block_tally *t, struct block_counts *c, u32 way, u64 bytes)
{
	add_count(&c->dispatched[way], bytes);
	t->depth[way]++;
	t->max_depth[way] = MAX(t->max_depth[way], t->depth[way]);
}

static void leave_device(struct block_tally *t, u32 way)
{
	t->depth[way] -= t->depth[way] != 0;
}

static void count_action(struct block_tally *t, struct block_counts *c,
			 const struct block_event *ev)
{
	bool write = ev->rw.kind == BLOCK_WRITE || ev->rw.kind == BLOCK_DISCARD;
	u32 way = write ? BLOCK_WRITES : BLOCK_READS;
	u64 bytes = ev->sectors * SECTOR;

	switch (ev->action) {
	case BLOCK_QUEUE:
		add_count(&c->queued[way], bytes);
		break;
	case BLOCK_ISSUE:
		add_dispatch(t, c, way, bytes);
		break;
	case BLOCK_REQUEUE:
		c->requeued[way]++;
		c->dispatched[way].bytes -= MIN(bytes, c->dispatched[way].bytes);
		leave_device(t, way);
		break;
	case BLOCK_COMPLETE:
	case BLOCK_BIO_COMPLETE:
		add_count(&c->completed[way], bytes);
		leave_device(t, way);
		break;
	case BLOCK_BACK_MERGE:
	case BLOCK_FRONT_MERGE:
	case BLOCK_RQ_MERGE:
		add_count(&c->merged[way], bytes);
		break;
	case BLOCK_UNPLUG:
		c->unplugs++;
		break;
	case BLOCK_UNPLUG_TIMER:
		c->timer_unplugs++;
		break;
	}
}

void block_tally_add(struct block_tally *t, const struct block_event *ev, u32 sequence)
{
	struct block_counts *c;

	note_sequence(t, ev->cpu, sequence);
	if (!t->events++)
		t->first = ev->time;
	t->last = MAX(t->last, ev->time);
	VEC_REACH(t->cpus, ev->cpu, t->nr_cpus, t->cap_cpus);
	c = &t->cpus[ev->cpu];
	c->some = true;
	count_action(t, c, ev);
}

/* ---- text ---- */

/* Append a number in eight columns and its unit. @kib: it counts KiB */
static void put_size(struct strbuf *out, u64 v, bool kib)
{
	static const char units[] = { 0, 'K', 'M', 'G', 'P' };
	u32 unit = kib;

	for (; v > LARGE && unit + 1 < sizeof(units); unit++)
		v /= 1000;
	strbuf_addf(out, "%8" PRIu64, v);
	if (units[unit])
		strbuf_addch(out, units[unit]);
}

static void put_way(const char *name, int width, const struct block_count *c, struct strbuf *out)
{
	strbuf_addf(out, " %-*s", width, name);
	put_size(out, c->nr, false);
	strbuf_addstr(out, ", ");
	put_size(out, c->bytes >> 10, true);
	strbuf_addstr(out, "iB");
}

static void put_ways(const char *reads, const char *writes, const struct block_count c[BLOCK_WAYS],
		     struct strbuf *out)
{
	put_way(reads, 17, &c[BLOCK_READS], out);
	strbuf_addch(out, '\t');
	put_way(writes, 18, &c[BLOCK_WRITES], out);
	strbuf_addch(out, '\n');
}

static void put_counts(const struct block_counts *c, const struct block_tally *depth,
		       struct strbuf *out)
{
	put_ways("Reads Queued:", "Writes Queued:", c->queued, out);
	put_ways("Read Dispatches:", "Write Dispatches:", c->dispatched, out);
	strbuf_addf(out, " Reads Requeued:  %8" PRIu64 "\t\t Writes Requeued:  %8" PRIu64 "\n",
		    c->requeued[BLOCK_READS], c->requeued[BLOCK_WRITES]);
	put_ways("Reads Completed:", "Writes Completed:", c->completed, out);
	put_ways("Read Merges:", "Write Merges:", c->merged, out);
	if (depth)
		strbuf_addf(out, " Read depth:      %8u%8s\t Write depth:      %8u\n",
			    depth->max_depth[BLOCK_READS], "", depth->max_depth[BLOCK_WRITES]);
	strbuf_addf(out, " IO unplugs:      %8" PRIu64 "%8s\t Timer unplugs:    %8" PRIu64 "\n",
		    c->unplugs, "", c->timer_unplugs);
}

static void add_counts(struct block_counts *to, const struct block_counts *from)
{
	for (u32 way = 0; way < BLOCK_WAYS; way++) {
		struct block_count *const sums[] = { &to->queued[way], &to->dispatched[way],
						     &to->completed[way], &to->merged[way] };
		const struct block_count *const parts[] = { &from->queued[way],
							    &from->dispatched[way],
							    &from->completed[way],
							    &from->merged[way] };

		for (size_t i = 0; i < ARRAY_SIZE(sums); i++) {
			sums[i]->nr += parts[i]->nr;
			sums[i]->bytes += parts[i]->bytes;
		}
		to->requeued[way] += from->requeued[way];
	}
	to->unplugs += from->unplugs;
	to->timer_unplugs += from->timer_unplugs;
}

/* Append the counts of each CPU and their sum. Return: the sum. */
static struct block_counts put_cpus(const struct block_tally *t, const char *name,
				    struct strbuf *out)
{
	struct block_counts total = { 0 };
	u32 nr = 0;

	for (u32 cpu = 0; cpu < t->nr_cpus; cpu++) {
		if (!t->cpus[cpu].some)
			continue;
		strbuf_addf(out, "CPU%u (%s):\n", cpu, name);
		put_counts(&t->cpus[cpu], t, out);
		add_counts(&total, &t->cpus[cpu]);
		nr++;
	}
	if (nr > 1) {
		strbuf_addf(out, "\nTotal (%s):\n", name);
		put_counts(&total, NULL, out);
	}
	return total;
}

static u64 rate(const struct block_count *c, u64 ms)
{
	return ms ? (c->bytes >> 10) * 1000 / ms : 0;
}

static void put_tally(const struct block_tally *t, const char *name, u64 lost, struct strbuf *out)
{
	struct block_counts total = put_cpus(t, name, out);
	u64 ms = (t->last - t->first) / 1000000, skipped = t->skipped + lost;

	strbuf_addf(out, "\nThroughput (R/W): %" PRIu64 "KiB/s / %" PRIu64 "KiB/s\n",
		    rate(&total.completed[BLOCK_READS], ms),
		    rate(&total.completed[BLOCK_WRITES], ms));
	strbuf_addf(out, "Events (%s): %" PRIu64 " entries\n", name, t->events);
	strbuf_addf(out, "Skips: %" PRIu64 " forward (%" PRIu64 " - %5.1f%%)\n",
		    t->skips + (lost != 0), skipped,
		    100.0 * (double)skipped / (double)(t->events + skipped));
}

static int by_device(const void *a, const void *b)
{
	const struct block_tally *x = a, *y = b;

	return x->dev < y->dev ? -1 : x->dev > y->dev;
}

void block_tallies_put(struct block_tallies *t, struct block_names *names, u64 lost,
		       struct strbuf *out)
{
	if (t->nr)
		qsort(t->v, t->nr, sizeof(*t->v), by_device);
	for (size_t i = 0; i < t->nr; i++)
		if (t->v[i].events)
			put_tally(&t->v[i], block_name(names, t->v[i].dev), lost, out);
}
