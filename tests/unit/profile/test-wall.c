// SPDX-License-Identifier: GPL-2.0-or-later
/* Test wall-clock time: how long threads were away from their CPUs, and what for. */
#include "base/compat.h"
#include "mapped.h"
#include "profile/wall.h"

#include <setjmp.h>
#include <cmocka.h>

#define OUT PERF_RECORD_MISC_SWITCH_OUT
#define PREEMPTED PERF_RECORD_MISC_SWITCH_OUT_PREEMPT

static void note(struct wall *w, u32 tid, u64 time, u16 misc)
{
	const wire_header hdr = { PERF_RECORD_SWITCH, misc, sizeof(hdr) };
	const struct session_event ev = { .hdr = &hdr, .time = time, .id = { .tid = tid } };

	wall_note(w, &ev);
}

static void end(struct wall *w, u32 tid)
{
	struct {
		wire_header hdr;
		u32 pid, ppid, tid, ptid;
		u64 time;
	} r = { { PERF_RECORD_EXIT, 0, sizeof(r) }, tid, 1, tid, 1, 0 };
	const struct session_event ev = { .hdr = &r.hdr };

	wall_note(w, &ev);
}

static void test_away(void **state)
{
	struct wall w = { .min_block = 0 };
	struct wall_absence away;

	note(&w, 7, 90, 0); /* it comes, and was not seen going */
	note(&w, 7, 100, OUT);
	note(&w, 8, 110, OUT | PREEMPTED);
	note(&w, 7, 150, 0);
	note(&w, 8, 160, 0);
	note(&w, 7, 200, OUT);
	note(&w, 0, 210, OUT);
	note(&w, 8, 220, OUT);
	end(&w, 8);
	away = wall_away(&w, 7, 99, 1000); /* the sample comes first */
	assert_int_equal(away.ns, 51);
	assert_false(away.preempted || away.unfinished);
	away = wall_away(&w, 8, 108, 1000);
	assert_int_equal(away.ns, 52);
	assert_true(away.preempted && !away.unfinished);
	away = wall_away(&w, 7, 199, 1000); /* up to the end */
	assert_int_equal(away.ns, 801);
	assert_true(away.unfinished);
	away = wall_away(&w, 8, 219, 1000); /* it ended */
	assert_int_equal(away.ns, 0);
	assert_false(away.unfinished);
	assert_int_equal(wall_away(&w, 7, 201, 1000).ns, 0); /* no switch is known */
	assert_int_equal(wall_away(&w, 9, 99, 1000).ns, 0);
	w.min_block = 52;
	assert_int_equal(wall_away(&w, 7, 99, 1000).ns, 0);
	assert_int_equal(wall_away(&w, 8, 108, 1000).ns, 52);
	wall_release(&w);
}

static void test_events(void **state)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
				     .config = PERF_COUNT_SW_CONTEXT_SWITCHES,
				     .config2 = 5000 };
	struct evlist l = { 0 };
	struct wall w = { 0 };

	evlist_add(&l, &a, "context-switches");
	evlist_add(&l, &a, EVENT_WALL_BLOCKED);
	wall_find(&w, &l);
	assert_false(w.active);
	a.config = PERF_COUNT_SW_TASK_CLOCK;
	evlist_add(&l, &a, EVENT_WALL_CLOCK);
	wall_find(&w, &l);
	assert_true(w.active);
	assert_int_equal(w.blocked, 1);
	assert_int_equal(w.clock, 2);
	assert_int_equal(w.min_block, 5000);
	evlist_release(&l);
	wall_release(&w);
}

static void test_kinds(void **state)
{
	static const struct {
		const char *function;
		enum wait_kind kind;
	} all[] = {
		{ "futex_wait_queue", WAIT_FUTEX },
		{ "io_schedule", WAIT_IO },
		{ "io_schedule_timeout", WAIT_IO },
		{ "do_nanosleep", WAIT_SLEEP },
		{ "ep_poll", WAIT_POLL },
		{ "anon_pipe_read", WAIT_PIPE },
		{ "do_wait", WAIT_CHILD },
		{ "do_wait_thread", WAIT_NONE },
		{ "irqentry_exit_to_user_mode", WAIT_PREEMPTED },
		{ "do_exit", WAIT_EXIT },
		{ "schedule", WAIT_NONE },
		{ "", WAIT_NONE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		assert_int_equal(wait_of_function(all[i].function), all[i].kind);
	for (enum wait_kind k = WAIT_NONE + 1; k < WAIT_EXIT; k++)
		assert_non_null(wait_name(k));
	assert_null(wait_name(WAIT_EXIT));
}

/* The thing that is waited for becomes the innermost frame, and each kind has a name of its own. */
static void test_chain(void **state)
{
	const u64 chain[] = { PERF_CONTEXT_KERNEL, 0xffffffff81000100ULL, PERF_CONTEXT_USER,
			      0x1008 };
	const struct sample s = { .callchain = chain, .nr_callchain = ARRAY_SIZE(chain) };
	const struct sample bare = { .cpumode = PERF_RECORD_MISC_USER };
	struct wall_chains c = { 0 };
	enum wait_kind kind;
	struct mapped w;
	const u64 *made;
	u64 nr, start;

	mapped_open(&w);
	waits_map(w.m, 10);
	mapped_seal(&w);
	kind = wall_kind(&c, w.m, w.symbols, &s, false);
	assert_int_equal(kind, WAIT_OTHER);
	made = wall_chain(&c, &s, kind, false, &nr);
	assert_int_equal(nr, 5);
	assert_int_equal(made[0], (u64)PERF_CONTEXT_KERNEL);
	assert_int_equal(made[1], wait_address(WAIT_OTHER));
	assert_memory_equal(made + 2, chain + 1, 3 * sizeof(u64));
	made = wall_chain(&c, &s, kind, true, &nr); /* it waits when the recording ends */
	assert_int_equal(nr, 6);
	assert_int_equal(made[1], wait_address(WAIT_UNFINISHED));
	assert_int_equal(made[2], wait_address(WAIT_OTHER));
	assert_memory_equal(made + 3, chain + 1, 3 * sizeof(u64));
	assert_int_equal(wall_kind(&c, w.m, w.symbols, &bare, true), WAIT_PREEMPTED);
	wall_chain(&c, &bare, WAIT_NONE, true, &nr);
	assert_int_equal(nr, 2);
	for (enum wait_kind k = WAIT_NONE + 1; k < WAIT_EXIT; k++)
		assert_string_equal(resolve_kernel_name(w.m, w.symbols, wait_address(k), &start),
				    wait_name(k));
	wall_chains_release(&c);
	mapped_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_away),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_chain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
