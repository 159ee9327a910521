// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "base/name-list.h"

#include "base/alloc.h"
#include "base/lines.h"
#include "base/sysroot.h"

#include <errno.h>

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_name(struct name_list *l, const char *p, size_t len)
{
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
		if (line.end > line.p)
			add_name(l, line.p, (size_t)(line.end - line.p));
	strbuf_release(&text);
	return ret;
}

static int add_entry(struct name_list *l, const char *entry, size_t len, const char *what,
		     struct err *err)
{
	static const char scheme[] = "file://";
	size_t front = strlen(scheme);
	char *path;
	int ret;

	if (len < front || memcmp(entry, scheme, front)) {
		add_name(l, entry, len);
		return 0;
	}
	path = xstrndup(entry + front, len - front);
	ret = add_file(l, path);
	if (ret < 0)
		ret = err_set(err, -EINVAL, "problems parsing %s list\n%s: %s", what, path,
			      err_str(ret));
	free(path);
	return ret < 0 ? ret : 0;
}

static void sort_names(struct name_list *l)
{
	size_t i, nr = 0;

	if (l->nr)
		qsort(l->names, l->nr, sizeof(*l->names), by_name);
	for (i = 0; i < l->nr; i++) {
		if (nr && !strcmp(l->names[nr - 1], l->names[i]))
			free(l->names[i]);
		else
			l->names[nr++] = l->names[i];
	}
	l->nr = nr;
}

int name_list_parse(struct name_list *l, const char *text, const char *what, struct err *err)
{
	int ret = 0;

	l->set = true;
	while (*text && !ret) { /* nothing follows a comma at the end */
		size_t len = strcspn(text, ",");

		ret = add_entry(l, text, len, what, err);
		text += len;
		text += *text == ',';
	}
	sort_names(l);
	return ret;
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

void few_names_add(struct few_names *f, const char *name)
{
	if (f->nr <= FEW_NAMES)
		strbuf_addf(&f->text, "%s%s", f->nr ? ", " : "", f->nr < FEW_NAMES ? name : "...");
	f->nr++;
}

void few_names_release(struct few_names *f)
{
	strbuf_release(&f->text);
	f->nr = 0;
}
