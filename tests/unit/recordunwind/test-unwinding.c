// SPDX-License-Identifier: GPL-2.0-or-later
/* Test stacks that are unwound on their way to the file. The code is in memory without a file,
 * where frames are found by frame pointers, so that no object is needed. */
#include "base/compat.h"
#include "recordunwind/unwinding.h"

#include "arch/arch.h"
#include "arch/frames.h"
#include "pdata-build.h"
#include "wire/framing.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define TYPE                                                                                       \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |             \
	 PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)
#define CODE 0x10000
#define CALLER 0x10200
#define ROOT 0x10300
#define STACK 0x7000000
#define COPY 4096 /* bytes of the stack */

static struct evlist events;
static u64 regs; /* what samples have */

/* The number that perf has for a register of the unwinder. */
static u32 perf_nr(const struct arch_frames *a, u8 dwarf)
{
	u32 nr = 0;

	while (nr < a->nr_regs && !(a->regs[nr].name && a->regs[nr].dwarf == dwarf))
		nr++;
	return nr;
}

static int set_up(void **state)
{
	const struct arch_frames *a = arch_host()->frames;
	struct perf_event_attr attr = { .size = sizeof(attr),
					.sample_type = TYPE,
					.sample_id_all = 1,
					.sample_stack_user = COPY };
	struct evsel *e;

	if (!a)
		return 0;
	regs = 1ULL << perf_nr(a, a->sp) | 1ULL << perf_nr(a, a->fp) | 1ULL << perf_nr(a, a->pc);
	attr.sample_regs_user = regs;
	e = evlist_add(&events, &attr, "cycles");
	layout_init(&e->layout, &e->attr);
	return 0;
}

static int tear_down(void **state)
{
	evlist_release(&events);
	return 0;
}

static u64 value_of(const struct arch_frames *a, u32 nr)
{
	return nr == perf_nr(a, a->pc) ? CODE : nr == perf_nr(a, a->sp) ? STACK : STACK + 16;
}

/* A sample in a function, which CALLER has called, which ROOT has called. */
static void stack(struct pb *b, u32 pid, u64 time)
{
	static const u64 words[COPY / 8] = { [2] = STACK + 64, [3] = CALLER, [8] = 0, [9] = ROOT };
	const struct arch_frames *a = arch_host()->frames;
	size_t at = pb_begin(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);

	pb_u64(b, CODE);
	pb_u32(b, pid);
	pb_u32(b, pid);
	pb_u64(b, time);
	pb_u64(b, 2); /* the chain, which is the kernel's part */
	pb_u64(b, (u64)PERF_CONTEXT_KERNEL);
	pb_u64(b, 0xffffffff81000000);
	pb_u64(b, PERF_SAMPLE_REGS_ABI_64);
	for (u64 left = regs; left; left &= left - 1)
		pb_u64(b, value_of(a, (u32)__builtin_ctzll(left)));
	pb_u64(b, COPY);
	pb_bytes(b, words, COPY);
	pb_u64(b, COPY);
	pb_end(b, at);
}

static void map(struct pb *b, u32 pid, u64 time)
{
	const struct pb_id id = { .pid = pid, .tid = pid, .time = time };

	pb_mmap2(b, pid, CODE, 0x1000, "//anon", TYPE, &id);
}

static struct unwinding *begin(size_t patience, bool keep_regs)
{
	static const struct sysroot sr;
	const struct unwinding_opts o = {
		.sysroot = &sr, .list = &events, .patience = patience, .keep_regs = keep_regs
	};
	struct unwinding *u;

	if (!arch_host()->frames)
		skip();
	u = unwinding_new(&o);
	assert_non_null(u);
	return u;
}

static void ahead(struct unwinding *u, const struct pb *b)
{
	const struct record_changer c = unwinding_changer(u);

	c.ahead(c.ctx, b->out.buf, b->out.len);
}

static void change(struct unwinding *u, struct pb *b)
{
	const struct record_changer c = unwinding_changer(u);

	c.change(c.ctx, &b->out, 0);
}

/* Check that the record at @at is an unwound sample. Return: where the next one is. */
static size_t assert_unwound(const struct pb *b, size_t at, bool keep_regs)
{
	static const u64 chain[] = { (u64)PERF_CONTEXT_KERNEL,
				     0xffffffff81000000,
				     (u64)PERF_CONTEXT_USER,
				     CODE,
				     CALLER - 1,
				     ROOT - 1 };
	const wire_header *h = frame_whole((const u8 *)b->out.buf, b->out.len, at);
	struct sample s;

	assert_non_null(h);
	assert_int_equal(h->type, PERF_RECORD_SAMPLE);
	assert_int_equal(sample_decode(&events.evsels[0]->layout, h, h->size, &s), 0);
	assert_int_equal(s.nr_callchain, ARRAY_SIZE(chain));
	assert_memory_equal((const void *)s.callchain, chain, sizeof(chain));
	assert_int_equal(s.user_stack_size, 0);
	assert_int_equal(s.user_regs.abi,
			 keep_regs ? PERF_SAMPLE_REGS_ABI_64 : PERF_SAMPLE_REGS_ABI_NONE);
	return at + h->size;
}

