// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks as libdw unwinds them. A Dwfl stands for a process between two exchanges of its mappings
 * (an epoch); it learns of an object when the first frame in it comes up, and reads registers and
 * memory of the sample at hand.
 */
#include "base/compat.h"
#include "unwind/backend-internal.h"

/* A static perf goes without: with these functions the linker takes in a client for debuginfod,
 * which loads libraries. */
#if defined(HAVE_LIBDW) && !defined(PERF_STATIC)
#include "base/alloc.h"
#include "base/library.h"

#include <elfutils/libdwfl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Processes that take turns each keep theirs. Each holds open files, hence no more. */
#define KEPT 8

#define DWFL_CALLS(X)                                                                              \
	X(dwfl_begin)                                                                              \
	X(dwfl_end)                                                                                \
	X(dwfl_report_elf)                                                                         \
	X(dwfl_report_end)                                                                         \
	X(dwfl_addrmodule)                                                                         \
	X(dwfl_attach_state)                                                                       \
	X(dwfl_getthread_frames)                                                                   \
	X(dwfl_thread_state_registers)                                                             \
	X(dwfl_thread_state_register_pc)                                                           \
	X(dwfl_frame_pc)

struct process {
	Dwfl *dwfl; /* NULL: unused */
	u32 epoch;
	bool attached;
	struct unw_libdw *owner;
};

struct unw_libdw {
	void *handle;
#define DWFL_MEMBER(name) __typeof__(&name) name;
	DWFL_CALLS(DWFL_MEMBER)
#undef DWFL_MEMBER
	struct process kept[KEPT];
	u32 next; /* the one that is given up next */
	struct unw_stack *stack;
	bool stopped; /* unw_enter() has ended the stack */
};

/* ---- what libdw asks for ---- */

/* Debug files would give the same rules as objects, and to look for them may need the network. */
static int no_debuginfo(Dwfl_Module *m, void **data, const char *name, Dwarf_Addr base,
			const char *file, const char *link, GElf_Word crc, char **found)
{
	(void)m, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)found;
	return -1;
}

/* Objects are handed over as files, so none is ever looked for. */
static int no_elf(Dwfl_Module *m, void **data, const char *name, Dwarf_Addr base, char **file,
		  Elf **elf)
{
	(void)m, (void)data, (void)name, (void)base, (void)file, (void)elf;
	return -1;
}

static const Dwfl_Callbacks file_callbacks = { .find_elf = no_elf, .find_debuginfo = no_debuginfo };

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread)
{
	(void)dwfl;
	if (*thread)
		return 0;
	*thread = arg;
	return 1;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *arg, void **thread)
{
	(void)dwfl, (void)tid;
	*thread = arg;
	return true;
}

/* Memory that is not in the copy may be that of an object: libdw looks at code behind signals. */
static bool read_memory(Dwfl *dwfl, Dwarf_Addr addr, Dwarf_Word *v, void *arg)
{
	struct process *p = arg;

	(void)dwfl;
	return unw_read(&p->owner->stack->memory, addr, v);
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	const struct process *p = arg;
	const struct unw_libdw *l = p->owner;
	const struct unw_stack *s = l->stack;

	for (int i = 0; i < UNW_REGS; i++) {
		Dwarf_Word v = s->frame.reg[i];

		/* The library refuses numbers that no frame of that processor has. */
		if (s->frame.known >> i & 1 && i != s->arch->pc)
			l->dwfl_thread_state_registers(thread, i, 1, &v);
	}
	if (s->arch->pc == s->arch->ip) {
		Dwarf_Word pc = s->frame.pc;

		return l->dwfl_thread_state_registers(thread, s->arch->pc, 1, &pc);
	}
	l->dwfl_thread_state_register_pc(thread, s->frame.pc);
	return true;
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.get_thread = get_thread,
	.memory_read = read_memory,
	.set_initial_registers = set_registers,
};

/* ---- objects ---- */

