// SPDX-License-Identifier: GPL-2.0-or-later
/* Serve connections: take a request, send a response, and end. */
#include "base/compat.h"
#include "http/http.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define MOST_CLIENTS 32
#define MOST_HEAD 8192          /* bytes of a request */
#define MOST_TIME 5000000000ULL /* ns for a request; then to take some of the answer */
#define MOST_TURNS 16           /* things done before the others get their turn */

enum state { READING, WRITING, DRAINING };

struct client {
	int fd; /* -1: free */
	enum state state;
	u64 until;
	char head[MOST_HEAD];
	size_t len;
	struct strbuf answer;
	size_t sent;
};

struct http {
	int epoll, listener, timer;
	bool ticking, deaf; /* deaf: there was no descriptor left for a client */
	u16 port;
	const struct http_page *page;
	struct client clients[MOST_CLIENTS];
};

/* The tags by which epoll tells us of descriptors; those of clients are smaller. */
enum { TAG_LISTENER = MOST_CLIENTS, TAG_TIMER };

static void watch(struct http *h, int op, int fd, u32 events, u32 tag)
{
	struct epoll_event ev = { .events = events, .data.u32 = tag };

	(void)epoll_ctl(h->epoll, op, fd, &ev);
}

/* --- clients ---------------------------------------------------------------------- */

static void drop(struct client *c)
{
	close(c->fd);
	c->fd = -1;
	strbuf_release(&c->answer);
}

static void tick(struct http *h, bool on)
{
	struct itimerspec every = { .it_interval.tv_sec = on, .it_value.tv_sec = on };

	if (h->ticking != on)
		timerfd_settime(h->timer, 0, &every, NULL);
	h->ticking = on;
}

/* Drop clients that have used up their time, which makes room for new ones. */
static void look_at_clock(struct http *h)
{
	u64 now = clock_ns(CLOCK_MONOTONIC);
	bool any = false;

	for (size_t i = 0; i < MOST_CLIENTS; i++) {
		struct client *c = &h->clients[i];

		if (c->fd >= 0 && now >= c->until)
			drop(c);
		any |= c->fd >= 0;
	}
	if (h->deaf)
		watch(h, EPOLL_CTL_MOD, h->listener, EPOLLIN, TAG_LISTENER);
	h->deaf = false;
	tick(h, any);
}

/* Find a free place for a client; without one, drop the oldest client and use its place. */
static struct client *make_place(struct http *h)
{
	struct client *oldest = &h->clients[0];

	for (size_t i = 0; i < MOST_CLIENTS; i++) {
		if (h->clients[i].fd < 0)
			return &h->clients[i];
		if (h->clients[i].until < oldest->until)
			oldest = &h->clients[i];
	}
	drop(oldest);
	return oldest;
}

void http_take(struct http *h, int fd)
{
	struct client *c = make_place(h);

	c->fd = fd;
	c->state = READING;
	c->len = c->sent = 0;
	c->until = clock_ns(CLOCK_MONOTONIC) + MOST_TIME;
	watch(h, EPOLL_CTL_ADD, fd, EPOLLIN, (u32)(c - h->clients));
	tick(h, true);
}

static void welcome(struct http *h)
{
	for (int i = 0; i < MOST_TURNS; i++) {
		int fd = accept4(h->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd < 0) {
			h->deaf = errno == EMFILE || errno == ENFILE || errno == ENOMEM ||
				  errno == ENOBUFS;
			/* it would be told of again and again */
			if (h->deaf) {
				watch(h, EPOLL_CTL_MOD, h->listener, 0, TAG_LISTENER);
				tick(h, true);
			}
			return;
		}
		http_take(h, fd);
	}
}

/* --- a request and its response --------------------------------------------------- */

