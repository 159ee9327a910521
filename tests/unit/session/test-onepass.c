// SPDX-License-Identifier: GPL-2.0-or-later
/* A file that is read once gives what it gives in two passes, and begins again when it has to. */
#include "base/compat.h"

#include "drive.h"
#include "pdata-build.h"

#include <setjmp.h>
#include <cmocka.h>

#define ST                                                                                         \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |                   \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER)
#define ID 7
#define ROUND 1000 /* ns, and samples of it for each ring */
#define RINGS 3

/* A form names what is special in a recording, and what is expected of it. */
struct form {
	const char *name;
	u32 rounds;
	bool no_ends;   /* no record tells that a round has ended */
	bool late;      /* a name comes many rounds after its time */
	bool without;   /* one comes without a time, in the middle */
	bool lost_late; /* a record of losses comes late */
	bool update;    /* an event is renamed in the middle */
	bool future;    /* a sample asks for what comes later */
	bool damaged;   /* a record has an impossible size */
	u32 cut;        /* bytes that are missing at the end */
	u64 again;      /* how often everything is expected to begin again */
	bool complete;  /* whether something is expected to be asked for */
};

static const struct form forms[] = {
	{ "nothing", 0 },
	{ "one round", 1 },
	{ "many rounds", 60 },
	{ "no ends of rounds", 30, .no_ends = true },
	{ "a late name", 30, .late = true, .again = 1 },
	{ "a name without a time", 30, .without = true, .again = 1 },
	{ "a late loss", 30, .lost_late = true, .again = 1 },
	{ "a new name of an event", 30, .update = true, .again = 1 },
	{ "a thread that is named later", 30, .future = true, .complete = true },
	{ "a thread that is named later, and a late name", 30, .future = true, .late = true,
	  .again = 1, .complete = true },
	{ "damage", 30, .damaged = true },
	{ "a file that is cut off", 30, .cut = 1234 },
};

static void put_comm(struct pb *b, u64 time, const char *name)
{
	const struct pb_id id = { 5, 5, time, ID };

	pb_comm(b, 5, 5, name, ST, &id);
}

static void put_lost(struct pb *b, u64 time)
{
	const struct pb_id id = { 5, 5, time, ID };
	size_t at = pb_begin(b, PERF_RECORD_LOST, 0);

	pb_u64(b, ID);
	pb_u64(b, 3);
	pb_trailer(b, ST, &id);
	pb_end(b, at);
}

/* The special records that come in the middle of the recording. */
static void put_special(struct pb *b, const struct form *f, u64 now)
{
	if (f->late)
		put_comm(b, now - 15 * ROUND, "late");
	if (f->without)
		put_comm(b, 0, "without");
	if (f->lost_late)
		put_lost(b, now - 5 * ROUND);
	if (f->update)
		pb_rename(b, ID, "renamed");
	if (f->damaged) {
		size_t at = pb_begin(b, PERF_RECORD_COMM, 0);

		pb_u64(b, 0);
		pb_end(b, at);
		b->out.buf[at + 6] = 3; /* its size */
	}
}

/* A time that is not special. */
static u64 plain(u64 time)
{
	return drive_wants_future(time) ? time + 1 : time;
}

static void put_ring(struct pb *b, const struct form *f, u32 round, u32 ring)
{
	u64 start = 10000 + (u64)round * ROUND;

	for (u32 i = 0; i < ROUND / RINGS; i++) {
		u64 time = plain(start + i * RINGS);
		struct pb_id id = { 5, 5, time, ID, 0, ring };

		while (f->future && round == 8 && i == 20 && !drive_wants_future(id.time))
			id.time++;
		pb_sample(b, ST, 0x1000 + i, &id, 1);
		if (i % 100 == 7)
			put_comm(b, time, ring ? "name" : "other");
		if (i % 200 == 9)
			put_lost(b, time + 1);
	}
}

static void build(struct pb *b, const struct form *f)
{
	const struct pb_event ev = {
		.attr = { .type = PERF_TYPE_SOFTWARE, .sample_type = ST, .sample_id_all = true },
		.ids = { ID },
		.nr_ids = 1,
		.name = "one",
	};

	pb_start(b, false, false, &ev, 1);
	pb_event_desc(b, &ev, 1);
	put_comm(b, 0, "first");
	for (u32 round = 0; round < f->rounds; round++) {
		for (u32 ring = 0; ring < RINGS; ring++)
			put_ring(b, f, round, ring);
		if (round == 20)
			put_special(b, f, 10000 + (u64)round * ROUND);
		if (!f->no_ends)
			pb_round(b);
	}
	pb_finish(b);
}

static void test_all(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		const struct form *f = &forms[i];
		struct drive_once once;
		struct pb b;
		char path[64];
		int fd;

		build(&b, f);
		drive_once(pb_save(b.out.buf, b.out.len - f->cut, &fd, path), &once);
		if (once.again != f->again || !once.complete != !f->complete)
			fail_msg("%s: began again %" PRIu64 " times, was completed %" PRIu64
				 " times",
				 f->name, once.again, once.complete);
		if (f->rounds)
			assert_true(once.states >= f->rounds * RINGS);
		pb_unsave(fd);
		pb_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_all) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
