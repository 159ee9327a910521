// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the way of I/O by tables of events: which moments each request has seen when it ends, and
 * what did not fit. */
#include "base/compat.h"
#include "block/flow.h"

#include <setjmp.h>
#include <cmocka.h>

#define DEV 0x700000U
#define LOST BLOCK_ACTIONS /* no event: some are missing */

struct step {
	u64 time;
	u32 action;
	u64 sector;
	u32 sectors;
	const char *rwbs;
	u64 other; /* of a split: where the second part begins */
	u32 dev;   /* 0: DEV */
};

/* This is known of a request at its end. */
struct ended {
	u64 sector;
	u32 sectors, done, bios;
	u64 at[BLOCK_MOMENTS]; /* 0: unknown */
};

struct seen {
	struct ended v[4];
	u32 nr, merges, issues, members;
};

static u32 on_who(void *ctx, const struct block_event *ev)
{
	return 0;
}

static void on_merge(void *ctx, const struct block_io *io, const struct block_event *ev)
{
	struct seen *s = ctx;

	s->merges++;
}

static void on_moment(void *ctx, const struct block_io *io, enum block_moment moment,
		      const struct block_event *ev)
{
	struct seen *s = ctx;

	s->issues += moment == BLOCK_AT_D;
}

static void on_end(void *ctx, const struct block_io *io, const struct block_event *ev)
{
	struct seen *s = ctx;
	struct ended *e = &s->v[s->nr++];

	assert_true(s->nr <= ARRAY_SIZE(s->v));
	*e = (struct ended){ io->sector, io->sectors, io->done, io->bios, { 0 } };
	for (u32 i = 0; i < BLOCK_MOMENTS; i++)
		e->at[i] = io->seen >> i & 1 ? io->at[i] : 0;
}

static void on_member(void *ctx, const struct block_io *bio, const struct block_event *ev)
{
	struct seen *s = ctx;

	assert_int_equal(bio->at[BLOCK_AT_E], ev->time);
	s->members++;
}

static struct block_event event_of(const struct step *s)
{
	struct block_event ev = {
		.time = s->time,
		.action = s->action,
		.dev = s->dev ?: DEV,
		.sector = s->sector,
		.sectors = s->sectors,
		.rw = block_rw_parse(s->rwbs, strlen(s->rwbs), s->sectors),
		.other = s->other,
		.wanted = true,
		.in_time = true,
	};

	memcpy(ev.rwbs, s->rwbs, strlen(s->rwbs));
	return ev;
}

#define Q(t, ...)                                                                                  \
	{                                                                                          \
		t, BLOCK_QUEUE, __VA_ARGS__                                                        \
	}
#define G(t, ...)                                                                                  \
	{                                                                                          \
		t, BLOCK_GET, __VA_ARGS__                                                          \
	}
#define I(t, ...)                                                                                  \
	{                                                                                          \
		t, BLOCK_INSERT, __VA_ARGS__                                                       \
	}
#define D(t, ...)                                                                                  \
	{                                                                                          \
		t, BLOCK_ISSUE, __VA_ARGS__                                                        \
	}
#define C(t, ...)                                                                                  \
	{                                                                                          \
		t, BLOCK_COMPLETE, __VA_ARGS__                                                     \
	}

