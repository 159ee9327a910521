// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A library to preload: every event opens, and counts what its numbers say, alike in each run and
 * on each machine. With PMUs of a sysfs of our own, any perf shows what it would print elsewhere.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MOST 4096

static struct {
	unsigned long type, config, format;
	unsigned long opened; /* the how manieth */
	unsigned long ticks;  /* it was looked at, see count() */
	struct timespec last;
	int cpu, open, leader;
} events[MOST];
static unsigned long nr_opened;

static void remember(int fd, const struct perf_event_attr *asked, int cpu, int group)
{
	if (fd < 0 || fd >= MOST)
		return;
	events[fd].type = asked->type;
	events[fd].config = asked->config;
	events[fd].format = asked->read_format;
	events[fd].opened = ++nr_opened;
	events[fd].ticks = 0;
	events[fd].last.tv_sec = 0;
	events[fd].cpu = cpu;
	events[fd].open = 1;
	events[fd].leader = group < 0 ? fd : group;
}

long syscall(long nr, ...)
{
	long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	const struct perf_event_attr *asked;
	struct perf_event_attr attr;
	long a[6], fd;
	va_list ap;

	va_start(ap, nr);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (nr != SYS_perf_event_open)
		return next(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
	asked = (const void *)a[0];
	attr = (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.size = sizeof(attr),
		.disabled = asked->disabled,
		.enable_on_exec = asked->enable_on_exec,
		.inherit = asked->inherit,
		.read_format = asked->read_format,
		.sample_type = asked->sample_type & PERF_SAMPLE_IDENTIFIER,
	};
	fd = next(nr, &attr, a[1], a[2], a[3], a[4]);
	remember((int)fd, asked, (int)a[2], (int)a[3]);
	return fd;
}

int close(int fd)
{
	if (fd >= 0 && fd < MOST)
		events[fd].open = 0;
	return (int)syscall(SYS_close, fd);
}

/*
 * v: value, enabled, running. More on later CPUs; every fourth event was on its counter for three
 * quarters of the time. A look within 20 ms of the one before sees the same.
 */
static void count(int fd, __u64 v[3])
{
	unsigned long what = (events[fd].config & 0xff) + 3 * (events[fd].config >> 8 & 0xff) +
			     7 * events[fd].type + (events[fd].config >> 32);
	int clock = events[fd].type == PERF_TYPE_SOFTWARE && events[fd].config < 2;
	unsigned long ticks, cpu = (unsigned long)(events[fd].cpu + 2);
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if ((now.tv_sec - events[fd].last.tv_sec) * 1000000000 + now.tv_nsec -
		    events[fd].last.tv_nsec >
	    20000000) {
		events[fd].last = now;
		events[fd].ticks++;
	}
	ticks = events[fd].ticks;
	v[0] = ticks * (clock ? 1000000 * cpu : 1000 * (what + 1) * cpu + what % 13);
	v[1] = ticks * 8000000;
	v[2] = what % 4 == 3 && !clock ? ticks * 6000000 : v[1];
}

/* The member of a group that was opened next after @at; -1: none. */
static int next_member(int leader, unsigned long at)
{
	int next = -1;

	for (int i = 0; i < MOST; i++)
		if (events[i].open && events[i].leader == leader && events[i].opened > at &&
		    (next < 0 || events[i].opened < events[next].opened))
			next = i;
	return next;
}

/* How many, enabled, running, and of each the value and its id. */
static void count_group(int fd, __u64 *v, __u64 *end)
{
	unsigned long at = 0;
	__u64 w[3];

	count(fd, w);
	v[1] = w[1];
	v[2] = w[2];
	for (v += 3; v + 2 <= end; v += 2) {
		int next = next_member(fd, at);

		if (next < 0)
			return;
		count(next, w);
		v[0] = w[0];
		at = events[next].opened;
	}
}

ssize_t read(int fd, void *to, size_t size)
{
	long n = syscall(SYS_read, fd, to, size);

	if (fd < 0 || fd >= MOST || !events[fd].open || n < 24)
		return n;
	if (events[fd].format & PERF_FORMAT_GROUP)
		count_group(fd, to, (__u64 *)to + n / 8);
	else
		count(fd, to);
	return n;
}

ssize_t __read_chk(int fd, void *to, size_t size, size_t room)
{
	(void)room;
	return read(fd, to, size);
}
