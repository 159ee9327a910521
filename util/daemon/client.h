/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_DAEMON_CLIENT_H
#define PERF_DAEMON_CLIENT_H

#include "base/err.h"
#include "daemon/request.h"

/**
 * daemon_ask - ask the daemon of a base directory, and append its text to @out. A request to stop
 * is answered when all is written.
 * Return: the status of the answer, 0 or more; or negative errno and a sentence.
 */
int daemon_ask(const char *base, const struct daemon_request *r, struct strbuf *out,
	       struct err *err);
/** daemon_socket - connect to the socket of a base directory, or bind it (@listen). The
 * path may be longer than an address has room for. Return: a descriptor, or negative errno. */
int daemon_socket(const char *base, bool listens);

#endif