static const struct {
	const char *name;
	struct step steps[12];
	struct ended ends[3];
	u32 merges, members;
	struct block_misfits misfits;
} rows[] = {
	{ "nothing", { { 0 } }, { { 0 } } },
	{ "a read",
	  { Q(1, 8, 8, "R"), G(2, 8, 8, "R"), I(4, 8, 8, "R"), D(8, 8, 8, "R"), C(16, 8, 8, "R") },
	  { { 8, 8, 8, 0, { 1, 2, 4, 8, 16, 16 } } } },
	{ "only what is issued and completed was recorded",
	  { D(8, 8, 8, "R"), C(16, 8, 8, "R") },
	  { { 8, 8, 8, 0, { 0, 0, 0, 8, 16, 16 } } } },
	{ "of bios that have joined, only what is queued and completed",
	  { Q(1, 8, 8, "W"), Q(2, 16, 8, "W"), Q(3, 24, 8, "W"), C(9, 8, 24, "W") },
	  { { 8, 24, 24, 2, { 1, 0, 0, 0, 9, 9 } } },
	  .members = 2 },
	{ "two requests of the same sector end in their order",
	  { D(1, 8, 8, "R"), D(2, 8, 8, "R"), C(5, 8, 8, "R"), C(6, 8, 8, "R") },
	  { { 8, 8, 8, 0, { 0, 0, 0, 1, 5, 5 } }, { 8, 8, 8, 0, { 0, 0, 0, 2, 6, 6 } } } },
	{ "a write with a flush before it and behind it",
	  { Q(1, 8, 8, "FWFS"), G(2, 8, 8, "FWFS"), D(3, 0, 0, "FF"), C(4, UINT64_MAX, 0, "FF"),
	    D(5, 8, 8, "WS"), C(6, 8, 8, "WS"), D(7, 0, 0, "FF"), C(8, UINT64_MAX, 0, "FF"),
	    C(9, 8, 0, "WS") },
	  { { UINT64_MAX, 0, 0, 0, { 0, 0, 0, 3, 4, 4 } },
	    { UINT64_MAX, 0, 0, 0, { 0, 0, 0, 7, 8, 8 } },
	    { 8, 8, 8, 0, { 1, 2, 0, 5, 6, 9 } } } },
	{ "a device that writes through its cache completes once",
	  { Q(1, 8, 8, "WFS"), G(2, 8, 8, "WFS"), D(5, 8, 8, "WFS"), C(6, 8, 8, "WFS") },
	  { { 8, 8, 8, 0, { 1, 2, 0, 5, 6, 6 } } } },
	{ "an empty write beside one of the same sector",
	  { Q(1, 0, 8, "W"), G(2, 0, 8, "W"), Q(3, 0, 0, "FW"), G(4, 0, 0, "FW"), D(5, 0, 8, "W"),
	    C(6, 0, 0, "W"), C(7, 0, 8, "W") },
	  { { UINT64_MAX - 1, 0, 0, 0, { 3, 4, 0, 0, 0, 6 } },
	    { 0, 8, 8, 0, { 1, 2, 0, 5, 7, 7 } } } },
	{ "merges at both ends",
	  { Q(1, 8, 8, "W"),
	    G(2, 8, 8, "W"),
	    Q(3, 16, 8, "W"),
	    { 4, BLOCK_BACK_MERGE, 16, 8, "W" },
	    Q(5, 0, 8, "W"),
	    { 6, BLOCK_FRONT_MERGE, 0, 8, "W" },
	    D(7, 0, 24, "W"),
	    C(9, 0, 24, "W") },
	  { { 0, 24, 24, 2, { 1, 2, 0, 7, 9, 9 } } },
	  .merges = 2,
	  .members = 2 },
	{ "a request that has swallowed one with members",
	  { I(1, 0, 8, "W"),
	    I(2, 8, 8, "W"),
	    Q(3, 16, 8, "W"),
	    { 4, BLOCK_BACK_MERGE, 16, 8, "W" },
	    { 5, BLOCK_RQ_MERGE, 8, 16, "W" },
	    D(6, 0, 24, "W"),
	    C(7, 0, 24, "W") },
	  { { 0, 24, 24, 2, { 0, 0, 1, 6, 7, 7 } } },
	  .merges = 2,
	  .members = 2 },
	{ "parts complete",
	  { D(1, 8, 16, "R"), C(2, 8, 4, "R"), C(3, 12, 12, "R") },
	  { { 12, 12, 16, 0, { 0, 0, 0, 1, 2, 3 } } } },
	{ "a bio is split",
	  { Q(1, 8, 16, "R"),
	    { 2, BLOCK_SPLIT, 8, 0, "R", 16 },
	    G(3, 8, 8, "R"),
	    G(4, 16, 8, "R"),
	    D(5, 8, 8, "R"),
	    D(6, 16, 8, "R"),
	    C(7, 16, 8, "R"),
	    C(8, 8, 8, "R") },
	  { { 16, 8, 8, 0, { 1, 4, 0, 6, 7, 7 } }, { 8, 8, 8, 0, { 1, 3, 0, 5, 8, 8 } } } },
	{ "a split where there is nothing to split",
	  { Q(1, 8, 16, "R"),
	    { 2, BLOCK_SPLIT, 8, 0, "R", 8 },
	    { 3, BLOCK_SPLIT, 8, 0, "R", 24 },
	    { 4, BLOCK_SPLIT, 9, 0, "R", 10 },
	    D(5, 8, 16, "R"),
	    C(7, 8, 16, "R") },
	  { { 8, 16, 16, 0, { 1, 0, 0, 5, 7, 7 } } } },
	{ "a partition and its device",
	  { { 1, BLOCK_QUEUE, 8, 8, "R", 0, DEV + 1 },
	    { 2, BLOCK_GET, 8, 8, "R", 0, DEV + 1 },
	    D(3, 8, 8, "R"),
	    C(4, 8, 8, "R"),
	    { 5, BLOCK_QUEUE, 8, 8, "R", 0, DEV + 1 },
	    D(6, 8, 8, "R"),
	    C(7, 8, 8, "R") },
	  { { 8, 8, 8, 0, { 1, 2, 0, 3, 4, 4 } }, { 8, 8, 8, 0, { 5, 0, 0, 6, 7, 7 } } } },
	{ "another device, that has the same sectors later",
	  { { 1, BLOCK_GET, 8, 8, "R", 0, DEV << 1 },
	    D(2, 64, 8, "R"),
	    D(3, 8, 8, "R"),
	    C(4, 8, 8, "R"),
	    C(5, 64, 8, "R") },
	  { { 8, 8, 8, 0, { 0, 0, 0, 3, 4, 4 } }, { 64, 8, 8, 0, { 0, 0, 0, 2, 5, 5 } } },
	  .misfits = { .open = 1 } },
	{ "given back, and issued again",
	  { D(1, 8, 8, "R"), { 2, BLOCK_REQUEUE, 8, 8, "R" }, D(3, 8, 8, "R"), C(5, 8, 8, "R") },
	  { { 8, 8, 8, 0, { 0, 0, 0, 3, 5, 5 } } } },
	{ "completions without a beginning",
	  { C(1, 8, 8, "R"), C(2, 8, 0, "W") },
	  { { 8, 8, 8, 0, { 0, 0, 0, 0, 1, 1 } } },
	  .misfits = { .alone = 2 } },
	{ "a device without requests",
	  { Q(1, 8, 8, "R"), { 4, BLOCK_BIO_COMPLETE, 8, 8, "R" } },
	  { { 8, 8, 8, 0, { 1, 0, 0, 0, 4, 4 } } } },
	{ "events are lost",
	  { D(1, 8, 8, "R"), Q(2, 16, 8, "R"), { 3, LOST, 0, 0, "" }, C(4, 8, 8, "R") },
	  { { 8, 8, 8, 0, { 0, 0, 0, 0, 4, 4 } } },
	  .misfits = { .alone = 1, .torn = 2 } },
};

