// SPDX-License-Identifier: GPL-2.0-or-later
#include "state-build.h"

#include "base/alloc.h"
#include "elf-build.h"
#include "wire/encode.h"

#include <sys/mman.h>

static void apply(struct machine *m, u64 time, struct strbuf *sb)
{
	struct err err = { 0 };

	if (machine_apply(m, (const struct perf_event_header *)sb->buf, sb->len, time, &err)) {
		fprintf(stderr, "record refused: %s\n", err.msg);
		abort();
	}
	strbuf_release(sb);
}

void st_comm(struct machine *m, u64 time, u32 pid, u32 tid, const char *comm, bool exec)
{
	struct rec_comm c = { .pid = pid, .tid = tid, .exec = exec, .comm = comm };
	struct strbuf sb = STRBUF_INIT;

	enc_comm(&sb, exec ? PERF_RECORD_MISC_COMM_EXEC : 0, &c, NULL, NULL);
	apply(m, time, &sb);
}

static void fork_record(struct machine *m, u64 time, u16 misc, const struct rec_task *t)
{
	struct strbuf sb = STRBUF_INIT;

	enc_task(&sb, PERF_RECORD_FORK, misc, t, NULL, NULL);
	apply(m, time, &sb);
}

void st_fork(struct machine *m, u64 time, u32 pid, u32 tid, u32 ppid, u32 ptid)
{
	struct rec_task t = { .pid = pid, .tid = tid, .ppid = ppid, .ptid = ptid, .time = time };

	fork_record(m, time, 0, &t);
}

void st_found(struct machine *m, u32 pid, u32 tid, u32 ppid, u32 ptid)
{
	struct rec_task t = { .pid = pid, .tid = tid, .ppid = ppid, .ptid = ptid };

	fork_record(m, 0, PERF_RECORD_MISC_FORK_EXEC, &t);
}

void st_exit(struct machine *m, u64 time, u32 pid, u32 tid)
{
	struct rec_task t = { .pid = pid, .tid = tid, .ppid = pid, .ptid = pid, .time = time };
	struct strbuf sb = STRBUF_INIT;

	enc_task(&sb, PERF_RECORD_EXIT, 0, &t, NULL, NULL);
	apply(m, time, &sb);
}

void st_mmap2(struct machine *m, u64 time, u16 misc, const struct rec_mmap *r)
{
	struct strbuf sb = STRBUF_INIT;

	enc_mmap2(&sb, misc, r, NULL, NULL);
	apply(m, time, &sb);
}

void st_mmap(struct machine *m, u64 time, u32 pid, u32 tid, u64 start, u64 len, u64 pgoff,
	     const char *name)
{
	struct rec_mmap r = { .pid = pid,
			      .tid = tid,
			      .start = start,
			      .len = len,
			      .pgoff = pgoff,
			      .prot = PROT_READ | PROT_EXEC,
			      .filename = name };

	st_mmap2(m, time, PERF_RECORD_MISC_USER, &r);
}

void st_object(struct machine *m, const char *dir, u32 pid, u64 at, const char *name,
	       const char *function)
{
	const struct eb_sym sym = { .name = function,
				    .value = 0x1000,
				    .size = 0x20,
				    .type = STT_FUNC,
				    .bind = STB_GLOBAL };
	const struct eb e = { .vaddr = 0x1000, .syms = &sym, .nr_syms = 1 };
	char *path = xasprintf("%s/%s", dir, name);

	eb_write(&e, path);
	st_mmap(m, 1, pid, pid, at, 0x1000, 0x1000, path);
	free(path);
}

void st_kernel(struct machine *m, u64 start, u64 len, u64 ref, const char *name)
{
	struct rec_mmap r = {
		.pid = UINT32_MAX, .start = start, .len = len, .pgoff = ref, .filename = name
	};
	struct strbuf sb = STRBUF_INIT;

	enc_mmap(&sb, PERF_RECORD_MISC_KERNEL, &r, NULL, NULL);
	apply(m, 0, &sb);
}

void st_ksymbol(struct machine *m, u64 time, u64 addr, u32 len, const char *name, bool unregister)
{
	struct rec_ksymbol k = {
		.addr = addr, .len = len, .type = 1, .flags = unregister, .name = name
	};
	struct strbuf sb = STRBUF_INIT;

	enc_ksymbol(&sb, &k, NULL, NULL);
	apply(m, time, &sb);
}

const char *st_comm_at(const struct machine *m, u64 time, u32 pid, u32 tid)
{
	struct thread_at t;

	machine_thread_at(m, pid, tid, time, &t);
	return machine_comm(m, t.comm);
}

static const char *dso_at(const struct machine *m, u64 time, u32 pid, u32 tid, u8 cpumode, u64 addr)
{
	const struct map *map;
	struct thread_at t;

	machine_thread_at(m, pid, tid, time, &t);
	map = machine_find_map(m, t.epoch, cpumode, addr);
	return map ? map->dso->path : "";
}

const char *st_dso_at(const struct machine *m, u64 time, u32 pid, u32 tid, u64 addr)
{
	return dso_at(m, time, pid, tid, PERF_RECORD_MISC_USER, addr);
}

const char *st_kernel_at(const struct machine *m, u64 time, u32 pid, u32 tid, u64 addr)
{
	return dso_at(m, time, pid, tid, PERF_RECORD_MISC_KERNEL, addr);
}
