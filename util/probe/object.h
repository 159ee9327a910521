/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes are put into objects: a program or library, the running kernel, a kernel that does not run
 * (a vmlinux), or a module. An object is opened once; its functions and its debug information are
 * read when they are first asked for.
 */
#ifndef PERF_PROBE_OBJECT_H
#define PERF_PROBE_OBJECT_H

#include "base/err.h"
#include "base/sysroot.h"
#include "symbol/debug-file.h"
#include "symbol/elf-image.h"
#include "symbol/elf-place.h"

/* The user says these things of an object; strings are borrowed. */
struct probe_target {
	const struct sysroot *sysroot;
	struct objcache *cache;  /* what is kept of objects on disk; NULL: nothing */
	const char *exec;        /* a program or library; NULL: the kernel */
	const char *module;      /* the name of a module, or the path of its file; NULL */
	const char *module_file; /* the file of the module that was named; NULL: not known */
	const char *vmlinux;     /* NULL: looked for */
	struct symfs symfs;      /* where files that are read may be; borrowed */
	const char *source;      /* --source: a folder with the source; NULL */
	u32 pid;                 /* the process whose names of files count; 0: ours */
	bool offline;            /* the running kernel does not count (-D with a vmlinux) */
	bool demangle;           /* names are shown as the source has them */
	bool far_returns; /* the kernel takes functions that return by their distance from where it
				begins */
};

struct lines;
struct objcache;
struct debuginfo;
struct frames;

struct probe_object {
	const struct probe_target *target; /* borrowed */
	bool user;                         /* a program or library */
	char *path;   /* owned: absolute, as the kernel is told; NULL: the running kernel */
	char *file;   /* owned: where we read it; NULL: the running kernel */
	char *named;  /* owned: the file of a module, of which @file is a copy; NULL */
	int file_fd;  /* keeps that copy open; -1 */
	char *module; /* owned: the name of the module; NULL: none */
	char *debug;  /* owned: the file with debug information; NULL: none was found */
	int debug_fd; /* keeps @debug open; -1 */
	u8 id[20];    /* the build-id, of @id_size bytes; 0: it has none */
	u8 id_size;
	struct arena texts; /* of its markers */
	bool image_open;
	struct elf_image image; /* of @file; see probe_object_offset() */
	bool functions_read;
	u64 moved; /* the running kernel is so many bytes behind the addresses of @file, which are
		      those that functions, points and lines have here */
	struct functions functions; /* see probe_object_functions() */
	bool debug_tried;
	struct debuginfo *info; /* see probe_object_debug() */
	struct lines *lines;
	struct frames *frames; /* owned; NULL until a variable needs it */
};

#define PROBE_OBJECT_INIT                                                                          \
	{                                                                                          \
		.file_fd = -1, .debug_fd = -1                                                      \
	}

/**
 * probe_object_open - find what @target names. probe_object_close() closes it.
 * Return: 0, or a negative errno and a sentence.
 */
int probe_object_open(struct probe_object *o, const struct probe_target *target, struct err *err);
void probe_object_close(struct probe_object *o);

/** probe_object_functions - read the functions. Return: 0, or a negative errno and a sentence. */
int probe_object_functions(struct probe_object *o, struct err *err);
/** probe_object_lines - open what the debug information says of functions and lines. Return: as
 * probe_object_debug(). */
int probe_object_lines(struct probe_object *o, struct err *err);
/**
 * probe_object_debug - open the debug information.
 * Return: 0, or -ENOENT and a sentence: which file has none, and where it is usually found.
 */
int probe_object_debug(struct probe_object *o, struct err *err);

/** probe_object_offset - return where the file has what is at an address of its headers. */
u64 probe_object_offset(struct probe_object *o, u64 addr);
/** probe_object_vaddr - return the address that the headers give to an offset of the file. */
u64 probe_object_vaddr(struct probe_object *o, u64 offset);

/** probe_function_text - append the name of a function as it is shown: demangled or not. */
void probe_function_text(const struct probe_object *o, const char *name, struct strbuf *out);
/** probe_object_name - return what messages call it: its path, its module, "kernel". Borrowed. */
const char *probe_object_name(const struct probe_object *o);

#endif
