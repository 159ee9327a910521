// SPDX-License-Identifier: GPL-2.0-or-later
/* The collection mem: the frame of those of its benchmarks that compare several routines. */
#include "base/compat.h"
#include "bench/mem-internal.h"

#include "base/clock.h"
#include "base/suggest.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A clock in nanoseconds, or in cycles of this thread. */
struct mem_clock {
	int fd; /* of the event cycles; -1: nanoseconds */
};

static int clock_open(struct mem_clock *c, bool cycles, struct err *err)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE,
					.size = sizeof(attr),
					.config = PERF_COUNT_HW_CPU_CYCLES };

	c->fd = -1;
	if (!cycles)
		return 0;
	c->fd = (int)syscall(SYS_perf_event_open, &attr, getpid(), -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (c->fd < 0 && errno == EACCES) {
		attr.exclude_kernel = 1;
		c->fd = (int)syscall(SYS_perf_event_open, &attr, getpid(), -1, -1,
				     PERF_FLAG_FD_CLOEXEC);
	}
	if (c->fd >= 0)
		return 0;
	return err_set(
		err, -errno,
		"Failed to open cycles counter: %s; leave out --cycles where the machine has "
		"none",
		err_str(-errno));
}

static u64 clock_now(const struct mem_clock *c)
{
	u64 v = 0;

	if (c->fd < 0)
		return clock_ns(CLOCK_MONOTONIC);
	return read(c->fd, &v, sizeof(v)) == sizeof(v) ? v : 0;
}

/* Read a size, "1MB", "4096". Return: 0 when it is none. */
static u64 parse_size(const char *text)
{
	static const char units[] = "BKMGT";
	char *end, *unit;
	u64 v, factor = 1;

	if (*text < '0' || *text > '9')
		return 0;
	v = strtoull(text, &end, 10);
	if (*end) {
		unit = strchr(units, *end & ~0x20);
		if (!unit || (end[1] && strcasecmp(end + 1, *unit == 'B' ? "" : "B")))
			return 0;
		factor = 1ULL << (10 * (unit - units));
	}
	return v > UINT64_MAX / factor ? 0 : v * factor;
}

/* The rate of @bytes in @ns, in the unit that suits it. */
static void tell_rate(struct bench *b, u64 bytes, u64 ns)
{
	static const char *const units[] = { "bytes/sec", "KB/sec", "MB/sec", "GB/sec" };
	double rate = (double)bytes / ((double)MAX(ns, (u64)1) / 1e9);
	double shown = rate;
	size_t i;

	for (i = 0; i + 1 < ARRAY_SIZE(units) && shown >= 1024; i++)
		shown /= 1024;
	if (b->format == BENCH_SIMPLE)
		bench_say(b, "%f\n", rate);
	else
		bench_say(b, " %14f %s\n", shown, units[i]);
}

static int map_buffers(struct mem_work *w, bool reads, const char *page, struct err *err)
{
	int huge = !strcasecmp(page, "2MB") ? 21 : !strcasecmp(page, "1GB") ? 30 : 0;
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | (huge ? MAP_HUGETLB | huge << 26 : 0);
	u64 size = huge ? ALIGN_UP(w->size, 1ULL << huge) : w->size;

	w->to = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (w->to != MAP_FAILED && reads)
		w->from = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (w->to != MAP_FAILED && w->from != MAP_FAILED)
		return 0;
	return err_set(err, -errno,
		       "# Memory allocation failed - maybe size (%" PRIu64 ") is too large? (%s)%s",
		       w->size, err_str(-errno),
		       huge ? "; pages of that size have to be reserved: "
			      "/sys/kernel/mm/hugepages/*/nr_hugepages"
			    : "");
}

static void unmap_buffers(const struct mem_work *w)
{
	if (w->to && w->to != MAP_FAILED)
		munmap(w->to, w->size);
	if (w->from && w->from != MAP_FAILED)
		munmap(w->from, w->size);
}

struct mem_options {
	const char *size, *function, *page, *chunk, *seed;
	unsigned int loops;
	bool cycles;
};

static int run_routine(struct bench *b, const struct mem_kind *k, const struct mem_routine *r,
		       const struct mem_options *o, struct mem_work w, struct err *err)
{
	struct mem_clock clock = { -1 };
	char figure[80];
	u64 spent = 0;
	int ret = k->maps ? 0 : map_buffers(&w, k->reads, o->page, err);

	bench_say(b, "# function '%s' (%s)\n", r->name, r->desc);
	if (b->format == BENCH_DEFAULT)
		bench_say(b, "# %s %s bytes ...\n\n", k->verb, o->size);
	if (!ret)
		ret = clock_open(&clock, o->cycles, err);
	if (!ret && !k->maps) {
		/* All pages are there before the clock runs. Copied are zeros, as in perf 6.1: some
		 * processors copy them faster than other bytes. */
		memset(w.to, 0, w.size);
		if (w.from)
			memset(w.from, 0, w.size);
		ret = k->loop(r, &w);
	}
	for (w.nr = 0; w.nr < o->loops && !ret; w.nr++) {
		u64 from = clock_now(&clock);

		ret = k->loop(r, &w);
		spent += clock_now(&clock) - from;
	}
	if (clock.fd >= 0)
		close(clock.fd);
	unmap_buffers(&w);
	if (ret)
		return err->code ? ret
				 : err_set(err, ret, "%s of %s failed: %s", r->name, o->size,
					   err_str(ret));
	if (o->cycles) {
		double each = (double)spent / (double)w.size / (double)o->loops;

		bench_say(b, b->format == BENCH_SIMPLE ? "%f\n" : " %14f cycles/byte\n", each);
		snprintf(figure, sizeof(figure), "%s: cycles per byte", r->name);
		bench_result(b, figure, "cycles", false, each);
		return 0;
	}
	tell_rate(b, w.size * o->loops, spent);
	snprintf(figure, sizeof(figure), "%s: rate", r->name);
	bench_result(b, figure, "GB/sec", true,
		     (double)w.size * o->loops / (double)(1 << 30) /
			     ((double)MAX(spent, (u64)1) / 1e9));
	return 0;
}

