// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "output/place-filter.h"

#include "base/alloc.h"
#include "base/lines.h"
#include "base/strbuf.h"
#include "base/sysroot.h"

#include <errno.h>

/* ---- names ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_name(struct name_list *l, const char *p, size_t len)
{
	if (!len)
		return;
	VEC_GROW(l->names, l->nr + 1, l->cap);
	l->names[l->nr++] = xstrndup(p, len);
}

static int add_file(struct name_list *l, const char *path)
{
	struct strbuf text = STRBUF_INIT;
	int ret = sysroot_read(NULL, &text, "%s", path);
	const char *p = strbuf_str(&text), *end = p + text.len;
	struct line line;

	while (ret >= 0 && next_line(&p, end, &line))
		add_name(l, line.p, (size_t)(line.end - line.p));
	strbuf_release(&text);
	return ret;
}

int name_list_parse(struct name_list *l, const char *text, const char *what, struct err *err)
{
	static const char scheme[] = "file://";

	l->set = true;
	if (!strncmp(text, scheme, strlen(scheme))) {
		if (add_file(l, text + strlen(scheme)) < 0)
			return err_set(err, -EINVAL, "problems parsing %s list", what);
	} else {
		for (; *text; text += *text == ',') {
			add_name(l, text, strcspn(text, ","));
			text += strcspn(text, ",");
		}
	}
	if (l->nr)
		qsort(l->names, l->nr, sizeof(*l->names), by_name);
	return 0;
}

bool name_list_has(const struct name_list *l, const char *name)
{
	return l->nr && bsearch(&name, l->names, l->nr, sizeof(*l->names), by_name);
}

void name_list_release(struct name_list *l)
{
	for (size_t i = 0; i < l->nr; i++)
		free(l->names[i]);
	free(l->names);
	*l = (struct name_list){ 0 };
}

/* ---- places ---- */

static int by_u64(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

int place_filter_symbols(struct place_filter *f, const char *text, struct err *err)
{
	int ret = name_list_parse(&f->symbols, text, "symbol", err);

	if (ret)
		return ret;
	free(f->addrs);
	f->addrs = xcalloc(f->symbols.nr + 1, sizeof(*f->addrs));
	f->nr_addrs = 0;
	for (size_t i = 0; i < f->symbols.nr; i++) { /* "add" may be both */
		char *end;
		u64 addr = strtoull(f->symbols.names[i], &end, 16);

		if (!*end)
			f->addrs[f->nr_addrs++] = addr;
	}
	qsort(f->addrs, f->nr_addrs, sizeof(*f->addrs), by_u64);
	return 0;
}

unsigned int place_filter_names(const struct place_filter *f, const struct location *l)
{
	const char *symbol = location_symbol(l);
	unsigned int out = 0;

	if (!f->dsos.set || (l->dso && (name_list_has(&f->dsos, l->dso->short_name) ||
					name_list_has(&f->dsos, l->dso->path))))
		out |= PLACE_DSO;
	if (!f->symbols.set || (symbol && name_list_has(&f->symbols, symbol)))
		out |= PLACE_SYMBOL;
	if (symbol && name_list_has(&f->stops, symbol))
		out |= PLACE_STOP;
	return out;
}

bool place_filter_addr(const struct place_filter *f, u64 ip)
{
	size_t lo = 0, hi = f->nr_addrs;

	/* the last one that is not behind it: with it begins what the address can be in */
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (f->addrs[mid] <= ip)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && ip - f->addrs[lo - 1] < MAX(f->range, (u64)1);
}

void place_filter_release(struct place_filter *f)
{
	name_list_release(&f->symbols);
	name_list_release(&f->dsos);
	name_list_release(&f->stops);
	free(f->addrs);
	*f = (struct place_filter){ 0 };
}
