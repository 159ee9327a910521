// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --control: commands from a descriptor or a fifo, a line each, and "ack\n" back when they are
 * done. What cannot be read or written any more is left alone: what is controlled goes on.
 */
#include "base/compat.h"
#include "cmd/common/control.h"
#include "cmd/common/evlist-line.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#define MAX_COMMAND 4096

/* --- the option ----------------------------------------------------------------- */

static int parse_fd(const char *text, char stop)
{
	char *end;
	long fd;

	errno = 0;
	fd = strtol(text, &end, 10);
	return errno || end == text || *end != stop || fd < 0 || fd > INT32_MAX ? -1 : (int)fd;
}

static int open_fds(struct control *c, const char *text)
{
	const char *comma = strchr(text, ',');

	c->fd = parse_fd(text, comma ? ',' : 0);
	c->ack = comma ? parse_fd(comma + 1, 0) : -1;
	if (c->fd < 0 || (comma && c->ack < 0))
		return -1;
	if (fcntl(c->fd, F_GETFD) >= 0 && (c->ack < 0 || fcntl(c->ack, F_GETFD) >= 0))
		return 0;
	fprintf(stderr, "Descriptors for --control have to be open: '%s'\n", text);
	return -1;
}

/* For reading and writing, so that it neither waits for the other side nor ends with it. */
static int open_fifo(const char *path, size_t len)
{
	char *name = xstrndup(path, len);
	int fd = open(name, O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		fprintf(stderr, "Failed to open '%s'\n", name);
	free(name);
	return fd;
}

static int open_fifos(struct control *c, const char *text)
{
	size_t len = strcspn(text, ",");

	if (!len || (text[len] && !text[len + 1]))
		return -1;
	c->own = true;
	c->fd = open_fifo(text, len);
	if (c->fd < 0)
		return -1;
	if (text[len])
		c->ack = open_fifo(text + len + 1, strlen(text + len + 1));
	return text[len] && c->ack < 0 ? -1 : 0;
}

int control_take(struct control *c, const char *arg, int unset)
{
	control_close(c);
	if (unset)
		return 0;
	*c = (struct control){ .given = true, .fd = -1, .ack = -1 };
	if (!strncmp(arg, "fd:", 3))
		return open_fds(c, arg + 3);
	return strncmp(arg, "fifo:", 5) ? -1 : open_fifos(c, arg + 5);
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

/* --- commands --------------------------------------------------------------------- */

void control_ack(struct control *c)
{
	static const char ack[] = "ack\n";
	ssize_t n;

	if (c->ack < 0)
		return;
	do {
		n = write(c->ack, ack, sizeof(ack) - 1);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		fprintf(stderr, "failed to write to the ack descriptor of --control: %s\n",
			err_str(-errno));
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

void control_enable_event(const struct evlist *l, const struct kevents *k, const char *name,
			  bool on)
{
	const struct evsel *e = find_event(l, name);

	if (!e) {
		fprintf(stderr, "failed: can't find '%s' event\n", name);
		return;
	}
	for (size_t i = 0; i < k->nr; i++)
		if (k->fds[i].evsel == e->idx)
			kfd_enable(&k->fds[i], on);
	fprintf(stderr, "Event %s %s\n", e->name, on ? "enabled" : "disabled");
}

void control_list_events(const struct evlist *l, const char *arg)
{
	struct strbuf sb = STRBUF_INIT;
	bool verbose = !strcmp(arg, "-v"), freq = !strcmp(arg, "-F"), group = !strcmp(arg, "-g");

	if (*arg && !verbose && !freq && !group) {
		fprintf(stderr, "failed: wrong command\n");
		return;
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
	fputs(strbuf_str(&sb), stderr);
	strbuf_release(&sb);
}

static int run_command(struct control *c, const struct control_verb *verbs, size_t nr, void *ctx,
		       const char *text)
{
	for (size_t i = 0; i < nr; i++) {
		const struct control_verb *v = &verbs[i];
		size_t len = strlen(v->name);
		const char *arg = text + len;
		int rc = 0;

		if (strncmp(text, v->name, len))
			continue;
		if (*arg == ' ' && v->takes_arg)
			rc = v->run(ctx, arg + 1);
		else if (!*arg)
			rc = v->run(ctx, "");
		else
			fprintf(stderr, "failed: wrong command\n");
		if (!c->ack_late)
			control_ack(c);
		return rc;
	}
	if (*text)
		fprintf(stderr, "--control: '%s' is no command\n", text);
	return 0;
}

/* --- reading ----------------------------------------------------------------------- */

static bool more_to_read(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) > 0 && p.revents & POLLIN;
}

/* All commands in @text, which end in a newline or a zero; the last one also by nothing more being
 * there. */
static int run_commands(struct control *c, const struct control_verb *verbs, size_t nr, void *ctx,
			bool all)
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
		got = run_command(c, verbs, nr, ctx, word);
		rc = MAX(rc, got);
		free(word);
		at = MIN(end + 1, text->len);
	}
	memmove(text->buf, text->buf + at, text->len - at);
	text->len -= at;
	return rc;
}

int control_read(struct control *c, const struct control_verb *verbs, size_t nr, void *ctx,
		 bool *gone)
{
	char buf[1024];
	ssize_t n = read(c->fd, buf, sizeof(buf));

	*gone = false;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0) {
		/* whoever had the other side is gone */
		*gone = true;
		return 0;
	}
	strbuf_add(&c->text, buf, (size_t)n);
	return run_commands(c, verbs, nr, ctx, !more_to_read(c->fd));
}
