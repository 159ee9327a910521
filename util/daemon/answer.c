// SPDX-License-Identifier: GPL-2.0-or-later
/* The daemon answers its clients. */
#include "base/compat.h"
#include "daemon/server-internal.h"

#include "daemon/show.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#define ASK_MOST 5000000000ULL  /* ns in which a client has to ask */
#define PONG_MOST 3000000000ULL /* ns in which sessions have to answer */

static struct daemon_shown shown(const struct daemon_server *d)
{
	return (struct daemon_shown){ .pid = getpid(),
				      .base = d->opts.base,
				      .started = d->started,
				      .now = server_now(),
				      .sessions = d->sessions,
				      .nr = d->nr };
}

static void put_metrics(void *ctx, struct strbuf *out)
{
	const struct daemon_shown what = shown(ctx);

	show_metrics(&what, out);
}

static int on_http(void *ctx, int fd __unused, u32 events __unused, struct err *err __unused)
{
	http_serve(((struct daemon_server *)ctx)->http);
	return EVENT_LOOP_GO_ON;
}

void server_serve_metrics(struct daemon_server *d, const struct daemon_config *c)
{
	const u32 wanted = c->metrics ? c->port + 1U : 0;
	struct err e = { 0 };

	if (wanted == d->metrics)
		return;
	if (d->http)
		event_loop_forget(d->loop, http_fd(d->http));
	http_close(d->http);
	d->http = NULL;
	d->metrics = wanted;
	if (!wanted)
		return;
	d->page = (struct http_page){ .path = "/metrics",
				      .type = "text/plain; version=0.0.4",
				      .put = put_metrics,
				      .ctx = d };
	if (http_open(&d->http, c->port, &d->page, &e) ||
	    event_loop_watch(d->loop, http_fd(d->http), EPOLLIN, on_http, d, &e))
		server_say(d, "no metrics are served: %s", e.msg);
	else
		server_say(d, "metrics are served on http://127.0.0.1:%u/metrics",
			   http_port(d->http));
}

/* ---- answers ---- */

static bool is_meant(const struct daemon_request *r, const struct daemon_session *s)
{
	return !*r->session || !strcmp(r->session, s->config.name);
}

static int answer_signal(struct daemon_server *d, const struct daemon_request *r,
			 struct strbuf *out)
{
	int status = 0;
	bool any = false;

	for (size_t i = 0; i < d->nr; i++) {
		struct daemon_session *s = d->sessions[i];
		pid_t pid = s->pid;

		if (!is_meant(r, s))
			continue;
		any = true;
		if (session_signal(s)) {
			strbuf_addf(out, "session '%s' does not run\n", s->config.name);
			status = 1;
		} else {
			strbuf_addf(out, "signal %d sent to session '%s [%d]'\n", SIGUSR2,
				    s->config.name, pid);
		}
	}
	if (!any && *r->session) {
		strbuf_addf(out, "there is no session '%s'\n", r->session);
		status = 1;
	}
	return status;
}

/* All are asked first, and then all answers are awaited. */
static int answer_ping(struct daemon_server *d, const struct daemon_request *r, struct strbuf *out)
{
	u64 until = server_now() + PONG_MOST;
	bool any = false;
	int status = 0;

	for (size_t i = 0; i < d->nr; i++)
		if (is_meant(r, d->sessions[i]))
			session_ping(d->sessions[i]);
	for (size_t i = 0; i < d->nr; i++) {
		struct daemon_session *s = d->sessions[i];
		bool ok;

		if (!is_meant(r, s))
			continue;
		any = true;
		ok = s->pid && session_pong(s, until);
		strbuf_addf(out, "%-4s %s\n", ok ? "OK" : "FAIL", s->config.name);
		status |= !ok;
	}
	if (!any && *r->session) {
		strbuf_addf(out, "FAIL %s (not found)\n", r->session);
		status = 1;
	}
	return status;
}

static int answer(struct daemon_server *d, const struct daemon_request *r, struct strbuf *out)
{
	const struct daemon_shown what = shown(d);

	switch (r->verb) {
	case REQUEST_LIST:
		if (*r->separator)
			show_fields(&what, r->separator, out);
		else
			show_list(&what, r->verbose, out);
		return 0;
	case REQUEST_STATUS:
		if (!strcmp(r->separator, "json"))
			show_json(&what, out);
		else
			show_table(&what, out);
		return 0;
	case REQUEST_SIGNAL:
		return answer_signal(d, r, out);
	default:
		return answer_ping(d, r, out);
	}
}

