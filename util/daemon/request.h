/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clients ask a daemon through the socket "control" in its base directory. A request is one line
 * of fields with tabs between them:
 *
 *	VERB \t VERBOSE \t SESSION \t SEPARATOR \n
 *
 * The answer is a line with the exit status of the client, and text up to the end.
 */
#ifndef PERF_DAEMON_REQUEST_H
#define PERF_DAEMON_REQUEST_H

#include "base/strbuf.h"

#define REQUEST_MOST 512 /* bytes of a request, with its newline */

enum request_verb { REQUEST_LIST, REQUEST_STATUS, REQUEST_SIGNAL, REQUEST_PING, REQUEST_STOP };

struct daemon_request {
	enum request_verb verb;
	bool verbose;       /* list: more lines */
	char session[65];   /* signal, ping: this one; "": all */
	char separator[64]; /* list: fields with this between them; "": text. status: "json" */
};

/** request_put - append the line of a request. Return: 0, or -EINVAL when a field has characters
 * that a line cannot have. */
int request_put(const struct daemon_request *r, struct strbuf *out);
/** request_parse - read the @len bytes of a line, without its newline. Return: 0 or -EINVAL. */
int request_parse(struct daemon_request *r, const char *line, size_t len);

#endif
