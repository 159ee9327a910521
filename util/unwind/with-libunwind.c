// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks as libunwind unwinds them, from copies ("remote"). It asks for words of memory, which are
 * those of the copied stack and of the objects, and for the table of an object at an address.
 */
#include "base/compat.h"
#include "unwind/backend-internal.h"

#ifdef HAVE_LIBUNWIND
#include "base/alloc.h"
#include "base/library.h"

#include <elf.h>
#include <libunwind.h>

#undef unw_step /* is a name of this room, too */

/* The search in the table of .eh_frame_hdr. The library has it for its users, but in no header. */
int UNW_OBJ(dwarf_search_unwind_table)(unw_addr_space_t as, unw_word_t ip, unw_dyn_info_t *di,
				       unw_proc_info_t *pi, int need_unwind_info, void *arg);

#define UNWIND_CALLS(X)                                                                            \
	X(create_addr_space)                                                                       \
	X(destroy_addr_space)                                                                      \
	X(init_remote)                                                                             \
	X(get_reg)                                                                                 \
	X(step)                                                                                    \
	X(dwarf_search_unwind_table)

struct unw_libunwind {
	void *handle;
#define UNWIND_MEMBER(name) __typeof__(&UNW_OBJ(name)) name;
	UNWIND_CALLS(UNWIND_MEMBER)
#undef UNWIND_MEMBER
	unw_addr_space_t space;
	struct unw_stack *stack;
	struct unw_code *objects; /* owned: those that frames of the stack are in */
	size_t nr, cap;
};

/* ---- what libunwind asks for ---- */

/* Read a word of an object. */
static bool read_object(const struct unw_code *code, u64 addr, unw_word_t *v)
{
	const struct elf_image *e = unw_object_image(code->object);
	u64 vaddr = addr - code->bias;
	size_t size;
	const u8 *bytes = elf_image_file(e, &size);

	for (u32 i = 0; bytes && i < e->nr_segments; i++) {
		const struct elf_segment *s = &e->segments[i];
		u64 at = vaddr - s->vaddr + s->offset;

		if (s->type != PT_LOAD || vaddr < s->vaddr || vaddr - s->vaddr >= s->filesz ||
		    at > size || size - at < sizeof(*v))
			continue;
		memcpy(v, bytes + at, sizeof(*v));
		return true;
	}
	return false;
}

static int access_memory(unw_addr_space_t as, unw_word_t addr, unw_word_t *v, int write, void *arg)
{
	struct unw_libunwind *l = arg;
	struct unw_memory *m = &l->stack->memory;
	u64 missing = m->missing;

	(void)as;
	if (write)
		return -UNW_EINVAL;
	if (unw_read(m, addr, v))
		return 0;
	for (size_t i = 0; i < l->nr; i++) {
		if (read_object(&l->objects[i], addr, v)) {
			m->missing = missing;
			return 0;
		}
	}
	return -UNW_EINVAL;
}

static int access_register(unw_addr_space_t as, unw_regnum_t nr, unw_word_t *v, int write,
			   void *arg)
{
	const struct unw_libunwind *l = arg;
	const struct unw_frame *f = &l->stack->frame;

	(void)as;
	if (write || nr < 0 || nr >= UNW_REGS || !(f->known >> nr & 1))
		return -UNW_EBADREG;
	*v = f->reg[nr];
	return 0;
}

static int access_fp_register(unw_addr_space_t as, unw_regnum_t nr, unw_fpreg_t *v, int write,
			      void *arg)
{
	(void)as, (void)nr, (void)v, (void)write, (void)arg;
	return -UNW_EINVAL;
}

/* The part of .eh_frame_hdr before the table is 12 bytes where entries are of the usual form. */
static int find_table(unw_addr_space_t as, unw_word_t ip, unw_proc_info_t *pi, int need, void *arg)
{
	struct unw_libunwind *l = arg;
	const struct elf_section *hdr;
	const struct elf_image *e;
	struct unw_code code;
	unw_dyn_info_t di = { 0 };
	const u8 *bytes;
	size_t len;

	if (!unw_code_at(l->stack, ip, &code))
		return -UNW_ENOINFO;
	e = unw_object_image(code.object);
	hdr = elf_image_section(e, ".eh_frame_hdr");
	bytes = hdr ? elf_image_bytes(e, hdr, &len) : NULL;
	if (!bytes || len < 12 || bytes[0] != 1 || bytes[2] != 0x03 || bytes[3] != 0x3b)
		return -UNW_ENOINFO;
	di.format = UNW_INFO_FORMAT_REMOTE_TABLE;
	di.start_ip = code.bias;
	di.end_ip = UINT64_MAX;
	di.u.rti.segbase = code.bias + hdr->addr;
	di.u.rti.table_data = di.u.rti.segbase + 12;
	di.u.rti.table_len = (len - 12) / sizeof(unw_word_t);
	return l->dwarf_search_unwind_table(as, ip, &di, pi, need, arg);
}

