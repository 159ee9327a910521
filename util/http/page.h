/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read requests and write responses of HTTP/1.0 and 1.1 (RFC 9112), as far as one page takes it. */
#ifndef PERF_HTTP_PAGE_H
#define PERF_HTTP_PAGE_H

#include "base/strbuf.h"

/* The page that is served; every pointer is borrowed. */
struct http_page {
	const char *path; /* of the page, "/metrics"; any other path is not found */
	const char *type; /* its media type, "text/plain" */
	bool hidden;      /* responses to requests for other paths do not name the path */
	void (*put)(void *ctx, struct strbuf *out); /* append the page as it is now */
	void *ctx;
};

/** http_head_end - return the length of a request's head with its empty line, or 0 when that line
 * is not among the @len bytes. */
size_t http_head_end(const char *head, size_t len);

/**
 * http_respond - make the response to a request.
 * @head: the bytes of the request; its first line is cut into its parts in place
 * @out: replaced by the bytes of the response
 */
void http_respond(const struct http_page *page, char *head, size_t len, struct strbuf *out);

/** http_refuse - make a response that has @status, "404 Not Found", and a line of text. */
void http_refuse(const struct http_page *page, const char *status, struct strbuf *out);

#endif
