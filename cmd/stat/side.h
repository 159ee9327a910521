/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf stat: what shows counts beside the rows while it counts: --prometheus (stat-monitor.c) and
 * --live (stat-live.c). */
#ifndef PERF_CMD_STAT_SIDE_H
#define PERF_CMD_STAT_SIDE_H

#include "base/err.h"
#include "stattext/live.h"
#include "stat/totals.h"

#include <termios.h>

struct http;
struct stat_cmd;

/* Counts for a monitoring system. */
struct stat_monitor {
	const char *where; /* borrowed: a file, or :PORT; NULL: nobody asked */

	struct http *http;         /* owned; NULL: it is a file */
	struct stat_totals totals; /* since the start, all runs */
	struct stat_result result; /* the same to be shown; v is owned */
	struct count *none;        /* owned; what counted before the start: nothing */
	u64 earlier;               /* ns that the runs took which are over */
	struct strbuf page;        /* owned; what http shows */
	u64 page_at, page_cost; /* when it was made, CLOCK_MONOTONIC, and how long that took; ns */
	bool failed;            /* a file could not be written; it has been said */
};

/* The live view. */
struct stat_live {
	bool asked;

	bool on;               /* the screen is ours */
	bool changed;          /* so are the keys */
	bool utf8;             /* the terminal shows it */
	int screen, keys;      /* descriptors; keys: /dev/tty, or -1 */
	int signals;           /* signalfd of those that are about terminals */
	struct termios before; /* of keys, while changed */
	struct live live;
	u64 time; /* ns since the start, of the last interval */
};

struct stat_side {
	int fd; /* epoll: readable when something is to be done while waiting; -1: nothing ever */
	bool quit; /* somebody has pressed q */
	struct stat_monitor monitor;
	struct stat_live live;
};

/** side_start - the events are known. Return: 0, or negative errno and a sentence. */
int side_start(struct stat_cmd *s, struct err *err);
/** side_serve - do what can be done right now. */
void side_serve(struct stat_cmd *s);
/** side_interval - s->result is of another interval. @time: ns since the start */
void side_interval(struct stat_cmd *s, u64 time);
/** side_run_end - s->counts are those of the whole run. */
void side_run_end(struct stat_cmd *s);
/** side_run_over - the events of this run are about to be closed. */
void side_run_over(struct stat_cmd *s);
/** side_leave - give the terminal back: what is printed next is to stay there. */
void side_leave(struct stat_cmd *s);
/** side_end - nothing will come. Return: 0, or -1 when something could not be written. */
int side_end(struct stat_cmd *s);

/* What those consist of. */
int monitor_start(struct stat_cmd *s, struct err *err);
void monitor_interval(struct stat_cmd *s);
void monitor_run_over(struct stat_cmd *s);
int monitor_end(struct stat_cmd *s);
int live_start(struct stat_cmd *s, struct err *err);
void live_serve(struct stat_cmd *s);
void live_interval(struct stat_cmd *s, u64 time);
void live_show(struct stat_cmd *s);
void live_leave(struct stat_cmd *s);
void live_end(struct stat_cmd *s);

#endif