static void send_answer(int fd, int status, const struct strbuf *text)
{
	const struct timeval most = { .tv_sec = 2 };
	struct strbuf all = STRBUF_INIT;
	size_t at = 0;

	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof(most));
	strbuf_addf(&all, "%d\n", status);
	strbuf_add(&all, strbuf_str(text), text->len);
	while (at < all.len) {
		ssize_t n = send(fd, strbuf_str(&all) + at, all.len - at, MSG_NOSIGNAL);

		if (n <= 0)
			break;
		at += (size_t)n;
	}
	strbuf_release(&all);
}

/* ---- clients ---- */

static void drop(struct daemon_server *d, struct daemon_client *c, bool waits)
{
	event_loop_forget(d->loop, c->fd);
	if (waits && d->nr_stoppers < CLIENTS)
		d->stoppers[d->nr_stoppers++] = c->fd;
	else
		close(c->fd);
	*c = d->clients[--d->nr_clients];
}

static struct daemon_client *client_of(struct daemon_server *d, int fd)
{
	for (u32 i = 0; i < d->nr_clients; i++)
		if (d->clients[i].fd == fd)
			return &d->clients[i];
	return NULL;
}

static void serve(struct daemon_server *d, struct daemon_client *c, size_t len)
{
	struct strbuf text = STRBUF_INIT;
	struct daemon_request r;

	if (request_parse(&r, c->line, len)) {
		strbuf_addstr(&text, "the daemon does not understand the request: is it of "
				     "another version?\n");
		send_answer(c->fd, 1, &text);
	} else if (r.verb == REQUEST_STOP) {
		server_stop(d);
		drop(d, c, true);
		return;
	} else {
		int status = answer(d, &r, &text);

		send_answer(c->fd, status, &text);
	}
	strbuf_release(&text);
	drop(d, c, false);
}

static int on_client(void *ctx, int fd, u32 events __unused, struct err *err __unused)
{
	struct daemon_server *d = ctx;
	struct daemon_client *c = client_of(d, fd);
	const char *end;
	ssize_t n;

	if (!c)
		return EVENT_LOOP_GO_ON;
	n = recv(fd, c->line + c->len, sizeof(c->line) - c->len, MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return EVENT_LOOP_GO_ON;
	c->len += n > 0 ? (size_t)n : 0;
	end = memchr(c->line, '\n', c->len);
	if (end)
		serve(d, c, (size_t)(end - c->line));
	else if (n <= 0 || c->len == sizeof(c->line))
		drop(d, c, false);
	return EVENT_LOOP_GO_ON;
}

/* The socket is only its owner's, by its mode; and root can do anything. */
static bool may_ask(int fd)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) &&
	       (peer.uid == geteuid() || !peer.uid);
}

int server_accept(void *ctx, int fd, u32 events __unused, struct err *err)
{
	struct daemon_server *d = ctx;
	int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC);

	if (client < 0)
		return EVENT_LOOP_GO_ON;
	if (!may_ask(client) || d->nr_clients == CLIENTS ||
	    event_loop_watch(d->loop, client, EPOLLIN, on_client, d, err)) {
		close(client);
		return EVENT_LOOP_GO_ON;
	}
	d->clients[d->nr_clients++] =
		(struct daemon_client){ .fd = client, .until = server_now() + ASK_MOST };
	return EVENT_LOOP_GO_ON;
}

void server_old_clients(struct daemon_server *d, u64 now)
{
	for (u32 i = 0; i < d->nr_clients;) {
		if (now > d->clients[i].until)
			drop(d, &d->clients[i], false);
		else
			i++;
	}
}

void server_drop_clients(struct daemon_server *d)
{
	while (d->nr_clients)
		drop(d, &d->clients[0], false);
}

void server_answer_stoppers(struct daemon_server *d)
{
	const struct strbuf none = STRBUF_INIT;

	while (d->nr_stoppers) {
		int fd = d->stoppers[--d->nr_stoppers];

		send_answer(fd, 0, &none);
		close(fd);
	}
}
