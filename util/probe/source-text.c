// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "probe/source-text.h"

#include "base/alloc.h"
#include "base/lines.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <unistd.h>

#define SOURCE_MAX (64u << 20)

void source_text_release(struct source_text *t)
{
	free(t->path);
	free(t->lines);
	strbuf_release(&t->text);
	*t = (struct source_text){ 0 };
}

/* Find a source file: where the compiler read it, or its longest tail that is below --source. */
static char *find_source(const struct probe_target *target, const char *path)
{
	char *found;

	if (!target->source)
		return xstrdup(path);
	for (const char *tail = path; tail; tail = strchr(tail + 1, '/')) {
		found = xasprintf("%s%s%s", target->source, *tail == '/' ? "" : "/", tail);
		if (!access(found, R_OK))
			return found;
		free(found);
	}
	return xstrdup(path);
}

int source_text_read(struct source_text *t, const struct probe_target *target, const char *path,
		     struct err *err)
{
	const struct sysroot here = { 0 };
	const char *p, *end;
	struct line l;
	int rc;

	*t = (struct source_text){ .path = find_source(target, path) };
	rc = sysroot_read_max(&here, SOURCE_MAX, &t->text, "%s", t->path);
	if (rc) {
		err_set(err, rc,
			"Failed to find source file %s: %s. Name its folder with --source.", path,
			err_str(rc));
		source_text_release(t);
		return rc;
	}
	p = strbuf_str(&t->text);
	end = p + t->text.len;
	while (next_line(&p, end, &l)) {
		VEC_GROW(t->lines, t->nr + 2, t->cap);
		t->lines[t->nr++] = l.p;
		t->lines[t->nr] = p;
	}
	return 0;
}

const char *source_text_line(const struct source_text *t, u32 line, size_t *len)
{
	const char *start, *end;

	if (!line || line > t->nr)
		return NULL;
	start = t->lines[line - 1];
	end = t->lines[line];
	while (end > start && (end[-1] == '\n' || end[-1] == '\r'))
		end--;
	*len = (size_t)(end - start);
	return start;
}

/* Return a text without its blanks; the caller frees it. */
static char *squeeze(const char *p, size_t len)
{
	char *out = xmalloc(len + 1);
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		if (!isspace((unsigned char)p[i]))
			out[n++] = p[i];
	out[n] = 0;
	return out;
}

bool source_text_matches(const struct source_text *t, u32 line, const char *pattern)
{
	size_t len;
	const char *p = source_text_line(t, line, &len);
	char *text, *wanted;
	bool matches;

	if (!p)
		return false;
	text = squeeze(p, len);
	wanted = squeeze(pattern, strlen(pattern));
	matches = !fnmatch(wanted, text, 0);
	free(text);
	free(wanted);
	return matches;
}
