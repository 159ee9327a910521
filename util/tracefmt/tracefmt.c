// SPDX-License-Identifier: GPL-2.0-or-later
/* Keep the set of formats: look them up, and read them from the places that have them. */
#include "base/compat.h"
#include "tracefmt/traceevent-internal.h"

#include "base/alloc.h"
#include "base/cur.h"

#include <errno.h>

static bool host_big_endian(void)
{
	const u16 one = 0x0100;

	return *(const u8 *)&one;
}

struct tracefmt *tracefmt_new(bool big_endian, unsigned int long_size)
{
	struct tracefmt *tf = xzalloc(sizeof(*tf));

	tf->big_endian = big_endian;
	tf->swap = big_endian != host_big_endian();
	tf->long_size = long_size == 4 ? 4 : 8;
	tf->te = te_new();
	return tf;
}

void tracefmt_free(struct tracefmt *tf)
{
	if (!tf)
		return;
	te_free(tf->te);
	map64_release(&tf->by_id);
	map64_release(&tf->printk);
	free(tf->events);
	free(tf->printk_str);
	arena_release(&tf->arena);
	free(tf);
}

const struct tf_event *tracefmt_add(struct tracefmt *tf, const char *system, const char *text,
				    size_t len, struct err *err)
{
	struct tf_event *ev = format_parse(tf, system, text, len, err);

	if (!ev)
		return NULL;
	if (tracefmt_event(tf, ev->id))
		return tracefmt_event(tf, ev->id);
	VEC_GROW(tf->events, tf->nr + 1, tf->cap);
	map64_set(&tf->by_id, ev->id, (u32)tf->nr);
	tf->events[tf->nr++] = ev;
	return ev;
}

const struct tf_event *tracefmt_load(struct tracefmt *tf, const struct sysroot *sr,
				     const char *system, const char *name, struct err *err)
{
	const struct tf_event *ev = tracefmt_find(tf, system, name);
	struct strbuf text = STRBUF_INIT;
	int ret;

	if (ev)
		return ev;
	ret = format_read_running(sr, system, name, &text);
	if (ret)
		err_set(err, ret, "the format of tracepoint '%s:%s' cannot be read: %s", system,
			name, err_str(ret));
	else
		ev = tracefmt_add(tf, system, strbuf_str(&text), text.len, err);
	strbuf_release(&text);
	return ev;
}

const struct tf_event *tracefmt_event(const struct tracefmt *tf, u32 id)
{
	u32 i = map64_get(&tf->by_id, id);

	return i == MAP64_NONE ? NULL : tf->events[i];
}

const struct tf_event *tracefmt_find(const struct tracefmt *tf, const char *system,
				     const char *name)
{
	size_t i;

	for (i = 0; i < tf->nr; i++)
		if (!strcmp(tf->events[i]->name, name) && !strcmp(tf->events[i]->system, system))
			return tf->events[i];
	return NULL;
}

size_t tracefmt_nr(const struct tracefmt *tf)
{
	return tf->nr;
}

const struct tf_event *tracefmt_at(const struct tracefmt *tf, size_t i)
{
	return i < tf->nr ? tf->events[i] : NULL;
}

/* ------------------------------------------------------------------ the TRACING_DATA section */

/* Read a string up to its zero byte. */
static const char *section_str(struct cur *c)
{
	const u8 *nul = memchr(c->p, 0, cur_left(c));

	return cur_bytes(c, nul ? (size_t)(nul - c->p) + 1 : cur_left(c) + 1);
}

void tracefmt_printk(struct tracefmt *tf, const char *p, size_t size)
{
	const char *end = p + size, *nl, *q, *last;
	char *stop, *line, *colon;
	u64 addr;

	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			nl = end;
		line = xstrndup(p, (size_t)(nl - p));
		addr = strtoull(line, &stop, 16);
		colon = strchr(stop, ':');
		q = colon ? strchr(colon, '"') : NULL;
		last = q ? strrchr(q + 1, '"') : NULL;
		if (addr && q && last) {
			size_t n = (size_t)(last - q - 1);

			if (n >= 2 && !memcmp(last - 2, "\\n", 2))
				n -= 2;
			VEC_GROW(tf->printk_str, tf->nr_printk + 1, tf->cap_printk);
			map64_set(&tf->printk, addr, (u32)tf->nr_printk);
			tf->printk_str[tf->nr_printk++] = arena_strndup(&tf->arena, q + 1, n);
		}
		free(line);
	}
}

static void read_formats(struct cur *c, struct tracefmt *tf, const char *system, u32 nr)
{
	struct err ignored;
	const char *text;
	u64 size;

	while (nr-- && cur_ok(c)) {
		size = cur_u64(c);
		text = size <= cur_left(c) ? cur_bytes(c, size) : cur_bytes(c, cur_left(c) + 1);
		if (text)
			tracefmt_add(tf, system, text, size, &ignored);
	}
}

static void skip_block(struct cur *c, u64 size)
{
	cur_skip(c, size <= cur_left(c) ? size : cur_left(c) + 1);
}

static void read_body(struct cur *c, struct tracefmt *tf)
{
	const char *s;
	u32 nr, size;
	int i;

	for (i = 0; i < 2;
	     i++) { /* header_page and header_event, which describe ftrace's own ring */
		s = section_str(c);
		if (s)
			skip_block(c, cur_u64(c));
	}
	nr = cur_u32(c);
	read_formats(c, tf, "ftrace", nr);
	for (nr = cur_u32(c); nr && cur_ok(c); nr--) {
		s = section_str(c);
		if (s)
			read_formats(c, tf, s, cur_u32(c));
	}
	skip_block(c, cur_u32(c)); /* kallsyms: symbols come from elsewhere */
	size = cur_u32(c);
	s = cur_bytes(c, size);
	if (s)
		tracefmt_printk(tf, s, size);
}

int tracefmt_read_section(const void *data, size_t size, struct tracefmt **out, struct err *err)
{
	static const u8 magic[] = { 23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	struct cur c = cur_make(data, size, false);
	const u8 *m = cur_bytes(&c, sizeof(magic));
	struct tracefmt *tf;
	u8 big, long_size;
	const char *version;

	*out = NULL;
	if (err)
		err->code = 0;
	if (!m || memcmp(m, magic, sizeof(magic)))
		return err_set(err, -EINVAL,
			       "the tracing data section does not start with its magic number");
	version = section_str(&c);
	big = cur_u8(&c);
	long_size = cur_u8(&c);
	if (!version || !cur_ok(&c) || big > 1 || (long_size != 4 && long_size != 8))
		return err_set(err, -EINVAL, "the header of the tracing data section is damaged");
	tf = tracefmt_new(big, long_size);
	c.swap = tf->swap;
	cur_u32(&c); /* page size */
	read_body(&c, tf);
	*out = tf;
	if (!cur_ok(&c))
		err_set(err, -EINVAL, "the tracing data section is cut off after %zu events",
			tf->nr);
	return 0;
}
