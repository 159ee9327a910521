/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pieces that both kinds of pictures are made of. */
#ifndef PERF_TIMECHART_TIMECHART_INTERNAL_H
#define PERF_TIMECHART_TIMECHART_INTERNAL_H

#include "timechart/timechart.h"

#define CHART_LEFT 210 /* pixels for the names of rows */
#define CHART_TOP 50   /* pixels for the legend and the times */
#define CHART_ROW 26   /* pixels of the row of a task */
#define CHART_GAP 4    /* pixels between rows */

/* The colours. */
enum shade {
	SHADE_NONE, /* it is not drawn */
	SHADE_RUNNING,
	SHADE_HIGHLIGHT,
	SHADE_WAITING,
	SHADE_BLOCKED,
	SHADE_SLEEPING,
	SHADE_C1, /* followed by those of deeper idle states */
	SHADE_C6 = SHADE_C1 + 5,
	SHADE_INTERRUPT,
	SHADE_SOFTIRQ,
	SHADE_DISK,
	SHADE_NET,
	SHADE_SYNC,
	SHADE_POLL,
	SHADE_ERROR,
	SHADES
};

/* A picture while it is written. */
struct chart {
	const struct timechart_conf *conf;
	struct export_out *out;
	u64 start, end; /* ns */
	double scale;   /* pixels for a ns */
	u64 grain;      /* ns; what is shorter is merged: a pixel, or more if there are many rows */
	u32 height;     /* of the whole picture */
};

struct chart_legend {
	enum shade shade;
	const char *text;
};

/** chart_begin - write the head, the lines of time and the legend. @height: of all rows */
void chart_begin(struct chart *c, u32 height, const struct chart_legend *legend, size_t nr);
void chart_end(struct chart *c);

/** chart_number - append pixels with one digit behind the point, if it is not 0. */
void chart_number(struct strbuf *out, double pixels);
/** chart_when - append a time as seconds since the picture's start: "0.123456 s". */
void chart_when(const struct chart *c, u64 time, struct strbuf *out);

/** chart_x - return the place of a time, in pixels. */
static inline double chart_x(const struct chart *c, u64 time)
{
	u64 inside = MIN(MAX(time, c->start), c->end);

	return CHART_LEFT + (double)(inside - c->start) * c->scale;
}

/** chart_label - write the name of a row in front of it. @text: is escaped */
void chart_label(struct chart *c, double y, const char *text);
/** chart_box - draw the background of a row. */
void chart_box(struct chart *c, double y, double height);
/** chart_rect_open - begin a rectangle, whose contents chart_rect_close() ends. */
void chart_rect_open(struct chart *c, u64 from, u64 to, double y, double height, enum shade shade);
void chart_rect_close(struct chart *c);

/* Rectangles that are not worth an element each: a path for each shade. */
struct chart_paths {
	struct strbuf of[SHADES];
};

/** chart_paths_add - add a rectangle. chart_paths_flush() writes all and frees them. */
void chart_paths_add(struct chart *c, struct chart_paths *p, u64 from, u64 to, double y,
		     double height, enum shade shade);
void chart_paths_flush(struct chart *c, struct chart_paths *p);

/* It tells how a row shows its lane. */
struct chart_row {
	double y, height;
	const struct lane *lane;
	void *ctx;
	enum shade (*shade)(void *ctx, const struct lane_interval *i);
	/* Append what is shown when the pointer is at it; it is escaped afterwards. */
	void (*title)(void *ctx, const struct lane_interval *i, struct strbuf *out);
	/* Append what stands in intervals that are wide enough for it; NULL: nothing. */
	void (*name)(void *ctx, const struct lane_interval *i, struct strbuf *out);
};

/** chart_lane - draw a lane: wide intervals one by one, the others as columns of shares. */
void chart_lane(struct chart *c, const struct chart_row *row);

/* A task that is shown. */
struct chart_task {
	u32 number; /* of the lane, or of the task */
	u64 weight; /* ns that it ran, or bytes that it moved */
};

/** chart_selected - tell whether the user has named a task, by its name, pid or tid. */
bool chart_selected(const struct timechart_conf *conf, const struct task_at *task);
/** chart_shows - tell whether a task has a place where all tasks have one that were not left out by
 * name or by kind. */
bool chart_shows(const struct timechart_conf *conf, const struct task_at *task);
/**
 * chart_choose - keep the tasks that are shown, in their order: those selected, or those whose
 * weight reaches @least, which is halved until there are enough of them.
 * @ids: by number, the id of each of the @nr tasks
 * Return: their number.
 */
size_t chart_choose(const struct timechart_conf *conf, const u32 *ids, u64 least,
		    struct chart_task *tasks, size_t nr);
/** chart_cpus - return the CPUs of which something was recorded, in the order of their rows. The
 * caller frees the array. @nr: receives their number */
u32 *chart_cpus(const struct timechart_conf *conf, const struct timeline_lanes *lanes, u32 *nr);
/** chart_task_text - append the name of a task and its number: "sh:123". */
void chart_task_text(const struct timechart_conf *conf, u32 id, struct strbuf *out);

/** chart_others - return the number of other events that are shown. */
static inline u32 chart_others(const struct timechart_conf *conf)
{
	return conf->others ? conf->others->nr_events : 0;
}
/** chart_other_name - return the name of another event by its number. */
static inline const char *chart_other_name(const struct timechart_conf *conf, u32 number)
{
	return conf->events->evsels[conf->others->events[number].event]->name;
}
/**
 * chart_other_place - tell where another event is shown: in the lane of its task or, without one,
 * in the row of its CPU.
 * @lane_of: by the ids of @nr tasks, the number of the lane + 1; 0: it has none
 * @lane: receives that of the event
 * Return: false: it is not shown, or happened at another time.
 */
bool chart_other_place(const struct timechart_conf *conf, const struct timeline_lanes *lanes,
		       const struct other_mark *m, const u32 *lane_of, u32 nr, u32 *lane);
/** chart_queues - return the number of queues that are shown. */
static inline u32 chart_queues(const struct timechart_conf *conf)
{
	return conf->queues ? conf->queues->nr : 0;
}
/** chart_queue_text - append what a queue is and its name: "workqueue events", "vda". */
void chart_queue_text(const struct timechart_conf *conf, const struct queue *q, struct strbuf *out);

/**
 * chart_chain - append the functions in which a task slept or was blocked, innermost first.
 * @task: number of its lane
 * Return: false: they are not known, or it did something else.
 */
bool chart_chain(const struct timechart_conf *conf, const struct timeline_lanes *lanes, u32 task,
		 const struct lane_interval *i, struct strbuf *out);

#endif
