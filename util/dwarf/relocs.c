// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "dwarf/relocs.h"

#ifdef HAVE_LIBDW
#include "base/alloc.h"
#include "dwarf/libdw-internal.h"

#include <fcntl.h>
#include <unistd.h>

struct reloc {
	u64 addr, value;
	enum reloc_kind kind;
};

struct relocs {
	struct libdw lib;
	Elf *elf;
	struct reloc *v; /* owned; sorted by @addr */
	size_t nr, cap;
};

/* Relocations are told apart by what they put into the data. */
enum { OTHER, BASE_PLUS_ADDEND, SYMBOL_PLUS_ADDEND };

static int kind_of(u16 machine, u64 type)
{
	static const struct {
		u16 machine, type;
		int kind;
	} known[] = {
		{ EM_X86_64, R_X86_64_RELATIVE, BASE_PLUS_ADDEND },
		{ EM_X86_64, R_X86_64_GLOB_DAT, SYMBOL_PLUS_ADDEND },
		{ EM_X86_64, R_X86_64_64, SYMBOL_PLUS_ADDEND },
		{ EM_AARCH64, R_AARCH64_RELATIVE, BASE_PLUS_ADDEND },
		{ EM_AARCH64, R_AARCH64_GLOB_DAT, SYMBOL_PLUS_ADDEND },
		{ EM_AARCH64, R_AARCH64_ABS64, SYMBOL_PLUS_ADDEND },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (known[i].machine == machine && known[i].type == type)
			return known[i].kind;
	return OTHER;
}

/* The symbols that a section of relocations refers to. */
struct symbols {
	Elf_Data *data; /* NULL: none */
	u32 strings;    /* the section with their names */
};

static bool symbol_of(const struct relocs *r, const GElf_Rela *rela, const struct symbols *s,
		      GElf_Sym *sym)
{
	return s->data && GELF_R_SYM(rela->r_info) <= INT32_MAX &&
	       r->lib.gelf_getsym(s->data, (int)GELF_R_SYM(rela->r_info), sym);
}

static void add_reloc(struct relocs *r, u16 machine, const GElf_Rela *rela, const struct symbols *s)
{
	int kind = kind_of(machine, GELF_R_TYPE(rela->r_info));
	struct reloc found = { rela->r_offset, (u64)rela->r_addend, RELOC_ADDRESS };
	const char *name;
	GElf_Sym sym;

	if (kind == OTHER || (kind == SYMBOL_PLUS_ADDEND && !symbol_of(r, rela, s, &sym)))
		return;
	if (kind == SYMBOL_PLUS_ADDEND) {
		name = r->lib.elf_strptr(r->elf, s->strings, sym.st_name);
		found.value += sym.st_value;
		if (name && !strcmp(name, "__stack_chk_guard"))
			found.kind = RELOC_GUARD;
		else if (sym.st_shndx == SHN_UNDEF)
			return;
	}
	VEC_GROW(r->v, r->nr + 1, r->cap);
	r->v[r->nr++] = found;
}

static void read_section(struct relocs *r, u16 machine, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Scn *linked = r->lib.elf_getscn(r->elf, sh->sh_link);
	Elf_Data *data = r->lib.elf_getdata(scn, NULL);
	struct symbols s = { 0 };
	GElf_Shdr of_symbols;
	GElf_Rela rela;

	if (linked && r->lib.gelf_getshdr(linked, &of_symbols))
		s = (struct symbols){ r->lib.elf_getdata(linked, NULL), of_symbols.sh_link };
	for (int i = 0; data && r->lib.gelf_getrela(data, i, &rela); i++)
		add_reloc(r, machine, &rela, &s);
}

static int by_addr(const void *a, const void *b)
{
	const struct reloc *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void read_relocs(struct relocs *r)
{
	Elf_Scn *scn = NULL;
	GElf_Ehdr eh;
	GElf_Shdr sh;

	if (!r->lib.gelf_getehdr(r->elf, &eh))
		return;
	while ((scn = r->lib.elf_nextscn(r->elf, scn)))
		if (r->lib.gelf_getshdr(scn, &sh) && sh.sh_type == SHT_RELA &&
		    sh.sh_flags & SHF_ALLOC)
			read_section(r, eh.e_machine, scn, &sh);
	if (r->nr)
		qsort(r->v, r->nr, sizeof(*r->v), by_addr);
}

struct relocs *relocs_open(const char *object)
{
	struct relocs *r = xzalloc(sizeof(*r));
	int fd = open(object, O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && libdw_load(&r->lib))
		r->elf = r->lib.elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (r->elf) {
		read_relocs(r);
		r->lib.elf_end(r->elf);
	}
	libdw_unload(&r->lib);
	if (fd >= 0)
		close(fd);
	if (r->nr)
		return r;
	relocs_close(r);
	return NULL;
}

void relocs_close(struct relocs *r)
{
	if (r)
		free(r->v);
	free(r);
}

enum reloc_kind relocs_find(const struct relocs *r, u64 addr, u64 *value)
{
	const struct reloc key = { .addr = addr };
	const struct reloc *found = bsearch(&key, r->v, r->nr, sizeof(*r->v), by_addr);

	if (!found)
		return RELOC_NONE;
	*value = found->value;
	return found->kind;
}

#else

struct relocs *relocs_open(const char *object)
{
	(void)object;
	return NULL;
}

void relocs_close(struct relocs *r)
{
	(void)r;
}

enum reloc_kind relocs_find(const struct relocs *r, u64 addr, u64 *value)
{
	(void)r;
	(void)addr;
	(void)value;
	return RELOC_NONE;
}
#endif
