/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The function graph is printed as the kernel prints it: functions are lines that are
 * indented by their depth, with the time that each took; other events as comments at their place.
 */
#ifndef PERF_FTRACETEXT_GRAPH_H
#define PERF_FTRACETEXT_GRAPH_H

#include "ftracetext/line.h"

struct fgraph_show {
	bool tasks;   /* each line has the task */
	bool times;   /* ... and the time when it was recorded */
	bool state;   /* ... and the state of the CPU */
	bool tail;    /* the end of each function has its name */
	bool hex;     /* values that functions return are never decimal */
	u64 irqs;     /* the functions that interrupts enter the kernel by are from here */
	u64 irqs_end; /* ... up to here, and have marks; 0: nobody knows where they are */
	u32 nr_cpus;
};

struct fgraph;

/** fgraph_new - begin. fgraph_free() frees the result. @t, @show: borrowed */
struct fgraph *fgraph_new(struct ftext *t, const struct fgraph_show *show);
void fgraph_free(struct fgraph *g);
/**
 * fgraph_line - append what one event is in the graph.
 * @m: where it comes from: a function that calls no other one is one line, so that the event which
 *	follows on the same CPU may be taken, too. NULL: it is not looked for.
 */
void fgraph_line(struct fgraph *g, struct fmerge *m, const struct fmerge_event *ev,
		 struct strbuf *out);
/** fgraph_header - append the lines above the graph, for a kernel that does not show its own. */
void fgraph_header(const struct fgraph_show *show, struct strbuf *out);

/* One function that has returned. */
struct fgraph_exit {
	u64 function, start, end; /* ns */
	s32 pid, depth;
};

/**
 * fgraph_is_exit - read an event that tells of the end of a function. Return: false when it is
 * another event.
 */
bool fgraph_is_exit(struct fgraph *g, const struct fpage_event *ev, struct fgraph_exit *out);

#endif