static void put_table(unw_addr_space_t as, unw_proc_info_t *pi, void *arg)
{
	(void)as, (void)pi, (void)arg;
}

static int no_list(unw_addr_space_t as, unw_word_t *addr, void *arg)
{
	(void)as, (void)addr, (void)arg;
	return -UNW_ENOINFO;
}

static int no_resume(unw_addr_space_t as, unw_cursor_t *c, void *arg)
{
	(void)as, (void)c, (void)arg;
	return -UNW_EINVAL;
}

static int no_name(unw_addr_space_t as, unw_word_t ip, char *name, size_t size, unw_word_t *offset,
		   void *arg)
{
	(void)as, (void)ip, (void)name, (void)size, (void)offset, (void)arg;
	return -UNW_ENOINFO;
}

static const unw_accessors_t accessors = {
	.find_proc_info = find_table,
	.put_unwind_info = put_table,
	.get_dyn_info_list_addr = no_list,
	.access_mem = access_memory,
	.access_reg = access_register,
	.access_fpreg = access_fp_register,
	.resume = no_resume,
	.get_proc_name = no_name,
};

/* ---- stacks ---- */

/* Words of the object at @pc can be read from now on. */
static void add_object(struct unw_libunwind *l, u64 pc)
{
	struct unw_code code;

	if (!unw_code_at(l->stack, pc, &code))
		return;
	for (size_t i = 0; i < l->nr; i++)
		if (l->objects[i].object == code.object && l->objects[i].bias == code.bias)
			return;
	VEC_GROW(l->objects, l->nr + 1, l->cap);
	l->objects[l->nr++] = code;
}

static enum unw_step walk(void *state, struct unw_stack *s)
{
	struct unw_libunwind *l = state;
	unw_cursor_t cursor;
	unw_word_t pc = s->frame.pc;
	int ret;

	l->stack = s;
	l->nr = 0;
	add_object(l, pc);
	if (l->init_remote(&cursor, l->space, l)) {
		unw_enter(s, pc);
		return UNW_LOST;
	}
	do {
		if (!unw_enter(s, pc))
			return UNW_LOST;
		add_object(l, pc - 1);
		ret = l->step(&cursor);
	} while (ret > 0 && !l->get_reg(&cursor, UNW_REG_IP, &pc) && pc);
	if (ret >= 0)
		return UNW_ROOT;
	return s->memory.missing ? UNW_BEYOND : UNW_LOST;
}

static void shut(void *state)
{
	struct unw_libunwind *l = state;

	if (l->space)
		l->destroy_addr_space(l->space);
	if (l->handle)
		LIBRARY_DROP(l->handle);
	free(l->objects);
	free(l);
}

/* The names of the library have its processor in them, and are made by a macro. */
#define FIND_BY_NAME(handle, name) LIBRARY_FIND(handle, name)

static void *start(void)
{
	struct unw_libunwind *l = xzalloc(sizeof(*l));
	unw_accessors_t calls = accessors;
	bool whole;

	l->handle = LIBRARY_LOAD("libunwind-x86_64.so.8", RTLD_LAZY | RTLD_LOCAL);
	whole = l->handle;
#define FIND(name)                                                                                 \
	if (whole)                                                                                 \
		l->name = (__typeof__(l->name))FIND_BY_NAME(l->handle, UNW_OBJ(name));             \
	whole = whole && l->name;
	UNWIND_CALLS(FIND)
#undef FIND
	if (whole)
		l->space = l->create_addr_space(&calls, 0);
	if (l->space)
		return l;
	shut(l);
	return NULL;
}

const struct unw_backend unw_libunwind = {
	.name = "libunwind", .only_x86_64 = true, .open = start, .close = shut, .walk = walk
};

#else

const struct unw_backend unw_libunwind = { .name = "libunwind", .only_x86_64 = true };
#endif
