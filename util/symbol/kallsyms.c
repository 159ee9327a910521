// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of a kernel in one pass over its kallsyms, a block of lines at a time. The kernel
 * writes them in the order of their addresses, so there is nothing to sort, and of five megabytes
 * of text no more than the names are kept.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/lines.h"
#include "symbol/symbol-internal.h"

#include <errno.h>
#include <unistd.h>

/* The name of a symbol behind all others; @s is not changed. Return: where. */
static u32 put_name(struct kallsyms_table *b, const struct sym_new *s)
{
	size_t at = b->nr_strs;

	VEC_GROW(b->t->strs, at + s->len + 1, b->cap_strs);
	memcpy(b->t->strs + at, s->name, s->len);
	b->t->strs[at + s->len] = '\0';
	b->nr_strs += s->len + 1;
	return (u32)at;
}

/* A symbol whose end is known, into the table, unless one at the same address is the better one:
 * then its name, which is the last one, goes. */
static void put_symbol(struct kallsyms_table *b)
{
	struct symtab *t = b->t;
	struct sym_new *s = &b->prev;
	bool same = t->nr && b->last.start == s->start;

	if (s->extra)
		return;
	b->last.name = t->strs + b->last_at;
	s->name = t->strs + b->prev_at;
	if (same && !sym_second_better(&b->last, s, b->demangle)) {
		b->nr_strs = b->prev_at;
		return;
	}
	if (!same) {
		VEC_GROW(t->syms, (size_t)t->nr + 1, b->cap);
		t->nr++;
	}
	b->last = *s;
	b->last_at = b->prev_at;
	t->syms[t->nr - 1] = (struct symbol){ s->start, s->end, b->prev_at, s->binding, s->type };
	b->mangled |= sym_is_mangled(s->name, s->len);
}

/* Return: false when it is out of order. */
static bool next_symbol(struct kallsyms_table *b, const struct sym_new *s)
{
	struct sym_new *prev = &b->prev;

	if (b->any) {
		if (s->start < prev->start)
			return false;
		prev->end = ksym_end(prev->start, s->start, s->extra != prev->extra);
		put_symbol(b);
	}
	b->any = true;
	*prev = *s;
	if (!s->extra)
		b->prev_at = put_name(b, s);
	return true;
}

/* Is it the symbol that tells where the recorded kernel was, and that was elsewhere? */
static bool has_moved(struct kallsyms_table *b, const struct ksym *k)
{
	if (!b->ref || k->module || k->len != b->ref_len || memcmp(k->name, b->ref, b->ref_len))
		return false;
	b->ref = NULL; /* the first one of that name */
	return k->addr != b->ref_addr;
}

int kallsyms_feed(struct kallsyms_table *b, const char *text, size_t len)
{
	const char *p = text, *end = text + len;
	struct ksym k;
	struct line l;

	b->read = true;
	if (b->nr_strs + len >= UINT32_MAX)
		return -EAGAIN;
	while (next_line(&p, end, &l)) {
		struct sym_new s = { 0 };

		if (!ksym_parse(l, &k))
			continue;
		b->nonzero |= k.addr != 0;
		if (has_moved(b, &k))
			return -EAGAIN;
		if (!ksym_kind(k.letter, &s.binding, &s.type) || !k.addr)
			continue;
		s.start = s.end = k.addr;
		s.name = k.name;
		s.len = (u32)k.len;
		s.extra = k.module != NULL;
		if (!next_symbol(b, &s))
			return -EAGAIN;
	}
	return 0;
}

int kallsyms_end(struct kallsyms_table *b, int ret)
{
	struct symtab *t = b->t;

	if (!ret && b->any) {
		b->prev.end = sym_last_end(b->prev.start);
		put_symbol(b);
	}
	if (!ret && !t->nr)
		ret = !b->nonzero && b->read ? -EPERM : 0;
	if (ret || !t->nr) {
		free(t->syms);
		free(t->strs);
		t->syms = NULL;
		t->strs = NULL;
		t->nr = 0;
		return ret;
	}
	t->syms = xrealloc(t->syms, t->nr, sizeof(*t->syms));
	t->strs = xrealloc(t->strs, b->nr_strs, 1);
	symtab_link(t, b->mangled && b->demangle);
	return (int)MIN(t->nr, (u32)INT32_MAX);
}

#define BLOCK ((size_t)1 << 16)

int kallsyms_feed_file(struct kallsyms_table *b, int fd)
{
	size_t have = 0, cap = BLOCK, whole;
	char *buf = xmalloc(cap), *nl;
	ssize_t n;
	int ret = 0;

	while (!ret) {
		if (have == cap) /* one line: no kernel writes that */
			buf = xrealloc(buf, cap *= 2, 1);
		n = read(fd, buf + have, cap - have);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			ret = -errno;
		if (n <= 0)
			break;
		have += (size_t)n;
		nl = memrchr(buf, '\n', have);
		whole = nl ? (size_t)(nl + 1 - buf) : 0;
		ret = whole ? kallsyms_feed(b, buf, whole) : 0;
		memmove(buf, buf + whole, have - whole);
		have -= whole;
	}
	if (!ret && have)
		ret = kallsyms_feed(b, buf, have);
	free(buf);
	return ret;
}
