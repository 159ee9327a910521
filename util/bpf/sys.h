/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf(2): maps, programs, and files of the BPF file system. All functions return a descriptor or 0,
 * or a negative errno. Descriptors are closed on exec.
 */
#ifndef PERF_BPF_SYS_H
#define PERF_BPF_SYS_H

#include "base/err.h"
#include "base/sysroot.h"
#include "bpf/asm.h"

#include <linux/bpf.h>

struct btf;

/** bpf_call - make the system call. */
int bpf_call(int cmd, union bpf_attr *attr);

/**
 * bpf_map_new - create a map of @max elements, with keys of @key and values of @value bytes. The
 * limit of locked memory is raised when the kernel counts maps against it.
 */
int bpf_map_new(const char *name, u32 type, u32 key, u32 value, u32 max, struct err *err);

/* A map that is wanted: where its descriptor goes, and the arguments of bpf_map_with(). */
struct bpf_map_spec {
	int *map;
	const char *name;
	u32 type, key, value, max, flags;
};

/**
 * bpf_maps_new - create the maps of a table; one of no elements is not made, and its descriptor
 * stays as it is. Return: 0, or the error of the first one that failed; those before it stay open.
 */
int bpf_maps_new(const struct bpf_map_spec *maps, size_t nr, struct err *err);
/** bpf_map_with - do what bpf_map_new() does, with @flags: BPF_F_... */
int bpf_map_with(const char *name, u32 type, u32 key, u32 value, u32 max, u32 flags,
		 struct err *err);
/**
 * bpf_lazy_flag - return the flag for a hash map whose elements are allocated when they are added,
 * which a program of a tracepoint may do since Linux 6.1; 0 for older kernels. Without it all
 * elements that there may be are allocated when the map is made, which takes milliseconds.
 */
u32 bpf_lazy_flag(void);
/** bpf_map_get - copy the value of @key. Return: 0 or -ENOENT. */
int bpf_map_get(int map, const void *key, void *value);
/** bpf_map_set - insert or replace the value of @key. */
int bpf_map_set(int map, const void *key, const void *value);
/** bpf_value_get - copy the only value of an array, @size bytes; zeros when it cannot be read. */
void bpf_value_get(int map, void *value, size_t size);
/** bpf_value_set - replace the only value of an array. */
int bpf_value_set(int map, const void *value);
/** bpf_map_del - remove @key. */
int bpf_map_del(int map, const void *key);
/**
 * bpf_map_next - return the key after @key (NULL: the first one). Return: 0, or -ENOENT at the end.
 */
int bpf_map_next(int map, const void *key, void *next);

/**
 * bpf_prog_new - load the program that was assembled in @code.
 * @err: on failure, the last lines of the verifier, and advice that depends on the errno
 */
int bpf_prog_new(const char *name, u32 type, struct bpf_code *code, struct err *err);
/* A function of a loaded BPF program, before or after which another program is to run. */
struct bpf_hook {
	int prog;
	u32 func; /* its type in the program's BTF */
	u32 when; /* BPF_TRACE_FENTRY, BPF_TRACE_FEXIT */
};

/**
 * bpf_prog_hook - do what bpf_prog_new() does, for a program that runs at a hook once bpf_attach()
 * is called.
 */
int bpf_prog_hook(const char *name, const struct bpf_hook *hook, struct bpf_code *code,
		  struct err *err);
/** bpf_attach - run a program of bpf_prog_hook() as long as the returned descriptor is open. */
int bpf_attach(int prog);
/**
 * bpf_run_on - run a program of a raw tracepoint, which must not use its arguments, now on @cpu
 * (Linux 5.10).
 */
int bpf_run_on(int prog, int cpu);
/**
 * bpf_fd_by_id - open the object with that id. @cmd: BPF_PROG_GET_FD_BY_ID, BPF_MAP_GET_FD_BY_ID,
 * ...
 */
int bpf_fd_by_id(int cmd, u32 id);
/** bpf_info - fill in the struct bpf_prog_info, bpf_map_info or bpf_btf_info of @fd. */
int bpf_info(int fd, void *info, u32 len);
/** bpf_attach_raw_tp - run @prog at a tracepoint as long as the returned descriptor is open. */
int bpf_attach_raw_tp(const char *tracepoint, int prog);

/*
 * A program that runs at a tracepoint of the kernel and sees the arguments as the kernel passes
 * them: eight bytes for each. Where the kernel describes its types it is a program of tracing
 * (tp_btf), which may call functions of the kernel; elsewhere it is one of a raw tracepoint.
 */
struct bpf_at_tracepoint {
	int prog, link; /* descriptors of the program and of what it runs at; -1: there is none */
};
#define BPF_AT_NOTHING ((struct bpf_at_tracepoint){ -1, -1 })

/**
 * bpf_tracepoint_open - load a program and have it run at a tracepoint.
 * @name: of the program
 * @btf: the types of the kernel, or NULL: it calls no functions of the kernel
 * @code: released in any case
 * Return: 0, or a negative errno and a sentence; -ENOENT: the kernel has no such tracepoint.
 * bpf_tracepoint_close() closes what was opened, also then.
 */
int bpf_tracepoint_open(struct bpf_at_tracepoint *t, const char *name, const char *tracepoint,
			const struct btf *btf, struct bpf_code *code, struct err *err);
/** bpf_tracepoint_close - remove the program, if there is one. */
void bpf_tracepoint_close(struct bpf_at_tracepoint *t);

/** bpf_possible_cpus - return the number of possible CPUs, each of which has its own value in some
 * maps; or a negative errno and a sentence. */
int bpf_possible_cpus(const struct sysroot *sr, struct err *err);

/** bpf_pin - give @fd a path in the BPF file system. */
int bpf_pin(int fd, const char *path);
/** bpf_open_pinned - open the object with that path. */
int bpf_open_pinned(const char *path);

#endif
