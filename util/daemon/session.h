/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session: a perf record that a daemon starts in a directory of its own and looks after. It is
 * told what to do through its control channel (perf record --control).
 */
#ifndef PERF_DAEMON_SESSION_H
#define PERF_DAEMON_SESSION_H

#include "base/compat.h"
#include "base/err.h"
#include "base/sysroot.h"
#include "daemon/config.h"

#include <sys/types.h>

enum session_state {
	SESSION_RUNS,
	SESSION_WAITS, /* it has failed and is started again at @due */
	SESSION_DONE,  /* its command has ended by itself */
	SESSION_ENDS,  /* it was told to end */
};

struct daemon_session {
	struct daemon_session_config config; /* a copy; owned */
	enum session_state state;
	char *dir;          /* "BASE/session-NAME"; owned */
	pid_t pid;          /* 0: none */
	int control, ack;   /* fifos; -1 */
	u64 started, due;   /* of the clock, in ns */
	u32 failures;       /* one after the other */
	int status;         /* of the last end, as from waitpid() */
	u64 dumps;          /* that were asked for */
	bool counts, over;  /* events are enabled; the budget is used up */
	bool gone;          /* the configuration has it no more */
	u64 cpu_ns, cpu_at; /* at the last look at the budget */
	u32 cpu_share;      /* thousandths of a CPU, lately */
	struct trigger_watch watches[DAEMON_REASONS];
	bool told[DAEMON_REASONS]; /* that a reason cannot be looked at */
};

/** What happens is told through this, a line without newline. */
typedef void daemon_say_fn(void *ctx, const char *line);

struct daemon_teller {
	daemon_say_fn *say;
	void *ctx;
};

/** session_new - make a session that is not started. The caller calls session_free(). */
struct daemon_session *session_new(const char *base, const struct daemon_session_config *c);
void session_free(struct daemon_session *s);

/** session_start - start it in its directory, which is made. Return: 0, or negative errno and a
 * sentence. */
int session_start(struct daemon_session *s, u64 now, struct err *err);
/** session_ended - note that its process has ended with a status of waitpid(). Unless it was told
 * to end, or ended well, it is due to start again after a pause that grows. */
void session_ended(struct daemon_session *s, int status, u64 now, const struct daemon_teller *t);
/** session_tick - do what is due at @now: start it again, open and close its window, look at its
 * budget and its reasons to dump, remove old dumps. */
void session_tick(struct daemon_session *s, const struct sysroot *sr, u64 now,
		  const struct daemon_teller *t);
/** session_due - return the time of the next tick that matters, at most a second away. */
u64 session_due(const struct daemon_session *s, u64 now);
/** session_signal - have it dump (SIGUSR2). Return: 0, or negative errno. */
int session_signal(struct daemon_session *s);
/** session_end - tell it to write its data and end; @hard: to end at once. */
void session_end(struct daemon_session *s, bool hard);
/** session_ping - send it a ping; the answer is awaited by session_pong(). Return: 0 or negative
 * errno. */
int session_ping(struct daemon_session *s);
/** session_pong - wait for the answer until @until. Return: whether it came. */
bool session_pong(struct daemon_session *s, u64 until);

/** session_pause - return the ns that a session waits which has failed so often in turn: 1, 2, 4
 * ... 60 s. */
u64 session_pause(u32 failures);
/** session_window - tell whether events count at @since ns after the start, and store when that
 * changes. @every: 0: always */
bool session_window(u64 every, u64 window, u64 since, u64 *change);

#endif
