// SPDX-License-Identifier: GPL-2.0-or-later
/* Read the bytes of objects from their files, or from the vdso of this process. */
#include "base/compat.h"
#include "disasm/code-files.h"

#include "arch/arch.h"
#include "base/alloc.h"
#include "disasm/elf-layout.h"
#include "codec/bpf-info.h"
#include "codec/unpack.h"
#include "jit/jitdump.h"
#include "symbol/elf-image.h"

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
	bool linked; /* addresses are no offsets, but those of the headers or of run time */
	u64 moved;   /* if so: addresses minus those that code_virtual() gives */
	const struct bpf_function *bpf; /* borrowed; what has the code; NULL: none */
	u32 jit;                        /* which jitdump has the code, counted from 1; 0: none */
	u64 code_at;                    /* where in that file it begins */
};

/* A jitdump file, which has the code of many objects. */
struct jit_file {
	char *path; /* owned */
	struct jitdump dump;
	bool readable;
};

struct code_files {
	struct code_file *v; /* by dso id */
	size_t nr;
	struct jit_file *jits; /* owned */
	size_t nr_jits, cap_jits;
	const struct text_poke *pokes; /* borrowed */
	size_t nr_pokes;
	u64 time; /* the code is that of this time */
};

struct code_files *code_files_new(void)
{
	struct code_files *f = xzalloc(sizeof(*f));

	f->time = UINT64_MAX;
	return f;
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
	for (size_t i = 0; i < f->nr_jits; i++) {
		free(f->jits[i].path);
		if (f->jits[i].readable)
			jitdump_close(&f->jits[i].dump);
	}
	free(f->jits);
	free(f->v);
	free(f);
}

