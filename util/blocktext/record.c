// SPDX-License-Identifier: GPL-2.0-or-later
/* The recorder is told what to record, and what it has recorded is counted. */
#include "base/compat.h"

#include "blocktext/blocktext-internal.h"

#include "base/alloc.h"

#define NEEDED(name)                                                                               \
	{                                                                                          \
		"block:block_" name, .needed = true                                                \
	}
#define SOME(name) /* kernels have it */                                                           \
	{                                                                                          \
		"block:block_" name                                                                \
	}

static const struct verb_event of_device[] = {
	NEEDED("bio_queue"),    NEEDED("rq_issue"),   NEEDED("rq_complete"), SOME("bio_backmerge"),
	SOME("bio_frontmerge"), SOME("getrq"),        SOME("split"),         SOME("rq_insert"),
	SOME("rq_requeue"),     SOME("bio_complete"), SOME("rq_merge"),      SOME("rq_error"),
	SOME("io_start"),       SOME("io_done"),      SOME("sleeprq"),       SOME("bio_bounce"),
};
static const struct verb_event of_two[] = { SOME("bio_remap"), SOME("rq_remap") };
static const struct verb_event of_none[] = { SOME("plug"), SOME("unplug"), SOME("unplug_timer") };

static void put_terms(const u32 *v, size_t nr, const char *field, struct strbuf *out)
{
	for (size_t i = 0; i < nr; i++)
		strbuf_addf(out, "%s%s==0x%x", out->len ? "||" : "", field, v[i]);
}

/* Append the expression that lets a field through which is one of the devices. */
static void filter_text(const struct block_devices *d, const char *field, struct strbuf *out)
{
	put_terms(d->v, d->nr, field, out);
	put_terms(d->disks, d->nr_disks, field, out);
}

/* Add events, and a filter behind them that leaves out other devices. @two: they name two */
static void add_events(struct verb_args *a, const struct sysroot *sr, const struct block_devices *d,
		       const struct verb_event *events, size_t nr, bool two)
{
	struct strbuf text = STRBUF_INIT;
	int before = a->nr;

	verb_args_events(a, sr, events, nr);
	if (!d->nr || a->nr == before)
		return;
	filter_text(d, "dev", &text);
	if (two)
		filter_text(d, "old_dev", &text);
	verb_args_add(a, "--filter");
	verb_args_own(a, strbuf_detach(&text));
}

void block_record_args(struct verb_args *a, const struct block_devices *devices,
		       const struct sysroot *sr, const char *file, int argc, const char **argv)
{
	static const char *const before[] = { "-a", "-R", "-m", "1024", "-c", "1" };

	verb_args_init(a, "record");
	for (size_t i = 0; i < ARRAY_SIZE(before); i++)
		verb_args_add(a, before[i]);
	add_events(a, sr, devices, of_device, ARRAY_SIZE(of_device), false);
	add_events(a, sr, devices, of_two, ARRAY_SIZE(of_two), true);
	verb_args_events(a, sr, of_none, ARRAY_SIZE(of_none));
	if (file) {
		verb_args_add(a, "-o");
		verb_args_add(a, file);
	}
	verb_args_users(a, argc, argv);
}

void block_live_args(struct verb_args *a, const struct block_show *show, const struct sysroot *sr)
{
	const char *verb[] = { "live", NULL };

	block_record_args(a, show->devices, sr, NULL, 1, verb);
	if (show->by & BLOCK_BY_CGROUP)
		verb_args_add(a, "--all-cgroups");
	if (show->by & BLOCK_BY_STACK)
		verb_args_add(a, "-g");
}

/* ---- the summary ---- */

/* Events of a device on a CPU are counted. The key has no padding. */
struct tally_key {
	u32 dev, cpu;
};

struct tally {
	struct tally_key key;
	u64 events, bytes;
};

struct summary {
	struct map64 of; /* place in tallies by device and CPU */
	struct tally *tallies;
	size_t nr, cap;
};

static void on_event(void *ctx, const struct block_event *ev)
{
	struct summary *s = ctx;
	u32 *slot = map64_slot(&s->of, (u64)ev->dev << 32 | ev->cpu);

	if (*slot == MAP64_NONE) {
		*slot = (u32)s->nr;
		VEC_GROW(s->tallies, s->nr + 1, s->cap);
		s->tallies[s->nr++] = (struct tally){ .key = { ev->dev, ev->cpu } };
	}
	s->tallies[*slot].events++;
	s->tallies[*slot].bytes += ev->sample ? ev->sample->raw_size : 0;
}

static int compare(const void *a, const void *b)
{
	const struct tally_key *x = a, *y = b;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

static u64 kib(u64 bytes)
{
	return (bytes + 1023) / 1024;
}

static void put_summary(const struct summary *s, u64 lost, struct strbuf *out)
{
	static const struct sysroot here = { 0 };
	struct block_names names = { .sysroot = &here };
	u64 events = 0, bytes = 0;

	for (size_t i = 0; i < s->nr; i++) {
		const struct tally *t = &s->tallies[i];

		if (!i || t->key.dev != t[-1].key.dev)
			strbuf_addf(out, "=== %s ===\n",
				    t->key.dev ? block_name(&names, t->key.dev) : "plugs");
		strbuf_addf(out, "  CPU%3u: %20" PRIu64 " events, %8" PRIu64 " KiB data\n",
			    t->key.cpu, t->events, kib(t->bytes));
		events += t->events;
		bytes += t->bytes;
	}
	strbuf_addf(out,
		    "  Total:  %20" PRIu64 " events (dropped %" PRIu64 "), %8" PRIu64 " KiB data\n",
		    events, lost, kib(bytes));
	block_names_release(&names);
}

int block_record_summary(struct analysis *a, struct strbuf *out, struct err *err)
{
	struct summary s = { 0 };
	const struct block_source source = { .a = a };
	const struct block_taker taker = { .event = on_event, .ctx = &s };
	int ret = block_source_run(&source, "block record", &taker, err);

	if (!ret) {
		qsort(s.tallies, s.nr, sizeof(*s.tallies), compare);
		put_summary(&s, analysis_losses(a).lost, out);
	}
	map64_release(&s.of);
	free(s.tallies);
	return ret;
}
