// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * internals inject-build-id: a stream of mappings and samples, made in memory, goes through what
 * `perf inject` does. Each run is a process of its own, whose memory is told as well.
 */
#include "base/compat.h"
#include "benchown/own-internal.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "bench/team.h"
#include "file/writer.h"
#include "inject/run.h"
#include "symbol/symbol.h"
#include "wire/encode.h"

#include <dirent.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAP_SIZE 0x100000ULL
#define FIRST_MAP 0x400000000000ULL
#define SAMPLE_TYPE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

/* A run tells its parent this. */
struct run_result {
	u64 ns;
	long kb;
	struct err err;
};

struct injecting {
	unsigned int times, maps, samples;
	int verbose;
	char **objects; /* paths of files with build-ids */
	size_t nr_objects, cap_objects;
	int stream; /* a file in memory */
	char path[64];
	bool all;                  /* --buildid-all */
	struct run_result *result; /* in memory that the processes share */
};

/* ---- the stream ---- */

static void find_objects(struct injecting *in, const char *folder, unsigned int depth)
{
	DIR *dir = opendir(folder);
	struct dirent *e;
	struct stat st;
	u8 id[20];

	while (dir && in->nr_objects < in->maps && (e = readdir(dir))) {
		char *path = xasprintf("%s/%s", folder, e->d_name);

		if (e->d_name[0] == '.' || lstat(path, &st)) {
			free(path);
		} else if (S_ISREG(st.st_mode) && strstr(e->d_name, ".so") &&
			   elf_build_id(path, id) > 0) {
			VEC_GROW(in->objects, in->nr_objects + 1, in->cap_objects);
			in->objects[in->nr_objects++] = path;
		} else {
			if (S_ISDIR(st.st_mode) && depth)
				find_objects(in, path, depth - 1);
			free(path);
		}
	}
	if (dir)
		closedir(dir);
}

static void add_records(const struct injecting *in, const struct wire_layout *l, struct strbuf *out)
{
	struct sample_id id = { .pid = 1000, .tid = 1000, .time = 1, .id = 1 };
	struct rec_comm comm = { .pid = 1000, .tid = 1000, .comm = "bench" };
	unsigned int i, n;

	enc_comm(out, 0, &comm, l, &id);
	for (i = 0; i < in->maps; i++) {
		struct rec_mmap map = { .pid = 1000,
					.tid = 1000,
					.start = FIRST_MAP + i * MAP_SIZE,
					.len = MAP_SIZE,
					.prot = PROT_READ | PROT_EXEC,
					.flags = MAP_PRIVATE,
					.filename = in->objects[i % in->nr_objects] };
		struct sample s = { .misc = PERF_RECORD_MISC_USER,
				    .cpumode = PERF_RECORD_MISC_USER,
				    .pid = 1000,
				    .tid = 1000,
				    .id = 1 };

		id.time++;
		enc_mmap2(out, PERF_RECORD_MISC_USER, &map, l, &id);
		for (n = 0; n < in->samples; n++) {
			s.time = ++id.time;
			s.ip = map.start + (u64)n * 4096 % MAP_SIZE;
			enc_sample(out, l, &s);
		}
	}
}

static int make_stream(struct injecting *in, struct err *err)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = sizeof(attr),
					.config = PERF_COUNT_SW_CPU_CLOCK,
					.sample_type = SAMPLE_TYPE,
					.sample_id_all = 1 };
	const u64 ids[] = { 1 };
	struct writer_attr w = { .attr = &attr, .ids = ids, .nr_ids = 1, .name = "cpu-clock" };
	struct file_writer writer = { .pipe = true };
	struct strbuf out = STRBUF_INIT;
	struct wire_layout layout;
	int ret;

	find_objects(in, "/usr/lib", 3);
	if (!in->nr_objects)
		find_objects(in, "/lib", 3);
	if (!in->nr_objects)
		return err_set(err, -ENOENT,
			       "there is no shared object with a build-id in /usr/lib");
	in->stream = memfd_create("perf-bench", MFD_CLOEXEC);
	if (in->stream < 0)
		return err_set(err, -errno, "could not create a file in memory: %s",
			       err_str(-errno));
	attr.mmap2 = attr.mmap = attr.comm = 1;
	layout_init(&layout, &attr);
	add_records(in, &layout, &out);
	writer.fd = in->stream;
	ret = file_writer_start(&writer, &w, 1, err);
	if (!ret)
		ret = file_writer_write(&writer, strbuf_str(&out), out.len, err);
	strbuf_release(&out);
	snprintf(in->path, sizeof(in->path), "/proc/self/fd/%d", in->stream);
	return ret;
}

