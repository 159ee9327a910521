/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sessions that a daemon is to run, from a configuration file (cli/config.h):
 *
 *	[daemon]
 *	base = /var/lib/perf		; where it works
 *	metrics = 9123			; a port of 127.0.0.1 that serves /metrics
 *	[session-NAME]
 *	run = -e cpu-clock -a --overwrite --switch-output	; what follows "perf record"
 *	keep = 10,1G,7d			; at most so many dumps, so large, so old
 *	every = 1m			; events count in windows: one in each minute,
 *	for = 10s			; of ten seconds
 *	rate = 2%			; of one CPU, that recording may take
 *	on = psi:memory>10		; dump when this happens (daemon/trigger.h); may be a list
 */
#ifndef PERF_DAEMON_CONFIG_H
#define PERF_DAEMON_CONFIG_H

#include "base/compat.h"
#include "base/err.h"
#include "cli/config.h"
#include "cli/exec.h"
#include "daemon/trigger.h"

#define DAEMON_REASONS 16 /* a session has at most so many reasons to dump */

/* Dumps that are kept; 0: any. */
struct daemon_keep {
	u64 files, bytes, age; /* @age in ns */
};

struct daemon_session_config {
	char *name; /* owned */
	char *run;  /* owned; as it was written */
	struct daemon_keep keep;
	u64 every, window; /* ns; 0: events always count */
	u32 rate;          /* thousandths of a CPU; 0: any */
	struct trigger triggers[DAEMON_REASONS];
	u32 nr_triggers;
};

struct daemon_config {
	char *base; /* owned; NULL: the file does not say */
	bool metrics;
	u16 port;                               /* of the metrics */
	struct daemon_session_config *sessions; /* owned, in the order of the file */
	u32 nr_sessions;
	struct strbuf problems; /* lines about sessions that are left out; owned */
};

/**
 * daemon_config_read - read what a configuration says about a daemon. A session with a fault is
 * left out, and a line in out->problems tells why. daemon_config_release() frees @out.
 */
void daemon_config_read(struct daemon_config *out, const struct config *c);
/**
 * daemon_config_load - read configuration files and do what daemon_config_read() does.
 * @path: the file that was named; NULL: those that config_load() reads, of which @system is one
 * @whole: a file that can be read in part only is an error, since sessions would be missing
 * Return: 0, or a negative errno and a sentence, and @out is not to be used.
 */
int daemon_config_load(struct daemon_config *out, const char *path, const char *system, bool whole,
		       struct err *err);
void daemon_config_release(struct daemon_config *c);
/** daemon_config_same - tell whether a session needs no restart to become the other. */
bool daemon_config_same(const struct daemon_session_config *a,
			const struct daemon_session_config *b);
/** daemon_config_find - return the session of a name, or NULL. */
const struct daemon_session_config *daemon_config_find(const struct daemon_config *c,
						       const char *name);

/**
 * daemon_words - split a command line into words at blanks. Quotes and backslashes keep blanks, as
 * in a shell; nothing else has a meaning. Return: 0, or -EINVAL and a sentence.
 */
int daemon_words(const char *line, struct names *out, struct err *err);

#endif
