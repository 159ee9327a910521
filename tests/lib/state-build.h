/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Feed a machine with records, one call each, for tests of what addresses and tids meant. */
#ifndef TESTS_STATE_BUILD_H
#define TESTS_STATE_BUILD_H

#include "machine/machine.h"

void st_comm(struct machine *m, u64 time, u32 pid, u32 tid, const char *comm, bool exec);
void st_fork(struct machine *m, u64 time, u32 pid, u32 tid, u32 ppid, u32 ptid);
/** st_found - a task that record found running: a fork whose child is not a copy of its parent now.
 */
void st_found(struct machine *m, u32 pid, u32 tid, u32 ppid, u32 ptid);
void st_exit(struct machine *m, u64 time, u32 pid, u32 tid);
/** st_mmap - executable, of user mode. */
void st_mmap(struct machine *m, u64 time, u32 pid, u32 tid, u64 start, u64 len, u64 pgoff,
	     const char *name);
/** st_mmap2 - apply an MMAP2 record with everything else given in @r (pid, tid, start, len, pgoff,
 * prot, filename...). */
void st_mmap2(struct machine *m, u64 time, u16 misc, const struct rec_mmap *r);
/**
 * st_object - write an object with one function, and map it for a process.
 * @dir: the folder that takes it under the name @name
 * @at: the address of its page; the function is at its beginning and has 32 bytes
 */
void st_object(struct machine *m, const char *dir, u32 pid, u64 at, const char *name,
	       const char *function);
void st_kernel(struct machine *m, u64 start, u64 len, u64 ref, const char *name);
void st_ksymbol(struct machine *m, u64 time, u64 addr, u32 len, const char *name, bool unregister);

/** st_comm_at, st_dso_at - texts of what a lookup gives; "" when nothing is mapped. */
const char *st_comm_at(const struct machine *m, u64 time, u32 pid, u32 tid);
const char *st_dso_at(const struct machine *m, u64 time, u32 pid, u32 tid, u64 addr);
const char *st_kernel_at(const struct machine *m, u64 time, u32 pid, u32 tid, u64 addr);

#endif