static void check_ends(const struct ended *want, const struct seen *got)
{
	for (u32 i = 0; i < got->nr; i++) {
		assert_int_equal(got->v[i].sector, want[i].sector);
		assert_int_equal(got->v[i].sectors, want[i].sectors);
		assert_int_equal(got->v[i].done, want[i].done);
		assert_int_equal(got->v[i].bios, want[i].bios);
		for (u32 m = 0; m < BLOCK_MOMENTS; m++)
			assert_int_equal(got->v[i].at[m], want[i].at[m]);
	}
	assert_true(got->nr == 3 || !want[got->nr].at[BLOCK_AT_E]);
}

static const struct block_watch watch = {
	.who = on_who,
	.merge = on_merge,
	.moment = on_moment,
	.end = on_end,
	.member = on_member,
};

static void test_rows(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct seen seen = { 0 };
		struct block_watch w = watch;
		struct block_flow *f;
		struct block_misfits m;

		w.ctx = &seen;
		f = block_flow_new(&w);
		print_message("%s\n", rows[i].name);
		for (const struct step *s = rows[i].steps; s->time; s++) {
			struct block_event ev = event_of(s);

			if (s->action == LOST)
				block_flow_lost(f);
			else
				block_flow_event(f, &ev);
		}
		check_ends(rows[i].ends, &seen);
		assert_int_equal(seen.merges, rows[i].merges);
		assert_int_equal(seen.members, rows[i].members);
		m = block_flow_misfits(f);
		assert_int_equal(m.alone, rows[i].misfits.alone);
		assert_int_equal(m.open, rows[i].misfits.open);
		assert_int_equal(m.torn, rows[i].misfits.torn);
		block_flow_free(f);
	}
}