/* The vdso has no file. Return: a descriptor of a copy, or -1. */
static int copy_of(const struct elf_image *e)
{
	size_t size;
	const u8 *bytes = elf_image_file(e, &size);
	int fd = bytes ? memfd_create("vdso", MFD_CLOEXEC) : -1;

	if (fd >= 0 && write(fd, bytes, size) != (ssize_t)size) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Tell libdw of the object at @pc. Return: whether it knows it now. */
static bool report(struct process *p, u64 pc)
{
	struct unw_libdw *l = p->owner;
	const char *file;
	struct unw_code code;
	int fd = -1;

	if (l->dwfl_addrmodule(p->dwfl, pc))
		return true;
	if (!unw_code_at(l->stack, pc, &code))
		return false;
	file = unw_object_path(code.object);
	if (!file)
		fd = copy_of(unw_object_image(code.object));
	if (!file && fd < 0)
		return false;
	if (l->dwfl_report_elf(p->dwfl, file ? file : "[vdso]", file ? file : "[vdso]", fd,
			       code.bias, true))
		return true;
	if (fd >= 0)
		close(fd);
	return false;
}

static void drop(struct process *p)
{
	if (p->dwfl)
		p->owner->dwfl_end(p->dwfl);
	*p = (struct process){ 0 };
}

static struct process *process_of(struct unw_libdw *l, u32 epoch)
{
	struct process *p;

	for (p = l->kept; p < l->kept + KEPT; p++)
		if (p->dwfl && p->epoch == epoch)
			return p;
	p = &l->kept[l->next++ % KEPT];
	drop(p);
	*p = (struct process){ .dwfl = l->dwfl_begin(&file_callbacks), .epoch = epoch, .owner = l };
	return p->dwfl ? p : NULL;
}

/* The library takes the architecture from the first object, so that has to be there. */
static bool attach(struct process *p)
{
	struct unw_libdw *l = p->owner;

	if (p->attached)
		return true;
	l->dwfl_report_end(p->dwfl, NULL, NULL);
	p->attached = l->dwfl_attach_state(p->dwfl, NULL, 1, &thread_callbacks, p);
	return p->attached;
}

/* ---- stacks ---- */

static int on_frame(Dwfl_Frame *frame, void *arg)
{
	struct process *p = arg;
	struct unw_libdw *l = p->owner;
	Dwarf_Addr pc;

	/* The library's flag of interrupted frames would be that of the frame after the one that a
	 * signal came to, so unw_enter() decides. */
	if (!l->dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	if (!unw_enter(l->stack, pc)) {
		l->stopped = true;
		return DWARF_CB_ABORT;
	}
	report(p, pc - 1);
	return DWARF_CB_OK;
}

static enum unw_step walk(void *state, struct unw_stack *s)
{
	struct unw_libdw *l = state;
	struct process *p = process_of(l, s->epoch);

	l->stack = s;
	l->stopped = false;
	if (!p || !report(p, s->frame.pc) || !attach(p)) {
		unw_enter(s, s->frame.pc);
		return UNW_LOST;
	}
	if (!l->dwfl_getthread_frames(p->dwfl, 1, on_frame, p))
		return UNW_ROOT;
	return s->memory.missing && !l->stopped ? UNW_BEYOND : UNW_LOST;
}

static void shut(void *state)
{
	struct unw_libdw *l = state;

	for (struct process *p = l->kept; p < l->kept + KEPT; p++)
		drop(p);
	if (l->handle)
		LIBRARY_DROP(l->handle);
	free(l);
}

static void *start(void)
{
	struct unw_libdw *l = xzalloc(sizeof(*l));
	bool whole;

	l->handle = LIBRARY_LOAD("libdw.so.1", RTLD_LAZY | RTLD_LOCAL);
	whole = l->handle;
#define FIND(name)                                                                                 \
	if (whole)                                                                                 \
		l->name = (__typeof__(l->name))LIBRARY_FIND(l->handle, name);                      \
	whole = whole && l->name;
	DWFL_CALLS(FIND)
#undef FIND
	if (whole)
		return l;
	shut(l);
	return NULL;
}

const struct unw_backend unw_libdw = { .name = "libdw", .open = start, .close = shut, .walk = walk };

#else

const struct unw_backend unw_libdw = { .name = "libdw" };
#endif