static void list_routines(const struct mem_kind *k, const char *unknown, struct err *err)
{
	struct strbuf text = STRBUF_INIT, names = STRBUF_INIT;
	const struct mem_routine *r;

	if (unknown)
		strbuf_addf(&text, "Unknown function: %s\n", unknown);
	strbuf_addstr(&text, "Available functions:");
	for (r = k->routines; r->name; r++) {
		strbuf_addf(&text, "\n\t%s ... %s", r->name, r->desc);
		strbuf_addf(&names, "%s ", r->name);
	}
	err_set(err, -EINVAL, "%s", strbuf_str(&text));
	if (unknown)
		err_suggest(err, unknown, strlen(unknown), strbuf_str(&names));
	strbuf_release(&text);
	strbuf_release(&names);
}

/* Check the values of options. Return: 0, or 1 and a sentence. */
static int settle(const struct mem_options *o, struct mem_work *w, struct err *err)
{
	w->size = parse_size(o->size);
	w->chunk = o->chunk ? parse_size(o->chunk) : w->size;
	w->page = parse_size(o->page);
	w->seed = o->seed ? strtoull(o->seed, NULL, 0) : 0;
	if (!w->size)
		return bench_invalid(err, "Invalid size:%s", o->size);
	if (!w->chunk)
		return bench_invalid(err, "Invalid chunk size:%s", o->chunk);
	if (w->page != 4096 && w->page != 2 << 20 && w->page != 1 << 30)
		return bench_invalid(err, "Invalid page size:%s: it is 4KB, 2MB or 1GB", o->page);
	if (!o->loops)
		return bench_invalid(err, "--nr_loops is 0; it must be 1 at least");
	w->chunk = MIN(w->chunk, w->size);
	return 0;
}

int mem_measure(struct bench *b, const struct mem_kind *k, struct err *err)
{
	struct mem_options o = { "1MB", "all", k->pages, NULL, NULL, 1, false };
	const struct mem_routine *r;
	struct mem_work w = { 0 };
	const struct option options[] = {
		OPT_STRING('s', "size", &o.size, "1MB",
			   "Specify the size of the memory buffers. Available units: B, KB, MB, GB "
			   "and TB (case insensitive)"),
		OPT_STRING('f', "function", &o.function, "all",
			   "Specify the function to run, \"all\" runs all available functions, "
			   "\"help\" lists them"),
		OPT_UINTEGER('l', "nr_loops", &o.loops,
			     "Specify the number of loops to run. (default: 1)"),
		OPT_BOOLEAN('c', "cycles", &o.cycles,
			    "Use a cycles event instead of gettimeofday() to measure performance"),
		OPT_STRING(
			'p', "page", &o.page, k->pages,
			"Specify page-size for mapping memory buffers. Available sizes: 4KB, 2MB, "
			"1GB (case insensitive)"),
		k->maps ? (struct option)OPT_STRING('r', "randomize", &o.seed, "seed",
						    "Seed to randomize page access offset. "
						    "Default: 0, or not randomized")
			: (struct option)OPT_STRING('k', "chunk", &o.chunk, "0",
						    "Specify the chunk-size for each invocation. "
						    "Available units: B, KB, MB, GB and TB (case "
						    "insensitive)"),
		OPT_END(),
	};
	bool all;
	int ret;

	b->parse(b, options, k->usage);
	ret = settle(&o, &w, err);
	all = !strcmp(o.function, "all");
	if (ret)
		return ret;
	if (all) {
		for (r = k->routines; r->name && !ret; r++)
			ret = run_routine(b, k, r, &o, w, err);
		return ret;
	}
	for (r = k->routines; r->name; r++)
		if (!strcasecmp(r->name, o.function))
			return run_routine(b, k, r, &o, w, err);
	list_routines(k, strcmp(o.function, "help") ? o.function : NULL, err);
	return 1;
}

static const struct benchmark list[] = {
	{ "memcpy", "Benchmark for memcpy() functions", mem_memcpy },
	{ "memset", "Benchmark for memset() functions", mem_memset },
	{ "find_bit", "Benchmark for find_bit() functions", mem_find_bit },
	{ "mmap", "Benchmark for mmap() mappings", mem_mmap },
	{ NULL },
};

const struct bench_collection bench_mem = { "mem", "Memory access benchmarks", list,
					    "Run all memory access benchmarks" };
