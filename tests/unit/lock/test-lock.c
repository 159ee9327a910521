// SPDX-License-Identifier: GPL-2.0-or-later
/* Test by tables of events what is counted of waits, of LOCKDEP's events, and of what has no
 * counterpart. */
#include "base/compat.h"
#include "lock/lock.h"

#include <errno.h>
#include <setjmp.h>
#include <stddef.h>
#include <cmocka.h>

#define LOST LOCK_EVENTS /* no event: some are missing before that time */
#define MUTEX 32
#define SPIN 1

struct step {
	u64 time;
	u32 event, tid;
	u64 address, flags;
	const char *name;
	bool other; /* a filter does not let it through */
};

struct payload {
	u64 address;
	char name[16];
	u64 flags;
};

static const struct engine_binding binding = {
	.at = { { offsetof(struct payload, address), .size = 8 },
		{ offsetof(struct payload, name), .is_text = true, .text_size = 16 },
		{ offsetof(struct payload, flags), .size = 8 } },
};

static void feed(const struct engine *e, struct lock *k, const struct step *s)
{
	for (const struct step *i = s; i->time; i++)
		if (i->event != LOST)
			e->bound(k, i->event, NULL);
	for (; s->time; s++) {
		const u64_una chain[] = { (u64)PERF_CONTEXT_KERNEL, 0x100 + s->tid, 0x200,
					  (u64)PERF_CONTEXT_USER, 0x300 };
		const struct sample sample = { .callchain = chain, .nr_callchain = 5 };
		struct payload p = { .address = s->address, .flags = s->flags };

		if (s->event == LOST) {
			e->lost(k, 0, s->time);
			continue;
		}
		snprintf(p.name, sizeof(p.name), "%s", s->name ? s->name : "");
		e->feed(k, &(struct engine_input){
				   .time = s->time,
				   .pid = s->tid,
				   .tid = s->tid,
				   .event = s->event,
				   .wanted = !s->other,
				   .in_time = true,
				   .bound = &binding,
				   .raw = (const u8 *)&p,
				   .raw_size = sizeof(p),
				   .sample = &sample,
			   });
	}
	e->finish(k);
}

static void task_named(void *ctx, u32 pid, u32 tid, u64 time, struct task_at *out)
{
	*out = (struct task_at){ tid, pid, tid, "task", 0, UINT64_MAX };
}

/* The caller is the second frame. */
static bool second_frame(void *ctx, const u64_una *ips, u32 nr, u64 *caller)
{
	u32 *asked = ctx;

	++*asked;
	*caller = nr > 1 ? ips[1] : 0;
	return true;
}

#define BEGIN(t, tid, lock, flags)                                                                 \
	{                                                                                          \
		t, LOCK_BEGIN, tid, lock, flags                                                    \
	}
#define END(t, tid, lock)                                                                          \
	{                                                                                          \
		t, LOCK_END, tid, lock                                                             \
	}

