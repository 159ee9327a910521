/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A server of one page over HTTP, for clients on this machine only. Nothing in here blocks, because
 * the caller must not wait, and the memory that clients can occupy is limited.
 */
#ifndef PERF_HTTP_HTTP_H
#define PERF_HTTP_HTTP_H

#include "base/err.h"
#include "http/page.h"

struct http;

/**
 * http_open - listen on 127.0.0.1.
 * @port: 0: any that is free
 * @page: what is served; borrowed until http_close()
 * Return: 0, or negative errno and a sentence.
 */
int http_open(struct http **out, u16 port, const struct http_page *page, struct err *err);
/** http_port - return the port it listens on. */
u16 http_port(const struct http *h);
/** http_fd - return the descriptor that is readable when http_serve() has something to do. */
int http_fd(const struct http *h);
/**
 * http_take - serve a client that is connected already. Without a free place the oldest client is
 * dropped. @fd: a socket that does not block; owned
 */
void http_take(struct http *h, int fd);
/** http_serve - do what can be done right now. */
void http_serve(struct http *h);
/** http_close - end all connections and free; NULL is fine. */
void http_close(struct http *h);

#endif
