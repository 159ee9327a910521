/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A daemon and its sessions as text. */
#ifndef PERF_DAEMON_SHOW_H
#define PERF_DAEMON_SHOW_H

#include "base/strbuf.h"
#include "daemon/session.h"

/* This is shown; every pointer is borrowed. */
struct daemon_shown {
	pid_t pid;
	const char *base;
	u64 started, now; /* of the clock, in ns */
	struct daemon_session *const *sessions;
	size_t nr;
};

/** show_list - append a line for the daemon and each session, and with @verbose more of each. */
void show_list(const struct daemon_shown *d, bool verbose, struct strbuf *out);
/** show_fields - append the same as fields with @separator between them. */
void show_fields(const struct daemon_shown *d, const char *separator, struct strbuf *out);
/** show_table - append a table of the sessions with their states. */
void show_table(const struct daemon_shown *d, struct strbuf *out);
/** show_json - append a JSON object of the daemon and its sessions. */
void show_json(const struct daemon_shown *d, struct strbuf *out);
/** show_metrics - append figures of the sessions as Prometheus reads them (text format 0.0.4). */
void show_metrics(const struct daemon_shown *d, struct strbuf *out);

#endif
