// SPDX-License-Identifier: GPL-2.0-or-later
/* Test verdicts on built numbers, and what functions of the kernel mean. */
#include "base/compat.h"

#include "triage/verdict.h"

#include <setjmp.h>
#include <cmocka.h>

#define MS 1000000U
#define ALL                                                                                        \
	(TRIAGE_HAS_SWITCHES | TRIAGE_HAS_CHAINS | TRIAGE_HAS_SAMPLES | TRIAGE_HAS_LOCKS |         \
	 TRIAGE_HAS_FUTEXES | TRIAGE_HAS_BLOCKS | TRIAGE_HAS_INTERRUPTS | TRIAGE_HAS_KERNEL)

/* A second of one program, which a test fills. */
struct one {
	struct triage_program program[2];
	struct triage_facts facts;
};

static void start(struct one *o)
{
	*o = (struct one){ .facts = { .nr = 1, .span = 1000 * MS, .has = ALL } };
	for (u32 i = 0; i < 2; i++)
		o->program[i] = (struct triage_program){ .name = "prog",
							 .parent = TRIAGE_NONE,
							 .processes = 1,
							 .threads = 1,
							 .wall = 1000 * MS };
	o->facts.v = o->program;
}

static void put(struct one *o, u32 program, enum triage_kind kind, u64 ms, u64 nr)
{
	o->program[program].cells[kind] =
		(struct triage_cell){ .ns = ms * MS, .nr = nr, .max = MS };
}

static void hot(struct one *o, u32 percent)
{
	struct triage_cell *c = &o->program[0].cells[TRIAGE_USER];

	c->what_ns = c->ns / 100 * percent;
}

/* The first verdict of a program that waits for half of the time, and computes for the rest. */
static void test_losses_first(void **state)
{
	static const enum triage_kind losses[] = { TRIAGE_FAULT, TRIAGE_INTERRUPT, TRIAGE_QUEUE,
						   TRIAGE_DISK,  TRIAGE_LOCK,      TRIAGE_FUTEX,
						   TRIAGE_NET,   TRIAGE_PEER,      TRIAGE_OTHER };

	for (size_t i = 0; i < ARRAY_SIZE(losses); i++) {
		struct triage_judgement j;
		struct one o;

		start(&o);
		put(&o, 0, losses[i], 410, 200);
		put(&o, 0, TRIAGE_USER, 590, 2000);
		hot(&o, 90);
		j = triage_judge(&o.facts);
		assert_int_equal(j.nr, 2);
		assert_int_equal(j.v[0].kind, losses[i]);
		assert_true(j.v[0].share > 0.409 && j.v[0].share < 0.411);
		assert_int_equal(j.v[0].sure,
				 losses[i] == TRIAGE_OTHER ? TRIAGE_GUESS : TRIAGE_SURE);
		assert_false(j.healthy);
		triage_judgement_release(&j);
	}
}

/* A small loss does not hide that one function takes all the time. */
static void test_work(void **state)
{
	struct triage_judgement j;
	struct one o;

	start(&o);
	put(&o, 0, TRIAGE_DISK, 120, 10);
	put(&o, 0, TRIAGE_USER, 880, 50);
	hot(&o, 90);
	j = triage_judge(&o.facts);
	assert_int_equal(j.v[0].kind, TRIAGE_USER);
	assert_true(j.v[0].matters && j.v[1].matters);
	assert_int_equal(j.v[0].sure, TRIAGE_LIKELY);
	triage_judgement_release(&j);

	put(&o, 0, TRIAGE_SYSCALL, 880, 5);
	put(&o, 0, TRIAGE_USER, 120, 5);
	j = triage_judge(&o.facts);
	assert_int_equal(j.v[0].kind, TRIAGE_SYSCALL);
	assert_true(j.v[0].matters);
	assert_int_equal(j.v[0].sure, TRIAGE_GUESS);
	triage_judgement_release(&j);
}

static void test_healthy(void **state)
{
	struct triage_judgement j;
	struct one o;

	start(&o);
	j = triage_judge(&o.facts);
	assert_int_equal(j.nr, 0);
	assert_true(j.healthy);
	triage_judgement_release(&j);

	put(&o, 0, TRIAGE_USER, 930, 900);
	hot(&o, 20);
	put(&o, 0, TRIAGE_DISK, 60, 10);
	put(&o, 0, TRIAGE_QUEUE, 9, 10); /* less than a hundredth */
	j = triage_judge(&o.facts);
	assert_int_equal(j.nr, 2);
	assert_true(j.healthy);
	assert_int_equal(j.v[0].kind, TRIAGE_USER);
	triage_judgement_release(&j);

	/* A large part of a program that has hardly run does not matter. */
	start(&o);
	o.program[0].wall = 50 * MS;
	put(&o, 0, TRIAGE_DISK, 50, 10);
	j = triage_judge(&o.facts);
	assert_true(j.healthy && j.v[0].share > 0.99);
	triage_judgement_release(&j);
}

