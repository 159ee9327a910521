/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The copy of perf that has capabilities. A package may install perf twice: once for everybody,
 * without rights of its own, and once with file capabilities, which only the members of one group
 * can execute (packaging/debian/README.Debian). The first becomes the second where that is allowed,
 * so that all users type the same command.
 */
#ifndef PERF_CLI_PRIVILEGED_H
#define PERF_CLI_PRIVILEGED_H

#include <stdbool.h>

/** privileged_start - in the copy with capabilities, give the variables back to the environment
 * that the loader takes away from such programs. The commands that are measured need them. */
void privileged_start(void);

/**
 * privileged_become - execute the copy with capabilities with the same arguments, where it is
 * installed and this user may. Returns when there is none, or this is it.
 * @copy: its path
 * @installed: the folder of the perf that may become the copy; one in somebody's build folder may
 *	not
 * @argv: of main()
 */
void privileged_become(const char *copy, const char *installed, const char **argv);

/** privileged_drop - give up the capabilities that the file gave, for good: before files are read,
 * which may load code of the user. @names: keep CAP_SYSLOG, with which the kernel tells the
 * addresses of its functions. Without such capabilities it does nothing. */
void privileged_drop(bool names);

#endif
