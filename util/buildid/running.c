// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "buildid/running.h"

#include "base/alloc.h"
#include "base/lines.h"
#include "symbol/symbol.h"

#include <inttypes.h>

#define KERNEL_NOTES "/sys/kernel/notes"

/* Read the build-id in a file of ELF notes. Return: bytes, negative errno. */
static int read_id(const struct sysroot *sr, const char *path, u8 id[20])
{
	struct strbuf notes = STRBUF_INIT;
	int ret = sysroot_read(sr, &notes, "%s", path);

	if (ret >= 0)
		ret = note_build_id(strbuf_str(&notes), notes.len, id);
	strbuf_release(&notes);
	return ret;
}

int running_kernel_id(const struct sysroot *sr, u8 id[20], struct err *err)
{
	int ret = read_id(sr, KERNEL_NOTES, id);

	if (ret < 0)
		err_set(err, ret, "cannot read the build-id of the kernel from %s: %s",
			KERNEL_NOTES, err_str(ret));
	return ret;
}

/* Add an object. @name: the list owns it from now on. @notes: file with its build-id */
static void add_object(struct running_objects *l, const struct sysroot *sr, const char *notes,
		       char *name, u64 start, u64 end)
{
	struct running_object *o;
	int size;

	VEC_GROW(l->v, l->nr + 1, l->cap);
	o = &l->v[l->nr++];
	*o = (struct running_object){ .name = name, .start = start, .end = end };
	size = read_id(sr, notes, o->id);
	o->id_size = (u8)MAX(size, 0);
}

/* Find where the text of the kernel begins and ends, in lines of "ADDRESS TYPE NAME". */
static void kernel_range(const struct strbuf *kallsyms, u64 *start, u64 *end)
{
	const char *p = strbuf_str(kallsyms), *stop = p + kallsyms->len;
	struct line l;

	while (next_line(&p, stop, &l)) {
		size_t len = (size_t)(l.end - l.p);

		if (len > 7 && !memcmp(l.end - 7, " _stext", 7))
			*start = strtoull(l.p, NULL, 16);
		if (len > 7 && !memcmp(l.end - 7, " _etext", 7))
			*end = strtoull(l.p, NULL, 16);
	}
}

/* A line is "NAME SIZE USES USERS STATE 0xADDRESS". */
static void add_module(struct running_objects *out, const struct sysroot *sr, const struct line *l)
{
	char *text = xstrndup(l->p, (size_t)(l->end - l->p)), name[64], *notes;
	u64 start, size;

	if (sscanf(text, "%63s %" SCNu64 " %*s %*s %*s 0x%" SCNx64, name, &size, &start) == 3) {
		notes = xasprintf("/sys/module/%s/notes/.note.gnu.build-id", name);
		add_object(out, sr, notes, xasprintf("[%s]", name), start, start + size);
		free(notes);
	}
	free(text);
}

int running_objects_read(const struct sysroot *sr, struct running_objects *out, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int ret = sysroot_read(sr, &text, "/proc/kallsyms");
	u64 start = 0, end = 0;
	const char *p, *stop;
	struct line l;

	if (ret < 0) {
		strbuf_release(&text);
		return err_set(err, ret, "cannot read /proc/kallsyms: %s", err_str(ret));
	}
	kernel_range(&text, &start, &end);
	add_object(out, sr, KERNEL_NOTES, xstrdup("[kernel.kallsyms]"), start, end);
	strbuf_reset(&text);
	/* A kernel without modules has no such file. */
	if (sysroot_read(sr, &text, "/proc/modules") >= 0)
		for (p = strbuf_str(&text), stop = p + text.len; next_line(&p, stop, &l);)
			add_module(out, sr, &l);
	strbuf_release(&text);
	return 0;
}

void running_objects_text(const struct running_objects *l, struct strbuf *out)
{
	for (size_t i = 0; i < l->nr; i++) {
		const struct running_object *o = &l->v[i];

		for (u8 k = 0; k < o->id_size; k++)
			strbuf_hex(out, o->id[k], 2, 0);
		strbuf_addf(out, " %16" PRIx64 " %16" PRIx64 " ", o->start, o->end);
		strbuf_addname(out, o->name);
		strbuf_addch(out, '\n');
	}
}

void running_objects_release(struct running_objects *l)
{
	for (size_t i = 0; i < l->nr; i++)
		free(l->v[i].name);
	free(l->v);
	*l = (struct running_objects){ 0 };
}
