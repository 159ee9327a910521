// SPDX-License-Identifier: GPL-2.0-or-later
/* Check the analyses of what the kernel does for programs: interrupts, locks, memory, guests. */
#include "base/compat.h"

#include "made.h"
#include "suites.h"

/* A disk interrupts, which raises a softirq: that runs 40 us later, for 200 us. */
static const char work[] = "event irq:irq_handler_entry int irq; __data_loc char[] name\n"
			   "event irq:irq_handler_exit int irq; int ret\n"
			   "event irq:softirq_raise unsigned int vec\n"
			   "event irq:softirq_entry unsigned int vec\n"
			   "event irq:softirq_exit unsigned int vec\n"
			   "task 100 100 busy\n"
			   "1000000 0 100 irq:irq_handler_entry 9 disk\n"
			   "1000010 0 100 irq:softirq_raise 3\n"
			   "1000040 0 100 irq:irq_handler_exit 9 1\n"
			   "1000050 0 100 irq:softirq_entry 3\n"
			   "1000250 0 100 irq:softirq_exit 3\n"
			   "1001000 1 100 irq:irq_handler_entry 9 disk\n"
			   "1001020 1 100 irq:irq_handler_exit 9 1\n";

static int test_kwork_report(struct test_ctx *ctx __unused)
{
	return MADE_PRINTS(work,
			   "(s):3 | 0000 | 0.200 ms | 1 | 0.200 ms | 1.000050 s | 1.000250 s |\n"
			   "disk:9 | 0000 | 0.040 ms | 1 | 0.040 ms | 1.000000 s | 1.000040 s |\n"
			   "disk:9 | 0001 | 0.020 ms | 1 | 0.020 ms | 1.001000 s | 1.001020 s |",
			   "kwork", "report");
}

static int test_kwork_latency(struct test_ctx *ctx __unused)
{
	return MADE_PRINTS(work,
			   "(s):3 | 0000 | 0.040 ms | 1 | 0.040 ms | 1.000010 s | 1.000050 s |",
			   "kwork", "latency");
}

static const struct test_case kwork_cases[] = {
	{ "run times of interrupts", test_kwork_report },
	{ "delays of softirqs", test_kwork_latency },
};
TEST_SUITE(suite_kwork, "Work of the kernel", kwork_cases, "kwork kworktext");

/* --- locks --------------------------------------------------------------------------------- */

/* Writers wait for one lock twice, and for another one once. */
static const char locks[] = "event lock:contention_begin void *lock_addr; unsigned int flags\n"
			    "event lock:contention_end void *lock_addr; int ret\n"
			    "task 100 100 first\n"
			    "task 101 101 second\n"
			    "1000000 0 100 lock:contention_begin 0x10 2\n"
			    "1000500 0 100 lock:contention_end 0x10 0\n"
			    "1001000 1 101 lock:contention_begin 0x10 2\n"
			    "1001250 1 101 lock:contention_end 0x10 0\n"
			    "1002000 1 101 lock:contention_begin 0x20 4\n"
			    "1002100 1 101 lock:contention_end 0x20 0\n";

/* A kernel with lockdep tells of each use of a lock. */
static const char lockdep[] =
	"event lock:lock_acquire void *lockdep_addr; __data_loc char[] name; unsigned int flags\n"
	"event lock:lock_acquired void *lockdep_addr; __data_loc char[] name\n"
	"event lock:lock_contended void *lockdep_addr; __data_loc char[] name\n"
	"event lock:lock_release void *lockdep_addr; __data_loc char[] name\n"
	"task 100 100 first\n"
	"task 101 101 second\n"
	"1000000 0 100 lock:lock_acquire 0x10 a_lock 0\n"
	"1000001 0 100 lock:lock_acquired 0x10 a_lock\n"
	"1000010 1 101 lock:lock_acquire 0x10 a_lock 0\n"
	"1000020 1 101 lock:lock_contended 0x10 a_lock\n"
	"1000100 0 100 lock:lock_release 0x10 a_lock\n"
	"1000120 1 101 lock:lock_acquired 0x10 a_lock\n"
	"1000140 1 101 lock:lock_release 0x10 a_lock\n";

static int test_contention(struct test_ctx *ctx __unused)
{
	return MADE_PRINTS(locks,
			   "1 500.00 us 500.00 us 500.00 us 100 first\n"
			   "2 350.00 us 250.00 us 175.00 us 101 second",
			   "lock", "contention", "-t", "--output", "/dev/stdout");
}