/* It is told how long a device has requests, and how many these are. */
static void test_depth(void **state)
{
	static const struct step steps[] = {
		D(10, 0, 8, "R"), D(20, 8, 8, "R"), C(30, 0, 8, "R"),
		C(50, 8, 8, "R"), D(90, 8, 8, "R"), C(95, 8, 8, "R"),
	};
	struct seen seen = { 0 };
	struct block_watch w = watch;
	struct block_flow *f;
	const struct block_depth *d;

	w.ctx = &seen;
	f = block_flow_new(&w);
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		struct block_event ev = event_of(&steps[i]);

		block_flow_event(f, &ev);
	}
	assert_null(block_flow_depth(f, DEV + 1));
	d = block_flow_depth(f, DEV);
	assert_non_null(d);
	assert_int_equal(d->dev, DEV);
	assert_int_equal(d->max, 2);
	assert_int_equal(d->now, 0);
	assert_int_equal(d->busy, 45);
	assert_int_equal(d->sum, 10 + 2 * 10 + 20 + 5);
	assert_int_equal(seen.issues, 3);
	assert_int_equal(d->parts[0].max, 2);
	assert_int_equal(d->parts[0].sum, d->sum);
	block_flow_free(f);
}

/* Times are at both ends of their range. */
static void test_depth_of_all_time(void **state)
{
	static const struct step steps[] = {
		D(1, 0, 8, "R"),
		D(UINT64_MAX - 1, 8, 8, "R"),
		C(UINT64_MAX, 0, 8, "R"),
		C(UINT64_MAX, 8, 8, "R"),
	};
	struct block_watch w = { .who = on_who };
	struct block_flow *f = block_flow_new(&w);
	const struct block_depth *d;

	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		struct block_event ev = event_of(&steps[i]);

		block_flow_event(f, &ev);
	}
	assert_null(block_flow_depth(f, DEV + 1));
	d = block_flow_depth(f, DEV);
	assert_non_null(d);
	assert_int_equal(d->busy, UINT64_MAX - 1);
	assert_int_equal(d->max, 2);
	block_flow_free(f);
}

/* ---- layers ---- */

#define DISK 0x800000U
#define DM 0xfd00000U

static struct block_event layer_event(u64 time, u32 action, u32 dev, u64 sector, u32 sectors,
				      const char *rwbs, const char *comm)
{
	const struct step s = { time, action, sector, sectors, rwbs, 0, dev };
	struct block_event ev = event_of(&s);

	ev.comm = comm;
	ev.comm_len = strlen(comm);
	ev.tid = *comm == 'k' ? 9 : 5;
	return ev;
}

struct layer_seen {
	struct block_flow *f;
	u64 requests[16], below[16];
};

static void on_layer_end(void *ctx, const struct block_io *io, const struct block_event *ev)
{
	struct layer_seen *s = ctx;

	assert_true(io->layer && io->layer < ARRAY_SIZE(s->requests));
	s->requests[io->layer]++;
	s->below[io->layer] += io->below;
}

static void feed_layers(struct block_flow *f, const struct block_event *v, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		block_flow_event(f, &v[i]);
}

