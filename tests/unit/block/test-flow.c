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

/* What is known of a request at its end. */
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
	{ "another device, that merely has the same sectors at a time",
	  { { 1, BLOCK_GET, 8, 8, "R", 0, DEV << 1 }, D(3, 8, 8, "R"), C(4, 8, 8, "R") },
	  { { 8, 8, 8, 0, { 0, 0, 0, 3, 4, 4 } } },
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

/* The time in which a device has requests, and how many these are. */
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
	size_t nr;

	w.ctx = &seen;
	f = block_flow_new(&w);
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		struct block_event ev = event_of(&steps[i]);

		block_flow_event(f, &ev);
	}
	d = block_flow_depths(f, &nr);
	assert_int_equal(nr, 1);
	assert_int_equal(d->dev, DEV);
	assert_int_equal(d->max, 2);
	assert_int_equal(d->now, 0);
	assert_int_equal(d->busy, 45);
	assert_int_equal(d->sum, 10 + 2 * 10 + 20 + 5);
	assert_int_equal(seen.issues, 3);
	block_flow_free(f);
}

/* A lot of I/O on its way at a time, all of which is found again. */
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
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_letters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