static void write_some(struct client *c)
{
	while (c->sent < c->answer.len) {
		ssize_t n =
			send(c->fd, c->answer.buf + c->sent, c->answer.len - c->sent, MSG_NOSIGNAL);

		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (n < 0) {
			drop(c);
			return;
		}
		c->sent += (size_t)n;
		c->until = clock_ns(CLOCK_MONOTONIC) + MOST_TIME;
	}
	/* closed right now, what the client still sends would take the answer away from it */
	shutdown(c->fd, SHUT_WR);
	strbuf_release(&c->answer);
	c->state = DRAINING;
}

static void read_some(struct http *h, struct client *c)
{
	char waste[4096];
	ssize_t n;

	if (c->state == READING)
		n = recv(c->fd, c->head + c->len, sizeof(c->head) - c->len, 0);
	else
		n = recv(c->fd, waste, sizeof(waste), 0);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		drop(c);
		return;
	}
	if (c->state != READING)
		return;
	c->len += (size_t)n;
	if (http_head_end(c->head, c->len))
		http_respond(h->page, c->head, c->len, &c->answer);
	else if (c->len == sizeof(c->head))
		http_refuse(h->page, "431 Request Header Fields Too Large", &c->answer);
	else
		return;
	c->state = WRITING;
}

static void attend(struct http *h, u32 nr, u32 events)
{
	struct client *c = &h->clients[nr];

	if (c->fd < 0)
		return;
	if (c->state != WRITING)
		read_some(h, c);
	if (c->fd >= 0 && c->state == WRITING)
		write_some(c);
	if (c->fd >= 0 && events & EPOLLERR)
		drop(c);
	if (c->fd >= 0)
		watch(h, EPOLL_CTL_MOD, c->fd, c->state == WRITING ? EPOLLOUT : EPOLLIN, nr);
}

void http_serve(struct http *h)
{
	struct epoll_event ev[MOST_TURNS];
	int n = epoll_wait(h->epoll, ev, MOST_TURNS, 0);
	u64 ticks;

	for (int i = 0; i < n; i++) {
		if (ev[i].data.u32 == TAG_LISTENER) {
			welcome(h);
		} else if (ev[i].data.u32 == TAG_TIMER) {
			(void)!read(h->timer, &ticks, sizeof(ticks));
			look_at_clock(h);
		} else {
			attend(h, ev[i].data.u32, ev[i].events);
		}
	}
}

/* --- opening ---------------------------------------------------------------------- */

static int listen_here(struct http *h, u16 port)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_port = htons(port),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(at);
	int one = 1;

	h->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (h->listener < 0)
		return -errno;
	setsockopt(h->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(h->listener, (struct sockaddr *)&at, len) || listen(h->listener, MOST_CLIENTS) ||
	    getsockname(h->listener, (struct sockaddr *)&at, &len))
		return -errno;
	h->port = ntohs(at.sin_port);
	return 0;
}

int http_open(struct http **out, u16 port, const struct http_page *page, struct err *err)
{
	struct http *h = xzalloc(sizeof(*h));
	int rc;

	*h = (struct http){ .page = page, .listener = -1 };
	for (size_t i = 0; i < MOST_CLIENTS; i++)
		h->clients[i].fd = -1;
	h->epoll = epoll_create1(EPOLL_CLOEXEC);
	h->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	rc = h->epoll < 0 || h->timer < 0 ? -errno : listen_here(h, port);
	if (rc) {
		http_close(h);
		return err_set(err, rc, "cannot listen on 127.0.0.1:%u: %s", port, err_str(rc));
	}
	watch(h, EPOLL_CTL_ADD, h->listener, EPOLLIN, TAG_LISTENER);
	watch(h, EPOLL_CTL_ADD, h->timer, EPOLLIN, TAG_TIMER);
	*out = h;
	return 0;
}

u16 http_port(const struct http *h)
{
	return h->port;
}

int http_fd(const struct http *h)
{
	return h->epoll;
}

void http_close(struct http *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < MOST_CLIENTS; i++)
		if (h->clients[i].fd >= 0)
			drop(&h->clients[i]);
	if (h->listener >= 0)
		close(h->listener);
	if (h->timer >= 0)
		close(h->timer);
	if (h->epoll >= 0)
		close(h->epoll);
	free(h);
}