/* A command that sleeps is told, with who waits for it; a machine may be idle. */
static void test_idle(void **state)
{
	struct triage_judgement j;
	struct one o;

	start(&o);
	o.facts.nr = 2;
	put(&o, 0, TRIAGE_CHILD, 950, 1);
	put(&o, 0, TRIAGE_USER, 30, 30);
	put(&o, 1, TRIAGE_SLEEP, 900, 1);
	put(&o, 1, TRIAGE_QUEUE, 100, 1);
	o.program[1].parent = 0;
	j = triage_judge(&o.facts);
	assert_int_equal(j.v[0].kind, TRIAGE_SLEEP);
	assert_int_equal(j.v[0].program, 1);
	assert_int_equal(j.v[0].waiter, 0);
	for (u32 i = 0; i < j.nr; i++)
		assert_int_not_equal(j.v[i].kind, TRIAGE_CHILD);
	triage_judgement_release(&j);

	put(&o, 1, TRIAGE_QUEUE, 50, 1);
	o.facts.all = true;
	j = triage_judge(&o.facts);
	assert_true(j.healthy);
	assert_int_equal(j.v[j.nr - 1].kind, TRIAGE_SLEEP);
	triage_judgement_release(&j);

	/* The child was not recorded. */
	start(&o);
	put(&o, 0, TRIAGE_CHILD, 1000, 1);
	j = triage_judge(&o.facts);
	assert_int_equal(j.nr, 1);
	assert_int_equal(j.v[0].kind, TRIAGE_CHILD);
	assert_true(j.v[0].share > 0.99);
	triage_judgement_release(&j);
}

/* Shares are of the time that is not explained by others. */
static void test_active(void **state)
{
	struct triage_judgement j;
	struct one o;

	start(&o);
	o.program[0].wall = 3000 * MS;
	put(&o, 0, TRIAGE_THREADS, 1000, 1);
	put(&o, 0, TRIAGE_FUTEX, 1000, 100);
	o.program[0].spare = 500 * MS;
	assert_int_equal(triage_active(&o.program[0]), 1500 * MS);
	o.facts.has &= ~(u32)TRIAGE_HAS_FUTEXES;
	j = triage_judge(&o.facts);
	assert_int_equal(j.v[0].kind, TRIAGE_FUTEX);
	assert_true(j.v[0].share > 0.66 && j.v[0].share < 0.67);
	assert_int_equal(j.v[0].sure, TRIAGE_GUESS);
	triage_judgement_release(&j);
	o.program[0].spare = UINT64_MAX / 2; /* damage does not wrap around */
	assert_int_equal(triage_active(&o.program[0]), 0);
}

/* A recording without call chains tells of waits, but not what for. */
static void test_untold(void **state)
{
	struct triage_judgement j;
	struct one o;

	start(&o);
	o.facts.has = TRIAGE_HAS_SWITCHES;
	put(&o, 0, TRIAGE_OTHER, 800, 100);
	put(&o, 0, TRIAGE_QUEUE, 110, 100);
	j = triage_judge(&o.facts);
	assert_int_equal(j.nr, 2);
	assert_int_equal(j.v[0].kind, TRIAGE_QUEUE);
	assert_false(j.v[1].matters);
	triage_judgement_release(&j);
}

static void test_torn(void **state)
{
	struct triage_judgement j;
	struct one o;

	start(&o);
	o.facts.torn = 3;
	put(&o, 0, TRIAGE_NET, 500, 5);
	j = triage_judge(&o.facts);
	assert_int_equal(j.v[0].sure, TRIAGE_LIKELY);
	assert_string_equal(triage_sure_name(j.v[0].sure), "likely");
	triage_judgement_release(&j);
}

/* ---- functions ---- */

#define KIND(state, futex, ...)                                                                    \
	wait_kind(state, futex, (const char *[]){ __VA_ARGS__ },                                   \
		  sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *))

static enum triage_kind wait_kind(char state, enum triage_futex futex, const char *const *names,
				  size_t nr)
{
	size_t at;

	return triage_wait_kind(names, nr, state, futex, &at);
}

