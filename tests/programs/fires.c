// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Succeed when hardware breakpoints fire on this machine. On some virtual machines the kernel opens
 * them and they never do, so that no recorder can be tested with them: this program asks the kernel
 * alone, without perf. It counts ten runs of a function and ten writes to a variable.
 */
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TIMES 10

static volatile int counter;

__attribute__((noinline)) static void step(void)
{
	counter++;
	__asm__ volatile("");
}

static int open_breakpoint(uint32_t type, uintptr_t addr, uint64_t len)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_BREAKPOINT;
	attr.bp_type = type;
	attr.bp_addr = addr;
	attr.bp_len = len;
	attr.exclude_kernel = 1;
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

int main(void)
{
	int fds[2];

	fds[0] = open_breakpoint(HW_BREAKPOINT_X, (uintptr_t)step, sizeof(long));
	fds[1] = open_breakpoint(HW_BREAKPOINT_W, (uintptr_t)&counter, sizeof(counter));
	for (int i = 0; i < TIMES; i++)
		step();
	for (int i = 0; i < 2; i++) {
		uint64_t count = 0;

		if (fds[i] < 0 || read(fds[i], &count, sizeof(count)) != sizeof(count) ||
		    count != TIMES) {
			fprintf(stderr, "%s breakpoints: %d hits, expected %d\n",
				i ? "write" : "execution", (int)count, TIMES);
			return 1;
		}
	}
	return 0;
}
