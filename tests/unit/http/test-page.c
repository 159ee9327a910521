// SPDX-License-Identifier: GPL-2.0-or-later
/* Test requests and the responses to them, as bytes. */
#include "base/compat.h"
#include "http/page.h"

#include <setjmp.h>
#include <cmocka.h>

static void put_page(void *ctx, struct strbuf *out)
{
	strbuf_addstr(out, ctx);
}

static const struct http_page page = {
	.path = "/metrics", .type = "text/x", .put = put_page, .ctx = (void *)"up 1\n"
};

/* The response to a request must begin with @status and end with @body. */
static void check(const struct http_page *p, const char *request, const char *status,
		  const char *body)
{
	struct strbuf head = STRBUF_INIT, out = STRBUF_INIT, want = STRBUF_INIT;
	char *end;

	strbuf_addstr(&head, request);
	http_respond(p, head.buf, head.len, &out);
	strbuf_addf(&want, "HTTP/1.1 %s\r\n", status);
	assert_memory_equal(strbuf_str(&out), strbuf_str(&want), want.len);
	end = strstr(strbuf_str(&out), "\r\n\r\n");
	assert_non_null(end);
	assert_string_equal(end + 4, body);
	strbuf_release(&head);
	strbuf_release(&out);
	strbuf_release(&want);
}

static void test_found(void **state)
{
	struct strbuf out = STRBUF_INIT;
	char head[] = "GET /metrics HTTP/1.0\r\n\r\n";

	http_respond(&page, head, strlen(head), &out);
	assert_string_equal(strbuf_str(&out),
			    "HTTP/1.1 200 OK\r\nContent-Type: text/x\r\n"
			    "Content-Length: 5\r\nConnection: close\r\n\r\nup 1\n");
	strbuf_release(&out);
	check(&page, "GET /metrics HTTP/1.1\nHost: x\n\n", "200 OK", "up 1\n");
	check(&page, "GET /metrics?a=b#c HTTP/1.1\r\n\r\n", "200 OK", "up 1\n");
	check(&page, "HEAD /metrics HTTP/1.1\r\n\r\n", "200 OK", "");
}

static void test_refused(void **state)
{
	const struct http_page hidden = { .path = "/secret", .hidden = true, .put = put_page };
	struct strbuf out = STRBUF_INIT;

	check(&page, "GET / HTTP/1.1\r\n\r\n", "404 Not Found",
	      "404 Not Found: there is /metrics\n");
	check(&hidden, "GET / HTTP/1.1\r\n\r\n", "404 Not Found", "404 Not Found\n");
	check(&page, "POST /metrics HTTP/1.1\r\n\r\n", "405 Method Not Allowed",
	      "405 Method Not Allowed: there is /metrics\n");
	http_refuse(&page, "405 Method Not Allowed", &out);
	assert_non_null(strstr(strbuf_str(&out), "\r\nAllow: GET, HEAD\r\n"));
	strbuf_release(&out);
}

static void test_malformed(void **state)
{
	static const char *const lines[] = {
		"",
		"GET",
		"GET /metrics",
		"GET  /metrics HTTP/1.1",
		"GET /metrics HTTP/2.0",
		"GET /metrics HTTP/1.12",
		"GET /metrics HTTP/1.",
		"GET /metrics HTTP/1.1 more",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct strbuf request = STRBUF_INIT;

		strbuf_addf(&request, "%s\r\n\r\n", lines[i]);
		check(&page, strbuf_str(&request), "400 Bad Request",
		      "400 Bad Request: there is /metrics\n");
		strbuf_release(&request);
	}
}

/* Bytes of zero end no string before its time, and no end of line is needed. */
static void test_raw_bytes(void **state)
{
	char zero[] = "GET /metrics\0 HTTP/1.1\r\n\r\n", open[] = "GET /metrics HTTP/1.1";
	struct strbuf out = STRBUF_INIT;

	http_respond(&page, zero, sizeof(zero) - 1, &out);
	assert_memory_equal(strbuf_str(&out), "HTTP/1.1 400", 12);
	http_respond(&page, open, sizeof(open) - 1, &out);
	assert_memory_equal(strbuf_str(&out), "HTTP/1.1 400", 12);
	strbuf_release(&out);
}

static void test_head_end(void **state)
{
	static const char text[] = "GET / HTTP/1.1\r\nA: b\r\n\r\nrest";
	size_t end = sizeof(text) - sizeof("rest");

	for (size_t len = 0; len < end; len++)
		assert_int_equal(http_head_end(text, len), 0);
	assert_int_equal(http_head_end(text, sizeof(text)), end);
	assert_int_equal(http_head_end("GET\n\n", 5), 5);
	assert_int_equal(http_head_end("GET\n\r", 5), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),     cmocka_unit_test(test_refused),
		cmocka_unit_test(test_malformed), cmocka_unit_test(test_raw_bytes),
		cmocka_unit_test(test_head_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