static const struct block_layer *layer_at(const struct block_flow *f, u32 id)
{
	u32 nr;
	const struct block_layer *v = block_flow_layers(f, &nr);

	assert_true(id < nr);
	return &v[id];
}

/* A write of a loop device flushes, for which its worker writes another device. What another worker
 * writes back at that time is none of it. */
static void test_loop(void **state)
{
	const struct block_event events[] = {
		layer_event(1, BLOCK_QUEUE, DEV, 8, 8, "WFS", "dd"),
		layer_event(2, BLOCK_GET, DEV, 8, 8, "WFS", "dd"),
		layer_event(3, BLOCK_ISSUE, DEV, 8, 8, "WS", "dd"),
		layer_event(5, BLOCK_COMPLETE, DEV, 8, 8, "WS", "dd"),
		layer_event(6, BLOCK_ISSUE, DEV, 0, 0, "FF", "kworker/0:1"),
		layer_event(10, BLOCK_QUEUE, DISK, 800, 8, "WS", "kworker/u8:1"),
		layer_event(11, BLOCK_QUEUE, DISK, 900, 8, "W", "kworker/u8:2"),
		layer_event(12, BLOCK_QUEUE, DISK, 950, 8, "WS", "kworker/0:1"),
		layer_event(30, BLOCK_COMPLETE, DISK, 800, 8, "WS", ""),
		layer_event(31, BLOCK_COMPLETE, DISK, 900, 8, "W", ""),
		layer_event(32, BLOCK_COMPLETE, DISK, 950, 8, "WS", ""),
		layer_event(40, BLOCK_COMPLETE, DEV, UINT64_MAX, 0, "FF", ""),
		layer_event(41, BLOCK_COMPLETE, DEV, 8, 0, "WS", ""),
	};
	struct layer_seen seen = { 0 };
	const struct block_watch w = { .ctx = &seen, .who = on_who, .end = on_layer_end };

	seen.f = block_flow_new(&w);
	feed_layers(seen.f, events, ARRAY_SIZE(events));
	assert_int_equal(layer_at(seen.f, 1)->upper, 0); /* the write of the loop device */
	assert_int_equal(layer_at(seen.f, 2)->upper, 1); /* its flush */
	assert_int_equal(layer_at(seen.f, 2)->kind, BLOCK_FLUSH);
	assert_int_equal(layer_at(seen.f, 3)->upper, 2); /* what that writes */
	assert_int_equal(layer_at(seen.f, 3)->depth, 2);
	assert_int_equal(layer_at(seen.f, 4)->upper, 0); /* what others write */
	assert_int_equal(seen.requests[3], 1);
	assert_int_equal(seen.requests[4], 2);
	assert_int_equal(seen.below[2], 20);
	assert_int_equal(seen.below[1], 34);
	block_flow_free(seen.f);
}

/* A bio of a device that stands on another one becomes two there. */
static void test_remap(void **state)
{
	struct block_event events[] = {
		layer_event(1, BLOCK_QUEUE, DM, 64, 16, "R", "dd"),
		layer_event(2, BLOCK_REMAP, DISK, 1064, 8, "R", "dd"),
		layer_event(3, BLOCK_QUEUE, DISK, 1064, 8, "R", "dd"),
		layer_event(4, BLOCK_REMAP, DISK, 2000, 8, "R", "dd"),
		layer_event(5, BLOCK_QUEUE, DISK, 2000, 8, "R", "dd"),
		layer_event(6, BLOCK_QUEUE, DISK, 3000, 8, "R", "dd"),
		layer_event(20, BLOCK_COMPLETE, DISK, 1064, 8, "R", ""),
		layer_event(25, BLOCK_COMPLETE, DISK, 2000, 8, "R", ""),
		layer_event(26, BLOCK_COMPLETE, DISK, 3000, 8, "R", ""),
		layer_event(27, BLOCK_BIO_COMPLETE, DM, 64, 16, "R", ""),
	};
	struct layer_seen seen = { 0 };
	const struct block_watch w = { .ctx = &seen, .who = on_who, .end = on_layer_end };

	events[1].old_dev = events[3].old_dev = DM;
	events[1].other = events[3].other = 64;
	seen.f = block_flow_new(&w);
	feed_layers(seen.f, events, ARRAY_SIZE(events));
	assert_int_equal(layer_at(seen.f, 2)->upper, 1);
	assert_int_equal(layer_at(seen.f, 2)->dev, DISK);
	assert_int_equal(seen.requests[1], 1);
	assert_int_equal(seen.requests[2], 2);
	assert_int_equal(seen.requests[3], 1);
	assert_int_equal(seen.below[1], 22);
	block_flow_free(seen.f);
}

