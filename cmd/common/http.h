/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A server of one page over HTTP, for clients on this machine only. Nothing in here blocks, because
 * the caller must not wait, and the memory that clients can occupy is limited.
 */
#ifndef PERF_CMD_COMMON_HTTP_H
#define PERF_CMD_COMMON_HTTP_H

#include "base/err.h"
#include "base/strbuf.h"

struct http;

/* The page as it is now, appended to @out. */
typedef void http_page_fn(void *ctx, struct strbuf *out);

/**
 * http_open - listen on 127.0.0.1.
 * @port: 0: any that is free
 * @path: of the page, "/metrics"; anything else is not found. Borrowed
 * @type: what the page is, "text/plain". Borrowed
 * Return: 0, or negative errno and a sentence.
 */
int http_open(struct http **out, u16 port, const char *path, const char *type, http_page_fn *fn,
	      void *ctx, struct err *err);
/** http_hide - do not name the path of the page in answers to requests for other paths. */
void http_hide(struct http *h);
/** http_port - where it listens. */
u16 http_port(const struct http *h);
/** http_fd - readable when http_serve() has something to do. */
int http_fd(const struct http *h);
/** http_serve - do what can be done right now. */
void http_serve(struct http *h);
/** http_close - end all connections and free; NULL is fine. */
void http_close(struct http *h);

#endif