/* ---- the runs ---- */

static int inject_all(void *ctx)
{
	struct injecting *in = ctx;
	const struct inject_options o = {
		.rec = { .input = in->path, .force = true, .buildid_dir = "" },
		.output = "/dev/null",
		.ids_of_hits = !in->all,
		.ids_of_all = in->all
	};
	struct rusage usage;
	struct inject inject;
	int ret = inject_open(&inject, &o, NULL, &in->result->err);

	if (ret)
		return 1;
	ret = inject_run(&inject, &in->result->err);
	inject_close(&inject);
	if (!getrusage(RUSAGE_SELF, &usage))
		in->result->kb = usage.ru_maxrss;
	return ret != 0;
}

static int run_kind(struct bench *b, struct injecting *in, struct err *err)
{
	const double events = (double)in->maps * (in->samples + 2);
	struct spread ms = { 0 }, each = { 0 }, kb = { 0 };
	const char *kind = in->all ? "-all" : "";
	unsigned int i;
	int status;
	pid_t pid;
	u64 ns;

	if (in->verbose)
		bench_say(b, "  Build-id%s injection benchmark\n", kind);
	for (i = 0; i < in->times; i++) {
		if (in->verbose)
			bench_say(b, "  Iteration #%u\n", i + 1);
		ns = clock_ns(CLOCK_MONOTONIC);
		pid = bench_fork(inject_all, in, err);
		if (pid < 0)
			return pid;
		status = bench_reap(pid);
		ns = clock_ns(CLOCK_MONOTONIC) - ns;
		if (in->verbose)
			bench_say(b, "   Child %d exited with %d\n", (int)pid, status);
		if (status)
			return err_set(err, -EIO, "could not inject build-ids: %s",
				       in->result->err.msg);
		spread_add(&ms, (double)ns / 1e6);
		spread_add(&each, (double)ns / 1e3 / events);
		spread_add(&kb, (double)in->result->kb);
	}
	bench_say(b, "  Average build-id%s injection took: %.3f msec (+- %.3f msec)\n", kind,
		  ms.mean, spread_error(&ms));
	bench_say(b, "  Average time per event: %.3f usec (+- %.3f usec)\n", each.mean,
		  spread_error(&each));
	bench_say(b, "  Average memory usage: %.0f KB (+- %.0f KB)\n", kb.mean, spread_error(&kb));
	bench_spread(b, in->all ? "all objects" : "objects with samples", "msecs", false, &ms);
	return 0;
}

static int run(struct bench *b, struct injecting *in, struct err *err)
{
	size_t i;
	int ret = make_stream(in, err);

	in->result = mmap(NULL, sizeof(*in->result), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!ret && in->result == MAP_FAILED)
		ret = err_set(err, -errno, "could not get memory to share: %s", err_str(-errno));
	if (!ret && in->verbose)
		bench_say(b, "  Collected %zu DSOs\n", in->nr_objects);
	if (!ret)
		ret = run_kind(b, in, err);
	in->all = true;
	if (!ret)
		ret = run_kind(b, in, err);
	if (in->result != MAP_FAILED)
		munmap(in->result, sizeof(*in->result));
	if (in->stream >= 0)
		close(in->stream);
	for (i = 0; i < in->nr_objects; i++)
		free(in->objects[i]);
	free(in->objects);
	return ret;
}

int own_inject(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench internals inject-build-id <options>",
					     NULL };
	struct injecting in = { .times = 100, .maps = 100, .samples = 100, .stream = -1 };
	const struct option options[] = {
		OPT_UINTEGER('i', "iterations", &in.times,
			     "Number of iterations used to compute average (default: 100)"),
		OPT_UINTEGER('m', "nr-mmaps", &in.maps,
			     "Number of mmap events for each iteration (default: 100)"),
		OPT_UINTEGER('n', "nr-samples", &in.samples,
			     "Number of sample events per mmap event (default: 100)"),
		OPT_INCR('v', "verbose", &in.verbose,
			 "be more verbose (show iteration count, DSO name, etc)"),
		OPT_END(),
	};

	b->parse(b, options, usage);
	if (!in.times || !in.maps || in.maps > 100000 || in.samples > 100000)
		return bench_invalid(err, "--iterations and --nr-mmaps must be 1 at least; 100000 "
					  "mappings and as many samples of each are the most");
	return run(b, &in, err);
}