static const struct {
	const char *name;
	enum lock_by by;
	bool all;
	struct step steps[12];
	u32 rows;            /* how many there are */
	struct lock_row row; /* the last one; what rows are told apart by is not compared */
	struct lock_missing missing;
} rows[] = {
	{ "nothing", LOCK_BY_CALLER, false, { { 0 } }, 0, { 0 }, { 0 } },
	{ "two waits of one caller",
	  LOCK_BY_CALLER,
	  false,
	  { BEGIN(10, 1, 0x10, SPIN), END(13, 1, 0x10), BEGIN(20, 2, 0x20, SPIN),
	    END(29, 2, 0x20) },
	  1,
	  { LOCK_SPINLOCK, 0x10, .acquired = 2, .contended = 2, .waits = { 2, 12, 9, 3 } },
	  { .rows = 1 } },
	{ "the same by call chain",
	  LOCK_BY_CHAIN,
	  false,
	  { BEGIN(10, 1, 0x10, SPIN), END(13, 1, 0x10), BEGIN(20, 2, 0x20, SPIN),
	    END(29, 2, 0x20) },
	  2,
	  { LOCK_SPINLOCK, 0x20, .acquired = 1, .contended = 1, .waits = { 1, 9, 9, 9 } },
	  { .rows = 2 } },
	{ "two types of one caller",
	  LOCK_BY_CALLER,
	  false,
	  { BEGIN(10, 1, 0x10, SPIN), BEGIN(11, 2, 0x20, 0), END(13, 1, 0x10), END(15, 2, 0x20) },
	  2,
	  { LOCK_SEMAPHORE, 0x20, .acquired = 1, .contended = 1, .waits = { 1, 4, 4, 4 } },
	  { .rows = 2 } },
	{ "a mutex spins before it sleeps",
	  LOCK_BY_ADDRESS,
	  false,
	  { BEGIN(10, 1, 0x10, MUTEX | SPIN), BEGIN(15, 1, 0x10, MUTEX), END(30, 1, 0x10) },
	  1,
	  { LOCK_MUTEX, 0x10, .acquired = 1, .contended = 1, .waits = { 1, 20, 20, 20 } },
	  { .rows = 1 } },
	{ "tasks wait for one lock at a time",
	  LOCK_BY_TASK,
	  false,
	  { BEGIN(10, 1, 0x10, MUTEX), BEGIN(11, 2, 0x10, MUTEX), END(13, 1, 0x10),
	    END(19, 2, 0x10) },
	  2,
	  { LOCK_MUTEX, 0x10, .acquired = 1, .contended = 1, .waits = { 1, 8, 8, 8 } },
	  { .rows = 2 } },
	{ "counterparts are missing",
	  LOCK_BY_ADDRESS,
	  false,
	  { END(9, 1, 0x10), BEGIN(10, 1, 0x10, SPIN), END(11, 1, 0x10), END(12, 1, 0x10),
	    BEGIN(13, 1, 0x10, SPIN) },
	  1,
	  { LOCK_SPINLOCK, 0x10, .acquired = 1, .contended = 1, .waits = { 1, 1, 1, 1 } },
	  { .unended = 1, .ends = 2, .rows = 1 } },
	{ "events are lost during a wait",
	  LOCK_BY_ADDRESS,
	  false,
	  { BEGIN(10, 1, 0x10, SPIN),
	    { 11, LOST },
	    END(12, 1, 0x10),
	    BEGIN(13, 1, 0x10, SPIN),
	    END(15, 1, 0x10) },
	  1,
	  { LOCK_SPINLOCK, 0x10, .acquired = 1, .contended = 1, .waits = { 1, 2, 2, 2 } },
	  { .torn = 1, .ends = 1, .rows = 1 } },
	{ "filtered out",
	  LOCK_BY_ADDRESS,
	  false,
	  { { 10, LOCK_BEGIN, 1, 0x10, SPIN, .other = true }, END(12, 1, 0x10) },
	  0,
	  { 0 },
	  { 0 } },
	{ "time runs back",
	  LOCK_BY_ADDRESS,
	  false,
	  { BEGIN(10, 1, 0x10, 77), END(8, 1, 0x10) },
	  1,
	  { LOCK_UNKNOWN, 0x10, .acquired = 1, .contended = 1, .waits = { 1, 0, 0, 0 } },
	  { .rows = 1 } },
	{ "LOCKDEP: a wait",
	  LOCK_BY_ADDRESS,
	  true,
	  { { 10, LOCK_ACQUIRE, 1, 0x10, 0, "a" },
	    { 11, LOCK_CONTENDED, 1, 0x10 },
	    { 14, LOCK_ACQUIRED, 1, 0x10 },
	    { 15, LOCK_RELEASE, 1, 0x10 },
	    { 16, LOCK_ACQUIRE, 1, 0x10, 0, "a" },
	    { 17, LOCK_ACQUIRED, 1, 0x10 } },
	  1,
	  { LOCK_UNKNOWN, 0x10, .name = "a", .acquired = 2, .contended = 1,
	    .waits = { 1, 3, 3, 3 } },
	  { .rows = 1 } },
	{ "LOCKDEP: readers wait, too, and nest",
	  LOCK_BY_ADDRESS,
	  true,
	  { { 10, LOCK_ACQUIRE, 1, 0x10, 2, "a" },
	    { 11, LOCK_ACQUIRE, 1, 0x10, 2, "a" },
	    { 12, LOCK_CONTENDED, 1, 0x10 },
	    { 14, LOCK_ACQUIRED, 1, 0x10 },
	    { 15, LOCK_RELEASE, 1, 0x10 },
	    { 16, LOCK_RELEASE, 1, 0x10 },
	    { 17, LOCK_ACQUIRE, 1, 0x10, 0, "a" },
	    { 18, LOCK_ACQUIRED, 1, 0x10 } },
	  1,
	  { LOCK_UNKNOWN, 0x10, .name = "a", .acquired = 3, .contended = 1,
	    .waits = { 1, 2, 2, 2 } },
	  { .rows = 1 } },
	{ "LOCKDEP: locks of one class",
	  LOCK_BY_CLASS,
	  true,
	  { { 10, LOCK_ACQUIRE, 1, 0x10, 1, "a" }, { 11, LOCK_ACQUIRE, 1, 0x20, 1, "a" } },
	  1,
	  { LOCK_UNKNOWN, 0x10, .name = "a", .acquired = 2 },
	  { .rows = 1 } },
	{ "LOCKDEP: a wrong order",
	  LOCK_BY_ADDRESS,
	  true,
	  { { 10, LOCK_RELEASE, 1, 0x10 },
	    { 11, LOCK_ACQUIRED, 1, 0x10 },
	    { 12, LOCK_CONTENDED, 1, 0x10 },
	    { 13, LOCK_ACQUIRE, 1, 0x10, 0, "a" },
	    { 14, LOCK_ACQUIRE, 1, 0x10, 0, "a" },
	    { 15, LOCK_ACQUIRE, 1, 0x10, 0, "a" },
	    { 16, LOCK_CONTENDED, 1, 0x10 },
	    { 17, LOCK_RELEASE, 1, 0x10 } },
	  1,
	  { LOCK_UNKNOWN, 0x10, .name = "a", .contended = 1, .broken = true },
	  { .rows = 1, .broken = 1, .bad = { 1, 0, 0, 1 } } },
	{ "LOCKDEP's waits beside no others",
	  LOCK_BY_ADDRESS,
	  false,
	  { { 10, LOCK_ACQUIRE, 1, 0x10 },
	    { 11, LOCK_CONTENDED, 1, 0x10 },
	    { 14, LOCK_ACQUIRED, 1, 0x10 } },
	  1,
	  { LOCK_UNKNOWN, 0x10, .acquired = 1, .contended = 1, .waits = { 1, 3, 3, 3 } },
	  { .rows = 1 } },
	{ "one kind of events where there are both",
	  LOCK_BY_ADDRESS,
	  true,
	  { { 10, LOCK_ACQUIRE, 1, 0x10 },
	    BEGIN(11, 1, 0x10, SPIN),
	    END(13, 1, 0x10),
	    { 14, LOCK_ACQUIRED, 1, 0x10 } },
	  1,
	  { LOCK_UNKNOWN, 0x10, .acquired = 1 },
	  { .rows = 1 } },
};

