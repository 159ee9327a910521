// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "scriptrun/event-files.h"

#include "base/alloc.h"
#include "base/strbuf.h"

#include <errno.h>

struct event_file {
	FILE *out;
	char *path;
	u64 samples, bytes;
};

struct event_files {
	char *path; /* of the recording */
	struct event_file *files;
	size_t nr, cap;
};

/* Names come from the recording, so they must not lead into another folder. */
static char *name_file(const struct event_files *d, const struct evlist *l, size_t i)
{
	struct strbuf sb = STRBUF_INIT;
	size_t at, same = 1;

	strbuf_addf(&sb, "%s.", d->path);
	at = sb.len;
	strbuf_addname(&sb, l->evsels[i]->name);
	for (; at < sb.len; at++)
		if (sb.buf[at] == '/')
			sb.buf[at] = '_';
	for (size_t k = 0; k < i; k++)
		same += !strcmp(l->evsels[k]->name, l->evsels[i]->name);
	if (same > 1)
		strbuf_addf(&sb, ".%zu", same);
	strbuf_addstr(&sb, ".dump");
	return strbuf_detach(&sb);
}

int event_files_more(struct event_files *d, const struct evlist *l, struct err *err)
{
	while (d->nr < l->nr) {
		struct event_file *f;

		VEC_GROW(d->files, d->nr + 1, d->cap);
		f = &d->files[d->nr];
		*f = (struct event_file){ .path = name_file(d, l, d->nr) };
		f->out = fopen(f->path, "we");
		d->nr++;
		if (!f->out)
			return err_set(err, -errno, "Couldn't create the per event dump files");
	}
	return 0;
}

struct event_files *event_files_open(const char *path, const struct evlist *l, struct err *err)
{
	struct event_files *d = xzalloc(sizeof(*d));

	d->path = xstrdup(path);
	if (!event_files_more(d, l, err))
		return d;
	for (size_t i = 0; i < d->nr; i++) { /* nothing to tell of */
		if (d->files[i].out)
			fclose(d->files[i].out);
		free(d->files[i].path);
	}
	free(d->files);
	free(d->path);
	free(d);
	return NULL;
}

int event_files_put(struct event_files *d, const struct evsel *e, const char *text, size_t len,
		    struct err *err)
{
	struct event_file *f;

	if (e->idx >= d->nr)
		return 0;
	f = &d->files[e->idx];
	f->samples++;
	f->bytes += len;
	if (len && fwrite(text, 1, len, f->out) != len)
		return err_set(err, -EIO, "cannot write to %s: %s", f->path, err_str(-errno));
	return 0;
}

int event_files_close(struct event_files *d, struct strbuf *lines, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; d && i < d->nr; i++) {
		struct event_file *f = &d->files[i];

		if (f->out && fclose(f->out))
			ret = err_set(err, -EIO, "cannot write to %s: %s", f->path,
				      err_str(-errno));
		strbuf_addf(lines, "[ perf script: Wrote %.3f MB %s (%" PRIu64 " samples) ]\n",
			    (double)f->bytes / 1024 / 1024, f->path, f->samples);
		free(f->path);
	}
	if (d) {
		free(d->files);
		free(d->path);
		free(d);
	}
	return ret;
}
