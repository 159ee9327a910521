// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Symbols out of an ELF image: functions, objects and the labels of code sections, with their
 * addresses as offsets into the file, which is what mmap records speak of.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/cur.h"
#include "symbol/symbol-internal.h"

struct raw_sym {
	u32 name;
	u8 info, other;
	u16 shndx;
	u64 value, size;
};

struct sym_table {
	const u8 *bytes;
	const char *strs;
	size_t nr, entsize, strs_len;
};

static void read_sym(const struct elf_image *e, const struct sym_table *t, size_t i, struct raw_sym *s)
{
	struct cur c = cur_make(t->bytes + i * t->entsize, t->entsize, e->swap);

	s->name = cur_u32(&c);
	if (e->is64) {
		s->info = cur_u8(&c);
		s->other = cur_u8(&c);
		s->shndx = cur_u16(&c);
		s->value = cur_u64(&c);
		s->size = cur_u64(&c);
	} else {
		s->value = cur_u32(&c);
		s->size = cur_u32(&c);
		s->info = cur_u8(&c);
		s->other = cur_u8(&c);
		s->shndx = cur_u16(&c);
	}
}

static bool open_table(const struct elf_image *e, u32 type, struct sym_table *t)
{
	u64 need = e->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	u32 i;

	for (i = 1; i < e->nr_sections; i++) {
		const struct elf_section *s = &e->sections[i];
		size_t len;

		if (s->type != type || s->link >= e->nr_sections)
			continue;
		t->bytes = elf_image_bytes(e, s, &len);
		t->entsize = s->entsize >= need && s->entsize < len ? (size_t)s->entsize : (size_t)need;
		t->nr = len / t->entsize;
		t->strs = (const char *)elf_image_bytes(e, &e->sections[s->link], &t->strs_len);
		if (t->bytes && t->strs && t->nr)
			return true;
	}
	return false;
}

bool elf_image_has_symtab(const struct elf_image *e)
{
	struct sym_table t;

	return open_table(e, SHT_SYMTAB, &t);
}

static const char *sym_name(const struct sym_table *t, u32 off, size_t *len)
{
	if (off >= t->strs_len)
		return NULL;
	*len = strnlen(t->strs + off, t->strs_len - off);
	return *len ? t->strs + off : NULL;
}

/* Sections that labels count in: code and data by name. */
static bool label_section(const struct elf_image *e, u16 shndx)
{
	const char *name;

	if (shndx >= e->nr_sections)
		return false;
	name = elf_image_section_name(e, &e->sections[shndx]);
	return strstr(name, "text") || strstr(name, "data");
}

/* Mapping symbols mark code and data for disassemblers: $a, $t, $d on Arm, $x, $d on AArch64, with an optional ".any". */
static bool mapping_symbol(u16 machine, const char *name, size_t len)
{
	if (machine != EM_ARM && machine != EM_AARCH64 && machine != EM_RISCV)
		return false;
	return len >= 2 && name[0] == '$' && strchr("atdx", name[1]) && (len == 2 || name[2] == '.' || machine == EM_RISCV);
}

static bool wanted(const struct elf_image *e, const struct raw_sym *s)
{
	u8 type = ELF64_ST_TYPE(s->info), visibility = ELF64_ST_VISIBILITY(s->other);

	/* Absolute ones (names of symbol versions) are no places in the file. */
	if (s->shndx == SHN_UNDEF || s->shndx == SHN_ABS || s->shndx == SHN_COMMON)
		return false;
	/* Nor is what lies in a section that is not loaded. */
	if (s->shndx < e->nr_sections && !(e->sections[s->shndx].flags & SHF_ALLOC))
		return false;
	if (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT)
		return true;
	return type == STT_NOTYPE && visibility != STV_INTERNAL && visibility != STV_HIDDEN && label_section(e, s->shndx);
}

static u8 binding_letter(u8 info)
{
	switch (ELF64_ST_BIND(info)) {
	case STB_GLOBAL:
	case STB_GNU_UNIQUE:
		return 'g';
	case STB_WEAK:
		return 'w';
	default:
		return 'l';
	}
}

/* Addresses of relocatable objects are offsets into their section. */
static u64 file_addr(const struct elf_image *syms, const struct elf_image *layout, const struct raw_sym *s)
{
	if (syms->type == ET_REL && s->shndx < syms->nr_sections)
		return s->value + syms->sections[s->shndx].offset;
	return elf_image_file_addr(layout, s->value);
}

