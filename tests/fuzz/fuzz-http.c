// SPDX-License-Identifier: GPL-2.0-or-later
/* Requests to the server of one page: whatever the bytes are, there is one whole response. */
#include "base/compat.h"
#include "http/page.h"

#include "base/alloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_page(void *ctx, struct strbuf *out)
{
	strbuf_addstr(out, "page\n");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct http_page page = { .path = "/p", .type = "t", .put = put_page };
	char *head = size ? memcpy(xzalloc(size), data, size) : xzalloc(1);
	struct strbuf out = STRBUF_INIT;
	size_t end = http_head_end(head, size);

	if (end > size || (end && head[end - 1] != '\n'))
		abort();
	http_respond(&page, head, end ? end : size, &out);
	if (strncmp(strbuf_str(&out), "HTTP/1.1 ", 9) || !strstr(strbuf_str(&out), "\r\n\r\n"))
		abort();
	strbuf_release(&out);
	free(head);
	return 0;
}
