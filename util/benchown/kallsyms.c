// SPDX-License-Identifier: GPL-2.0-or-later
/* internals kallsyms-parse: all lines of /proc/kallsyms are read and taken apart. Commands do that
 * once after each start of the machine; the table that is then kept is loaded, too. */
#include "base/compat.h"
#include "benchown/own-internal.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/sysroot.h"
#include "file/scratch.h"
#include "running/running.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <unistd.h>

/* Read the file and nothing else, which is what the kernel takes. Return: 0 or a negative errno. */
static int only_read(void)
{
	static const size_t size = 65536;
	int fd = sysroot_open(NULL, "/proc/kallsyms");
	char *buf;
	ssize_t n;

	if (fd < 0)
		return fd;
	buf = xmalloc(size);
	while ((n = read(fd, buf, size)) > 0)
		;
	n = n < 0 ? -errno : 0;
	free(buf);
	close(fd);
	return (int)n;
}

static void ignore(void *ctx, const struct kallsyms_place *place)
{
}

/* Load the symbols of the kernel as commands do, and find one by its address. @dir: where tables
 * are kept. Return: nanoseconds. */
static u64 load(const char *dir)
{
	static const struct sysroot here = { 0 };
	const struct recording_options o = {
		.cache = { .on[OBJCACHE_KERNEL] = true, .dir = dir },
	};
	struct running_kernel kernel;
	u64 from = clock_ns(CLOCK_MONOTONIC), start;
	const struct map *map;

	running_kernel_open(&kernel, &here, &o);
	map = machine_kernel_map(kernel.machine);
	if (map)
		(void)running_kernel_name(&kernel, map->dso->ref_addr, &start);
	running_kernel_close(&kernel);
	return clock_ns(CLOCK_MONOTONIC) - from;
}

/* Load what the first of @times + 1 runs has kept. */
static int load_kept(unsigned int times, struct spread *ms, struct err *err)
{
	char *dir;
	int ret = scratch_make("perf-bench-kallsyms", &dir, err);

	if (ret)
		return ret;
	load(dir);
	for (unsigned int i = 0; i < times; i++)
		spread_add(ms, (double)load(dir) / 1e6);
	scratch_remove(dir);
	free(dir);
	return 0;
}

int own_kallsyms(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench internals kallsyms-parse <options>",
					     NULL };
	struct spread all = { 0 }, parse = { 0 }, kept = { 0 };
	unsigned int times = 1, i;
	const struct option options[] = {
		OPT_UINTEGER('i', "iterations", &times,
			     "Number of iterations used to compute average"),
		OPT_END(),
	};
	u64 from, read, done;
	int ret;

	b->parse(b, options, usage);
	if (!times)
		return bench_invalid(err, "--iterations is 0; it must be 1 at least");
	for (i = 0; i < times; i++) {
		from = clock_ns(CLOCK_MONOTONIC);
		ret = only_read();
		read = clock_ns(CLOCK_MONOTONIC);
		/* A name that no symbol has is compared with that of each. */
		if (ret >= 0)
			ret = kallsyms_each(NULL, "no symbol", ignore, NULL);
		done = clock_ns(CLOCK_MONOTONIC);
		if (ret < 0 && ret != -EPERM)
			return err_set(err, ret, "could not read /proc/kallsyms: %s", err_str(ret));
		spread_add(&all, (double)(done - read) / 1e6);
		spread_add(&parse, ((double)(done - read) - (double)(read - from)) / 1e6);
	}
	ret = load_kept(times, &kept, err);
	if (ret)
		return ret;
	bench_say(b, "  Average kallsyms__parse took: %.3f ms (+- %.3f ms)\n", all.mean,
		  spread_error(&all));
	bench_say(b, "  Average without what the kernel takes to write it: %.3f ms (+- %.3f ms)\n",
		  parse.mean, spread_error(&parse));
	bench_say(b, "  Average loading of the kept table took: %.3f ms (+- %.3f ms)\n", kept.mean,
		  spread_error(&kept));
	bench_spread(b, "read and parsed", "msecs", false, &all);
	bench_spread(b, "parsed", "msecs", false, &parse);
	bench_spread(b, "kept", "msecs", false, &kept);
	return 0;
}
