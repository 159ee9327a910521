// SPDX-License-Identifier: GPL-2.0-or-later
/* The collection uprobe: calls of usleep() of the C library without a probe, and with one that runs
 * a BPF program before or after each. */
#include "base/compat.h"
#include "bench/bench.h"

#include "base/clock.h"
#include "base/sysroot.h"
#include "bpf/sys.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLEEP_US 1000
#define PMU "/sys/bus/event_source/devices/uprobe/"

enum program { PROGRAM_NONE, PROGRAM_EMPTY, PROGRAM_PRINT };

struct place {
	char path[PATH_MAX];
	u64 offset; /* in the file */
};

/* Find the file with the code of @function of this process, and where in it that is. */
static int find_place(uintptr_t function, struct place *p, struct err *err)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[PATH_MAX + 128];
	u64 start, end, offset;
	int at, ret = -ENOENT;

	while (maps && ret && fgets(line, sizeof(line), maps)) {
		at = 0;
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &start, &end,
			   &offset, &at) < 3 ||
		    function < start || function >= end || line[at] != '/')
			continue;
		snprintf(p->path, sizeof(p->path), "%.*s", (int)strcspn(line + at, "\n"),
			 line + at);
		p->offset = function - start + offset;
		ret = 0;
	}
	if (maps)
		fclose(maps);
	return ret ? err_set(err, ret, "could not find usleep() in /proc/self/maps") : 0;
}

/* Load the BPF program. Return: a descriptor, or a negative errno and a sentence. */
static int load(enum program which, struct err *err)
{
	static const char text[8] = "usleep\n";
	struct bpf_code code = { 0 };
	u64 word;
	int prog;

	if (which == PROGRAM_PRINT) {
		memcpy(&word, text, sizeof(word));
		bpf_mov64(&code, 1, word);
		bpf_store(&code, BPF_DW, 10, -8, 1);
		bpf_frame(&code, 1, -8);
		bpf_movi(&code, 2, sizeof(text));
		bpf_helper(&code, BPF_FUNC_trace_printk);
	}
	bpf_return(&code, 0);
	prog = bpf_prog_new("bench_usleep", BPF_PROG_TYPE_KPROBE, &code, err);
	bpf_code_release(&code);
	return prog;
}

/* Attach a program to usleep() of this process. Return: the descriptor of the event, or a negative
 * errno and a sentence. */
static int attach(enum program which, bool on_return, struct err *err)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .config = on_return };
	struct place place;
	u64 type = 0;
	int fd, prog, ret = find_place((uintptr_t)usleep, &place, err);

	if (ret)
		return ret;
	if (sysroot_read_u64(NULL, &type, PMU "type"))
		return err_set(err, -ENOENT,
			       "this kernel has no uprobes for perf: " PMU
			       " is not there (CONFIG_UPROBE_EVENTS, Linux 4.17)");
	prog = load(which, err);
	if (prog < 0)
		return prog;
	attr.type = (u32)type;
	attr.uprobe_path = (uintptr_t)place.path;
	attr.probe_offset = place.offset;
	fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		ret = err_set(err, -errno,
			      "could not set a probe on %s+%#" PRIx64 ": %s; uprobes need root or "
			      "CAP_PERFMON",
			      place.path, place.offset, err_str(-errno));
	else if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)) {
		ret = err_set(err, -errno, "could not run a BPF program at a uprobe: %s",
			      err_str(-errno));
		close(fd);
	}
	close(prog);
	return ret ? ret : fd;
}

/* Tell how far a time is from the one without a probe, if that was measured in the same run. */
static void tell_beside(struct bench *b, double usecs)
{
	const struct bench_figure *f =
		bench_results_find(b->results, "uprobe/baseline", "time per operation");

	if (f && strcmp(b->of, f->of))
		bench_say(b, " %.3f usecs/op to baseline", usecs - f->values.mean);
}

static int measure(struct bench *b, enum program which, bool on_return, struct err *err)
{
	static const char *const usage[] = { "perf bench uprobe <options>", NULL };
	unsigned int loops = 1000, i;
	const struct option options[] = {
		OPT_UINTEGER('l', "loop", &loops, "Specify number of loops"),
		OPT_END(),
	};
	int fd = -1;
	double each;
	u64 ns;

	b->parse(b, options, usage);
	if (!loops)
		return bench_invalid(err, "--loop is 0; it must be 1 at least");
	if (which != PROGRAM_NONE) {
		fd = attach(which, on_return, err);
		if (fd < 0)
			return fd;
	}
	ns = clock_ns(CLOCK_MONOTONIC);
	for (i = 0; i < loops; i++)
		usleep(SLEEP_US);
	ns = clock_ns(CLOCK_MONOTONIC) - ns;
	if (fd >= 0)
		close(fd);
	each = (double)ns / 1000 / loops;
	if (b->format == BENCH_SIMPLE) {
		bench_say(b, "%" PRIu64 "\n", ns / 1000);
	} else {
		bench_say(b, "# Executed %u usleep(%d) calls\n", loops, SLEEP_US);
		bench_say(b, " %14s: %" PRIu64 " usecs\n\n", "Total time", ns / 1000);
		bench_say(b, " %.3f usecs/op", each);
		tell_beside(b, each);
		bench_say(b, "\n");
	}
	bench_result(b, "time per operation", "usecs", false, each);
	return 0;
}

static int uprobe_baseline(struct bench *b, struct err *err)
{
	return measure(b, PROGRAM_NONE, false, err);
}

static int uprobe_empty(struct bench *b, struct err *err)
{
	return measure(b, PROGRAM_EMPTY, false, err);
}

static int uprobe_print(struct bench *b, struct err *err)
{
	return measure(b, PROGRAM_PRINT, false, err);
}

static int uprobe_empty_ret(struct bench *b, struct err *err)
{
	return measure(b, PROGRAM_EMPTY, true, err);
}

static int uprobe_print_ret(struct bench *b, struct err *err)
{
	return measure(b, PROGRAM_PRINT, true, err);
}

static const struct benchmark list[] = {
	{ "baseline", "Baseline libc usleep(1000) call", uprobe_baseline },
	{ "empty", "Attach empty BPF prog to uprobe on usleep", uprobe_empty },
	{ "trace_printk", "Attach trace_printk BPF prog to uprobe on usleep", uprobe_print },
	{ "empty_ret", "Attach empty BPF prog to uretprobe on usleep", uprobe_empty_ret },
	{ "trace_printk_ret", "Attach trace_printk BPF prog to uretprobe on usleep",
	  uprobe_print_ret },
	{ NULL },
};

const struct bench_collection bench_uprobe = { "uprobe", "uprobe benchmarks", list,
					       "Run all uprobe benchmarks" };
