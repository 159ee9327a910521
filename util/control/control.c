// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "control/control.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#define MAX_COMMAND 4096

/* --- opening ------------------------------------------------------------------------ */

static int parse_fd(const char *text, char stop)
{
	char *end;
	long fd;

	errno = 0;
	fd = strtol(text, &end, 10);
	return errno || end == text || *end != stop || fd < 0 || fd > INT32_MAX ? -1 : (int)fd;
}

static int open_fds(struct control *c, const char *text, struct err *err)
{
	const char *comma = strchr(text, ',');

	c->fd = parse_fd(text, comma ? ',' : 0);
	c->ack = comma ? parse_fd(comma + 1, 0) : -1;
	if (c->fd < 0 || (comma && c->ack < 0))
		return -EINVAL;
	if (fcntl(c->fd, F_GETFD) >= 0 && (c->ack < 0 || fcntl(c->ack, F_GETFD) >= 0))
		return 0;
	return err_set(err, -EBADF, "Descriptors for --control have to be open: '%s'", text);
}

/* Open a named pipe for reading and writing, so that opening does not wait for the other side, and
 * the pipe does not end when that side closes it. */
static int open_fifo(const char *path, size_t len, struct err *err)
{
	char *name = xstrndup(path, len);
	int fd = open(name, O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		fd = err_set(err, -errno, "Failed to open '%s'", name);
	free(name);
	return fd;
}

static int open_fifos(struct control *c, const char *text, struct err *err)
{
	size_t len = strcspn(text, ",");

	if (!len || (text[len] && !text[len + 1]))
		return -EINVAL;
	c->own = true;
	c->fd = open_fifo(text, len, err);
	if (c->fd < 0)
		return c->fd;
	if (text[len])
		c->ack = open_fifo(text + len + 1, strlen(text + len + 1), err);
	return text[len] && c->ack < 0 ? c->ack : 0;
}

int control_open(struct control *c, const char *text, struct err *err)
{
	control_close(c);
	*c = (struct control){ .given = true, .fd = -1, .ack = -1 };
	if (!strncmp(text, "fd:", 3))
		return open_fds(c, text + 3, err);
	return strncmp(text, "fifo:", 5) ? -EINVAL : open_fifos(c, text + 5, err);
}

void control_close(struct control *c)
{
	if (c->own && c->fd >= 0)
		close(c->fd);
	if (c->own && c->ack >= 0)
		close(c->ack);
	strbuf_release(&c->text);
	*c = (struct control){ .fd = -1, .ack = -1 };
}

/* --- what the commands do ------------------------------------------------------------- */

static void acknowledge(struct control *c)
{
	static const char ack[] = "ack\n";
	ssize_t n;

	if (c->ack < 0)
		return;
	do {
		n = write(c->ack, ack, sizeof(ack) - 1);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		notice(c->target.notices,
		       "failed to write to the ack descriptor of --control: %s\n", err_str(-errno));
}

void control_snapshot_done(struct control *c)
{
	if (c->ack_late)
		acknowledge(c);
	c->ack_late = false;
}

static const struct evsel *find_event(const struct evlist *l, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < l->nr; i++)
		if (!strcmp(l->evsels[i]->name, name))
			return l->evsels[i];
	/* as a shell would have it */
	if (len < 2 || (*name != '\'' && *name != '"') || name[len - 1] != *name)
		return NULL;
	for (size_t i = 0; i < l->nr; i++)
		if (strlen(l->evsels[i]->name) == len - 2 &&
		    !strncmp(l->evsels[i]->name, name + 1, len - 2))
			return l->evsels[i];
	return NULL;
}

static void enable_event(const struct control_target *t, const char *name, bool on)
{
	const struct evsel *e = find_event(t->evlist, name);

	if (!e) {
		notice(t->notices, "failed: can't find '%s' event\n", name);
		return;
	}
	for (size_t i = 0; i < t->kevents->nr; i++)
		if (t->kevents->fds[i].evsel == e->idx)
			kfd_enable(&t->kevents->fds[i], on);
	notice(t->notices, "Event %s %s\n", e->name, on ? "enabled" : "disabled");
}

static int enable(struct control *c, const char *arg, bool on)
{
	if (*arg && c->target.kevents)
		enable_event(&c->target, arg, on);
	else
		c->target.measure(c->target.ctx, on);
	return 0;
}

static int do_enable(struct control *c, const char *arg)
{
	return enable(c, arg, true);
}

static int do_disable(struct control *c, const char *arg)
{
	return enable(c, arg, false);
}

/* The options are those of perf-evlist. */
static int do_evlist(struct control *c, const char *arg)
{
	const struct evlist *l = c->target.evlist;
	struct strbuf sb = STRBUF_INIT;
	bool verbose = !strcmp(arg, "-v"), freq = !strcmp(arg, "-F"), group = !strcmp(arg, "-g");

	if (*arg && !verbose && !freq && !group) {
		notice(c->target.notices, "failed: wrong command\n");
		return 0;
	}
	for (size_t i = 0; i < l->nr; i++) {
		const struct evsel *e = l->evsels[i];

		if (group && e->leader != e->idx)
			continue;
		if (group && e->nr_members > 1)
			evlist_group_line(l, e, &sb);
		else
			evsel_line(e, verbose, freq, &sb);
		strbuf_addch(&sb, '\n');
	}
	notice(c->target.notices, "%s", strbuf_str(&sb));
	strbuf_release(&sb);
	return 0;
}

static int do_snapshot(struct control *c, const char *arg __unused)
{
	c->ack_late = c->target.snapshot(c->target.ctx);
	return 0;
}

static int do_stop(struct control *c, const char *arg __unused)
{
	return c->target.stop;
}

static int do_ping(struct control *c __unused, const char *arg __unused)
{
	return 0;
}

/* --- commands ------------------------------------------------------------------------- */

static const struct verb {
	const char *name;
	bool takes_arg;
	int (*run)(struct control *c, const char *arg); /* Return: 0, or positive to end */
} verbs[] = {
	{ "enable", true, do_enable }, { "disable", true, do_disable },
	{ "evlist", true, do_evlist }, { "snapshot", false, do_snapshot },
	{ "stop", false, do_stop },    { "ping", false, do_ping },
};

static const struct verb *find_verb(const struct control_target *t, const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strncmp(text, verbs[i].name, strlen(verbs[i].name)) &&
		    (verbs[i].run != do_snapshot || t->snapshot))
			return &verbs[i];
	return NULL;
}

