// SPDX-License-Identifier: GPL-2.0-or-later
/* Read the bytes of objects from their files, or from the vdso of this process. */
#include "base/compat.h"
#include "disasm/code-files.h"

#include "base/alloc.h"
#include "disasm/elf-layout.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

struct code_file {
	bool tried, wide;
	int fd;          /* -1: none */
	const u8 *image; /* borrowed; of the vdso of this process; NULL: none */
	size_t image_size;
	struct elf_layout layout; /* of the file */
	bool laid_out;            /* the layout was read */
};

struct code_files {
	struct code_file *v; /* by dso id */
	size_t nr;
};

struct code_files *code_files_new(void)
{
	return xzalloc(sizeof(struct code_files));
}

void code_files_free(struct code_files *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->nr; i++) {
		if (f->v[i].tried && f->v[i].fd >= 0)
			close(f->v[i].fd);
		elf_layout_release(&f->v[i].layout);
	}
	free(f->v);
	free(f);
}

static void open_file(struct code_file *c, const char *path)
{
	u8 ident[EI_NIDENT];

	c->fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	c->wide = c->fd >= 0 && pread(c->fd, ident, sizeof(ident), 0) == sizeof(ident) &&
		  ident[EI_CLASS] == ELFCLASS64;
}

/* One without build-id may have been any kernel's. */
static void open_vdso(struct code_file *c, const struct dso *dso, const struct symtab *t)
{
	bool own = dso->build_id_size && symtab_origin(t) == 'p';

	c->image = own ? vdso_image(&c->image_size) : NULL;
	open_file(c, symtab_origin(t) == 'B' ? symtab_file(t) : NULL);
	c->wide |= c->image && c->image[EI_CLASS] == ELFCLASS64;
}

static struct code_file *file_of(struct code_files *f, const struct dso *dso,
				 const struct symtab *t)
{
	size_t old = f->nr;
	struct code_file *c;

	if (dso->id >= f->nr) {
		f->nr = MAX((size_t)dso->id + 1, old * 2);
		f->v = xrealloc(f->v, f->nr, sizeof(*f->v));
		memset(f->v + old, 0, (f->nr - old) * sizeof(*f->v));
	}
	c = &f->v[dso->id];
	if (!c->tried && dso->kind == DSO_VDSO)
		open_vdso(c, dso, t);
	else if (!c->tried)
		open_file(c, dso->kind == DSO_USER ? symtab_object(t) : NULL);
	c->tried = true;
	return c;
}

size_t code_read(struct code_files *f, const struct dso *dso, const struct symtab *t, u64 addr,
		 void *buf, size_t size, bool *wide)
{
	const struct code_file *c = file_of(f, dso, t);
	ssize_t n;

	if (wide)
		*wide = c->wide;
	if (c->image) {
		size = addr < c->image_size ? MIN(size, c->image_size - (size_t)addr) : 0;
		memcpy(buf, c->image + (size ? addr : 0), size);
		return size;
	}
	if (c->fd < 0 || addr > INT64_MAX)
		return 0;
	n = pread(c->fd, buf, size, (off_t)addr);
	return n < 0 ? 0 : (size_t)n;
}

static const struct elf_layout *layout_of(struct code_files *f, const struct dso *dso,
					  const struct symtab *t)
{
	struct code_file *c = file_of(f, dso, t);

	if (!c->laid_out && c->fd >= 0)
		elf_layout_read(&c->layout, c->fd);
	c->laid_out = true;
	return &c->layout;
}

u64 code_virtual(struct code_files *f, const struct dso *dso, const struct symtab *t, u64 addr)
{
	u64 vaddr;

	return elf_layout_addr(layout_of(f, dso, t), addr, &vaddr) ? vaddr : addr;
}

u64 code_place(struct code_files *f, const struct dso *dso, const struct symtab *t, u64 vaddr)
{
	u64 offset;

	return elf_layout_offset(layout_of(f, dso, t), vaddr, &offset) ? offset : vaddr;
}

const char *code_section(struct code_files *f, const struct dso *dso, const struct symtab *t,
			 u64 addr)
{
	return elf_layout_section(layout_of(f, dso, t), addr);
}
