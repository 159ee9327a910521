// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "buildid/markers.h"

#include "base/alloc.h"
#include "base/lines.h"
#include "base/strbuf.h"
#include "buildid/cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Ten times what the largest known one has. */
#define MAX_PROBES (16 << 20)

static bool read_file(const char *path, struct strbuf *out)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	ssize_t n = -1;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= MAX_PROBES) {
		strbuf_grow(out, (size_t)st.st_size);
		n = read(fd, out->buf, (size_t)st.st_size);
		out->len = n > 0 ? (size_t)n : 0;
		out->buf[out->len] = '\0';
	}
	close(fd);
	return n > 0;
}

bool cache_probes_read(const char *dir, const char *name, const char *hex, struct strbuf *out)
{
	char *path = xasprintf("%s%s%s/%s/probes", dir, *name == '/' ? "" : "/", name, hex);
	bool read = read_file(path, out);

	free(path);
	return read;
}

/* Take a marker of a line like "%sdt_python:line=line". Lines of probes that were made by hand are
 * left out. */
static void add_line(struct sdt_cache *c, const struct line *l, const char *path, const char *hex)
{
	const char *eq = memchr(l->p, '=', (size_t)(l->end - l->p));
	const char *colon = memchr(l->p, ':', (size_t)(l->end - l->p));

	if (*l->p != '%' || !eq || !colon || colon < l->p + 2 || colon + 1 >= eq ||
	    memchr(l->p, '\0', (size_t)(eq - l->p)))
		return;
	VEC_GROW(c->v, c->nr + 1, c->cap);
	c->v[c->nr++] = (struct sdt_cached){
		.event = arena_strndup(&c->strings, l->p + 1, (size_t)(eq - l->p - 1)),
		.path = path,
		.hex = hex,
	};
}

static int by_event(const void *pa, const void *pb)
{
	const struct sdt_cached *a = pa, *b = pb;
	int d = strcmp(a->event, b->event);

	return d ? d : strcmp(a->hex, b->hex);
}

static void sort_once(struct sdt_cache *c)
{
	size_t i, to = 0;

	if (c->nr)
		qsort(c->v, c->nr, sizeof(*c->v), by_event);
	for (i = 0; i < c->nr; i++)
		if (!i || by_event(&c->v[to - 1], &c->v[i]))
			c->v[to++] = c->v[i];
	c->nr = to;
}

void sdt_cache_add(struct sdt_cache *c, const char *text, size_t len, const char *path,
		   const char *hex)
{
	const char *p = text, *end = text + len;
	struct line l;

	while (next_line(&p, end, &l))
		if (l.p < l.end)
			add_line(c, &l, path, hex);
}

static void add_object(struct sdt_cache *c, const char *dir, const struct cache_entry *e)
{
	struct strbuf text = STRBUF_INIT;

	if (cache_probes_read(dir, e->name, e->hex, &text))
		sdt_cache_add(c, text.buf, text.len, arena_strdup(&c->strings, e->name),
			      arena_strdup(&c->strings, e->hex));
	strbuf_release(&text);
}

void sdt_cache_read(struct sdt_cache *c, const char *dir)
{
	struct cache_list list;
	size_t i;

	memset(c, 0, sizeof(*c));
	cache_list(dir, "probes", &list);
	for (i = 0; i < list.nr; i++)
		add_object(c, dir, &list.v[i]);
	cache_list_release(&list);
	sort_once(c);
}

void sdt_cache_release(struct sdt_cache *c)
{
	free(c->v);
	arena_release(&c->strings);
	memset(c, 0, sizeof(*c));
}