static int run_command(struct control *c, const char *text)
{
	const struct verb *v = find_verb(&c->target, text);
	const char *arg;
	int rc = 0;

	if (!v) {
		if (*text)
			notice(c->target.notices, "--control: '%s' is no command\n", text);
		return 0;
	}
	arg = text + strlen(v->name);
	if (*arg == ' ' && v->takes_arg)
		rc = v->run(c, arg + 1);
	else if (!*arg)
		rc = v->run(c, "");
	else
		notice(c->target.notices, "failed: wrong command\n");
	if (!c->ack_late)
		acknowledge(c);
	return rc;
}

/* --- reading ----------------------------------------------------------------------- */

static bool more_to_read(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) > 0 && p.revents & POLLIN;
}

/* Run all commands in c->text, which end with a newline or a zero byte. When @all is set nothing
 * more is there to read, which ends the last command as well. */
static int run_commands(struct control *c, bool all)
{
	struct strbuf *text = &c->text;
	size_t at = 0;
	int rc = 0;

	while (at < text->len) {
		size_t end = at;
		char *word;
		int got;

		while (end < text->len && text->buf[end] && text->buf[end] != '\n')
			end++;
		if (end == text->len && !all && end - at < MAX_COMMAND)
			break;
		word = xstrndup(text->buf + at, end - at);
		got = run_command(c, word);
		rc = MAX(rc, got);
		free(word);
		at = MIN(end + 1, text->len);
	}
	memmove(text->buf, text->buf + at, text->len - at);
	text->len -= at;
	return rc;
}

static int on_ready(void *ctx, int fd, u32 events, struct err *err __unused)
{
	struct control *c = ctx;
	char buf[1024];
	ssize_t n = events & EPOLLIN ? read(fd, buf, sizeof(buf)) : 0;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0) {
		/* whoever had the other side is gone */
		event_loop_forget(c->loop, fd);
		return 0;
	}
	strbuf_add(&c->text, buf, (size_t)n);
	return run_commands(c, !more_to_read(fd));
}

int control_start(struct control *c, const struct control_target *t, struct event_loop *loop,
		  struct err *err)
{
	if (!c->given)
		return 0;
	c->target = *t;
	c->loop = loop;
	return event_loop_watch(loop, c->fd, EPOLLIN, on_ready, c, err);
}
