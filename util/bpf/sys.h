/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf(2): maps, programs, and files of the bpf file system. All return a descriptor or 0, or
 * negative errno; descriptors are closed on exec.
 */
#ifndef PERF_BPF_SYS_H
#define PERF_BPF_SYS_H

#include "base/err.h"
#include "bpf/asm.h"

#include <linux/bpf.h>

/** bpf_call - the system call. */
int bpf_call(int cmd, union bpf_attr *attr);

/** bpf_map_new - a map of @max elements of @key to @value bytes; raises the limit of locked memory
 * when the kernel counts maps against it. */
int bpf_map_new(const char *name, u32 type, u32 key, u32 value, u32 max, struct err *err);
/** bpf_map_get - copy out the value of @key. Return: 0, -ENOENT. */
int bpf_map_get(int map, const void *key, void *value);
/** bpf_map_set - insert or replace. */
int bpf_map_set(int map, const void *key, const void *value);
/** bpf_map_del - remove. */
int bpf_map_del(int map, const void *key);
/** bpf_map_next - the key behind @key (NULL: the first). Return: 0, -ENOENT at the end. */
int bpf_map_next(int map, const void *key, void *next);

/**
 * bpf_prog_new - load what @code has been assembled to.
 * @err: on failure what the verifier said last, and what follows from the errno for the user
 */
int bpf_prog_new(const char *name, u32 type, struct bpf_code *code, struct err *err);
/* A function of a BPF program that is loaded, before or behind which another one is to run. */
struct bpf_hook {
	int prog;
	u32 func; /* its type in the program's BTF */
	u32 when; /* BPF_TRACE_FENTRY, BPF_TRACE_FEXIT */
};

/** bpf_prog_hook - the same, for a hook; bpf_attach() has it run. */
int bpf_prog_hook(const char *name, const struct bpf_hook *hook, struct bpf_code *code,
		  struct err *err);
/** bpf_attach - run a program of bpf_prog_hook() for as long as the descriptor is open. */
int bpf_attach(int prog);
/** bpf_run_on - run a program of a raw tracepoint that looks at none of its arguments, now, on @cpu
 * (Linux 5.10). */
int bpf_run_on(int prog, int cpu);
/** bpf_fd_by_id - what has that id; @cmd: BPF_PROG_GET_FD_BY_ID, BPF_MAP_GET_FD_BY_ID, ... */
int bpf_fd_by_id(int cmd, u32 id);
/** bpf_info - struct bpf_prog_info, bpf_map_info or bpf_btf_info of @fd. */
int bpf_info(int fd, void *info, u32 len);
/** bpf_attach_raw_tp - run @prog at a tracepoint for as long as the descriptor is open. */
int bpf_attach_raw_tp(const char *tracepoint, int prog);

/** bpf_pin - give @fd a name in the bpf file system. */
int bpf_pin(int fd, const char *path);
/** bpf_open_pinned - what has that name. */
int bpf_open_pinned(const char *path);

#endif