static void open_file(struct code_file *c, const char *path)
{
	u8 ident[EI_NIDENT];

	c->fd = path ? unpacked_open(path, ELF_UNPACKED_MAX) : -1;
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

/* The code of a kernel is in its vmlinux, or in its memory. */
static void open_kernel(struct code_file *c, const struct symtab *t)
{
	open_file(c, symtab_origin(t) == 'v' ? symtab_object(t) : symtab_kcore(t));
	c->linked = true;
	c->moved = symtab_moved(t);
}

/*
 * That of a module is in the memory of the kernel, too. Where that cannot be read, it is in the
 * file that was loaded, in which no call leads anywhere yet. Addresses count from where it was
 * loaded.
 */
static void open_module(struct code_file *c, const struct dso *dso, const struct symtab *t)
{
	const struct module_section *sections;
	size_t nr;

	c->linked = true;
	open_file(c, symtab_kcore(t));
	if (c->fd >= 0) {
		c->moved = -dso->base;
		return;
	}
	sections = symtab_sections(t, &nr);
	open_file(c, sections ? symtab_object(t) : NULL);
	if (c->fd >= 0)
		elf_layout_read(&c->layout, c->fd);
	elf_layout_place(&c->layout, sections, nr);
	c->laid_out = true;
}

/* The code of a BPF program is in the recording, as that of what the kernel made is in the records
 * of its changes. Their addresses are those at run time, so that calls lead to where they led. */
static void open_bpf(struct code_file *c, const struct dso *dso, const struct symtab *t)
{
	c->fd = -1;
	c->bpf = symtab_bpf(t);
	c->wide = c->linked = true;
	c->moved = -dso->base;
}

static size_t read_bpf(const struct bpf_function *f, u64 addr, void *buf, size_t size)
{
	size = f->code && addr < f->size ? MIN(size, (size_t)(f->size - addr)) : 0;
	if (size)
		memcpy(buf, f->code + addr, size);
	return size;
}

/* ---- code compiled at run time ---- */

/* Return the path of the jitdump that describes the object DIR/jitted-PID-INDEX.so; the caller
 * frees it. NULL: the object has another name. */
static char *jitdump_path(const char *object)
{
	const char *slash = strrchr(object, '/'), *name = slash ? slash + 1 : object;
	size_t digits;

	if (strncmp(name, "jitted-", 7) != 0)
		return NULL;
	digits = strspn(name + 7, "0123456789");
	if (!digits || name[7 + digits] != '-')
		return NULL;
	return xasprintf("%.*sjit-%.*s.dump", (int)(name - object), object, (int)digits, name + 7);
}

/* Return the number of a jitdump among those that are open, counted from 1. @path is taken over. */
static u32 jit_file(struct code_files *f, char *path)
{
	struct jit_file *j;
	int fd;

	for (size_t i = 0; i < f->nr_jits; i++) {
		if (strcmp(f->jits[i].path, path) != 0)
			continue;
		free(path);
		return (u32)i + 1;
	}
	VEC_GROW(f->jits, f->nr_jits + 1, f->cap_jits);
	j = &f->jits[f->nr_jits++];
	*j = (struct jit_file){ .path = path };
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	j->readable = fd >= 0 && !jitdump_open(&j->dump, fd, NULL);
	return (u32)f->nr_jits;
}

/* Find the code of a function that a jitdump describes; its identity is where its record is. */
static void open_jit(struct code_files *f, struct code_file *c, const struct dso *dso)
{
	char *path = jitdump_path(dso->path);
	struct jit_file *j;
	struct jit_record r;
	u32 nr;

	c->fd = -1;
	if (!path)
		return;
	nr = jit_file(f, path);
	j = &f->jits[nr - 1];
	if (!j->readable)
		return;
	j->dump.pos = dso->ino;
	if (jitdump_next(&j->dump, &r) != 1 || r.id != JIT_CODE_LOAD || r.offset != dso->ino ||
	    r.code_size != dso->size)
		return;
	c->wide = j->dump.machine != EM_386 && j->dump.machine != EM_ARM;
	c->jit = nr;
	c->code_at = r.code_at;
}

static size_t read_jit(struct code_files *f, const struct code_file *c, const struct dso *dso,
		       u64 addr, void *buf, size_t size)
{
	u64 from = addr - JIT_CODE_OFFSET;
	const u8 *p;

	if (addr < JIT_CODE_OFFSET || from >= dso->size)
		return 0;
	size = (size_t)MIN((u64)size, dso->size - from);
	p = jitdump_bytes(&f->jits[c->jit - 1].dump, c->code_at + from, size);
	if (!p)
		return 0;
	memcpy(buf, p, size);
	return size;
}

/* ---- files ---- */

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
	else if (!c->tried && dso->kind == DSO_JIT)
		open_jit(f, c, dso);
	else if (!c->tried && dso->kind == DSO_KERNEL)
		open_kernel(c, t);
	else if (!c->tried && dso->kind == DSO_MODULE)
		open_module(c, dso, t);
	else if (!c->tried && dso->kind == DSO_BPF)
		open_bpf(c, dso, t);
	else if (!c->tried)
		open_file(c, dso->kind == DSO_USER ? symtab_object(t) : NULL);
	c->tried = true;
	return c;
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

/* ---- code that the kernel changes ---- */

void code_files_set_pokes(struct code_files *f, const struct text_poke *pokes, size_t nr)
{
	f->pokes = pokes;
	f->nr_pokes = nr;
}

void code_files_set_time(struct code_files *f, u64 time)
{
	f->time = time;
}

/* The range that something takes of the code that is wanted is told by offsets. */
struct part {
	u64 from, to;
};

/* Store the part of [@start, @start + @size) that @len bytes at @addr are. Return: false when there
 * is none. */
static bool find_part(u64 addr, u64 len, u64 start, u64 size, struct part *out)
{
	u64 first = MAX(addr, start), end = MIN(addr + len, start + size);

	*out = (struct part){ first - start, end - start };
	return first < end;
}

/* Return where the code at an address of an object of the kernel is at run time. */
static u64 run_time(const struct dso *dso, u64 addr)
{
	return dso->kind == DSO_KERNEL ? addr : addr + dso->base;
}

size_t code_changes(const struct code_files *f, const struct dso *dso, u64 addr, u64 size)
{
	struct part part;
	size_t nr = 0;

	if (dso->cpumode != PERF_RECORD_MISC_KERNEL)
		return 0;
	for (size_t i = 0; i < f->nr_pokes; i++) {
		const struct text_poke *p = &f->pokes[i];

		nr += p->old_len && find_part(p->addr, p->len, run_time(dso, addr), size, &part);
	}
	return nr;
}

/* This code was read; at run time it is at @addr. */
struct read_code {
	u64 addr;
	u8 *buf;
	size_t nr, size; /* bytes read, and wanted */
};

/* Put @len bytes that stand at @addr into the code, unless there is a gap before them. */
static void put_bytes(struct read_code *c, u64 addr, const u8 *bytes, u32 len)
{
	struct part part;

	if (!find_part(addr, len, c->addr, c->size, &part) || part.from > c->nr)
		return;
	memcpy(c->buf + part.from, bytes + (c->addr + part.from - addr), part.to - part.from);
	c->nr = MAX(c->nr, (size_t)part.to);
}

/*
 * Change what was read to what it was at the time that is asked for. Its file may have the code of
 * any time: that of the end comes from all changes, and later ones are then taken back. Code that
 * the kernel made, as for probes, is in no file: all of it comes from changes.
 */
static void apply_pokes(const struct code_files *f, struct read_code *c)
{
	for (size_t i = 0; i < f->nr_pokes; i++)
		put_bytes(c, f->pokes[i].addr, f->pokes[i].bytes, f->pokes[i].len);
	for (size_t i = f->nr_pokes; i-- && f->pokes[i].time > f->time;)
		put_bytes(c, f->pokes[i].addr, f->pokes[i].old, f->pokes[i].old_len);
}

/* ---- reading ---- */

static size_t read_file(struct code_files *f, const struct dso *dso, const struct symtab *t,
			u64 addr, void *buf, size_t size, bool *wide)
{
	const struct code_file *c = file_of(f, dso, t);
	ssize_t n;

	if (wide)
		*wide = c->wide;
	if (c->jit)
		return read_jit(f, c, dso, addr, buf, size);
	if (c->bpf)
		return read_bpf(c->bpf, addr, buf, size);
	if (c->image) {
		size = addr < c->image_size ? MIN(size, c->image_size - (size_t)addr) : 0;
		memcpy(buf, c->image + (size ? addr : 0), size);
		return size;
	}
	if (c->linked && !elf_layout_offset(layout_of(f, dso, t), addr - c->moved, &addr))
		return 0;
	if (c->fd < 0 || addr > INT64_MAX)
		return 0;
	n = pread(c->fd, buf, size, (off_t)addr);
	return n < 0 ? 0 : (size_t)n;
}

size_t code_read(struct code_files *f, const struct dso *dso, const struct symtab *t, u64 addr,
		 void *buf, size_t size, bool *wide)
{
	struct read_code c = { .addr = run_time(dso, addr), .buf = buf, .size = size };

	c.nr = read_file(f, dso, t, addr, buf, size, wide);
	if (f->nr_pokes && dso->cpumode == PERF_RECORD_MISC_KERNEL)
		apply_pokes(f, &c);
	return c.nr;
}

u64 code_virtual(struct code_files *f, const struct dso *dso, const struct symtab *t, u64 addr)
{
	const struct code_file *c = file_of(f, dso, t);
	u64 vaddr;

	if (c->linked)
		return addr - c->moved;
	return elf_layout_addr(layout_of(f, dso, t), addr, &vaddr) ? vaddr : addr;
}

u64 code_place(struct code_files *f, const struct dso *dso, const struct symtab *t, u64 vaddr)
{
	const struct code_file *c = file_of(f, dso, t);
	u64 offset;

	if (c->linked)
		return vaddr + c->moved;
	return elf_layout_offset(layout_of(f, dso, t), vaddr, &offset) ? offset : vaddr;
}

const char *code_section(struct code_files *f, const struct dso *dso, const struct symtab *t,
			 u64 addr)
{
	const struct code_file *c = file_of(f, dso, t);

	if (c->linked && !elf_layout_offset(layout_of(f, dso, t), addr - c->moved, &addr))
		return NULL;
	return elf_layout_section(layout_of(f, dso, t), addr);
}

u16 code_machine(struct code_files *f, const struct dso *dso, const struct symtab *t)
{
	const struct code_file *c = file_of(f, dso, t);

	return c->jit ? (u16)f->jits[c->jit - 1].dump.machine : layout_of(f, dso, t)->machine;
}

const struct arch *code_arch(struct code_files *f, const struct dso *dso, const struct symtab *t,
			     const struct arch *otherwise)
{
	static const struct {
		u16 machine;
		const char *uname;
	} known[] = { { EM_X86_64, "x86_64" }, { EM_386, "x86_64" }, { EM_AARCH64, "aarch64" } };
	u16 machine = code_machine(f, dso, t);

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (machine == known[i].machine)
			return arch_of(known[i].uname);
	return otherwise;
}
