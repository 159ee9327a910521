// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "resolve/srcline.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/intern.h"
#include "dwarf/lines.h"

struct object {
	bool tried;
	struct lines *lines; /* NULL: none */
	u64 moved;           /* for a kernel: run-time address minus address in its file */
	struct map64 stacks; /* address -> index of its stack */
};

/* The functions that were inlined at an address. */
struct inline_stack {
	const struct inline_frame *frames; /* owned by the arena; nr + 1 of them */
	u32 nr;
};

struct srclines {
	struct object *objects; /* by dso id */
	size_t nr;
	bool whole_paths;
	struct inline_stack *stacks;
	size_t nr_stacks, cap_stacks;
	struct arena arena;
	struct intern names;  /* the printed names of inlined functions */
	struct map64 name_of; /* place of a name in the debug information -> its number */
};

struct srclines *srclines_new(void)
{
	return xzalloc(sizeof(struct srclines));
}

void srclines_whole_paths(struct srclines *s, bool whole)
{
	s->whole_paths = whole;
}

void srclines_free(struct srclines *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nr; i++) {
		lines_close(s->objects[i].lines);
		map64_release(&s->objects[i].stacks);
	}
	free(s->objects);
	free(s->stacks);
	arena_release(&s->arena);
	intern_release(&s->names);
	map64_release(&s->name_of);
	free(s);
}

/*
 * Find how far a kernel was relocated: addresses are those at run time, and its file has those of
 * the link.
 */
static bool find_moved(struct object *o, const struct dso *dso)
{
	u64 linked;

	if (!dso->ref_sym || !lines_symbol(o->lines, dso->ref_sym, &linked))
		return false;
	o->moved = dso->ref_addr - linked;
	return true;
}

static struct object *object_of(struct srclines *s, const struct location *l)
{
	size_t old = s->nr;
	struct object *o;

	if (l->dso->id >= s->nr) {
		s->nr = MAX((size_t)l->dso->id + 1, old * 2);
		s->objects = xrealloc(s->objects, s->nr, sizeof(*s->objects));
		memset(s->objects + old, 0, (s->nr - old) * sizeof(*s->objects));
	}
	o = &s->objects[l->dso->id];
	if (o->tried)
		return o;
	o->tried = true;
	if (l->dso->kind != DSO_USER && l->dso->kind != DSO_KERNEL)
		return o;
	if (symtab_file(l->symtab))
		o->lines = lines_open(symtab_file(l->symtab), symtab_object(l->symtab));
	if (o->lines && l->dso->kind == DSO_KERNEL && !find_moved(o, l->dso)) {
		lines_close(o->lines);
		o->lines = NULL;
	}
	return o;
}

u32 srcline_find(struct srclines *s, const struct location *l, const char **file)
{
	struct object *o = l->dso && l->symtab ? object_of(s, l) : NULL;

	*file = NULL;
	if (!o || !o->lines)
		return 0;
	return lines_find(o->lines, l->addr - o->moved, l->dso->kind == DSO_KERNEL, file);
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

/* ---- inlined functions ---- */

/* Most functions are inlined at many places; each name is converted once. */
static const char *printed_name(struct srclines *s, const struct location *l, const char *name)
{
	u32 *slot = map64_slot(&s->name_of, (u64)(uintptr_t)name);

	if (*slot == MAP64_NONE) {
		char *shown = symtab_show(l->symtab, name);

		*slot = intern_str_id(&s->names, shown);
		free(shown);
	}
	return intern_str(&s->names, *slot);
}

static u32 find_stack(struct srclines *s, const struct object *o, const struct location *l)
{
	struct inlined in[INLINED_MAX];
	size_t nr = lines_inlined(o->lines, l->addr - o->moved, l->dso->kind == DSO_KERNEL, in);
	struct inline_frame *f = NULL;

	if (nr) {
		f = arena_alloc(&s->arena, (nr + 1) * sizeof(*f));
		f[0].line = srcline_find(s, l, &f[0].file);
		for (size_t i = 0; i < nr; i++) {
			f[i].name = printed_name(s, l, in[i].name);
			f[i + 1] = (struct inline_frame){ NULL, in[i].file, in[i].line };
		}
	}
	VEC_GROW(s->stacks, s->nr_stacks + 1, s->cap_stacks);
	s->stacks[s->nr_stacks] = (struct inline_stack){ f, (u32)nr };
	return (u32)s->nr_stacks++;
}

u32 srcline_inlines(struct srclines *s, const struct location *l, const struct inline_frame **out)
{
	struct object *o;
	u32 *slot;

	if (!l->dso || !l->symtab || l->sym == UINT32_MAX)
		return 0;
	o = object_of(s, l);
	if (!o->lines)
		return 0;
	slot = map64_slot(&o->stacks, l->addr);
	if (*slot == MAP64_NONE)
		*slot = find_stack(s, o, l);
	*out = s->stacks[*slot].frames;
	return s->stacks[*slot].nr;
}
