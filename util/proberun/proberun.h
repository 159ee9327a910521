/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of `perf probe`: definitions and options in, events in the tracing files of the kernel and
 * texts out. Room probe finds addresses and arguments and knows no tracing file, room kernel writes
 * those files; here they meet.
 *
 *	wants.h		the definitions, with what each is about
 *	batch.h		all of them as one set of events: added together, or not at all
 *	live.h		the events that there are: listed, removed
 *	cache.h		definitions that the build-id cache keeps: listed, removed
 *	show.h		functions, source lines and variables that could be probed
 */
#ifndef PERF_PROBERUN_PROBERUN_H
#define PERF_PROBERUN_PROBERUN_H

#include "base/notice.h"
#include "probe/points.h"

struct objcache;

/* The options that hold for all definitions of a run. Strings are borrowed; NULL: not given. */
struct probe_run {
	struct sysroot sysroot;
	struct objcache *objects; /* borrowed: what is kept of objects on disk; NULL: nothing */
	const struct notices *notices; /* borrowed: hears of what is done; NULL: nobody does */
	const char *exec, *module;     /* what is shown of them; definitions have their own */
	const char *vmlinux, *source;
	struct symfs symfs;    /* borrowed: a copy of the files of the system */
	const char *cache_dir; /* the build-id cache; NULL: there is none */
	u32 pid;               /* --target-ns; 0: ours */
	struct probe_limits limits;
	bool demangle, demangle_kernel;
	bool definitions; /* lines are shown, and not written to the kernel */
	bool dry_run;     /* all is done but for writing to the kernel */
	bool force;       /* names that are taken get a number */
	bool cache;       /* definitions are kept, and read, in the build-id cache */
	bool verbose;     /* each line that is written is told */
};

/* The object that one definition is about. */
struct run_target {
	struct probe_target target;
	char *module_file; /* owned; NULL: not known */
};

/**
 * run_target_init - fill in what the options say of an object. run_target_release() frees what is
 * owned.
 * @exec, @module: borrowed; both NULL: the kernel
 */
void run_target_init(struct run_target *t, const struct probe_run *r, const char *exec,
		     const char *module);
void run_target_release(struct run_target *t);

#endif
