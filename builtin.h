/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands. */
#ifndef PERF_BUILTIN_H
#define PERF_BUILTIN_H

#include "base/compat.h"
#include "cli/options.h"

/*
 * The commands. argv[0] is the name of the command. The value returned becomes the exit status as
 * the shell sees it: 0 is success, negative values are taken modulo 256 (-1 is 255, -EINVAL 234).
 */
int cmd_annotate(int argc, const char **argv);
int cmd_archive(int argc, const char **argv);
int cmd_bench(int argc, const char **argv);
int cmd_block(int argc, const char **argv);
int cmd_buildid_cache(int argc, const char **argv);
int cmd_buildid_list(int argc, const char **argv);
int cmd_c2c(int argc, const char **argv);
int cmd_check(int argc, const char **argv);
int cmd_config(int argc, const char **argv);
int cmd_daemon(int argc, const char **argv);
int cmd_data(int argc, const char **argv);
int cmd_diff(int argc, const char **argv);
int cmd_doctor(int argc, const char **argv);
int cmd_evlist(int argc, const char **argv);
int cmd_flame(int argc, const char **argv);
int cmd_ftrace(int argc, const char **argv);
int cmd_help(int argc, const char **argv);
int cmd_inject(int argc, const char **argv);
int cmd_iostat(int argc, const char **argv);
int cmd_kallsyms(int argc, const char **argv);
int cmd_kwork(int argc, const char **argv);
int cmd_kvm(int argc, const char **argv);
int cmd_kmem(int argc, const char **argv);
int cmd_list(int argc, const char **argv);
int cmd_lock(int argc, const char **argv);
int cmd_mem(int argc, const char **argv);
int cmd_probe(int argc, const char **argv);
int cmd_record(int argc, const char **argv);
int cmd_report(int argc, const char **argv);
int cmd_sched(int argc, const char **argv);
int cmd_script(int argc, const char **argv);
int cmd_stat(int argc, const char **argv);
int cmd_test(int argc, const char **argv);
int cmd_timechart(int argc, const char **argv);
int cmd_top(int argc, const char **argv);
int cmd_trace(int argc, const char **argv);
int cmd_triage(int argc, const char **argv);
int cmd_version(int argc, const char **argv);

#endif