/* I/O that causes I/O that causes I/O, without end, becomes layers of some depth. */
static void test_deep(void **state)
{
	enum { DEEP = 1000 };
	const struct block_watch w = { .who = on_who };
	struct block_flow *f = block_flow_new(&w);
	u32 nr;

	for (u32 i = 0; i < DEEP; i++) {
		struct block_event remap = layer_event(i, BLOCK_REMAP, DM + i + 1, 0, 8, "R", "dd");
		struct block_event queue = layer_event(i, BLOCK_QUEUE, DM + i, 0, 8, "R", "dd");

		block_flow_event(f, &queue);
		remap.old_dev = DM + i;
		block_flow_event(f, &remap);
	}
	block_flow_layers(f, &nr);
	assert_in_range(nr, 10, 20);
	block_flow_free(f);
}

/* A lot of I/O is on its way at a time, all of which is found again. */
static void test_many(void **state)
{
	enum { MANY = 5000 };
	struct block_watch w = { .who = on_who };
	struct block_flow *f = block_flow_new(&w);

	for (u32 pass = 0; pass < 2; pass++) {
		for (u32 i = 0; i < MANY; i++) {
			struct step s = { i + 1, pass ? BLOCK_COMPLETE : BLOCK_ISSUE,
					  i * 7919U % MANY * 8U, 8, "W" };
			struct block_event ev = event_of(&s);

			block_flow_event(f, &ev);
		}
	}
	assert_int_equal(block_flow_misfits(f).alone, 0);
	assert_int_equal(block_flow_misfits(f).open, 0);
	block_flow_free(f);
}

static const struct {
	const char *rwbs;
	u32 sectors, kind, flags;
} letters[] = {
	{ "R", 8, BLOCK_READ, 0 },
	{ "RAM", 8, BLOCK_READ, BLOCK_AHEAD | BLOCK_META },
	{ "WS", 8, BLOCK_WRITE, BLOCK_SYNC },
	{ "WFSM", 8, BLOCK_WRITE, BLOCK_FUA | BLOCK_SYNC | BLOCK_META },
	{ "FWFS", 8, BLOCK_WRITE, BLOCK_PREFLUSH | BLOCK_FUA | BLOCK_SYNC },
	{ "FWS", 0, BLOCK_WRITE, BLOCK_PREFLUSH | BLOCK_SYNC },
	{ "FF", 0, BLOCK_FLUSH, BLOCK_PREFLUSH },
	{ "F", 0, BLOCK_FLUSH, 0 },
	{ "DS", 8, BLOCK_DISCARD, BLOCK_SYNC },
	{ "DE", 8, BLOCK_DISCARD, 0 },
	{ "NS", 8, BLOCK_WRITE, BLOCK_SYNC },
	{ "N", 0, BLOCK_OTHER, 0 },
	{ "ZRA", 0, BLOCK_OTHER, 0 },
	{ "ZA", 8, BLOCK_WRITE, 0 },
	{ "", 8, BLOCK_OTHER, 0 },
};

static void test_letters(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(letters); i++) {
		struct block_rw rw = block_rw_parse(letters[i].rwbs, strlen(letters[i].rwbs),
						    letters[i].sectors);

		print_message("%s\n", letters[i].rwbs);
		assert_int_equal(rw.kind, letters[i].kind);
		assert_int_equal(rw.flags, letters[i].flags);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_depth_of_all_time),
		cmocka_unit_test(test_loop),
		cmocka_unit_test(test_remap),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_letters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