static void check_row(const char *name, const struct lock_row *got, const struct lock_row *want)
{
	if (got->type != want->type || got->address != want->address ||
	    strcmp(got->name, want->name ? want->name : "") || got->acquired != want->acquired ||
	    got->contended != want->contended || got->broken != want->broken ||
	    memcmp(&got->waits, &want->waits, sizeof(got->waits)))
		fail_msg("%s: type %u of 0x%" PRIx64 " '%s', acquired %" PRIu64
			 ", contended %" PRIu64 ", %" PRIu64 " waits, total %" PRIu64
			 ", max %" PRIu64 ", min %" PRIu64 "%s",
			 name, (u32)got->type, got->address, got->name, got->acquired,
			 got->contended, got->waits.count, got->waits.total, got->waits.max,
			 got->waits.min, got->broken ? ", broken" : "");
}

static void test_rows(void **state)
{
	const struct engine e = lock_engine("test");

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct task_table *tasks =
			task_table_new(&(struct task_source){ NULL, task_named });
		u32 asked = 0;
		struct lock *k = lock_new(&(struct lock_conf){ .by = rows[i].by,
							       .all = rows[i].all,
							       .tasks = tasks,
							       .max_stack = 8,
							       .chain = second_frame,
							       .ctx = &asked });
		const struct lock_row *got;
		struct lock_missing m;
		size_t nr;

		feed(&e, k, rows[i].steps);
		got = lock_rows(k, &nr);
		m = lock_missing(k);
		if (nr != rows[i].rows)
			fail_msg("%s: %zu rows", rows[i].name, nr);
		if (nr)
			check_row(rows[i].name, &got[nr - 1], &rows[i].row);
		if (memcmp(&m, &rows[i].missing, sizeof(m)))
			fail_msg("%s: %" PRIu64 " unended, %" PRIu64 " ends, %" PRIu64 " torn",
				 rows[i].name, m.unended, m.ends, m.torn);
		lock_free(k);
		task_table_free(tasks);
	}
}

