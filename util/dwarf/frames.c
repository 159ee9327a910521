// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "dwarf/frames.h"

#ifdef HAVE_LIBDW
#include "base/alloc.h"
#include "dwarf/libdw-internal.h"

#include <dwarf.h>
#include <fcntl.h>
#include <unistd.h>

struct frames {
	struct libdw lib;
	int fd;
	Elf *elf;
	Dwarf *dw;      /* NULL: the rules are of .eh_frame */
	Dwarf_CFI *cfi; /* of .debug_frame it is @dw's */
	struct libdw_loads loads;
};

struct frames *frames_open(const char *object)
{
	struct frames *f = xzalloc(sizeof(*f));

	f->fd = open(object, O_RDONLY | O_CLOEXEC);
	if (f->fd >= 0 && libdw_load(&f->lib))
		f->elf = f->lib.elf_begin(f->fd, ELF_C_READ_MMAP, NULL);
	if (f->elf)
		f->cfi = f->lib.dwarf_getcfi_elf(f->elf);
	if (f->elf && !f->cfi)
		f->dw = f->lib.dwarf_begin(f->fd, DWARF_C_READ);
	if (f->dw)
		f->cfi = f->lib.dwarf_getcfi(f->dw);
	if (!f->cfi) {
		frames_close(f);
		return NULL;
	}
	libdw_loads(&f->lib, &f->loads, f->elf);
	return f;
}

void frames_close(struct frames *f)
{
	if (!f)
		return;
	if (f->cfi && !f->dw)
		f->lib.dwarf_cfi_end(f->cfi);
	if (f->dw)
		f->lib.dwarf_end(f->dw);
	if (f->elf)
		f->lib.elf_end(f->elf);
	libdw_unload(&f->lib);
	if (f->fd >= 0)
		close(f->fd);
	free(f->loads.list);
	free(f);
}

bool frames_untouched(struct frames *f, u64 addr, int reg)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Op mem[3], *ops = mem;
	bool same = false;
	size_t nr = 0;

	if (f->lib.dwarf_cfi_addrframe(f->cfi, libdw_virtual(&f->loads, addr), &frame))
		return false;
	/*
	 * no operations and no buffer used: the value is unchanged; no operations but a buffer: it
	 * is the outermost frame
	 */
	if (!f->lib.dwarf_frame_register(frame, reg, mem, &ops, &nr))
		same = !nr && !ops;
	free(frame);
	return same;
}

bool frames_cfa(struct frames *f, u64 addr, struct frame_cfa *out)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Addr start, end;
	bool signal;
	Dwarf_Op *ops;
	size_t nr;

	*out = (struct frame_cfa){ addr, addr + 1, -1, 0 };
	if (f->lib.dwarf_cfi_addrframe(f->cfi, addr, &frame))
		return false;
	if (f->lib.dwarf_frame_info(frame, &start, &end, &signal) >= 0 && end > addr) {
		out->start = start;
		out->end = end;
	}
	if (!f->lib.dwarf_frame_cfa(frame, &ops, &nr) && nr == 1 && ops->atom == DW_OP_bregx) {
		out->reg = (int)ops->number;
		out->offset = (s64)ops->number2;
	}
	free(frame);
	return out->reg >= 0;
}

#else

struct frames *frames_open(const char *object)
{
	(void)object;
	return NULL;
}

void frames_close(struct frames *f)
{
	(void)f;
}

bool frames_untouched(struct frames *f, u64 addr, int reg)
{
	(void)f;
	(void)addr;
	(void)reg;
	return false;
}

bool frames_cfa(struct frames *f, u64 addr, struct frame_cfa *out)
{
	(void)f;
	*out = (struct frame_cfa){ addr, addr + 1, -1, 0 };
	return false;
}
#endif