static int test_contention_locks(struct test_ctx *ctx __unused)
{
	return MADE_PRINTS(locks,
			   "2 750.00 us 500.00 us 375.00 us 0000000000000010 (rwsem)\n"
			   "1 100.00 us 100.00 us 100.00 us 0000000000000020 (rwsem)",
			   "lock", "contention", "-l", "--output", "/dev/stdout");
}

static int test_lock_report(struct test_ctx *ctx __unused)
{
	return MADE_PRINTS(lockdep, "a_lock 2 1 100.00 us 100.00 us 100.00 us 100.00 us", "lock",
			   "report", "--output", "/dev/stdout");
}

static const struct test_case lock_cases[] = {
	{ "waits of tasks", test_contention },
	{ "waits for each lock", test_contention_locks },
	{ "locks of a kernel with lockdep", test_lock_report },
};
TEST_SUITE(suite_lock, "Waits for locks", lock_cases, "lock locktext");

/* --- memory -------------------------------------------------------------------------------- */

/* Another CPU frees the first of two objects; four pages come and go. */
static const char memory[] =
	"event kmem:kmalloc unsigned long call_site; const void * ptr; size_t bytes_req; "
	"size_t bytes_alloc; unsigned long gfp_flags; int node\n"
	"event kmem:kfree unsigned long call_site; const void * ptr\n"
	"event kmem:mm_page_alloc unsigned long pfn; unsigned int order; unsigned long gfp_flags; "
	"int migratetype\n"
	"event kmem:mm_page_free unsigned long pfn; unsigned int order\n"
	"1000000 0 100 kmem:kmalloc 0x1000 0x10 20 32 0xcc0 -1\n"
	"1000001 0 100 kmem:kmalloc 0x1000 0x20 100 128 0xcc0 -1\n"
	"1000002 1 100 kmem:kfree 0x1000 0x10\n"
	"1000003 0 100 kmem:mm_page_alloc 16 2 0xcc0 0\n"
	"1000004 0 100 kmem:mm_page_free 16 2\n";

static int test_kmem_slab(struct test_ctx *ctx __unused)
{
	return MADE_PRINTS(memory,
			   "0x1000 | 160/80 | 120/60 | 2 | 1 | 25.000%\n"
			   "Total bytes requested: 120\n"
			   "Total bytes allocated: 160\n"
			   "Total bytes freed: 32\n"
			   "Net total bytes allocated: 128",
			   "kmem", "stat", "--caller", "--slab");
}

static int test_kmem_page(struct test_ctx *ctx __unused)
{
	return MADE_PRINTS(memory,
			   "Total alloc+freed requests : 1 [ 16 KB ]\n"
			   "Total alloc-only requests : 0 [ 0 KB ]\n"
			   "2 1 . . . .",
			   "kmem", "--page", "stat");
}

static const struct test_case kmem_cases[] = {
	{ "bytes of objects, and what was not freed", test_kmem_slab },
	{ "pages", test_kmem_page },
};
TEST_SUITE(suite_kmem, "Memory of the kernel", kmem_cases, "kmem kmemtext");

/* --- guests -------------------------------------------------------------------------------- */

/* A guest halts for 2 ms, and asks twice for the properties of its CPU. */
static const char guests[] =
	"event kvm:kvm_entry unsigned int vcpu_id; unsigned long rip\n"
	"event kvm:kvm_exit unsigned int exit_reason; unsigned long guest_rip; u32 isa; "
	"u64 info1; u64 info2; unsigned int vcpu_id\n"
	"task 100 101 vcpu\n"
	"1000000 0 100/101 kvm:kvm_entry 1 0\n"
	"1000010 0 100/101 kvm:kvm_exit 12 0 1 0 0 1\n"
	"1002010 0 100/101 kvm:kvm_entry 1 0\n"
	"1002020 0 100/101 kvm:kvm_exit 10 0 1 0 0 1\n"
	"1002023 0 100/101 kvm:kvm_entry 1 0\n"
	"1002030 0 100/101 kvm:kvm_exit 10 0 1 0 0 1\n"
	"1002035 0 100/101 kvm:kvm_entry 1 0\n";

static int test_kvm(struct test_ctx *ctx __unused)
{
	return MADE_PRINTS(guests,
			   "CPUID 2 66.67% 0.40% 3.00us 5.00us 4.00us ( +- 25.00% )\n"
			   "HLT 1 33.33% 99.60% 2000.00us 2000.00us 2000.00us ( +- 0.00% )\n"
			   "Total Samples:3, Total events handled time:2008.00us.",
			   "kvm", "--host", "stat", "report", "-i", "perf.data");
}

static const struct test_case kvm_cases[] = {
	{ "why guests are left, and for how long", test_kvm },
};
TEST_SUITE(suite_kvm, "Guests of KVM", kvm_cases, "kvm kvmtext");