/* Each call chain is looked at once, without what is of user space, and up to the limit. */
static void test_chains(void **state)
{
	static const struct step steps[] = { BEGIN(10, 1, 0x10, SPIN),
					     END(11, 1, 0x10),
					     BEGIN(12, 1, 0x20, SPIN),
					     END(13, 1, 0x20),
					     { 0 } };
	struct task_table *tasks = task_table_new(&(struct task_source){ NULL, task_named });
	const struct engine e = lock_engine("test");
	const struct lock_row *row;
	const u64_una *ips;
	u32 asked = 0, length;
	struct lock_conf conf = {
		.tasks = tasks, .max_stack = 8, .chain = second_frame, .ctx = &asked
	};
	struct lock *k = lock_new(&conf);
	size_t nr;

	feed(&e, k, steps);
	row = lock_rows(k, &nr);
	assert_int_equal(nr, 1);
	assert_int_equal(asked, 1);
	assert_int_equal(row->caller, 0x200);
	ips = lock_chain(k, row->chain, &length);
	assert_int_equal(length, 2);
	assert_int_equal(ips[0], 0x101);
	assert_true(lock_saw_task(k, 1));
	assert_false(lock_saw_task(k, 2));
	lock_free(k);
	conf.max_stack = 1;
	k = lock_new(&conf);
	feed(&e, k, steps);
	row = lock_rows(k, &nr);
	assert_int_equal(row->caller, 0);
	lock_chain(k, row->chain, &length);
	assert_int_equal(length, 1);
	lock_free(k);
	task_table_free(tasks);
}

static void test_types(void **state)
{
	assert_int_equal(lock_type_of(0), LOCK_SEMAPHORE);
	assert_int_equal(lock_type_of(1), LOCK_SPINLOCK);
	assert_int_equal(lock_type_of(3), LOCK_RWLOCK_R);
	assert_int_equal(lock_type_of(4), LOCK_RWSEM_W);
	assert_int_equal(lock_type_of(8), LOCK_RT_MUTEX);
	assert_int_equal(lock_type_of(18), LOCK_PERCPU_SEM_R);
	assert_int_equal(lock_type_of(33), LOCK_MUTEX);
	assert_int_equal(lock_type_of(64), LOCK_UNKNOWN);
	assert_int_equal(lock_type_of(UINT64_MAX), LOCK_UNKNOWN);
}

/* Without any of the events there is a sentence. */
static void test_refusal(void **state)
{
	const struct engine e = lock_engine("lock report");
	struct evlist l = { 0 };
	struct err err = { 0 };

	assert_int_equal(engine_bind(&e, NULL, &l, NULL, false, NULL, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "the recording has none of lock:lock_acquire"));
	assert_non_null(strstr(err.msg, "Record the events with: perf lock record"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_chains),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_refusal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
