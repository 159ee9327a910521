/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The daemon: it keeps sessions running as a configuration says, and answers clients. */
#ifndef PERF_DAEMON_SERVER_H
#define PERF_DAEMON_SERVER_H

#include "base/err.h"
#include "base/sysroot.h"
#include "daemon/config.h"

struct daemon_server;

/* Everything is borrowed. */
struct daemon_server_opts {
	const char *base; /* an absolute path */
	const struct sysroot *sysroot;
	/* The files of the configuration, absolute paths, which are watched. */
	const char *const *files;
	size_t nr_files;
	/* Read the configuration again. Return: 0, or negative errno and a sentence. */
	int (*load)(void *ctx, struct daemon_config *out, struct err *err);
	void *ctx;
};

/**
 * daemon_server_open - make the base directory a daemon's: it is made, locked and gets its socket.
 * Only one daemon can have it. Return: 0; -EBUSY: another one has it; or another negative errno.
 * There is a sentence for each.
 */
int daemon_server_open(struct daemon_server **out, const struct daemon_server_opts *o,
		       struct err *err);
/**
 * daemon_server_detach - go into the background: the function returns in a new process, too, which
 * has no terminal and is the daemon. What that says is in the file BASE/output.
 * Return: 0 in the daemon; 1 in the caller's process, where closing the server takes nothing from
 * the daemon; or negative errno and a sentence.
 */
int daemon_server_detach(struct daemon_server *d, struct err *err);
/** daemon_server_run - run until a client or a signal ends it and all sessions have written their
 * data. Return: 0, or negative errno and a sentence. */
int daemon_server_run(struct daemon_server *d, struct err *err);
/** daemon_server_close - give the base directory up and free; NULL is fine. */
void daemon_server_close(struct daemon_server *d);

#endif
