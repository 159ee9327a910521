// SPDX-License-Identifier: GPL-2.0-or-later
/* Test clients of the server, each a pair of sockets. */
#include "base/compat.h"
#include "http/http.h"

#include <setjmp.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static void put_page(void *ctx, struct strbuf *out)
{
	size_t *len = ctx;

	strbuf_grow(out, *len);
	for (size_t i = 0; i < *len; i++)
		strbuf_addch(out, 'x');
}

static size_t length = 5;
static const struct http_page page = {
	.path = "/p", .type = "text/x", .put = put_page, .ctx = &length
};

static int open_server(void **state)
{
	struct err err = { 0 };
	struct http *h = NULL;

	length = 5;
	if (http_open(&h, 0, &page, &err))
		return -1;
	*state = h;
	return 0;
}

static int close_server(void **state)
{
	http_close(*state);
	return 0;
}

/* Return: the client's end, which does not block. */
static int connect_to(struct http *h)
{
	int pair[2];

	assert_return_code(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair),
			   errno);
	http_take(h, pair[1]);
	return pair[0];
}

static void say(int fd, const char *text)
{
	assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

/* Serve until the server ends the response, which is appended to @out. */
static void hear(struct http *h, int fd, struct strbuf *out)
{
	char buf[4096];

	for (int i = 0; i < 10000; i++) {
		ssize_t n;

		http_serve(h);
		n = recv(fd, buf, sizeof(buf), 0);
		if (!n)
			return;
		if (n > 0)
			strbuf_add(out, buf, (size_t)n);
	}
	fail_msg("the response has no end");
}

static void test_in_pieces(void **state)
{
	static const char text[] = "GET /p HTTP/1.1\r\nHost: here\r\n\r\n";
	struct strbuf out = STRBUF_INIT;
	int fd = connect_to(*state);
	char c;

	for (const char *p = text; *p; p++) {
		assert_int_equal(recv(fd, &c, 1, 0), -1);
		assert_int_equal(send(fd, p, 1, 0), 1);
		http_serve(*state);
	}
	hear(*state, fd, &out);
	assert_non_null(strstr(strbuf_str(&out), "\r\n\r\nxxxxx"));
	strbuf_release(&out);
	close(fd);
}

/* More than a socket takes at once, and others are served meanwhile. */
static void test_large_page(void **state)
{
	struct strbuf slow = STRBUF_INIT, quick = STRBUF_INIT;
	int first = connect_to(*state), second = connect_to(*state);

	length = 3 << 20;
	say(first, "GET /p HTTP/1.0\r\n\r\n");
	http_serve(*state);
	say(second, "HEAD /p HTTP/1.0\r\n\r\n");
	hear(*state, second, &quick);
	assert_non_null(strstr(strbuf_str(&quick), "Content-Length: 3145728\r\n"));
	hear(*state, first, &slow);
	assert_true(slow.len > length);
	assert_string_equal(strbuf_str(&slow) + slow.len - 5, "xxxxx");
	strbuf_release(&slow);
	strbuf_release(&quick);
	close(first);
	close(second);
}

static void test_too_long(void **state)
{
	struct strbuf out = STRBUF_INIT, request = STRBUF_INIT;
	int fd = connect_to(*state);

	strbuf_addstr(&request, "GET /p HTTP/1.1\r\nA: ");
	while (request.len < 9000)
		strbuf_addch(&request, 'a');
	say(fd, strbuf_str(&request));
	hear(*state, fd, &out);
	assert_memory_equal(strbuf_str(&out), "HTTP/1.1 431 ", 13);
	strbuf_release(&out);
	strbuf_release(&request);
	close(fd);
}

/* Clients that say nothing do not keep others out: the oldest of them has to go. */
static void test_many_clients(void **state)
{
	struct strbuf out = STRBUF_INIT;
	int silent[40], fd;
	char c;

	for (size_t i = 0; i < ARRAY_SIZE(silent); i++)
		silent[i] = connect_to(*state);
	fd = connect_to(*state);
	say(fd, "GET /p HTTP/1.1\r\n\r\n");
	hear(*state, fd, &out);
	assert_memory_equal(strbuf_str(&out), "HTTP/1.1 200", 12);
	assert_int_equal(recv(silent[0], &c, 1, 0), 0);
	assert_int_equal(recv(silent[39], &c, 1, 0), -1);
	for (size_t i = 0; i < ARRAY_SIZE(silent); i++)
		close(silent[i]);
	strbuf_release(&out);
	close(fd);
}

static void test_client_gone(void **state)
{
	struct strbuf out = STRBUF_INIT;
	int fd = connect_to(*state);

	say(fd, "GET /p HT");
	http_serve(*state);
	close(fd);
	http_serve(*state);
	fd = connect_to(*state);
	say(fd, "GET /none HTTP/1.1\r\n\r\n");
	hear(*state, fd, &out);
	assert_memory_equal(strbuf_str(&out), "HTTP/1.1 404", 12);
	strbuf_release(&out);
	close(fd);
}

static void test_port(void **state)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_port = htons(http_port(*state)),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct strbuf out = STRBUF_INIT;
	struct err err = { 0 };
	struct http *other = NULL;

	assert_return_code(connect(fd, (struct sockaddr *)&at, sizeof(at)), errno);
	say(fd, "GET /p HTTP/1.1\r\n\r\n");
	http_serve(*state); /* the client is accepted here, and read in the next round */
	hear(*state, fd, &out);
	assert_memory_equal(strbuf_str(&out), "HTTP/1.1 200", 12);
	strbuf_release(&out);
	close(fd);
	assert_int_equal(http_open(&other, http_port(*state), &page, &err), -EADDRINUSE);
	assert_non_null(strstr(err.msg, "cannot listen on 127.0.0.1:"));
}

#define WITH_SERVER(f) cmocka_unit_test_setup_teardown(f, open_server, close_server)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_SERVER(test_in_pieces),   WITH_SERVER(test_large_page),
		WITH_SERVER(test_too_long),    WITH_SERVER(test_many_clients),
		WITH_SERVER(test_client_gone), WITH_SERVER(test_port),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
