/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the target of a recording: CPUs and threads, as lists. */
#ifndef PERF_KERNEL_TARGET_H
#define PERF_KERNEL_TARGET_H

#include "base/err.h"
#include "base/int-list.h"
#include "base/notice.h"
#include "base/sysroot.h"

/**
 * id_list_parse - append the numbers in a text such as "12,34". @what: names them in messages,
 * "process id". Return: 0, or a negative errno and a sentence.
 */
int id_list_parse(const char *text, const char *what, struct int_list *out, struct err *err);
/** cpu_list_online - append the CPUs that are online. Return: 0 or a negative errno. */
int cpu_list_online(const struct sysroot *sr, struct int_list *out, struct err *err);
/** cpu_list_target - append the CPUs of a -C argument; each has to be online. */
int cpu_list_target(const struct sysroot *sr, const char *text, struct int_list *out,
		    struct err *err);

/**
 * thread_list_pids - append all threads of the processes in a -p argument ("12,34"). A process that
 * does not exist is an error.
 */
int thread_list_pids(const struct sysroot *sr, const char *text, struct int_list *out,
		     struct err *err);
/** thread_list_tids - append the threads of a -t argument. */
int thread_list_tids(const struct sysroot *sr, const char *text, struct int_list *out,
		     struct err *err);

/**
 * user_parse - return the number of a user whose name or number is given. Return: 0, or -ENOENT and
 * a sentence.
 */
int user_parse(const char *text, unsigned int *uid, struct err *err);
/**
 * thread_list_uid - append all threads of the processes whose effective user is @uid. If there are
 * none, that is an error.
 */
int thread_list_uid(const struct sysroot *sr, unsigned int uid, struct int_list *out,
		    struct err *err);
/** thread_list_all - append all threads of the system. */
int thread_list_all(const struct sysroot *sr, struct int_list *out, struct err *err);

/* The target as the options -p, -t, -u, -C and -a describe it. */
struct target {
	const char *pids, *tids, *uid, *cpus; /* borrowed; NULL: not given */
	bool all_cpus;
};

/**
 * target_choose - keep only one kind of target when several are given, and report that to @notes.
 * When none is given, the target is the whole system, unless @command says that there is a command
 * to run.
 */
void target_choose(struct target *t, bool command, const struct notices *notes);
/** target_tasks - tell whether the target consists of running processes or threads. */
bool target_tasks(const struct target *t);
/** target_system - tell whether the target is everything that runs on some CPUs. */
bool target_system(const struct target *t);
/** target_threads - append the threads of -p, -t or -u to @out. Return: 0 or a negative errno. */
int target_threads(const struct target *t, const struct sysroot *sr, struct int_list *out,
		   struct err *err);

#endif
