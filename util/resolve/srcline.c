// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "resolve/srcline-internal.h"

#include "base/alloc.h"
#include "codec/bpf-info.h"

struct srclines *srclines_new(const struct symbols *symbols)
{
	struct srclines *s = xzalloc(sizeof(*s));

	if (symbols)
		s->by = *symbols_line_source(symbols);
	if (symbols && s->by.style <= LINES_BUILTIN) /* what others say is not kept */
		s->cache = symbols_cache(symbols);
	pthread_mutex_init(&s->lock, NULL);
	return s;
}

void srclines_whole_paths(struct srclines *s, bool whole)
{
	s->whole_paths = whole;
}

void srclines_free(struct srclines *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nr; i++)
		line_object_free(s, s->objects[i]);
	free(s->objects);
	free(s->places);
	arena_release(&s->arena);
	intern_release(&s->names);
	map64_release(&s->name_of);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* The lines of a BPF program are in the recording. */
static u32 bpf_line(const struct location *l, const char **file)
{
	const struct bpf_function *f = symtab_bpf(l->symtab);
	const struct bpf_line *line = f ? bpf_function_line(f, l->addr) : NULL;

	*file = line ? line->file : NULL;
	return line ? line->line : 0;
}

u32 srcline_find(struct srclines *s, const struct location *l, const char **file)
{
	struct line_place p;

	*file = NULL;
	if (l->dso && l->symtab && l->dso->kind == DSO_BPF)
		return bpf_line(l, file);
	if (!line_place(s, l, false, &p))
		return 0;
	*file = p.frames[0].file;
	return p.frames[0].line;
}

static const char *shown_part(const struct srclines *s, const char *path)
{
	const char *slash = s->whole_paths ? NULL : strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void srcline_shown(const struct srclines *s, const char *file, u32 line, struct strbuf *out)
{
	if (file)
		strbuf_addf(out, "%s:%u", shown_part(s, file), line);
	else
		strbuf_addstr(out, "??:0");
}

/*
 * Tell whether the file of the program could be read; then lines that it does not have are in no
 * file.
 */
static bool read_whole(const struct location *l)
{
	return l->dso->kind == DSO_USER && l->symtab && symtab_object(l->symtab);
}

void srcline_text(struct srclines *s, const struct location *l, struct strbuf *out)
{
	const char *file;
	u32 line = srcline_find(s, l, &file);

	if (file)
		srcline_shown(s, file, line, out);
	else if (!l->dso || read_whole(l))
		strbuf_addstr(out, "??:0");
	else if (l->symtab && l->sym != UINT32_MAX)
		strbuf_addf(out, "%s+%" PRIu64, location_symbol(l),
			    l->addr - symtab_get(l->symtab, l->sym).start);
	else
		strbuf_addf(out, "%s[%" PRIx64 "]", location_dso(l), l->addr);
}

void srcfile_text(struct srclines *s, const struct location *l, struct strbuf *out)
{
	const char *file;

	srcline_find(s, l, &file);
	if (file)
		strbuf_addstr(out, shown_part(s, file));
}

u32 srcline_inlines(struct srclines *s, const struct location *l, const struct inline_frame **out)
{
	struct line_place p;

	if (l->sym == UINT32_MAX || !line_place(s, l, true, &p))
		return 0;
	*out = p.frames;
	return p.nr;
}
