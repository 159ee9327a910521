/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is recorded: CPUs and threads, as lists. */
#ifndef PERF_KERNEL_TARGET_H
#define PERF_KERNEL_TARGET_H

#include "base/err.h"
#include "base/int-list.h"
#include "base/notice.h"
#include "base/sysroot.h"

/** id_list_parse - append the numbers in "12,34"; @what: "process id". Return: 0,
 * or negative errno and a sentence. */
int id_list_parse(const char *text, const char *what, struct int_list *out, struct err *err);
/** cpu_list_online - the CPUs that are online. Return: 0 or negative errno. */
int cpu_list_online(const struct sysroot *sr, struct int_list *out, struct err *err);
/** cpu_list_target - the CPUs of a -C argument, each checked to be online. */
int cpu_list_target(const struct sysroot *sr, const char *text, struct int_list *out,
		    struct err *err);

/** thread_list_pids - all threads of the processes in a -p argument ("12,34"). A process that is
 * gone is an error. */
int thread_list_pids(const struct sysroot *sr, const char *text, struct int_list *out,
		     struct err *err);
/** thread_list_tids - the threads of a -t argument. */
int thread_list_tids(const struct sysroot *sr, const char *text, struct int_list *out,
		     struct err *err);

/** user_parse - the number of a user given by name or number. Return: 0, or -ENOENT and a sentence.
 */
int user_parse(const char *text, unsigned int *uid, struct err *err);
/** thread_list_uid - all threads of the processes whose effective user is @uid; none is an
 * error. */
int thread_list_uid(const struct sysroot *sr, unsigned int uid, struct int_list *out,
		    struct err *err);
/** thread_list_all - all threads there are. */
int thread_list_all(const struct sysroot *sr, struct int_list *out, struct err *err);

/* What is looked at, as the options -p, -t, -u, -C and -a say it. */
struct target {
	const char *pids, *tids, *uid, *cpus; /* borrowed; NULL: not given */
	bool all_cpus;
};

/** target_choose - of several kinds of target only one counts: forget the others, with a warning to
 * @notes. Without any it is the whole system, unless @command says that there is one to run. */
void target_choose(struct target *t, bool command, const struct notices *notes);
/** target_tasks - is the target made of processes that run already? */
bool target_tasks(const struct target *t);
/** target_system - is the target all that runs on some CPUs? */
bool target_system(const struct target *t);
/** target_threads - append the threads of -p, -t or -u to @out. Return: 0 or negative errno. */
int target_threads(const struct target *t, const struct sysroot *sr, struct int_list *out,
		   struct err *err);

#endif
