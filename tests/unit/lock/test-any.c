// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Test the engines on locks with events of any kind in any order. The first byte chooses what waits
 * are counted by; each event is ten bytes: which one, flags, task, CPU, lock, name, frames of its
 * call chain, and how much time has passed. Sums have to agree with each other.
 */
#include "base/compat.h"
#include "base/hash.h"
#include "lock/futex.h"
#include "lock/lock.h"

#include <setjmp.h>
#include <stddef.h>
#include <cmocka.h>

#define EVENT_BYTES 10
#define LOST LOCK_EVENTS /* the number behind the events: some were lost */
#define FRAMES 4
#define RUNS 300
#define MOST_EVENTS 200

struct payload {
	u64 address, flags;
	char name[4];
};

static const struct engine_binding of_lock = {
	.at = { { offsetof(struct payload, address), .size = 8, .is_signed = true },
		{ offsetof(struct payload, name), .is_text = true, .text_size = 4 },
		{ offsetof(struct payload, flags), .size = 8 } },
};
static const struct engine_binding of_futex = {
	.at = { { offsetof(struct payload, address), .size = 8, .is_signed = true },
		{ offsetof(struct payload, flags), .size = 8 } },
};

static void task_named(void *ctx, u32 pid, u32 tid, u64 time, struct task_at *out)
{
	*out = (struct task_at){ tid, pid, tid, NULL, 0, UINT64_MAX };
}

static bool last_frame(void *ctx, const u64_una *ips, u32 nr, u64 *caller)
{
	*caller = nr ? ips[nr - 1] : 0;
	return *caller != 3;
}

/* Feed an engine that has @nr kinds of events. */
static void feed(const struct engine *e, void *state, u32 nr, const struct engine_binding *bound,
		 const u8 *data, size_t size)
{
	/* A kernel may have no LOCKDEP, and tell of waits alone. */
	u32 first = nr == LOCK_EVENTS && data[0] & 2 ? LOCK_BEGIN : 0;
	u64 time = 1 << 20;

	for (u32 i = first; e->bound && i < nr; i++)
		e->bound(state, i, NULL);
	for (const u8 *p = data + 1; (size_t)(data + size - p) >= EVENT_BYTES; p += EVENT_BYTES) {
		u32 event = first + p[0] % (nr + 1 - first);
		struct payload l = { .address = p[4] - 128, .flags = p[1] };
		const u64_una chain[FRAMES] = { (u64)PERF_CONTEXT_KERNEL, p[6], p[7],
						(u64)PERF_CONTEXT_USER };
		const struct sample s = { .callchain = chain, .nr_callchain = p[8] % 5 };

		time += (u64)(s8)p[9];
		l.name[0] = (char)p[5];
		if (event == nr) {
			e->lost(state, p[3], time);
			continue;
		}
		e->feed(state, &(struct engine_input){
				       .time = time,
				       .cpu = p[3],
				       .pid = p[2] / 4,
				       .tid = p[2],
				       .event = event,
				       .wanted = p[3] != 7,
				       .in_time = true,
				       .bound = bound,
				       .raw = (const u8 *)&l,
				       .raw_size = sizeof(l),
				       .sample = p[8] & 0x80 ? NULL : &s,
			       });
	}
	e->finish(state);
}

static void check(const struct lock_waits *w)
{
	assert_true(w->min <= w->max && w->max <= w->total && (w->count || !w->total));
}

static void of_kernel(struct task_table *tasks, const u8 *data, size_t size)
{
	struct lock *k = lock_new(&(struct lock_conf){ .by = data[0] / 4 % (LOCK_BY_FUTEX + 1),
						       .all = data[0] & 1,
						       .tasks = tasks,
						       .max_stack = FRAMES,
						       .chain = last_frame });
	const struct engine e = lock_engine("test");
	const struct lock_row *rows;
	size_t nr;

	feed(&e, k, LOCK_EVENTS, &of_lock, data, size);
	rows = lock_rows(k, &nr);
	for (size_t i = 0; i < nr; i++) {
		check(&rows[i].waits);
		assert_true(rows[i].waits.count <= rows[i].contended);
		assert_true(lock_saw_task(k, rows[i].task));
	}
	lock_free(k);
}

static void of_programs(struct task_table *tasks, const u8 *data, size_t size)
{
	struct futex *f = futex_new(&(struct futex_conf){ .tasks = tasks });
	const struct engine e = futex_engine();
	const struct futex_row *rows;
	size_t nr;

	feed(&e, f, FUTEX_EVENTS, &of_futex, data, size);
	rows = futex_rows(f, &nr);
	for (size_t i = 0; i < nr; i++)
		check(&rows[i].waits);
	futex_free(f);
}

static void test_any(void **state)
{
	u8 data[1 + MOST_EVENTS * EVENT_BYTES];

	for (u64 run = 1; run <= RUNS; run++) {
		struct task_table *tasks =
			task_table_new(&(struct task_source){ NULL, task_named });
		size_t size = 1 + hash_u64(run) % MOST_EVENTS * EVENT_BYTES;

		for (size_t i = 0; i < size; i++)
			data[i] = (u8)hash_u64(run << 32 | i);
		/* Few tasks and locks have much to do with each other. */
		for (size_t i = 1; i < size; i += EVENT_BYTES) {
			data[i + 1] &= 35;
			data[i + 2] &= 3;
			data[i + 4] &= 1;
		}
		of_kernel(tasks, data, size);
		of_programs(tasks, data, size);
		task_table_free(tasks);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_any) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