size_t elf_image_symbols(const struct elf_image *e, const struct elf_image *layout, bool keep_addr,
			 u64 delta, struct sym_list *out)
{
	struct sym_table t;
	size_t i, len, before = out->nr;

	if (!open_table(e, SHT_SYMTAB, &t) && !open_table(e, SHT_DYNSYM, &t))
		return 0;
	for (i = 1; i < t.nr; i++) {
		struct raw_sym s;
		const char *name;
		u64 addr;

		read_sym(e, &t, i, &s);
		if (!wanted(e, &s))
			continue;
		name = sym_name(&t, s.name, &len);
		if (!name || mapping_symbol(e->machine, name, len))
			continue;
		if (e->machine == EM_ARM && (s.value & 1) && ELF64_ST_TYPE(s.info) == STT_FUNC)
			s.value--; /* Thumb */
		addr = keep_addr ? s.value + delta : file_addr(e, layout, &s);
		if (addr + s.size < addr)
			s.size = 0;
		sym_list_add(out, addr, addr + s.size, name, len, binding_letter(s.info), ELF64_ST_TYPE(s.info));
	}
	return out->nr - before;
}

bool elf_image_find(const struct elf_image *e, const char *name, u64 *value)
{
	size_t i, len, want = strlen(name);
	struct sym_table t;

	if (!open_table(e, SHT_SYMTAB, &t))
		return false;
	for (i = 1; i < t.nr; i++) {
		struct raw_sym s;
		const char *n;

		read_sym(e, &t, i, &s);
		n = sym_name(&t, s.name, &len);
		if (n && s.shndx != SHN_UNDEF && len == want && !memcmp(n, name, len)) {
			*value = s.value;
			return true;
		}
	}
	return false;
}

/* ---- PLT ---- */

struct plt_shape {
	u16 machine;
	u8 header, entry;
};

static const struct plt_shape plt_shapes[] = {
	{ EM_X86_64, 16, 16 }, { EM_386, 16, 16 }, { EM_AARCH64, 32, 16 }, { EM_ARM, 20, 12 },
	{ EM_RISCV, 32, 16 },  { EM_S390, 32, 32 },
};

static const struct plt_shape *plt_shape(u16 machine)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(plt_shapes); i++) {
		if (plt_shapes[i].machine == machine)
			return &plt_shapes[i];
	}
	return NULL;
}

/* Name of the symbol a relocation entry refers to, NULL when it has none. */
static const char *reloc_name(const struct elf_image *e, const struct elf_section *rel, const struct sym_table *t,
			      const u8 *bytes, size_t i, size_t *len)
{
	struct cur c = cur_make(bytes + i * rel->entsize, (size_t)rel->entsize, e->swap);
	struct raw_sym s;
	u64 info, sym;

	if (e->is64) {
		cur_u64(&c);
		info = cur_u64(&c);
		sym = info >> 32;
	} else {
		cur_u32(&c);
		info = cur_u32(&c);
		sym = info >> 8;
	}
	*len = 0;
	if (!cur_ok(&c) || sym >= t->nr)
		return NULL;
	if (!sym)
		return ""; /* an indirect function of the object's own, which has no name there */
	read_sym(e, t, (size_t)sym, &s);
	return sym_name(t, s.name, len);
}

/* The entries of one section, in the order of their relocations. */
static void plt_section(const struct elf_image *e, const struct elf_section *plt, u64 header, u64 entry,
			const struct elf_section *rel, const struct sym_table *t, struct arena *names,
			struct sym_list *out)
{
	size_t i, nr, len, name_len;
	const u8 *bytes = elf_image_bytes(e, rel, &len);
	u64 addr = elf_image_file_addr(e, plt->addr) + header;

	if (!bytes || plt->size < header)
		return;
	nr = (size_t)MIN(len / rel->entsize, (plt->size - header) / entry);
	for (i = 0; i < nr; i++, addr += entry) {
		const char *name = reloc_name(e, rel, t, bytes, i, &name_len);
		char *text;

		if (!name)
			continue;
		text = arena_alloc(names, name_len + 5);
		memcpy(text, name, name_len);
		memcpy(text + name_len, "@plt", 5);
		sym_list_add(out, addr, addr + entry, text, name_len + 4, 'g', STT_FUNC);
	}
}

size_t elf_image_plt(const struct elf_image *e, struct arena *names, struct sym_list *out)
{
	const struct plt_shape *shape = plt_shape(e->machine);
	const struct elf_section *plt = elf_image_section(e, ".plt"), *rel, *sec;
	size_t before = out->nr;
	struct sym_table t;

	rel = elf_image_section(e, ".rela.plt");
	if (!rel)
		rel = elf_image_section(e, ".rel.plt");
	if (!shape || !plt || !rel || rel->entsize < (e->is64 ? 16U : 8U) || !open_table(e, SHT_DYNSYM, &t))
		return 0;
	plt_section(e, plt, shape->header, shape->entry, rel, &t, names, out);
	/* With branch tracking calls go to the entries of .plt.sec, which has no header. */
	sec = elf_image_section(e, ".plt.sec");
	if (sec)
		plt_section(e, sec, 0, shape->entry, rel, &t, names, out);
	return out->nr - before;
}
