/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ELF files that a recording will be about: a program, and the libraries that it needs. The
 * sets have ids from 1 on; the program comes first. */
#ifndef PERF_RECORDUNWIND_OBJECTS_H
#define PERF_RECORDUNWIND_OBJECTS_H

#include "base/intern.h"
#include "base/sysroot.h"

/**
 * objects_of_command - add the program that a command runs, which is its interpreter if it is a
 * script, and the libraries that it names, with those that they name. Libraries that are not where
 * the loader looks first are left out.
 */
void objects_of_command(struct intern *objects, const char *command);
/** objects_of_process - add the files that a process has mapped as code. @except: a file that is
 * left out; may be NULL */
void objects_of_process(struct intern *objects, const struct sysroot *sr, u32 pid,
			const char *except);

#endif