static void test_waits(void **state)
{
	assert_int_equal(KIND('S', 1, "__schedule", "schedule", "futex_wait_queue", "do_futex"),
			 TRIAGE_FUTEX);
	assert_int_equal(KIND('S', 2, "schedule", "futex_wait_queue"), TRIAGE_THREADS);
	assert_int_equal(KIND('D', 0, "schedule", "rwsem_down_write_slowpath",
			      "ext4_file_write_iter"),
			 TRIAGE_LOCK);
	assert_int_equal(KIND('D', 0, "io_schedule", "folio_wait_bit_common", "filemap_fault",
			      "handle_mm_fault"),
			 TRIAGE_FAULT);
	assert_int_equal(KIND('D', 0, "io_schedule_timeout", "submit_bio_wait"), TRIAGE_DISK);
	assert_int_equal(KIND('S', 0, "schedule", NULL, "do_wait", "kernel_wait4"), TRIAGE_CHILD);
	assert_int_equal(KIND('S', 0, "schedule", "do_wait_intr", "something"), TRIAGE_OTHER);
	assert_int_equal(KIND('D', 0, "wait_for_completion_state", "kernel_clone"), TRIAGE_CHILD);
	assert_int_equal(KIND('S', 0, "wait_woken", "sk_wait_data", "tcp_recvmsg"), TRIAGE_NET);
	assert_int_equal(KIND('S', 0, "anon_pipe_read.constprop.0"), TRIAGE_PEER);
	assert_int_equal(KIND('S', 0, "unix_stream_read_generic"), TRIAGE_PEER);
	assert_int_equal(KIND('S', 0, "do_nanosleep", "hrtimer_nanosleep"), TRIAGE_SLEEP);
	assert_int_equal(KIND('S', 0, "schedule_hrtimeout_range", "ep_poll"), TRIAGE_POLL);
	assert_int_equal(KIND('S', 0, "wait_woken", "n_tty_read"), TRIAGE_INPUT);
	assert_int_equal(KIND('S', 0, "__mutex_lock.constprop.0", "n_tty_read"), TRIAGE_LOCK);
	assert_int_equal(KIND('T', 0, "whatever"), TRIAGE_SIGNAL);
	assert_int_equal(KIND('I', 0, "kthread"), TRIAGE_POLL);
	assert_int_equal(wait_kind('S', 0, NULL, 0), TRIAGE_OTHER);
}

static void test_cpu(void **state)
{
	static const char *const spin[] = { "native_queued_spin_lock_slowpath", "_raw_spin_lock" };
	static const char *const fault[] = { "clear_page_erms", "handle_mm_fault", NULL };
	static const char *const call[] = { "copy_page", "ksys_read", "__x64_sys_read",
					    "do_syscall_64" };
	static const char *const irq[] = { "tcp_v4_rcv", "handle_softirqs", "irq_exit_rcu" };

	assert_int_equal(triage_cpu_kind(NULL, 0), TRIAGE_USER);
	assert_int_equal(triage_cpu_kind(spin, 2), TRIAGE_LOCK);
	assert_int_equal(triage_cpu_kind(fault, 3), TRIAGE_FAULT);
	assert_int_equal(triage_cpu_kind(call, 4), TRIAGE_SYSCALL);
	assert_int_equal(triage_cpu_kind(irq, 3), TRIAGE_INTERRUPT);
	assert_string_equal(triage_syscall_name(call, 4), "read");
	assert_null(triage_syscall_name(fault, 3));
}

static void test_futexes(void **state)
{
	assert_int_equal(triage_futex_of(0 | 128, 2), TRIAGE_FUTEX_LOCK);
	assert_int_equal(triage_futex_of(0 | 128, 0), TRIAGE_FUTEX_EVENT);
	assert_int_equal(triage_futex_of(9 | 128 | 256, 2), TRIAGE_FUTEX_EVENT);
	assert_int_equal(triage_futex_of(6 | 128, 0), TRIAGE_FUTEX_LOCK);
	assert_int_equal(triage_futex_of(1 | 128, 1), TRIAGE_FUTEX_UNKNOWN);
}

static void test_sees(void **state)
{
	struct triage_facts f = { .has = TRIAGE_HAS_SAMPLES };

	assert_true(triage_sees(&f, TRIAGE_USER));
	assert_false(triage_sees(&f, TRIAGE_SYSCALL));
	assert_false(triage_sees(&f, TRIAGE_DISK));
	f.has = TRIAGE_HAS_SWITCHES;
	assert_true(triage_sees(&f, TRIAGE_QUEUE));
	assert_false(triage_sees(&f, TRIAGE_DISK));
	f.has |= TRIAGE_HAS_CHAINS;
	assert_true(triage_sees(&f, TRIAGE_DISK));
	assert_true(triage_sees(&f, TRIAGE_LOCK));
	assert_false(triage_sees(&f, TRIAGE_INTERRUPT));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_losses_first), cmocka_unit_test(test_work),
		cmocka_unit_test(test_healthy),      cmocka_unit_test(test_idle),
		cmocka_unit_test(test_active),       cmocka_unit_test(test_torn),
		cmocka_unit_test(test_waits),        cmocka_unit_test(test_cpu),
		cmocka_unit_test(test_futexes),      cmocka_unit_test(test_sees),
		cmocka_unit_test(test_untold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
