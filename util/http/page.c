// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "http/page.h"

size_t http_head_end(const char *head, size_t len)
{
	for (size_t i = 0; i + 1 < len; i++) {
		if (head[i] != '\n')
			continue;
		if (head[i + 1] == '\n')
			return i + 2;
		if (i + 2 < len && head[i + 1] == '\r' && head[i + 2] == '\n')
			return i + 3;
	}
	return 0;
}

static void put_response(const char *status, const char *type, const struct strbuf *body,
			 bool with_body, struct strbuf *out)
{
	strbuf_reset(out);
	strbuf_addf(out,
		    "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%s"
		    "Connection: close\r\n\r\n",
		    status, type, body->len,
		    strncmp(status, "405", 3) ? "" : "Allow: GET, HEAD\r\n");
	if (with_body)
		strbuf_add(out, strbuf_str(body), body->len);
}

void http_refuse(const struct http_page *page, const char *status, struct strbuf *out)
{
	struct strbuf body = STRBUF_INIT;

	strbuf_addstr(&body, status);
	if (!page->hidden)
		strbuf_addf(&body, ": there is %s", page->path);
	strbuf_addch(&body, '\n');
	put_response(status, "text/plain", &body, true, out);
	strbuf_release(&body);
}

/* Split the first line in place: method, target, version with one blank between. */
static bool split_line(char *head, size_t len, char **method, char **target)
{
	char *end = memchr(head, '\n', len), *version;

	if (!end || memchr(head, '\0', (size_t)(end - head)))
		return false;
	*end = '\0';
	if (end > head && end[-1] == '\r')
		end[-1] = '\0';
	*method = head;
	*target = strchr(head, ' ');
	if (!*target)
		return false;
	*(*target)++ = '\0';
	version = strchr(*target, ' ');
	if (!version)
		return false;
	*version++ = '\0';
	return !strncmp(version, "HTTP/1.", 7) && version[7] >= '0' && version[7] <= '9' &&
	       !version[8];
}

void http_respond(const struct http_page *page, char *head, size_t len, struct strbuf *out)
{
	struct strbuf body = STRBUF_INIT;
	char *method, *target;

	if (!split_line(head, len, &method, &target)) {
		http_refuse(page, "400 Bad Request", out);
	} else if (strcmp(method, "GET") && strcmp(method, "HEAD")) {
		http_refuse(page, "405 Method Not Allowed", out);
	} else {
		target[strcspn(target, "?#")] = '\0';
		if (strcmp(target, page->path)) {
			http_refuse(page, "404 Not Found", out);
		} else {
			page->put(page->ctx, &body);
			put_response("200 OK", page->type, &body, *method == 'G', out);
		}
	}
	strbuf_release(&body);
}