static struct unwound end(struct unwinding *u)
{
	struct unwound sum = { 0 };

	unwinding_free(u, &sum);
	unwound_release(&sum);
	return sum;
}

/* The copy gives way to the chain; what is no sample stays. */
static void test_chain(void **state)
{
	for (int keep = 0; keep < 2; keep++) {
		struct unwinding *u = begin(SIZE_MAX, keep);
		struct unwound sum;
		size_t first, at;
		struct pb b;

		pb_init(&b, false);
		map(&b, 7, 10);
		first = b.out.len;
		stack(&b, 7, 20);
		map(&b, 8, 30);
		ahead(u, &b);
		change(u, &b);
		at = assert_unwound(&b, first, keep);
		assert_int_equal(b.out.len - at, first);
		pb_release(&b);
		sum = end(u);
		assert_int_equal(sum.stacks, 1);
		assert_int_equal(sum.late + sum.unknown, 0);
	}
}

/* A ring that is read later tells of a mapping that an earlier ring's sample is in. */
static void test_later_ring(void **state)
{
	struct unwinding *u = begin(SIZE_MAX, false);
	struct pb one, two;

	pb_init(&one, false);
	pb_init(&two, false);
	stack(&one, 7, 20);
	map(&two, 7, 10);
	ahead(u, &one);
	ahead(u, &two);
	change(u, &one);
	assert_unwound(&one, 0, false);
	pb_release(&one);
	pb_release(&two);
	assert_int_equal(end(u).unknown, 0);
}

/* State records are applied in the order of time: the later mapping is not executable memory
 * without a file, and the sample is before it. */
static void test_time_order(void **state)
{
	const struct pb_id id = { .pid = 7, .tid = 7, .time = 30 };
	struct unwinding *u = begin(SIZE_MAX, false);
	struct pb b;
	size_t first;

	pb_init(&b, false);
	pb_mmap2(&b, 7, CODE, 0x1000, "/no/such/object", TYPE, &id);
	map(&b, 7, 10);
	first = b.out.len;
	stack(&b, 7, 20);
	ahead(u, &b);
	change(u, &b);
	assert_unwound(&b, first, false);
	pb_release(&b);
	assert_int_equal(end(u).unknown, 0);
}

/* Bytes that must not change. @expect: those counted as late and as unknown */
static void assert_same(struct unwinding *u, struct pb *b, u64 late, u64 unknown)
{
	struct strbuf before = STRBUF_INIT;
	struct unwound sum;

	strbuf_add(&before, b->out.buf, b->out.len);
	ahead(u, b);
	change(u, b);
	assert_int_equal(b->out.len, before.len);
	assert_memory_equal(b->out.buf, before.buf, before.len);
	strbuf_release(&before);
	pb_release(b);
	sum = end(u);
	assert_int_equal(sum.late, late);
	assert_int_equal(sum.unknown, unknown);
}

/* Too much waits; nothing is mapped; the object is not there; there is no copy; half a record. */
static void test_stays(void **state)
{
	const struct pb_id id = { .pid = 7, .tid = 7, .time = 10 };
	struct unwinding *u = begin(10, false);
	struct pb b;

	pb_init(&b, false);
	map(&b, 7, 10);
	stack(&b, 7, 20);
	assert_same(u, &b, 1, 0);

	u = begin(SIZE_MAX, false);
	pb_init(&b, false);
	stack(&b, 7, 20);
	assert_same(u, &b, 0, 1);

	u = begin(SIZE_MAX, false);
	pb_init(&b, false);
	pb_mmap2(&b, 7, CODE, 0x1000, "/no/such/object", TYPE, &id);
	stack(&b, 7, 20);
	assert_same(u, &b, 0, 1);

	u = begin(SIZE_MAX, false);
	pb_init(&b, false);
	map(&b, 7, 10);
	stack(&b, 8, 20);
	b.out.len -= 8;
	assert_same(u, &b, 0, 0);
}

/* More than one worker takes: the order stays. */
static void test_many(void **state)
{
	struct unwinding *u = begin(SIZE_MAX, false);
	size_t at, nr = 3000;
	struct unwound sum;
	struct pb b;

	pb_init(&b, false);
	map(&b, 7, 10);
	at = b.out.len;
	for (size_t i = 0; i < nr; i++)
		stack(&b, 7, 20 + i);
	ahead(u, &b);
	change(u, &b);
	for (size_t i = 0; i < nr; i++) {
		assert_int_equal(*(const u64_una *)(b.out.buf + at + 24), 20 + i);
		at = assert_unwound(&b, at, false);
	}
	assert_int_equal(at, b.out.len);
	pb_release(&b);
	sum = end(u);
	assert_int_equal(sum.stacks, nr);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chain),      cmocka_unit_test(test_later_ring),
		cmocka_unit_test(test_time_order), cmocka_unit_test(test_stays),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
