/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of system calls by their numbers, and the reverse. */
#ifndef PERF_ARCH_SYSCALLS_H
#define PERF_ARCH_SYSCALLS_H

#include "base/compat.h"

/** System calls whose numbers follow each other. A run without names ends a table. */
struct syscall_run {
	u32 first;         /* the number of the first name */
	const char *names; /* with a blank between them */
};

/** The numbers of <asm-generic/unistd.h>, which architectures of 64 bits have since arm64. */
extern const struct syscall_run generic_syscalls[];

/**
 * syscall_name - find the name of a system call.
 * @machine: the ELF machine number of the programs that call it, EM_*
 * @len: receives the length of the name, behind which other names follow
 * Return: the name, or NULL if the number or the machine is unknown.
 */
const char *syscall_name(u32 machine, u32 nr, size_t *len);

/** syscall_number - find the number of a system call; -1 if the name or the machine is unknown. */
int syscall_number(u32 machine, const char *name);

/**
 * syscall_each - call @fn for each system call that programs of a machine can make.
 * @name: @len bytes, behind which other names follow
 */
void syscall_each(u32 machine, void (*fn)(void *ctx, u32 nr, const char *name, size_t len),
		  void *ctx);

#endif
