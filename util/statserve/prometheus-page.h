/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts for a monitoring system while they are counted: in a file that is always whole, or on a
 * page over HTTP. What the text looks like is stattext/prometheus.h's. */
#ifndef PERF_STATSERVE_PROMETHEUS_PAGE_H
#define PERF_STATSERVE_PROMETHEUS_PAGE_H

#include "base/notice.h"
#include "statrun/statrun.h"
#include "stattext/stattext.h"

struct prometheus_page;

/**
 * prometheus_page_open - show the counts of @run from now on.
 * @where: a file, or ":PORT" of 127.0.0.1, where port 0 is any that is free; borrowed
 * @view: how counts are told apart and named; borrowed
 * @run: borrowed, and not started yet: its event loop serves the page
 * @notices: is told the first failure to write the file; borrowed
 * Return: 0, or negative errno and a sentence.
 */
int prometheus_page_open(struct prometheus_page **out, const char *where,
			 const struct stat_view *view, struct stat_run *run,
			 const struct notices *notices, struct err *err);

/* The other functions do nothing when the page is NULL. */

/** prometheus_page_port - return the port of the page; 0: it is a file. */
u16 prometheus_page_port(const struct prometheus_page *p);
/** prometheus_page_interval - take the counts that were read at the end of an interval. */
void prometheus_page_interval(struct prometheus_page *p);
/** prometheus_page_run_end - note that a run has ended, and the counts of the next one begin at
 * zero. */
void prometheus_page_run_end(struct prometheus_page *p);
/** prometheus_page_close - end all connections and free. Return: 0, or the negative errno of the
 * first failure to write the file. */
int prometheus_page_close(struct prometheus_page *p);

#endif
