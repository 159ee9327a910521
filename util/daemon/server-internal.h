/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_DAEMON_SERVER_INTERNAL_H
#define PERF_DAEMON_SERVER_INTERNAL_H

#include "daemon/request.h"
#include "daemon/server.h"
#include "daemon/session.h"
#include "http/http.h"
#include "kernel/event-loop.h"

#define CLIENTS 16

/* Somebody who asks; @fd -1: nobody. */
struct daemon_client {
	int fd;
	u64 until; /* it has to have asked by then */
	size_t len;
	char line[REQUEST_MOST];
};

struct daemon_server {
	struct daemon_server_opts opts;
	int dir, lock, listens, inotify; /* -1 */
	struct event_loop *loop;
	struct daemon_session **sessions;
	size_t nr;
	struct daemon_client clients[CLIENTS];
	u32 nr_clients;
	int stoppers[CLIENTS]; /* those who wait for the end */
	u32 nr_stoppers;
	struct http *http;
	struct http_page page;
	u32 metrics;    /* the port that the configuration asks for, and one more; 0: none */
	char *had_base; /* the configuration's when the daemon was started; owned */
	u64 stamp;      /* of the files of the configuration, at the last look */
	struct daemon_teller teller;
	char *told; /* problems of the configuration; owned */
	u64 started, reload_at;
	bool changed; /* the configuration is to be looked at again */
	bool stopping;
};

/** server_now - return the time of the clock that all times here are of, in ns. */
u64 server_now(void);
/** server_say - write a line into the daemon's output. */
void server_say(const struct daemon_server *d, const char *fmt, ...) __printf(2, 3);
/** server_stop - end all sessions, and then the daemon; the second time without waiting for
 * data. */
void server_stop(struct daemon_server *d);
/** server_accept - take a client. It is an event_ready_fn. */
int server_accept(void *ctx, int fd, u32 events, struct err *err);
/** server_old_clients - drop those that have not asked in time. */
void server_old_clients(struct daemon_server *d, u64 now);
/** server_drop_clients - drop all but those who wait for the end. */
void server_drop_clients(struct daemon_server *d);
/** server_answer_stoppers - tell those who wait for the end that it is there. */
void server_answer_stoppers(struct daemon_server *d);
/** server_serve_metrics - serve /metrics where the configuration says, or no more. */
void server_serve_metrics(struct daemon_server *d, const struct daemon_config *c);

#endif
