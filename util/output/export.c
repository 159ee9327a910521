// SPDX-License-Identifier: GPL-2.0-or-later
/* Exports: the table of formats, and what they write to. */
#include "base/compat.h"

#include "output/export.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "output/export-formats.h"
#include "output/page.h"
#include "output/quote.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER (256u << 10)

const struct export_ops *const export_table[] = {
	&export_svg,   &export_folded, &export_html,     &export_pprof, &export_speedscope,
	&export_gecko, &export_trace,  &export_perfetto, &export_dot,   &export_callgrind,
	&export_otlp,  &export_ndjson, &export_diff,     NULL,
};

const struct export_ops *export_find(const char *name)
{
	for (const struct export_ops *const *e = export_table; *e; e++)
		if (!strcmp((*e)->name, name))
			return *e;
	return NULL;
}

int export_event(const struct stacks *s, const struct export_opts *opts, struct err *err)
{
	char name[256];

	if (!s->nr_events)
		return err_set(err, -ENOENT, "There are no samples to be written.");
	if (!opts->event)
		return 0;
	for (u32 i = 0; i < s->nr_events; i++)
		if (!strcmp(stacks_text(s, s->events[i].name), opts->event))
			return (int)i;
	escape_name(name, sizeof(name), opts->event);
	return err_set(err, -ENOENT, "There are no samples of an event '%s'.", name);
}

int export_only(const struct stacks *s, const struct export_opts *opts, u32 *only, struct err *err)
{
	int event = opts->event ? export_event(s, opts, err) : 0;

	*only = opts->event ? (u32)event : EXPORT_ALL;
	return MIN(event, 0);
}

struct stacks *export_joined(const struct stacks *s, const struct export_opts *opts,
			     struct err *err)
{
	const struct stacks *other = opts->other;
	int event = export_event(s, opts, err);
	u32 before = UINT32_MAX;

	if (event < 0)
		return NULL;
	for (u32 i = 0; i < other->nr_events; i++)
		if (!strcmp(stacks_text(other, other->events[i].name),
			    stacks_text(s, s->events[event].name)))
			before = i;
	return stacks_join(other, before, s, (u32)event);
}

/* ---- the output ---- */

struct export_out {
	struct strbuf own, *buf; /* what is not written yet */
	char *path;              /* NULL: memory, or standard output */
	int fd;                  /* -1: memory */
	bool made;               /* by us: goes when it could not be written */
	int failed;              /* negative errno */
	u64 written;
};

struct export_out *export_open(const char *path, struct err *err)
{
	struct export_out *o;
	struct stat st;
	char name[1024];
	int fd = STDOUT_FILENO;

	if (strcmp(path, "-")) {
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		if (fd < 0) {
			int code = -errno;

			escape_name(name, sizeof(name), path);
			err_set(err, code, "Cannot write %s: %s", name, err_str(code));
			return NULL;
		}
	}
	o = xzalloc(sizeof(*o));
	o->buf = &o->own;
	o->fd = fd;
	if (fd != STDOUT_FILENO) {
		o->path = xstrdup(path);
		o->made = !fstat(fd, &st) && S_ISREG(st.st_mode);
	}
	return o;
}

struct export_out *export_memory(struct strbuf *to)
{
	struct export_out *o = xzalloc(sizeof(*o));

	o->buf = to;
	o->fd = -1;
	return o;
}

static void flush(struct export_out *o)
{
	const char *p = o->buf->buf;
	size_t left = o->buf->len;

	if (o->fd < 0)
		return;
	while (left && !o->failed) {
		ssize_t n = write(o->fd, p, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			o->failed = n ? -errno : -EIO;
			break;
		}
		p += n;
		left -= n;
		o->written += n;
	}
	strbuf_reset(o->buf);
}

static void out_free(struct export_out *o)
{
	strbuf_release(&o->own);
	free(o->path);
	free(o);
}

int export_close(struct export_out *o, struct err *err)
{
	char name[1024] = "standard output";
	int ret;

	flush(o);
	if (o->path && close(o->fd) && !o->failed)
		o->failed = -errno;
	ret = o->failed;
	if (ret) {
		if (o->path)
			escape_name(name, sizeof(name), o->path);
		err_set(err, ret, "Cannot write %s: %s", name, err_str(ret));
		if (o->made)
			unlink(o->path);
	}
	out_free(o);
	return ret;
}

void export_cancel(struct export_out *o)
{
	if (o->path)
		close(o->fd);
	if (o->made)
		unlink(o->path);
	out_free(o);
}

bool export_failed(const struct export_out *o)
{
	return o->failed;
}

u64 export_bytes(const struct export_out *o)
{
	return o->written + o->buf->len;
}

struct strbuf *export_buf(struct export_out *o)
{
	return o->buf;
}

void export_more(struct export_out *o)
{
	if (o->buf->len >= BUFFER)
		flush(o);
}

void export_put(struct export_out *o, const void *data, size_t len)
{
	strbuf_add(o->buf, data, len);
	export_more(o);
}

void export_str(struct export_out *o, const char *s)
{
	export_put(o, s, strlen(s));
}

void export_ch(struct export_out *o, char c)
{
	strbuf_addch(o->buf, c);
	export_more(o);
}

void export_dec(struct export_out *o, u64 v)
{
	strbuf_dec(o->buf, v, 0);
	export_more(o);
}

void export_f(struct export_out *o, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(o->buf, fmt, ap);
	va_end(ap);
	export_more(o);
}

void export_json_facts(struct export_out *o, const struct export_opts *opts)
{
	export_ch(o, '{');
	for (u32 i = 0; i < opts->nr_facts; i++) {
		if (i)
			export_ch(o, ',');
		quote_json(export_buf(o), opts->facts[i].key);
		export_ch(o, ':');
		quote_json(export_buf(o), opts->facts[i].value);
	}
	export_ch(o, '}');
}
