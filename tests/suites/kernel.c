// SPDX-License-Identifier: GPL-2.0-or-later
/* Check what the running kernel lets this user do: open events, map a ring, read samples from
 * it. */
#include "base/compat.h"

#include "suites.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* On the calling thread, any CPU; user space only when the kernel is out of bounds. */
static int open_self(struct perf_event_attr *attr)
{
	long fd;

	attr->size = sizeof(*attr);
	fd = syscall(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0 && (errno == EACCES || errno == EPERM)) {
		attr->exclude_kernel = 1;
		attr->exclude_hv = 1;
		fd = syscall(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	}
	return fd < 0 ? -errno : (int)fd;
}

static bool not_here(int err)
{
	return err == -EACCES || err == -EPERM || err == -ENOSYS || err == -ENOENT ||
	       err == -EOPNOTSUPP;
}

static void spin(void)
{
	for (volatile int i = 0; i < 20000000; i++)
		;
}

static int test_software(struct test_ctx *ctx)
{
	static const struct {
		const char *name;
		u64 config;
	} events[] = {
		{ "cpu-clock", PERF_COUNT_SW_CPU_CLOCK },
		{ "task-clock", PERF_COUNT_SW_TASK_CLOCK },
		{ "page-faults", PERF_COUNT_SW_PAGE_FAULTS },
		{ "context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES },
		{ "cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS },
		{ "minor-faults", PERF_COUNT_SW_PAGE_FAULTS_MIN },
		{ "major-faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ },
		{ "dummy", PERF_COUNT_SW_DUMMY },
	};

	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
						.config = events[i].config };
		int fd = open_self(&attr);

		if (not_here(fd))
			return test_skip(ctx, "%s: %s", events[i].name, strerror(-fd));
		TEST_CHECK(fd >= 0, "%s: %s", events[i].name, strerror(-fd));
		close(fd);
	}
	return TEST_OK;
}

static int test_hardware(struct test_ctx *ctx)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE,
					.config = PERF_COUNT_HW_CPU_CYCLES };
	int fd = open_self(&attr);
	u64 count = 0;

	if (not_here(fd))
		return test_skip(ctx, "no hardware counters: %s", strerror(-fd));
	TEST_CHECK(fd >= 0, "%s", strerror(-fd));
	spin();
	TEST_EQ(read(fd, &count, sizeof(count)), sizeof(count));
	TEST_CHECK(count > 0, "cycles does not count");
	close(fd);
	return TEST_OK;
}

static int test_counting(struct test_ctx *ctx)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_PAGE_FAULTS };
	const size_t pages = 64, page = (size_t)sysconf(_SC_PAGESIZE);
	int fd = open_self(&attr);
	u64 before = 0, after = 0;
	char *mem;

	if (not_here(fd))
		return test_skip(ctx, "%s", strerror(-fd));
	TEST_CHECK(fd >= 0, "%s", strerror(-fd));
	mem = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	TEST_CHECK(mem != MAP_FAILED, "%s", strerror(errno));
	madvise(mem, pages * page, MADV_NOHUGEPAGE);
	TEST_EQ(read(fd, &before, sizeof(before)), sizeof(before));
	for (size_t i = 0; i < pages; i++)
		((volatile char *)mem)[i * page] = 1;
	TEST_EQ(read(fd, &after, sizeof(after)), sizeof(after));
	TEST_CHECK(after - before >= pages, "%llu faults for %zu pages",
		   (unsigned long long)(after - before), pages);
	munmap(mem, pages * page);
	close(fd);
	return TEST_OK;
}

/* Samples in a ring: walk what is there, and expect each IP and time to make sense. */
static int check_ring(const struct perf_event_mmap_page *hdr, size_t page, size_t size)
{
	const char *data = (const char *)hdr + page;
	u64 head = __atomic_load_n(&hdr->data_head, __ATOMIC_ACQUIRE), last = 0;
	size_t samples = 0;

	TEST_CHECK(head <= size, "the ring is too small for this test");
	for (u64 at = 0; at < head;) {
		const struct perf_event_header *rec = (const void *)(data + at);
		const u64 *body = (const void *)(rec + 1);

		TEST_CHECK(rec->size >= sizeof(*rec) && at + rec->size <= head,
			   "record of %u bytes at %llu", rec->size, (unsigned long long)at);
		if (rec->type == PERF_RECORD_SAMPLE) {
			TEST_EQ(rec->size, sizeof(*rec) + 2 * sizeof(u64));
			TEST_CHECK(body[0], "a sample without an address");
			TEST_CHECK(body[1] >= last, "time goes back");
			last = body[1];
			samples++;
		}
		at += rec->size;
	}
	TEST_CHECK(samples > 0, "no samples from a busy loop");
	test_say("%zu samples", samples);
	return TEST_OK;
}

static int test_ring(struct test_ctx *ctx)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1000000,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME,
		.disabled = 1,
	};
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = 8 * page;
	int fd = open_self(&attr), ret;
	void *map;

	if (not_here(fd))
		return test_skip(ctx, "%s", strerror(-fd));
	TEST_CHECK(fd >= 0, "%s", strerror(-fd));
	map = mmap(NULL, page + size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED && errno == EPERM)
		return test_skip(ctx, "no locked memory left for a ring");
	TEST_CHECK(map != MAP_FAILED, "%s", strerror(errno));
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	spin();
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	ret = check_ring(map, page, size);
	munmap(map, page + size);
	close(fd);
	return ret;
}

static const struct test_case cases[] = {
	{ "software events open", test_software },
	{ "hardware cycles count", test_hardware },
	{ "page faults are counted", test_counting },
	{ "samples arrive in a ring", test_ring },
};
TEST_SUITE(suite_kernel, "Events of the running kernel", cases, "kernel");
